"""The options --load and --dump: parts of memories, and the files that they come from and go to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lutra.asm import Image
from lutra.cli.errors import UsageError
from lutra.cli.files import read_bounded
from lutra.cli.options import hexadecimal
from lutra.isa import load
from lutra.iss.engine import Engine, EngineError
from lutra.iss.places import Place, number, place

# Before digits, and before the name of a file of digits; a file that is called so is ./hex:NAME.
HEX = "hex:"


@dataclass(frozen=True)
class Dump:
    """A part of a memory, and the file that it goes to: its bytes, or a line of hexadecimal digits."""

    option: str
    place: Place
    length: int
    file: Path
    digits: bool

    def read(self, engine: Engine) -> bytes:
        """What the file is to hold."""
        data = engine.read(self.place.space, self.place.offset, self.length)
        return data.hex().encode() + b"\n" if self.digits else data

    @property
    def printed(self) -> bool:
        """Whether it goes to standard output."""
        return str(self.file) == "-"


def loads(engine: Engine, image: Image, texts: Iterable[str]) -> tuple[tuple[Place, bytes], ...]:
    """Where --load options write what. Raises UsageError, which does not show the bytes: they may be a key."""
    return tuple(_load(engine, image, text) for text in texts)


def dumps(engine: Engine, image: Image, texts: Iterable[str]) -> tuple[Dump, ...]:
    """What --dump options read. Raises UsageError: whoever dumps learns what is wrong before a long run, not after."""
    return tuple(_dump(engine, image, text) for text in texts)


def _load(engine: Engine, image: Image, text: str) -> tuple[Place, bytes]:
    where, equals, source = text.partition("=")
    # What is no place may be the digits.
    if not (where and equals and source) or where.startswith(HEX):
        raise UsageError("--load: write PLACE=FILE or PLACE=hex:DIGITS, as in m2@0x000=in.bin or key=hex:00ff")
    option = f"--load {where}"
    with _named(option):
        to = place(image, where)
        size = engine.size(to.space)
    if source.startswith(HEX):
        data = hexadecimal(source.removeprefix(HEX), option)
    else:
        data = read_bounded(Path(source), size, f"the contents of {to.space}")
    _check(engine, to, len(data), option)
    return to, data


def _dump(engine: Engine, image: Image, text: str) -> Dump:
    what, equals, target = text.partition("=")
    where, colon, length = what.rpartition(":")
    option = f"--dump {what}"
    if not (where and equals and colon and target.removeprefix(HEX)):
        raise UsageError(f"{option}: write PLACE:LENGTH=FILE, as in m3@0x000:256=out.bin or result:16=hex:-")
    with _named(option):
        found = Dump(option, place(image, where), number(length), Path(target.removeprefix(HEX)), target.startswith(HEX))
    _check(engine, found.place, found.length, option)
    space = load().space_by_name[found.place.space]
    if len(space.banks) > 1:
        banks = " or ".join(load().bank_by_number[bank].name for bank in space.banks)
        raise UsageError(f"{option}: {space.name} is more than one memory; dump {banks}")
    return found


def _check(engine: Engine, where: Place, length: int, option: str) -> None:
    """That the part exists."""
    if not length:
        raise UsageError(f"{option}: there are no bytes")
    with _named(option):
        engine.read(where.space, where.offset, length)
    isa = load()
    unit = isa.machine["InsnBits"] // 8
    if isa.space_by_name[where.space].is_program and (where.offset % unit or length % unit):
        raise UsageError(f"{option}: program words have {unit} bytes; offset and length are multiples of that")


@contextmanager
def _named(option: str) -> Iterator[None]:
    """What is wrong with a place is said of the option."""
    try:
        yield
    except EngineError as error:
        raise UsageError(f"{option}: {error}") from error
