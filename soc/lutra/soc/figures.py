"""The figures of the study, looked up and computed with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from lutra.soc.programs import SUBJECTS, Message
from lutra.soc.ring import QUEUED, Batch

JOB = 4096
DESCRIPTOR, COMPLETION = 64, 16
ROW = 16
# Series of long messages only, which are there to check what is computed from the others, do not have it.
SHORTEST = 16
LARGEST_BLOCK = 64
# An attachment in tables and pictures: its way and delay.
TITLES: Mapping[tuple[str, int], str] = {
    ("bus", 2): "S1, 2",
    ("bus", 8): "S1, 8",
    ("bus", 32): "S1, 32",
    ("local", 1): "S2, 1",
    ("local", 2): "S2, 2",
    ("wide", 1): "S2, 128 bit",
    ("fifo", 0): "S3",
}
HOSTS = {"picorv32": "PicoRV32", "ibex": "Ibex", "cv32e40x": "CV32E40X"}


@dataclass(frozen=True)
class Series:
    """The messages of one case."""

    host: str
    subject: str
    way: str
    delay: int
    form: str
    stateless: bool
    messages: Sequence[Message]

    def kept(self, size: int) -> Message:
        """The message of a length with its key kept."""
        return next(m for m in self.messages if m.size == size and not m.cold)

    @property
    def sizes(self) -> list[int]:
        return [m.size for m in self.messages if not m.cold]

    def cycles(self, size: int) -> float:
        """Cycles of a message with its key kept: measured, or in proportion to the last two lengths of whole blocks."""
        if size in self.sizes:
            return self.kept(size).cycles
        before, last = (self.kept(size) for size in [size for size in self.sizes if size % LARGEST_BLOCK == 0][-2:])
        return last.cycles + (size - last.size) * (last.cycles - before.cycles) / (last.size - before.size)

    def rate(self, size: int) -> float:
        return size / self.cycles(size)

    @property
    def key_cycles(self) -> int:
        """Cycles that a new key costs more than one that was kept."""
        cold = next(m for m in self.messages if m.cold)
        return cold.cycles - self.kept(cold.size).cycles

    @property
    def beta(self) -> float:
        """Bits that cross the attachment per bit of a message of 4096 bytes."""
        return 4 * self.kept(JOB).words / JOB


@dataclass(frozen=True)
class RingSeries:
    """A cipher through the ring: messages by size and whether the key is new, batches by size and keys."""

    host: str
    subject: str
    memory: int
    messages: Mapping[tuple[int, bool], Message]
    batches: Mapping[tuple[int, str], Batch]

    def one(self, size: int) -> float:
        """Bytes per cycle of one message at a time."""
        return size / self.messages[size, False].cycles

    def steady(self, size: int, keys: str = "kept") -> float:
        """Bytes per cycle of batches that follow one another."""
        batch = self.batches[size, keys]
        return size * batch.count / batch.steady

    def model(self, size: int, keys: str) -> Model:
        """The model: the core, the bus of the DMA, and the host's instructions work at once.

        The bus moves 8 bytes per cycle in each direction: descriptors and text one way, result and completions the
        other.
        """
        batch = self.batches[size, keys]
        jobs = 2 if keys == "new" and not QUEUED[self.subject].inline else 1
        tag = SUBJECTS[self.subject].tag_bytes
        moved = max(DESCRIPTOR * jobs + size, size + tag + COMPLETION * jobs)
        whole = size * batch.count
        return Model(whole / batch.core, 8 * size / moved, whole / batch.host, whole / batch.host)


@dataclass(frozen=True)
class Figures:
    """A document of the study."""

    document: Mapping[str, Any]

    def series(self) -> list[Series]:
        return self._series

    @cached_property
    def _series(self) -> list[Series]:
        found = []
        for row in self.document["cases"]:
            messages = [Message(**message) for message in row["messages"]]
            named = {key: row[key] for key in ("host", "subject", "way", "delay", "form", "stateless")}
            found.append(Series(**named, messages=messages))
        return sorted(found, key=lambda s: (s.form, [*SUBJECTS].index(s.subject), [*HOSTS].index(s.host), s.delay))

    def one(
        self, host: str, subject: str, way: str, delay: int = 0, form: str = "in place", stateless: bool = False
    ) -> Series:
        wanted = (host, subject, way, delay, form, stateless)
        some = (s for s in self.series() if (s.host, s.subject, s.way, s.delay, s.form, s.stateless) == wanted)
        return next(s for s in some if SHORTEST in s.sizes)

    def ways(self, host: str) -> list[tuple[str, int]]:
        """The attachments of a host that reach the core."""
        return [(row["way"], row["delay"]) for row in self.document["moves"] if row["host"] == host]

    def rings(self) -> list[RingSeries]:
        """The measurements of S5, by cipher, host and latency."""
        return self._rings

    @cached_property
    def _rings(self) -> list[RingSeries]:
        found = []
        for row in self.document["rings"]:
            messages = {(m["size"], m["cold"]): Message(**m) for m in row["messages"]}
            batches = {(b["size"], b["keys"]): Batch(**b) for b in row["batches"]}
            found.append(RingSeries(row["host"], row["subject"], row["memory"], messages, batches))
        return sorted(found, key=lambda r: ([*SUBJECTS].index(r.subject), [*HOSTS].index(r.host), r.memory))

    def ring(self, host: str, subject: str, memory: int = 0) -> RingSeries:
        """One of them."""
        wanted = host, subject, memory
        return next(r for r in self.rings() if (r.host, r.subject, r.memory) == wanted)

    def moves(self, host: str, way: str, delay: int) -> Mapping[str, float]:
        """Cycles per row without a cipher."""
        found: Mapping[str, float] = next(
            row for row in self.document["moves"] if (row["host"], row["way"], row["delay"]) == (host, way, delay)
        )
        return found

    def core_rate(self, subject: str) -> float:
        """Bytes per cycle of the core alone, in a job of 4096 bytes."""
        some = next(s for s in self.series() if s.subject == subject and s.way in ("bus", "local") and not s.stateless)
        return JOB / some.kept(JOB).running


@dataclass(frozen=True)
class Model:
    """Rates in bytes per cycle: of the core, of the link for what crosses it, and of the host's own instructions."""

    core: float
    link: float
    cpu: float
    together: float  # of the host and the link, one after the other: programmed I/O as measured

    @property
    def least(self) -> float:
        """R = min(R_core, W / beta, R_cpu): all three work at once."""
        return min(self.core, self.link, self.cpu)

    @property
    def alternately(self) -> float:
        """The host moves, then the core works: their times add."""
        return 1 / (1 / self.core + 1 / self.together)


def model(figures: Figures, series: Series) -> Model:
    """The model of a stateful series."""
    host, way, delay = series.host, series.way, series.delay
    row = figures.moves(host, way, delay)
    each = {"in place": ("write", "read"), "keystream": ("read_xor",)}[series.form]
    together = ROW / sum(row[name] for name in each)
    # Words per cycle: a window of 32 bits takes `delay` cycles per word, one of 128 bits two per row, a FIFO one.
    words = {"bus": 1 / max(delay, 1), "local": 1 / max(delay, 1), "wide": 4 / 2, "fifo": 1.0}[way]
    link = 4 * words / series.beta
    # The host's instructions: the same program by the attachment that makes it wait least.
    nearest = figures.moves(host, "local", 1) if way in ("bus", "local") else row
    cpu = ROW / sum(nearest[name] for name in each)
    return Model(figures.core_rate(series.subject), link, cpu, together)


def slower(figures: Figures) -> set[tuple[str, str, str, int, int]]:
    """Messages that are not faster by the core than on the host: host, cipher, attachment, length."""
    return {
        (series.host, series.subject, series.way, series.delay, size)
        for series in figures.series()
        if (series.way, series.delay) in TITLES and not series.stateless and SHORTEST in series.sizes
        for size in series.sizes
        if series.cycles(size) >= figures.one(series.host, series.subject, "soft").cycles(size)
    }


def subjects() -> list[str]:
    return list(SUBJECTS)


def rate_text(value: float) -> str:
    """A rate in a table."""
    return f"{value:.4f}" if value < 0.1 else f"{value:.3f}"
