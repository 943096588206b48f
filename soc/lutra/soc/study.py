"""The study of interfaces: `python -m lutra.soc.study` builds the systems, runs all programs and writes the figures.

Every result is compared with the simulator's, so a figure exists only where the answer was right. What was measured
with the same sources stays; `--fresh` measures all of it again.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from threading import Lock
from typing import Any

from lutra.soc import page
from lutra.soc.programs import LINKS, RESULTS, SUBJECTS, Form, Program, WrongResultError, measure, moves
from lutra.soc.ring import QUEUED, measure_ring
from lutra.soc.system import BUILD, ROOT, SYSTEMS, System, SystemsError

FIGURES = SYSTEMS / "figures.json"
SIZES = (16, 64, 256, 576, 1500, 4096)
# 8192 shows what each further job of 4096 costs: a longer message is computed from that.
FURTHER = (8192,)
COLD_SIZES = (64,)
LONG_SIZES = (4096, 16384, 65536)
LONG_SUBJECT = "aes-128-ctr"
ROUND_TRIPS = (2, 8, 32)
STREAMS = ("trivium", "salsa20-256", "aes-128-ctr", "snow3g", "zuc-128", "chacha20")


@dataclass(frozen=True)
class Case:
    """A program on a host by an attachment; delay: the round trip of S1, or the latency of S2."""

    host: str
    program: Program
    delay: int = 0

    def arguments(self) -> dict[str, int]:
        """Those of a run: plusargs of lutra_system."""
        if not self.delay:
            return {}
        return {"round_trip" if self.program.way == "bus" else "local": self.delay}

    def system(self) -> System:
        if self.program.way in LINKS:
            return System(self.host, ATTACHED[self.host])
        return System(self.host, ATTACHED[self.host] & {4})

    def name(self) -> str:
        p = self.program
        stateless = " stateless" if p.stateless else ""
        return f"{self.host} {p.subject} {p.way}{self.delay or ''} {p.form}{stateless} {max(p.sizes)}"


# S5: its registers take a round trip of 8 cycles; the latency of memory is that of the DMA.
RING_MEMORIES = {"ibex": (0, 30, 100)}
RING_SIZES = (16, 64, 256, 576, 1500, 4096, 16384)
RING_ROUND_TRIP = 8
# A system is built once, whichever of several cases needs it first.
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


def state() -> str:
    """A digest of the sources of systems and programs, on which the figures depend."""
    digest = hashlib.sha256()
    folders = (SYSTEMS / "rtl", SYSTEMS / "sim", SYSTEMS / "host", ROOT / "rtl")
    for folder in folders:
        for file in sorted(folder.glob("*.*")):
            digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m lutra.soc.study", description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="measure cases whose names contain this text, and print them")
    parser.add_argument("--fresh", action="store_true", help="measure again what has been measured")
    parser.add_argument("--page", action="store_true", help="only write docs/interfaces.md")
    parser.add_argument("--jobs", type=int, default=1, help="programs that run at a time; default: 1")
    given = parser.parse_args(arguments)
    try:
        if not given.page:
            _measure(given.only, given.fresh, given.jobs)
        if not given.only:
            page.write(json.loads(FIGURES.read_text()))
    except (SystemsError, WrongResultError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def _measure(only: str, fresh: bool, jobs: int) -> None:
    document = json.loads(FIGURES.read_text()) if FIGURES.exists() and not fresh else {}
    now, kept = state(), BUILD / "measured.txt"
    if not document or not kept.exists() or kept.read_text() != now:
        document = {"moves": [], "cases": []}
        BUILD.mkdir(parents=True, exist_ok=True)
        kept.write_text(now)
    done = {row["name"] for row in document["cases"]}
    wanted = [case for case in cases() if case.name() not in done and only in case.name()]
    moved = {(row["host"], row["way"], row["delay"]) for row in document["moves"]}
    queued = {(row["host"], row["subject"], row["memory"]) for row in document.setdefault("rings", [])}
    links = [(host, way, delay) for host, attached in ATTACHED.items() for way, delay in ways(attached)]
    with ThreadPoolExecutor(jobs) as pool:
        for done_case in as_completed([pool.submit(_case, case) for case in wanted]):
            row = done_case.result()
            document["cases"].append(row)
            print(
                f"{row['name']}: {row['messages'][0]['cycles']} cycles for {row['messages'][0]['size']} bytes",
                flush=True,
            )
            _save(document)
        for found in pool.map(_ring, (ring for ring in rings() if ring not in queued and only in "ring")):
            document["rings"].append(found)
            _save(document)
        for found in pool.map(_moves, (link for link in links if link not in moved and not only)):
            document["moves"].append(found)
            _save(document)


def _case(case: Case) -> dict[str, Any]:
    """A row of the figures."""
    system = case.system()
    with _BUILDING[system]:
        simulator = system.build()
    messages = measure(simulator, case.program, **case.arguments())
    row = {"name": case.name(), "host": case.host, "delay": case.delay}
    row |= {key: getattr(case.program, key) for key in ("subject", "way", "form", "stateless")}
    return row | {"messages": [asdict(message) for message in messages]}


def rings() -> Iterator[tuple[str, str, int]]:
    """Measurements of S5: host, cipher, latency of memory."""
    for host, latencies in RING_MEMORIES.items():
        for name in QUEUED:
            yield from ((host, name, latency) for latency in latencies)


def _ring(wanted: tuple[str, str, int]) -> dict[str, Any]:
    host, name, latency = wanted
    system = System(host, frozenset({5}))
    with _BUILDING[system]:
        simulator = system.build()
    messages, batches = measure_ring(simulator, name, RING_SIZES, memory=latency, round_trip=RING_ROUND_TRIP)
    print(f"{host} {name} ring, memory {latency}: {messages[0].cycles} cycles for {messages[0].size} bytes", flush=True)
    found = {"host": host, "subject": name, "memory": latency}
    return found | {"messages": [asdict(m) for m in messages], "batches": [asdict(b) for b in batches]}


def _moves(link: tuple[str, str, int]) -> dict[str, Any]:
    host, way, delay = link
    found = moves(System(host, ATTACHED[host]).build(), way, **Case(host, Program("", way), delay).arguments())
    return {"host": host, "way": way, "delay": delay, **asdict(found)}


def _save(document: dict[str, Any]) -> None:
    # They end in any order.
    document["cases"].sort(key=lambda row: row["name"])
    parts = (f'"{key}": [\n' + ",\n".join(map(json.dumps, rows)) + "\n]" for key, rows in document.items())
    FIGURES.write_text("{\n" + ",\n".join(parts) + "\n}\n")


if __name__ == "__main__":
    sys.exit(main())
