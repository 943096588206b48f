"""The tables of a manifest as records, see docs/manifest.md."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, field

from lutra.asm.files import read_toml
from lutra.firmware.ciphers import Direction, UnitName
from lutra.firmware.errors import FirmwareError
from lutra.firmware.kinds import KindName
from lutra.firmware.lte import FormName
from lutra.firmware.polynomial import Polynomial
from lutra.firmware.schema import Bits, Bytes, SomeBits, SomeBytes, Strings, Table, convert

# The folder of the firmware: in a wheel next to this module (firmware/CMakeLists.txt), in a checkout above it.
SOURCES = next(p for p in (Path(__file__).parent / "src", Path(__file__).parents[3]) if p.is_dir())
NAME = "firmware.toml"


class Parameters(Table, frozen=True):
    key: str | None = None
    iv: str | None = None
    length: str | None = None


class Image(Table, frozen=True):
    sources: Strings | None = None
    parameters: Parameters = Parameters()
    offset: Bytes = 0
    job_bytes: SomeBytes | None = None
    twice: bool = False
    routines: dict[str, str] = field(default_factory=dict)


class Pack(Table, frozen=True):
    name: str | None = None
    version: str | None = None
    counter: Annotated[int, Meta(ge=0, le=255)] | None = None
    algorithms: Strings | None = None
    vectors: Strings | None = None
    answers: Annotated[int, Meta(ge=1, le=64)] | None = None


class Manifest(Table, frozen=True, kw_only=True):
    """A whole file. defaults: keys of all algorithms, which are converted with them."""

    cipher: str
    isa: str | None = None
    same_routines: dict[str, int] = field(default_factory=dict)
    defaults: dict[str, Any] = field(default_factory=dict)
    image: dict[str, Image] = field(default_factory=dict)
    algorithm: list[dict[str, Any]]
    pack: Pack = Pack()


class Implementation(Table, frozen=True):
    image: str
    directions: Annotated[tuple[Direction, ...], Meta(min_length=1)] | None = None
    routines: dict[str, str] = field(default_factory=dict)
    bench: dict[str, str] | None = None


class Vectors(Table, frozen=True):
    algorithm: str
    modes: Strings | None = None
    iv: dict[str, Strings] = field(default_factory=dict)
    reflected: bool = False
    others: dict[str, Strings] = field(default_factory=dict)


class Algorithm(Table, frozen=True, kw_only=True):
    """An algorithm with what its mode and the defaults say; None where its kind decides."""

    name: str
    kind: KindName = "cipher"
    key_bits: Annotated[tuple[Bits, ...], Meta(min_length=1)]
    key_parts: SomeBytes = 1
    offset_bytes: Bytes = 0
    distinct_keys: bool = False
    iv_bytes: Literal["unit"] | Bytes | None = None
    unit: UnitName | SomeBytes
    partial: bool | None = None
    to_the_bit: bool = False
    tag_bits: SomeBits | None = None
    associated: bool = True
    lte: FormName | None = None
    keys: Direction | Literal["opposite"] | None = None
    directions: Annotated[tuple[Direction, ...], Meta(min_length=1)] | None = None
    vectors: Vectors | None = None
    openssl: str | None = None
    polynomial: Polynomial | None = None
    routines: dict[str, str] = field(default_factory=dict)
    implementations: Annotated[tuple[Implementation, ...], Meta(min_length=1)]


class Conventions(Table, frozen=True):
    """How routines are called by kind. mode: keys of an algorithm, and of its vectors the modes."""

    routines: dict[KindName, dict[str, str]]
    mode: dict[str, dict[str, Any]]


def read(path: Path) -> dict[str, Any]:
    """The tables of a file. FirmwareError naming it where they cannot be read."""
    try:
        return read_toml(path, "a manifest")
    except OSError as error:
        remedy = f"; a manifest is a file {NAME}, or the folder that has one"
        raise FirmwareError(f"{path}: {error.strerror}{remedy}") from error
    except UnicodeDecodeError as error:
        raise FirmwareError(f"{path}: not valid UTF-8: byte {error.start + 1}") from error
    except ValueError as error:
        raise FirmwareError(f"{path}: {error}") from error


@functools.cache
def conventions() -> Conventions:
    """Return how routines are called, and what modes are like, for all manifests."""
    return convert("conventions.toml", read(SOURCES / "conventions.toml"), Conventions)
