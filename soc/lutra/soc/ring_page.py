"""The tables of docs/interfaces.md about S5."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from lutra.soc.figures import HOSTS, JOB, Figures, RingSeries, rate_text
from lutra.soc.programs import SUBJECTS
from lutra.soc.ring import KEYS, PAIR_SIZES, QUEUED, RING_SIZES

Rows = Iterator[Sequence[object]]
KEYS_TEXT = {"kept": "kept", "cached": "sixteen, cached", "new": "new in each message"}
# Batches of these lengths are also shown with slower memory.
LATER = ((64, 30), (64, 100), (JOB, 100))
MODELLED = (64, 576, JOB)
SHORTEST = 64
# Programmed I/O on the same system: the round trip of the ring's registers, and the shortest.
NEAR, SAME = ("bus", 2), ("bus", 8)


def _names(ring: RingSeries) -> tuple[str, str]:
    return SUBJECTS[ring.subject].title, HOSTS[ring.host]


def nearest(figures: Figures) -> list[RingSeries]:
    """The series with memory that answers at once."""
    return [ring for ring in figures.rings() if ring.memory == 0]


def _one(figures: Figures) -> Rows:
    yield "cipher", "host", "memory", *(f"{size} B" for size in RING_SIZES), "first bytes, cycles", "new key, cycles"
    for ring in figures.rings():
        rates = (rate_text(ring.one(size)) for size in RING_SIZES)
        cold, kept = (ring.messages[SHORTEST, cold] for cold in (True, False))
        yield *_names(ring), f"{ring.memory} cycles", *rates, ring.messages[JOB, False].first, cold.cycles - kept.cycles


def _batch(figures: Figures) -> Rows:
    later = (f"{size} B, {memory} cycles" for size, memory in LATER)
    yield "cipher", "host", "keys", *(f"{size} B" for size in RING_SIZES), *later
    rings = {(ring.host, ring.subject, ring.memory): ring for ring in figures.rings()}
    for ring in nearest(figures):
        for keys in KEYS:
            cells = [rate_text(ring.steady(size, keys)) if (size, keys) in ring.batches else "" for size in RING_SIZES]
            for size, memory in LATER:
                other = rings.get((ring.host, ring.subject, memory))
                cells.append(rate_text(other.steady(size, keys)) if other and (size, keys) in other.batches else "")
            yield *_names(ring), KEYS_TEXT[keys], *cells


def _pairs(figures: Figures) -> Rows:
    yield (
        *("cipher", "host", "memory"),
        *(f"{size} B{of}" for size in PAIR_SIZES for of in ("", ", core alone")),
    )
    for ring in figures.rings():
        if QUEUED[ring.subject].pairs:
            rates = ((ring.steady(size), ring.model(size, "kept").core) for size in PAIR_SIZES)
            yield *_names(ring), f"{ring.memory} cycles", *(rate_text(rate) for pair in rates for rate in pair)


def _host(figures: Figures) -> Rows:
    heads = "descriptors", "completions", "instructions", "host busy", "host busy, 4096 B", "one batch"
    yield "cipher", "host", "keys", *heads
    for ring in nearest(figures):
        for keys in ("kept", "new"):
            batch, long = ring.batches[SHORTEST, keys], ring.batches[JOB, keys]
            counted = f"{batch.instructions / batch.count:.1f}" if batch.instructions else ""
            yield (
                *_names(ring),
                KEYS_TEXT[keys],
                *(f"{cycles / batch.count:.1f}" for cycles in (batch.building, batch.collecting)),
                counted,
                f"{100 * min(1, batch.host / batch.steady):.0f} %",
                f"{100 * long.host / long.steady:.0f} %",
                rate_text(batch.size * batch.count / batch.cycles),
            )


def _model(figures: Figures) -> Rows:
    yield "cipher", "host", "keys", "message", "R_core", "W / beta", "R_cpu", "min", "measured", "to min"
    for ring in nearest(figures):
        for keys in ("kept", "new"):
            for size in MODELLED:
                found, rate = ring.model(size, keys), ring.steady(size, keys)
                values = found.core, found.link, found.cpu, found.least, rate
                cells = map(rate_text, values)
                yield *_names(ring), KEYS_TEXT[keys], f"{size} B", *cells, f"{100 * (rate / found.least - 1):+.0f} %"


def faster_from(ring: RingSeries, others: Callable[[int], float]) -> int | None:
    """The least length from which on one message at a time takes less by the ring than by another way."""
    slower = [size for size in RING_SIZES if ring.messages[size, False].cycles >= others(size)]
    after = [size for size in RING_SIZES if not slower or size > max(slower)]
    return min(after, default=None)


def _even(figures: Figures) -> Rows:
    yield (
        *("cipher", "host", "16 B in software, cycles", "by S1, 8", "by the ring", "at 100 cycles"),
        *("the ring is faster than software from", "than S1, 8 from"),
    )
    for ring in nearest(figures):
        soft = figures.one(ring.host, ring.subject, "soft")
        moved = figures.one(ring.host, ring.subject, *SAME) if SAME in figures.ways(ring.host) else None
        far = figures.ring(ring.host, ring.subject, 100)
        cycles = (
            soft.cycles(16),
            moved.cycles(16) if moved else "",
            *(r.messages[16, False].cycles for r in (ring, far)),
        )
        ends = (faster_from(ring, way.cycles) if way else None for way in (soft, moved))
        yield *_names(ring), *cycles, *(f"{end} B" if end else "" for end in ends)


def _against(figures: Figures) -> Rows:
    yield (
        *("cipher", "host", "S0", "S1, 2", "S1, 8", "the ring", "to S1, 2", "to S1, 8", "to S0"),
        *("core alone to S0", "part that is left"),
    )
    for ring in nearest(figures):
        soft = figures.one(ring.host, ring.subject, "soft").rate(JOB)
        near, same = (figures.one(ring.host, ring.subject, *way).rate(JOB) for way in (NEAR, SAME))
        rate = ring.steady(JOB)
        batch = ring.batches[JOB, "kept"]
        alone = JOB * batch.count / batch.core
        ratios = (f"{rate / other:.1f}" for other in (near, same, soft))
        rates = map(rate_text, (soft, near, same, rate))
        yield *_names(ring), *rates, *ratios, f"{alone / soft:.1f}", f"{100 * rate / alone:.0f} %"


TABLES: Mapping[str, Callable[[Figures], Rows]] = {
    "ring_one": _one,
    "ring_batch": _batch,
    "ring_pairs": _pairs,
    "ring_host": _host,
    "ring_model": _model,
    "ring_even": _even,
    "ring_against": _against,
}
