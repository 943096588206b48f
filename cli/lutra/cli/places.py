"""Options --load and --dump: parts of memories, and the files that they are read from or written to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lutra.asm import Image
from lutra.cli.checks import usage_checks
from lutra.cli.errors import UsageError
from lutra.cli.files import read_bounded
from lutra.cli.options import hexadecimal
from lutra.isa import load
from lutra.iss.engine import Engine
from lutra.iss.places import Place, number, place

# Prefix of digits, and of the name of a file of digits; write ./hex:NAME for a file with such a name.
HEX = "hex:"


@dataclass(frozen=True)
class Load:
    """Bytes, their destination, and the file that they come from, if any. option: its name in errors."""

    option: str
    place: Place
    data: bytes
    file: Path | None


@dataclass(frozen=True)
class Dump:
    """A part of a memory and the file to write it to, as bytes or as a line of hexadecimal digits."""

    option: str
    place: Place
    length: int
    file: Path
    digits: bool

    def read(self, engine: Engine) -> bytes:
        """Return the contents of the file."""
        data = engine.read(self.place.space, self.place.offset, self.length)
        return data.hex().encode() + b"\n" if self.digits else data

    @property
    def printed(self) -> bool:
        """Whether the destination is standard output."""
        return str(self.file) == "-"


def loads(engine: Engine, image: Image, texts: Iterable[str]) -> tuple[Load, ...]:
    """Parse --load options. Raises UsageError, which does not show the bytes, since they may be a key."""
    return tuple(_load(engine, image, text) for text in texts)


def dumps(engine: Engine, image: Image, texts: Iterable[str]) -> tuple[Dump, ...]:
    """Parse --dump options. Raises UsageError, so that a mistake is reported before a long run, not after."""
    return tuple(_dump(engine, image, text) for text in texts)


def _load(engine: Engine, image: Image, text: str) -> Load:
    where, equals, source = text.partition("=")
    # Do not show text that is not a place: it may be the digits of a key.
    if not (where and equals and source) or where.startswith(HEX):
        raise UsageError("--load: write PLACE=FILE or PLACE=hex:DIGITS, e.g. m2@0x000=in.bin or key=hex:00ff")
    option = f"--load {where}"
    with usage_checks(option):
        to = place(image, where)
    _check(engine, to, 0, option)
    if source.startswith(HEX):
        found = Load(option, to, hexadecimal(source.removeprefix(HEX), option), None)
    else:
        room = engine.size(to.space) - to.offset
        found = Load(option, to, read_bounded(Path(source), room, f"{to.space} from {to.offset:#x} on"), Path(source))
    _check(engine, to, len(found.data), option)
    return found


def _dump(engine: Engine, image: Image, text: str) -> Dump:
    what, equals, target = text.partition("=")
    where, colon, length = what.rpartition(":")
    option = f"--dump {what}"
    if not (where and equals and colon and target.removeprefix(HEX)):
        raise UsageError(f"{option}: write PLACE:LENGTH=FILE, e.g. m3@0x000:256=out.bin or result:16=hex:-")
    with usage_checks(option):
        found = Dump(
            option, place(image, where), number(length), Path(target.removeprefix(HEX)), target.startswith(HEX)
        )
    if not found.length:
        raise UsageError(f"{option}: the length must be at least 1")
    _check(engine, found.place, found.length, option)
    space = load().space_by_name[found.place.space]
    if len(space.banks) > 1:
        banks = " or ".join(load().bank_by_number[bank].name for bank in space.banks)
        raise UsageError(f"{option}: {space.name} is several memories; dump {banks}")
    return found


def _check(engine: Engine, where: Place, length: int, option: str) -> None:
    """Check that the part exists."""
    with usage_checks(option):
        engine.read(where.space, where.offset, length)
    isa = load()
    unit = isa.machine["InsnBits"] // 8
    if isa.space_by_name[where.space].is_program and (where.offset % unit or length % unit):
        raise UsageError(f"{option}: offset and length must be multiples of {unit}, the bytes of a program word")
