"""Rates of `lutra_axi` in its steady state: cycles per message on the RTL, at several latencies of the memory.

    python -m lutra.soc.rates          # measure, record in soc/rtl/rates.json, and do the next
    python -m lutra.soc.rates --page   # write the table of docs/system-on-chip.md

The RTL is `lutra.soc._axi` (`make soc-rates` builds it). What it writes is compared with the device model, which does
the same messages.
"""

from __future__ import annotations

import argparse
import json
import re
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from lutra.isa import load as load_isa
from lutra.soc import operations
from lutra.soc.engine import Device
from lutra.soc.maps import load

ROOT = Path(__file__).parents[3]
RECORD = ROOT / "soc" / "rtl" / "rates.json"
PAGE = ROOT / "docs" / "system-on-chip.md"
TABLE = re.compile(r"(<!-- table: rates -->\n).*?(<!-- end -->)", re.DOTALL)
LATENCIES = (0, 30, 100)
LAYOUT = load()

LOG2 = 6
MEMORY_BYTES = 1 << 21
DESCRIPTORS, COMPLETIONS, BUFFERS = 0x1000, 0x8000, 0x10000
CONTEXT, GENERATION = 3, 7
ROW = 16
PATIENCE = 1_000_000
KEY_BYTES = 16


class RateError(Exception):
    """A message that failed, or took too long."""


@dataclass(frozen=True)
class Case:
    """Messages of one kind. at, to: alignment of source and destination; fresh: each with a key of its own, inline;
    target: bytes per cycle at any latency, where there is one."""

    title: str
    firmware: str
    operation: str
    size: int
    tag: int = 0
    at: int = 0
    to: int = 0
    fresh: bool = False
    target: float | None = None

    @property
    def name(self) -> str:
        shift = f" from {self.at} to {self.to}" if self.at or self.to else ""
        return f"{self.operation} {self.size}{shift}"

    @property
    def count(self) -> int:
        """Messages, an even number because two of some ciphers go together."""
        return 8 if self.size > 2000 else 24


CTR, GCM = ("aes-packets", "aes128-ctr"), ("aes-packets", "aes128-gcm-encrypt")
STREAMS = {"SNOW 3G": ("snow3g", "snow3g-eea1"), "ZUC": ("zuc", "zuc-eea3")}
SHIFTS = range(1, 16)
SHOWN = (
    Case("AES-128-CTR, 4 KB", *CTR, 4096, target=3.0),
    Case("AES-128-GCM, 4 KB", *GCM, 4096, tag=16, target=2.9),
    Case("AES-128-CTR, 64 B, key resident", *CTR, 64, target=1.5),
    Case("AES-128-GCM, 64 B, key resident", *GCM, 64, tag=16),
    Case("AES-128-CTR, 64 B, a new key in each", "aes", "aes128-ctr-inline", 64, fresh=True, target=0.5),
    *(
        Case(f"{title}, {size} B", *cipher, size, target=5.0 if size in range(768, 4097) else None)
        for title, cipher in STREAMS.items()
        for size in (64, 256, 512, 768, 896, 1024, 1040, 4096)
    ),
)


def unaligned(case: Case) -> list[Case]:
    """The same with source and destination shifted, by equal and by other numbers of bytes."""
    return [replace(case, at=n, to=m) for n in SHIFTS for m in (n, 16 - n)]


SHIFTED = [case for shown in SHOWN[:2] for case in unaligned(shown)]


class Host:
    """Ring 0 of a device, with firmware."""

    def __init__(self, make: Callable[[bytearray], Device], firmware: operations.Firmware) -> None:
        self.memory = bytearray(MEMORY_BYTES)
        self.device = make(self.memory)
        self.tail = self.head = 0
        self.next = BUFFERS
        self.set("watchdog", 0)
        self.set("window[0].limit_low", MEMORY_BYTES)
        for name, at in (("descriptors", DESCRIPTORS), ("completions", COMPLETIONS)):
            self.set(f"ring[0].{name}_low", at)
        self.set("ring[0].size", LOG2)
        for number, word in firmware.registers().items():
            self.set(f"operation[{number}]", word)
        self.set("operations", max(firmware.registers()) + 1)
        self.set("stream_reset", firmware.stream_reset)
        self.set("ring[0].control", 1)
        self.set("control", 1)
        self.load(firmware)

    def set(self, register: str, value: int) -> None:
        self.device.write(LAYOUT.axi.offset(register), value)

    def place(self, data: bytes, offset: int = 0) -> int:
        """Put data into the memory, `offset` bytes after a multiple of 64."""
        at = -(-self.next // 64) * 64 + offset
        self.memory[at : at + len(data)] = data
        self.next = at + len(data)
        return at

    def load(self, firmware: operations.Firmware) -> None:
        codes = {space.name: space.code for space in load_isa().spaces}
        program = b"".join(word.to_bytes(8, "little") + bytes(8) for word in firmware.image.program)
        parts = [("pm", 0, program)]
        parts += [(name, at, data) for name, runs in firmware.image.memory.items() for at, data in runs]
        raw = LAYOUT.raw["write"]
        for name, at, data in parts:
            row, skipped = divmod(0 if name == "pm" else at, ROW)
            padded = bytes(skipped) + data
            place = self.place(padded)
            self.run([self.descriptor(raw, place, 0, len(padded), aad=row, tag=codes[name])])

    def descriptor(
        self,
        operation: int,
        source: int,
        destination: int,
        length: int,
        aad: int = 0,
        tag: int = 0,
        key: bytes = b"",
        sets_key: bool = False,
    ) -> bytes:
        values = {
            "control.operation": operation,
            "control.inline_payload": int(sets_key),
            "control.context": 0 if key and not sets_key else CONTEXT,
            "control.generation": 0 if key and not sets_key else GENERATION,
            "length.bytes": length,
            "extra.aad": aad,
            "extra.tag": tag,
            "source_low.value": source,
            "destination_low.value": destination,
        }
        raw = bytearray(LAYOUT.descriptor.pack(values))
        if key:
            at = LAYOUT.descriptor.offset("destination_low" if sets_key else "aad_low")
            raw[at:] = key.ljust(len(raw) - at, b"\0")
        # The first counter block of GCM ends in 1.
        at = LAYOUT.descriptor.offset("iv[3]")
        raw[at : at + 4] = struct.pack(">I", 1)
        return bytes(raw)

    def run(self, descriptors: Iterable[bytes]) -> list[int]:
        """Submit, and return the cycle of each completion."""
        first = self.tail
        for descriptor in descriptors:
            at = DESCRIPTORS + len(descriptor) * (self.tail % (1 << LOG2))
            self.memory[at : at + len(descriptor)] = descriptor
            self.tail += 1
        self.set("ring[0].tail", self.tail & 0xFFFF)
        cycles: list[int] = []
        begin = now = 0
        while len(cycles) < self.tail - first:
            if self.complete():
                cycles.append(now)
                continue
            now += self.device.run(1)
            if now - begin > PATIENCE:
                raise RateError(f"{len(cycles)} of {self.tail - first} completions in {PATIENCE} cycles")
        return cycles

    def complete(self) -> bool:
        """Whether there is another completion."""
        size = LAYOUT.completion.bytes
        at = COMPLETIONS + size * (self.head % (1 << LOG2))
        values = LAYOUT.completion.unpack(bytes(self.memory[at : at + size]))
        if values["result.phase"] == self.head >> LOG2 & 1:
            return False
        if values["result.status"]:
            names = {code: name for name, code in LAYOUT.status.items()}
            raise RateError(f"a message ended with {names[values['result.status']]}")
        self.head += 1
        return True


def messages(host: Host, firmware: operations.Firmware, case: Case) -> Iterator[tuple[bytes, range]]:
    """Descriptors of a case, and what each writes."""
    host.next = BUFFERS
    number = firmware.operations[case.operation].number
    for n in range(case.count):
        text = bytes((i * 7 + n) & 0xFF for i in range(case.size))
        source, to = host.place(text, case.at), host.place(bytes(case.size + case.tag), case.to)
        key = bytes([n + 1] * KEY_BYTES) if case.fresh else b""
        yield (
            host.descriptor(number, source, to, case.size, tag=case.tag, key=key),
            range(to, to + case.size + case.tag),
        )


def measure(make: Callable[[bytearray], Device], check: Callable[[bytearray], Device], case: Case) -> float:
    """Cycles per message between the second completion and the last. RateError where the model writes otherwise."""
    firmware = operations.load(case.firmware)
    found: list[list[bytes]] = []
    cycles: list[int] = []
    for maker in (check, make):
        host = Host(maker, firmware)
        setter = next((o for o in firmware.operations.values() if o.has("sets_key")), None)
        if setter and not case.fresh:
            key = bytes(range(KEY_BYTES))
            host.run([host.descriptor(setter.number, 0, 0, KEY_BYTES, key=key, sets_key=True)])
        sent = list(messages(host, firmware, case))
        cycles = host.run([descriptor for descriptor, _ in sent])
        found.append([bytes(host.memory[place.start : place.stop]) for _, place in sent])
    if found[0] != found[1]:
        raise RateError(f"{case.name}: RTL and model write different bytes")
    return (cycles[-1] - cycles[1]) / (case.count - 2)


def record() -> dict[str, Any]:
    """Measure all."""
    from lutra.soc._model import Model

    rtl = import_module("lutra.soc._axi").Rtl

    def model(memory: bytearray) -> Device:
        return Model(memory, exact=False)

    rates: dict[str, dict[str, float]] = {}
    for case in (*SHOWN, *SHIFTED):
        rates[case.name] = {}
        for latency in LATENCIES:

            def make(memory: bytearray, latency: int = latency) -> Device:
                device: Device = rtl(memory, latency=latency)
                return device

            rates[case.name][str(latency)] = round(measure(make, model, case), 2)
        print(f"{case.name}: {rates[case.name]} cycles per message", flush=True)
    return {"cycles": rates}


def table(document: dict[str, Any]) -> str:
    """The table of the page."""
    cycles: dict[str, dict[str, float]] = document["cycles"]
    lines = ["| messages | target | " + " | ".join(f"latency {n}" for n in LATENCIES) + " |"]
    lines.append("| --- " * (2 + len(LATENCIES)) + "|")
    for case in SHOWN:
        cells = (f"{case.size / cycles[case.name][str(n)]:.2f}" for n in LATENCIES)
        target = "" if case.target is None else f"{case.target:.1f}"
        lines.append(f"| {case.title} | {target} | " + " | ".join(cells) + " |")
    for case in SHOWN[:2]:
        cells = (f"{worst(cycles, case, n):+.1f} %" for n in LATENCIES)
        lines.append(f"| {case.title}, worst shift by 1 to 15 bytes | +3.0 % of cycles | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def worst(cycles: dict[str, dict[str, float]], case: Case, latency: int) -> float:
    """How many more cycles the worst alignment takes, in percent."""
    return max(
        100 * cycles[other.name][str(latency)] / cycles[case.name][str(latency)] - 100 for other in unaligned(case)
    )


def filled(text: str, document: dict[str, Any]) -> str:
    """The page with its table."""
    return TABLE.sub(lambda found: found[1] + table(document) + found[2], text)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m lutra.soc.rates", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--page", action="store_true", help="write the table from the recorded figures")
    options = parser.parse_args()
    try:
        if not options.page:
            RECORD.write_text(json.dumps(record(), indent=1) + "\n")
    except (RateError, ImportError) as error:
        print(f"lutra.soc.rates: {error}; see make soc-rates", file=sys.stderr)
        return 1
    PAGE.write_text(filled(PAGE.read_text(), json.loads(RECORD.read_text())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
