"""The study of interfaces: `python -m lutra.soc.study` builds the systems, runs all programs and writes the figures.

Every result is compared with the simulator's, so a figure exists only where the answer was right. Each row of the
figures has a digest of the system and the program that it was measured with: what has the same one is not measured
again, `--check` says which rows have another, and `--fresh` measures all.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import Any, Protocol

from lutra.soc import page
from lutra.soc.programs import LINKS, RESULTS, SUBJECTS, Form, Program, WrongResultError, measure, moves, moving
from lutra.soc.ring import QUEUED, measure_ring, program
from lutra.soc.system import SYSTEMS, System, SystemsError

FIGURES = SYSTEMS / "figures.json"
SIZES = (16, 64, 256, 576, 1500, 4096)
# 8192 shows what each further job of 4096 costs: a longer message is computed from that.
FURTHER = (8192,)
COLD_SIZES = (64,)
LONG_SIZES = (4096, 16384, 65536)
LONG_SUBJECT = "aes-128-ctr"
ROUND_TRIPS = (2, 8, 32)
STREAMS = ("trivium", "salsa20-256", "aes-128-ctr", "snow3g", "zuc-128", "chacha20")


class Measurement(Protocol):
    """A program on a system: a row in one list of the figures."""

    @property
    def kind(self) -> str:
        """The list."""

    def name(self) -> str: ...
    def system(self) -> System: ...
    def ram(self) -> Path:
        """The program, compiled."""

    def arguments(self) -> dict[str, int]:
        """Those of a run: plusargs of lutra_system."""

    def measured(self, simulator: Path) -> dict[str, Any]:
        """The row."""


def _delayed(way: str, delay: int) -> dict[str, int]:
    if not delay:
        return {}
    return {"round_trip" if way == "bus" else "local": delay}


@dataclass(frozen=True)
class Case:
    """A cipher on a host by an attachment; delay: the round trip of S1, or the latency of S2."""

    host: str
    program: Program
    delay: int = 0
    kind = "cases"

    def arguments(self) -> dict[str, int]:
        return _delayed(self.program.way, self.delay)

    def system(self) -> System:
        if self.program.way in LINKS:
            return System(self.host, ATTACHED[self.host])
        return System(self.host, ATTACHED[self.host] & {4})

    def name(self) -> str:
        p = self.program
        stateless = " stateless" if p.stateless else ""
        return f"{self.host} {p.subject} {p.way}{self.delay or ''} {p.form}{stateless} {max(p.sizes)}"

    def ram(self) -> Path:
        return self.program.compile()

    def measured(self, simulator: Path) -> dict[str, Any]:
        messages = measure(simulator, self.program, **self.arguments())
        row = {"host": self.host, "delay": self.delay}
        row |= {key: getattr(self.program, key) for key in ("subject", "way", "form", "stateless")}
        return row | {"messages": [asdict(message) for message in messages]}


@dataclass(frozen=True)
class Move:
    """Programmed I/O of a host by a link, without a cipher."""

    host: str
    way: str
    delay: int
    kind = "moves"

    def arguments(self) -> dict[str, int]:
        return _delayed(self.way, self.delay)

    def system(self) -> System:
        return System(self.host, ATTACHED[self.host])

    def name(self) -> str:
        return f"{self.host} rows {self.way}{self.delay or ''}"

    def ram(self) -> Path:
        return moving(self.way)

    def measured(self, simulator: Path) -> dict[str, Any]:
        return {**asdict(self), **asdict(moves(simulator, self.way, **self.arguments()))}


# S5: its registers take a round trip of 8 cycles.
RING_ROUND_TRIP = 8


@dataclass(frozen=True)
class Ring:
    """A cipher through the ring of S5; memory: its latency for the DMA."""

    host: str
    subject: str
    memory: int
    kind = "rings"

    def arguments(self) -> dict[str, int]:
        return {"memory": self.memory, "round_trip": RING_ROUND_TRIP}

    def system(self) -> System:
        return System(self.host, frozenset({5}))

    def name(self) -> str:
        return f"{self.host} {self.subject} ring {self.memory}"

    def ram(self) -> Path:
        return program(self.host, self.subject, QUEUED[self.subject].sizes)

    def measured(self, simulator: Path) -> dict[str, Any]:
        messages, batches = measure_ring(
            simulator, self.host, self.subject, QUEUED[self.subject].sizes, **self.arguments()
        )
        return {**asdict(self), "messages": [asdict(m) for m in messages], "batches": [asdict(b) for b in batches]}


# Memory hardly counts where the host takes longest.
RING_MEMORIES = {"ibex": (0, 30, 100), "picorv32": (0, 100)}
# A system is built once, whichever of several measurements needs it first.
_BUILDING: defaultdict[System, Lock] = defaultdict(Lock)
ATTACHED = {
    "picorv32": frozenset({1, 2, 3, 4}),
    "ibex": frozenset({1, 2}),
    "cv32e40x": frozenset({3, 4}),
}


def cases() -> Iterator[Case]:
    """All measurements, those that most depends on first."""
    for host, attached in ATTACHED.items():
        if 4 in attached:
            for way, forms in RESULTS.items():
                for form in forms:
                    yield Case(host, Program("trivium", way, form, sizes=SIZES + FURTHER, cold_sizes=COLD_SIZES))
    for name in SUBJECTS:
        for host in ATTACHED:
            yield Case(host, Program(name, "soft", sizes=SIZES, cold_sizes=COLD_SIZES))
    for name in SUBJECTS:
        for host, attached in ATTACHED.items():
            for way, delay in ways(attached):
                yield _core(host, name, way, delay)
    for name in STREAMS:
        for host, attached in ATTACHED.items():
            for way, delay in ways(attached):
                if (way, delay) in (("bus", 2), ("bus", 8), ("fifo", 0)):
                    yield _core(host, name, way, delay, "keystream")
    for subject in SUBJECTS.values():
        for host, attached in ATTACHED.items():
            for way, delay in ways(attached):
                if subject.stateless and (way, delay) in (("bus", 8), ("fifo", 0)):
                    yield _core(host, subject.name, way, delay, stateless=True)
    # That longer messages cost what these say: one of each kind.
    yield Case("ibex", Program("aes-128-ctr", "bus", sizes=LONG_SIZES, cold_sizes=()), 2)
    yield Case("ibex", Program("chacha20", "soft", sizes=LONG_SIZES, cold_sizes=()))


def ways(attached: frozenset[int]) -> Iterator[tuple[str, int]]:
    """Links of a host, and their delays."""
    if 1 in attached:
        yield from (("bus", trip) for trip in ROUND_TRIPS)
    if 2 in attached:
        yield from (("local", 1), ("local", 2), ("wide", 1))
    if 3 in attached:
        yield "fifo", 0


def _core(host: str, name: str, way: str, delay: int, form: Form = "in place", stateless: bool = False) -> Case:
    sizes = SIZES + FURTHER if name == LONG_SUBJECT and form == "in place" else SIZES
    return Case(host, Program(name, way, form, stateless, sizes, COLD_SIZES), delay)


def measurements() -> list[Measurement]:
    """The whole study."""
    moved = (Move(host, way, delay) for host, attached in ATTACHED.items() for way, delay in ways(attached))
    return [*moved, *rings(), *cases()]


def rings() -> Iterator[Ring]:
    """Measurements of S5."""
    for host, latencies in RING_MEMORIES.items():
        for name in QUEUED:
            yield from (Ring(host, name, latency) for latency in latencies)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m lutra.soc.study", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="measure what has this text in its name")
    parser.add_argument("--fresh", action="store_true", help="measure again what has been measured")
    parser.add_argument("--page", action="store_true", help="only write docs/interfaces.md")
    parser.add_argument("--check", action="store_true", help="only say what is not of these sources; 1 if anything")
    parser.add_argument("--jobs", type=int, default=1, help="programs that run at a time; default: 1")
    parser.add_argument("--figures", type=Path, default=FIGURES, help="the file of figures; default: %(default)s")
    given = parser.parse_args(arguments)
    try:
        wanted = [m for m in measurements() if given.only in m.name()]
        if given.check:
            return _check(wanted, given.figures)
        if not given.page:
            _measure(wanted, given.figures, given.fresh, given.jobs)
        if not given.only and given.figures == FIGURES:
            page.write(json.loads(FIGURES.read_text()))
    except (SystemsError, WrongResultError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def digest(measurement: Measurement) -> str:
    """Identify a system, the program and its arguments, on which a row depends."""
    parts = measurement.system().digest(), measurement.ram().read_text(), sorted(measurement.arguments().items())
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def recorded(document: Mapping[str, Any]) -> dict[str, str]:
    """The digests of the rows of figures, by name."""
    return {row["name"]: row.get("digest", "") for rows in document.values() for row in rows}


def _read(figures: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(figures.read_text()) if figures.exists() else {}
    return document


def _check(wanted: list[Measurement], figures: Path) -> int:
    found = recorded(_read(figures))
    old = [m.name() for m in wanted if found.get(m.name()) != digest(m)]
    print("\n".join([*old, f"{len(old)} of {len(wanted)} to be measured"]))
    return int(bool(old))


def _measure(wanted: list[Measurement], figures: Path, fresh: bool, jobs: int) -> None:
    document = _read(figures)
    found = {} if fresh else recorded(document)
    order = [m.name() for m in measurements()]
    rows = {row["name"]: (kind, row) for kind in document for row in document[kind] if row["name"] in order}

    def save() -> None:
        _save((rows[name] for name in order if name in rows), figures)

    def one(measurement: Measurement) -> dict[str, Any] | None:
        now = digest(measurement)
        if found.get(measurement.name()) == now:
            return None
        system = measurement.system()
        with _BUILDING[system]:
            simulator = system.build()
        return {"name": measurement.name(), "digest": now, **measurement.measured(simulator)}

    with ThreadPoolExecutor(jobs) as pool:
        running = {pool.submit(one, measurement): measurement for measurement in wanted}
        for done in as_completed(running):
            row, measurement = done.result(), running[done]
            if row is not None:
                print(row["name"], flush=True)
                rows[row["name"]] = measurement.kind, row
                save()
    save()


def _save(rows: Iterable[tuple[str, dict[str, Any]]], figures: Path) -> None:
    lists: dict[str, list[str]] = {}
    for kind, row in rows:
        lists.setdefault(kind, []).append(json.dumps(row))
    parts = (f'"{kind}": [\n' + ",\n".join(lines) + "\n]" for kind, lines in lists.items())
    figures.write_text("{\n" + ",\n".join(parts) + "\n}\n")


if __name__ == "__main__":
    sys.exit(main())
