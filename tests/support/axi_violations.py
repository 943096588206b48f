"""Traces of AXI4 and AXI4-Lite that each break exactly one rule."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lutra.soc.checker.bench import CHANNELS, Which

Payload = dict[str, int]
FIXED, INCR, WRAP = range(3)
OKAY, EXOKAY, SLVERR = range(3)
# The bench's limits (soc/checker/bench/checker_bench.sv).
OUTSTANDING, AHEAD, TIMEOUT = 4, 8, 255


@dataclass(frozen=True)
class Event:
    """A transfer: its channel, the cycle in which its valid rises, and how many cycles it waits for the ready."""

    channel: str
    at: int
    payload: Payload
    waits: int = 0


def request(
    number: int = 1, addr: int = 0x100, length: int = 1, size: int = 3, burst: int = INCR, **more: int
) -> Payload:
    """An address; length: beats."""
    return {"id": number, "addr": addr, "len": length - 1, "size": size, "burst": burst} | more


def data(strb: int = 0xFF, last: int = 1) -> Payload:
    """A beat of a write."""
    return {"data": 0x0123_4567_89AB_CDEF, "strb": strb, "last": last}


def answer(number: int = 1, resp: int = OKAY, **more: int) -> Payload:
    """A response, or with `last` a beat of a read."""
    return {"id": number, "resp": resp} | more


def lay(events: list[Event], tail: int = 2) -> list[dict[str, int]]:
    """The cycles of the transfers, and some after them."""
    end = max((e.at + e.waits for e in events), default=0) + 1 + tail
    cycles: list[dict[str, int]] = [{} for _ in range(end)]
    for event in events:
        for cycle in range(event.at, event.at + event.waits + 1):
            shown = {"valid": 1, "ready": int(cycle == event.at + event.waits)} | event.payload
            cycles[cycle] |= {f"{event.channel}{name}": value for name, value in shown.items()}
    return cycles


def base() -> list[dict[str, int]]:
    """Two writes and two reads of four beats with different IDs; every transfer waits, the reads are interleaved."""
    ids, beats = (1, 2), range(4)
    events = [Event(c, 1 + 3 * i, request(n, 0x100 * n, 4), 2) for c in ("aw", "ar") for i, n in enumerate(ids)]
    events += [Event("w", 8 + 3 * i, data(last=int(i % 4 == 3)), 2) for i in range(8)]
    order = [(n, beat) for beat in beats for n in ids]
    events += [Event("r", 8 + 3 * i, answer(n, data=i, last=int(beat == 3)), 2) for i, (n, beat) in enumerate(order)]
    events += [Event("b", 40 + 3 * i, answer(n), 2) for i, n in enumerate(ids)]
    return lay(events)


# What a signal of the payload changes by while it waits; the changed one is legal as well.
CHANGES = {"id": 3, "addr": 0x40, "len": 2, "size": 1, "burst": 1, "lock": 1, "cache": 1, "prot": 1, "qos": 1}
CHANGES |= {"region": 1, "data": 1, "strb": 1, "last": 1, "resp": 2}


def held(rule: str, cycles: list[dict[str, int]]) -> list[dict[str, int]]:
    """A valid that falls, or a signal that changes, while it waits for the first time."""
    name = rule.removesuffix("_held")
    channel = next(c for c in ("aw", "ar", "w", "b", "r") if name.startswith(c))
    at = next(i for i, cycle in enumerate(cycles) if cycle.get(f"{channel}valid"))
    signal = name.removeprefix(channel)
    if signal == "valid":
        cycles[at + 1][name] = 0
    else:
        cycles[at][name] = cycles[at].get(name, 0) ^ CHANGES[signal]
    return cycles


def in_reset(rule: str) -> list[dict[str, int]]:
    """A valid in reset, or at the edge at which it is over."""
    name, _, when = rule.partition("_")
    channel = name.removesuffix("valid")
    payload = data() if channel == "w" else request()
    shown = {f"{channel}{signal}": value for signal, value in ({"valid": 1, "ready": 1} | payload).items()}
    if when == "first":
        return [{"rst_n": 0}, shown, {}]
    return [{"rst_n": 0}, {"rst_n": 0, name: 1}, {"rst_n": 0}, {}]


# Addresses that are not allowed, by what follows the channel in the rule.
REQUESTS = {
    "burst": request(burst=3),
    "size": request(size=4),
    "len_fixed": request(burst=FIXED, length=17),
    "len_wrap": request(burst=WRAP, length=3),
    "addr_wrap": request(0x104, 0x104, burst=WRAP, length=4),
    "addr_4k": request(addr=0x1FF8, length=2),
    "cache": request(cache=4),
    "len_exclusive": request(lock=1, length=32, size=0),
    "bytes_exclusive": request(addr=0, lock=1, length=3),
    "addr_exclusive": request(addr=0x108, lock=1, length=4),
}


def write(number: int = 1, addr: int = 0x100, first: int = 1, strb: int = 0xFF, **more: int) -> list[Event]:
    """A write of one beat, without its response."""
    return [Event("aw", first, request(number, addr, **more)), Event("w", first, data(strb))]


def beats(strobes: list[int], first: int = 1) -> list[Event]:
    """The data of a write, the last one with WLAST."""
    return [Event("w", first + i, data(s, int(i + 1 == len(strobes)))) for i, s in enumerate(strobes)]


def reading(*responses: tuple[int, int], first: int = 3, number: int = 1) -> list[Event]:
    """Beats of a read: response, and whether it is the last one."""
    return [Event("r", first + i, answer(number, resp, last=last)) for i, (resp, last) in enumerate(responses)]


WRITE4 = Event("aw", 1, request(length=4))
READ2 = Event("ar", 1, request(length=2))
LOCKED = {"lock": 1}
EXCLUSIVE = [Event("ar", 1, request(lock=1)), *reading((EXOKAY, 1))]

# Events by rule and variant.
EVENTS: dict[str, list[Event]] = {
    "exclusive_after_read": [Event("ar", 1, request(lock=1)), Event("aw", 3, request(lock=1))],
    "exclusive_as_read": [*EXCLUSIVE, *write(addr=0x200, first=5, **LOCKED)],
    "exclusive_as_read: size": [*EXCLUSIVE, *write(size=2, strb=0x0F, first=5, **LOCKED)],
    "wlast_missing": [WRITE4, *(Event("w", 2 + i, data(last=0)) for i in range(4)), Event("b", 8, answer())],
    "wlast_missing: data first": [Event("w", 1, data(last=0)), Event("aw", 3, request())],
    "wlast_early": [WRITE4, *(Event("w", 2 + i, data(last=i % 2)) for i in range(4)), Event("b", 8, answer())],
    "wlast_early: data first": [Event("w", 1, data(last=1)), Event("aw", 3, request(length=2))],
    "wstrb_lanes: unaligned": write(addr=0x103, strb=0xFC),
    "wstrb_lanes: narrow": write(size=1, addr=0x102, strb=0x1C),
    "wstrb_lanes: second beat": [Event("aw", 1, request(size=2, length=2)), *beats([0x0F, 0x0F])],
    "wstrb_lanes: unaligned, then aligned": [
        Event("aw", 1, request(addr=0x101, size=1, length=2)),
        *beats([0x02, 0x0E]),
    ],
    "wstrb_lanes: fixed": [Event("aw", 1, request(addr=0x104, size=2, length=2, burst=FIXED)), *beats([0xF0, 0x0F])],
    "wstrb_lanes: wrapped": [Event("aw", 1, request(addr=0x102, size=1, length=2, burst=WRAP)), *beats([0x0C, 0x30])],
    "wstrb_lanes: data first": [*beats([0xFF, 0xF0]), Event("aw", 5, request(addr=0x104, length=2, size=2))],
    "w_ahead_limit": beats([0xFF] * (AHEAD + 1)),
    "b_after_address": [Event("w", 1, data()), Event("b", 3, answer())],
    "b_after_address: other ID": [*write(), Event("b", 3, answer(2))],
    "b_after_address: second response": [*write(), Event("b", 3, answer()), Event("b", 5, answer())],
    "b_after_data": [WRITE4, *(Event("w", 2 + i, data(last=0)) for i in range(3)), Event("b", 6, answer())],
    "b_after_data: with the last": [Event("aw", 1, request()), Event("w", 2, data()), Event("b", 2, answer())],
    "b_after_data: of the second write": [*write(), Event("aw", 2, request(2)), Event("b", 4, answer(2))],
    "b_exokay": [*write(), Event("b", 3, answer(resp=EXOKAY))],
    "b_exokay: of the older write": [
        *write(),
        *write(first=2, **LOCKED),
        Event("b", 4, answer(resp=EXOKAY)),
        Event("b", 5, answer()),
    ],
    "r_after_address": reading((OKAY, 1)),
    "r_after_address: other ID": [READ2, *reading((OKAY, 1), number=2)],
    "r_after_address: third beat": [READ2, *reading((OKAY, 0), (OKAY, 1), (OKAY, 1))],
    "rlast_missing": [READ2, *reading((OKAY, 0), (OKAY, 0))],
    "rlast_early": [READ2, *reading((OKAY, 1), (OKAY, 1))],
    "rlast_early: out of order": [
        READ2,
        Event("ar", 2, request(length=1)),
        *reading((OKAY, 1)),
        *reading((OKAY, 1), (OKAY, 1), first=4),
    ],
    "r_exokay": [Event("ar", 1, request()), *reading((EXOKAY, 1))],
    "r_exokay_mixed": [Event("ar", 1, request(length=2, lock=1)), *reading((OKAY, 0), (EXOKAY, 1))],
    "r_exokay_mixed: OKAY later": [Event("ar", 1, request(length=2, lock=1)), *reading((EXOKAY, 0), (OKAY, 1))],
    "aw_limit": [Event("aw", 1 + i, request(i)) for i in range(OUTSTANDING + 1)],
    "ar_limit": [Event("ar", 1 + i, request(i)) for i in range(OUTSTANDING + 1)],
    "awready_timeout": [Event("aw", 1, request(), TIMEOUT + 1)],
    "wready_timeout": [Event("w", 1, data(), TIMEOUT + 1)],
    "bready_timeout": [*write(), Event("b", 3, answer(), TIMEOUT + 1)],
    "arready_timeout": [Event("ar", 1, request(), TIMEOUT + 1)],
    "rready_timeout": [READ2, Event("r", 3, answer(last=0), TIMEOUT + 1)],
    "wvalid_timeout": [Event("aw", 1, request()), Event("w", TIMEOUT + 3, data())],
    "bvalid_timeout": [*write(), Event("b", TIMEOUT + 3, answer())],
    "rvalid_timeout": [READ2, *reading((OKAY, 0), (OKAY, 1), first=TIMEOUT + 3)],
}

# Of AXI4-Lite, in addition to those that are the same there.
LITE_EVENTS: dict[str, list[Event]] = {
    "b_after_address": [Event("w", 1, data()), Event("b", 3, answer())],
    "b_after_address: second response": [
        *write(),
        Event("w", 2, data()),
        Event("b", 3, answer()),
        Event("b", 5, answer()),
    ],
    "b_after_data": [Event("aw", 1, request()), Event("b", 3, answer())],
    "b_exokay": [*write(), Event("b", 3, answer(resp=EXOKAY))],
    "r_after_address": reading((OKAY, 1)),
    "r_exokay": EVENTS["r_exokay"],
    "w_limit": beats([0xFF] * (OUTSTANDING + 1)),
    "aw_limit": EVENTS["aw_limit"],
    "ar_limit": EVENTS["ar_limit"],
    "awready_timeout": EVENTS["awready_timeout"],
    "wready_timeout": [*write()[:1], Event("w", 1, data(), TIMEOUT + 1)],
    "bready_timeout": EVENTS["bready_timeout"],
    "arready_timeout": EVENTS["arready_timeout"],
    "rready_timeout": [Event("ar", 1, request()), Event("r", 3, answer(), TIMEOUT + 1)],
    "wvalid_timeout": EVENTS["wvalid_timeout"],
    "awvalid_timeout": [Event("w", 1, data()), Event("aw", TIMEOUT + 3, request())],
    "bvalid_timeout": EVENTS["bvalid_timeout"],
    "rvalid_timeout": [Event("ar", 1, request()), *reading((OKAY, 1), first=TIMEOUT + 3)],
}


def lite_base() -> list[dict[str, int]]:
    """A write and a read whose transfers all wait."""
    payloads = {"aw": request(), "w": data(), "ar": request(), "b": answer(), "r": answer()}
    return lay([Event(c, 6 if c in "br" else 1, payload, 2) for c, payload in payloads.items()])


LITE_SIGNALS = {"aw": ("addr", "prot"), "w": ("data", "strb"), "b": ("resp",), "ar": ("addr", "prot")}
LITE_SIGNALS |= {"r": ("data", "resp")}


def violations() -> Iterator[tuple[str, Which, list[dict[str, int]]]]:
    """Rule, with its variant after a colon, the checker, and the trace that breaks the rule."""
    signals = {channel: [s for s in payload if s not in ("valid", "ready")] for channel, payload in CHANNELS.items()}
    for which, of, whole in ((Which.FULL, signals, base), (Which.LITE, LITE_SIGNALS, lite_base)):
        for channel, payload in of.items():
            for signal in ("valid", *payload):
                yield f"{channel}{signal}_held", which, held(f"{channel}{signal}_held", whole())
            yield f"{channel}valid_reset", which, in_reset(f"{channel}valid_reset")
        for channel in ("aw", "w", "ar"):
            yield f"{channel}valid_first", which, in_reset(f"{channel}valid_first")
        # What was under way before a reset is not answered after it.
        for channel in "br":
            if which == Which.FULL:
                late = Event(channel, 1, answer() if channel == "b" else answer(last=1))
                cycles = [*lay([*write(), Event("ar", 1, request())]), {"rst_n": 0}, *lay([late])]
                yield f"{channel}_after_address: after a reset", which, cycles
    for channel in ("aw", "ar"):
        for name, address in REQUESTS.items():
            yield f"{channel}{name}", Which.FULL, lay([Event(channel, 1, address)])
        yield f"{channel}lock_none", Which.PLAIN, lay([Event(channel, 1, request(lock=1))])
    for which, table in ((Which.FULL, EVENTS), (Which.LITE, LITE_EVENTS)):
        for name, events in table.items():
            yield name, which, lay(events)
