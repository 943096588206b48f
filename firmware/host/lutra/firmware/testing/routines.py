"""Tests of single routines: `routines.toml` next to the sources.

    [[routine]]
    name = "round keys of the all-zero key"     # the entry, where it is left out
    entry = "otter128_key_encrypt"              # the routine under test
    before = ["otter_tables"]                   # routines that run first
    set = { otter_key = "00112233 44556677 8899aabb ccddeeff" }
    expect = { otter_keys = "112233.." }
    secret = ["otter_key"]                      # of `set`: time and addresses must not depend on them
    units = 4                                   # n in the Cycles field of its header

What is set and expected has a data label of the image as its name, or a place such as "m2@0x10". Registers and
memories are zero first, except for the data of the image.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import field

from lutra.asm import Image, Symbol
from lutra.asm.files import read_toml
from lutra.firmware.errors import FirmwareError, nearest
from lutra.firmware.schema import Strings, Table, convert
from lutra.firmware.testing.observe import MAX_CYCLES, Seen, observe
from lutra.firmware.testing.timing import Leak, Trace, inputs, leak, trace
from lutra.iss import engine as engines
from lutra.iss.retire import source_line

NAME = "routines.toml"


class Stated(Table, frozen=True, kw_only=True):
    """A test as the file has it."""

    name: str | None = None
    image: str = ""
    entry: str
    before: Strings = ()
    set: dict[str, Any] = field(default_factory=dict)
    expect: dict[str, Any]
    secret: Strings = ()
    units: int | None = None


class File(Table, frozen=True):
    routine: tuple[Stated, ...]


@dataclass(frozen=True)
class Routine:
    """One test. where: file and name, for messages. places: places of inputs and expectations in the image."""

    where: str
    name: str
    image: str
    entry: str
    before: tuple[str, ...]
    set: Mapping[str, bytes]
    expect: Mapping[str, bytes]
    secret: tuple[str, ...]
    units: int | None


def read(path: Path) -> list[Routine]:
    """The tests of a file. FirmwareError naming file and test where it is wrong."""
    try:
        table = read_toml(path, "a file of tests")
    except OSError as error:
        raise FirmwareError(f"{path}: {error.strerror}") from error
    except ValueError as error:
        raise FirmwareError(f"{path}: {error}") from error
    found: dict[str, Routine] = {}
    for own in convert(str(path), table, File).routine:
        name = own.name or own.entry
        where = f"{path}: routine {name}"
        if name in found:
            raise FirmwareError(f"{where}: two tests have this name; give each its own `name`")
        given = {key: _bytes(where, "set", key, value) for key, value in own.set.items()}
        expected = {key: _bytes(where, "expect", key, value) for key, value in own.expect.items()}
        if not expected:
            raise FirmwareError(f"{where}: expect is empty, so nothing is tested")
        if unknown := next((s for s in own.secret if s not in given), None):
            raise FirmwareError(f"{where}: secret {unknown} is not one of the values in set{nearest(unknown, given)}")
        found[name] = Routine(where, name, own.image, own.entry, own.before, given, expected, own.secret, own.units)
    return list(found.values())


def _bytes(where: str, field: str, name: str, value: object) -> bytes:
    try:
        data = bytes.fromhex(value) if isinstance(value, str) else b""
    except ValueError:
        data = b""
    if not data:
        raise FirmwareError(f"{where}: {field} {name} must be a string of hexadecimal bytes, not {value!r}")
    return data


def image_of(routine: Routine, images: Mapping[str, Image]) -> Image:
    """The image that a test runs, of those of the folder. FirmwareError where it is not one."""
    if routine.image:
        if routine.image not in images:
            known = nearest(routine.image, images) or f"; choose from {', '.join(images)}"
            raise FirmwareError(f"{routine.where}: unknown image {routine.image!r}{known}")
        return images[routine.image]
    labels = {name: {s.name for s in image.symbols if s.space == "pm"} for name, image in images.items()}
    having = [name for name, routines in labels.items() if routine.entry in routines]
    if not having:
        hint = nearest(routine.entry, set().union(*labels.values()))
        raise FirmwareError(f"{routine.where}: no image has the routine {routine.entry}{hint}")
    if len(having) > 1:
        raise FirmwareError(f"{routine.where}: {' and '.join(having)} have {routine.entry}; choose one with `image`")
    return images[having[0]]


def prepare(engine: engines.Engine, routine: Routine, image: Image, given: Mapping[str, bytes]) -> None:
    """Load the image into empty memories, set the given values, and run the routines before the entry."""
    for space in engine.isa.spaces:
        if len(space.blocks) + len(space.banks) == 1:
            engine.write(space.name, 0, bytes(engine.size(space.name)))
    engine.load(image)
    for name, data in given.items():
        engine.write(*_place(routine, image, name), data)
    for name in routine.before:
        _run(engine, routine, image, name)


def run(engine: engines.Engine, routine: Routine, image: Image) -> list[str]:
    """Return what is wrong after the routine has run. Raises FirmwareError if it does not halt."""
    prepare(engine, routine, image, routine.set)
    _run(engine, routine, image, routine.entry)
    wrong = []
    for name, expected in routine.expect.items():
        space, offset = _place(routine, image, name)
        got = engine.read(space, offset, len(expected))
        if got != expected:
            wrong.append(f"{name}: expected {expected.hex()}, got {got.hex()}")
    return wrong


def seen(engine: engines.Engine, routine: Routine, image: Image, found: Seen) -> None:
    """Add to the observations of the routine under test."""
    prepare(engine, routine, image, routine.set)
    observe(engine, image, routine.entry, found, routine.units)


def time(routine: Routine, image: Image, runs: int, source: random.Random, rounds: int = 2) -> Leak | None:
    """Return how time and addresses of the routine under test depend on the secrets among its inputs."""
    engine = engines.make("iss", rounds)
    first: Trace | None = None
    values = (inputs(source, runs, len(routine.set[name])) for name in routine.secret)
    for chosen in zip(*values, strict=True):
        prepare(engine, routine, image, {**routine.set, **dict(zip(routine.secret, chosen, strict=True))})
        now = trace(engine, image, routine.entry)
        first = first or now
        if found := leak(first, now, image):
            return found
    return None


def _place(routine: Routine, image: Image, name: str) -> tuple[str, int]:
    """Space and offset of a data label, or of a place."""
    if at := re.fullmatch(r"([a-z]\d)@(0x[0-9a-f]+|[0-9]+)", name):
        return at[1], int(at[2], 0)
    symbol = _symbol(routine, image, name)
    if symbol.space in ("", "pm"):
        raise FirmwareError(f"{routine.where}: {name} is not a data label")
    return symbol.space, symbol.value


def _run(engine: engines.Engine, routine: Routine, image: Image, name: str) -> None:
    symbol = _symbol(routine, image, name)
    if symbol.space != "pm":
        raise FirmwareError(f"{routine.where}: {name} is not a routine but data in {symbol.space}")
    stop = engine.run(symbol.value, MAX_CYCLES)
    if stop.state != "halted":
        place = source_line(image, stop.pc) or f"pc {stop.pc:#06x}"
        why = f": {stop.trap}" if stop.trap else f" after {stop.cycles} cycles" if stop.state == "running" else ""
        raise FirmwareError(f"{routine.where}: {name} is {stop.state} in {place}{why}")


def _symbol(routine: Routine, image: Image, name: str) -> Symbol:
    try:
        return image.symbol(name)
    except KeyError:
        hint = nearest(name, {s.name for s in image.symbols})
        raise FirmwareError(f"{routine.where}: the image has no label {name}{hint}") from None
