"""Observe routines on the simulator: registers and memory that they write, and their cycles."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from lutra.asm import Image
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import assembled
from lutra.firmware.session import Session
from lutra.firmware.testing.cases import Case
from lutra.isa import load
from lutra.iss import engine as engines
from lutra.iss.retire import source_line

# Limit for endless routines: a job over whole memories takes some ten thousand.
MAX_CYCLES = 1_000_000
SIZES = (1, 2, 3, 4, 7, 8, 9)
TAIL = 5


@dataclass
class Seen:
    """The writes of a routine over its runs: registers, and rows of memory by their space and the last label at or
    before them; and numbers of whole units, if known, with the cycles that these took. images: in which it was run.
    whole: whether a job of whole memories was among them."""

    registers: set[str] = field(default_factory=set)
    rows: set[tuple[str, str]] = field(default_factory=set)
    cycles: set[tuple[int | None, int]] = field(default_factory=set)
    images: set[str] = field(default_factory=set)
    whole: bool = False


# Fields of a record for the registers that its instruction wrote.
REGISTERS = ("ar_mask", "context_mask", "ctr_en", "hold_en", "rd_en", "rd", "partner_en")


def written(fields: Mapping[str, Any]) -> set[str]:
    """Registers that an instruction wrote, by the fields REGISTERS of its record."""
    isa = load()
    registers = {name for n, name in enumerate(isa.address_registers) if fields.get("ar_mask", 0) >> n & 1}
    registers |= {name for n, name in enumerate(isa.stream_contexts) if fields.get("context_mask", 0) >> n & 1}
    registers |= {name for name in ("ctr", "hold") if f"{name}_en" in fields}
    registers |= {isa.vector_by_code[fields["rd"]].name} if "rd_en" in fields else set()
    registers |= {isa.vector_by_code[fields["rd"] + 1].name} if "partner_en" in fields else set()
    return registers


def stored(space_code: int, address: int, image: Image) -> tuple[str, str]:
    """Space of a row, and the last label at or before it."""
    space = next(s.name for s in load().spaces if s.code == space_code)
    labels = image.labels(space)
    return space, labels.get(max((at for at in labels if at <= address), default=-1), "")


Found = TypeVar("Found")


def halted(engine: engines.Engine, image: Image, routine: str, run: Callable[[int], list[Found]]) -> list[Found]:
    """Return what `run`, which is given the most cycles, finds from a routine's start to its halt.

    FirmwareError where it does not come to one.
    """
    engine.start(image.symbol(routine).value)
    found = run(MAX_CYCLES)
    stop = engine.stop()
    if stop.state == "running":
        raise FirmwareError(f"{routine} has not halted after {MAX_CYCLES} cycles")
    if stop.state != "halted":
        where = source_line(image, stop.pc) or f"pc {stop.pc:#06x}"
        raise FirmwareError(f"{routine} ended {stop.state} in {where}" + (f": {stop.trap}" if stop.trap else ""))
    return found


def observe(engine: engines.Engine, image: Image, routine: str, seen: Seen, n: int | None, exact: bool = True) -> None:
    """One run of a routine, from where the engine is; exact: its cycles are those of n units."""
    rows: set[tuple[int, int]] = set()
    registers: set[tuple[Any, ...]] = set()
    isa = load()
    memory = [name for store in isa.stores for name in (store.enable, *store.places)]
    for fields in halted(engine, image, routine, partial(engine.combinations, (*REGISTERS, *memory))):
        registers.add(tuple(map(fields.get, REGISTERS)))
        rows |= {(store.space, store.address) for store in isa.stored(fields)}
    for values in registers:
        seen.registers |= written({k: v for k, v in zip(REGISTERS, values, strict=True) if v is not None})
    seen.rows |= {stored(*row, image) for row in rows}
    if exact:
        seen.cycles.add((n, engine.stop().cycles))


def count(engine: engines.Engine, image: Image, routine: str, seen: Seen, n: int) -> None:
    """The cycles alone of one run, which is much faster."""

    def run(limit: int) -> list[int]:
        engine.go(limit)
        return []

    halted(engine, image, routine, run)
    seen.cycles.add((n, engine.stop().cycles))


def of_case(case: Case, seen: dict[str, Seen], source: random.Random) -> None:
    """Run every routine of a case, jobs with several sizes, and add to the observations of each."""
    cipher = case.cipher
    session = Session(engines.make("iss"), max_cycles=MAX_CYCLES)
    image = assembled(case.implementation.image)
    key, iv = source.randbytes(cipher.key_bits // 8), source.randbytes(cipher.iv_bytes)
    session.set_up(cipher, case.direction, key, iv, case.implementation)
    most = session.job_bytes // cipher.whole_bytes
    sizes = [(n, 0) for n in sorted({*(n for n in SIZES if n < most), most})]
    tails = [(n, TAIL) for n in SIZES if cipher.partial and n < most]
    for n, tail in sizes + tails:
        text = source.randbytes(n * cipher.whole_bytes + tail)
        session.put(text)
        for name in case.jobs:
            of_name = seen.setdefault(name, Seen())
            # A job of whole memories writes nothing that one before it, with another key, has not written.
            if n == most and of_name.whole:
                count(session.engine, image, name, of_name, n * cipher.streams)
            else:
                observe(session.engine, image, name, of_name, n * cipher.streams, exact=not tail)
            of_name.whole |= n == most
            if name == case.entries.others.get("open"):  # a wrong tag: memories are closed
                session.engine.wipe()
                session.forget()
                session.set_up(cipher, case.direction, key, iv, case.implementation)
                session.put(text)
    for name in case.set_up:
        of_name = seen.setdefault(name, Seen())
        # Routines that read only the key are the same in all modes.
        if name not in case.of_key or case.implementation.image.name not in of_name.images:
            observe(session.engine, image, name, of_name, 0)
        else:  # the next one may need the tables that it loads
            count(session.engine, image, name, of_name, 0)
        of_name.images.add(case.implementation.image.name)
