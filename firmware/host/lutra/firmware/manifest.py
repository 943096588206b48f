"""The manifests: which algorithms the firmware serves, and the entries of their routines.

A manifest `<cipher>/firmware.toml` lists images, the figures of others (`literature`) and algorithms. An algorithm
stands for one cipher per key size: `{bits}` in its name and in its entries is replaced by the size.
"""

from __future__ import annotations

import functools
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from lutra.asm import Image, assemble
from lutra.firmware.errors import FirmwareError, nearest
from lutra.firmware.lte import FORMS

Direction = Literal["encrypt", "decrypt"]
DIRECTIONS: tuple[Direction, ...] = ("encrypt", "decrypt")
Unit = Literal["block", "word", "byte"]
Kind = Literal["cipher", "mac", "gcm", "ccm"]
# Routines of an entry table beside those that all kinds have; `finish` makes the tag, or verifies it.
ROUTINES: dict[Kind, tuple[str, ...]] = {
    "cipher": (),
    "mac": ("update",),
    "gcm": ("begin", "begin_hashed", "absorb", "finish"),
    "ccm": ("begin", "absorb", "finish"),
}
UNIT_BYTES: dict[str, int] = {"block": 16, "word": 4, "byte": 1}


def _sources() -> Path:
    """The folder of the firmware: in a wheel beside this module (firmware/CMakeLists.txt), in a checkout above it."""
    installed = Path(__file__).parent / "src"
    return installed if installed.is_dir() else Path(__file__).parents[3]


SOURCES = _sources()

T = TypeVar("T")


@dataclass(frozen=True)
class Parameters:
    """Symbols of an image's parameter rows."""

    key: str
    iv: str
    length: str


@dataclass(frozen=True)
class ImageSource:
    """One image: the assembly sources that make it, and where it expects its parameters."""

    name: str
    sources: tuple[Path, ...]
    include_dirs: tuple[Path, ...]
    parameters: Parameters


@dataclass(frozen=True)
class Entries:
    """Routines of one direction, in the order in which they run: tables and key schedule, tables, start and job.

    key and start may be empty: there is no key schedule, nothing to do when a message begins. others: the routines of
    `ROUTINES`; of a MAC and of an AEAD mode the host calls them (lutra.firmware.mac, lutra.firmware.aead).
    """

    key_tables: str
    key: str
    tables: str
    start: str
    run: str
    others: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Literature:
    """A published figure for the same work."""

    source: str
    cycles_per_unit: float


@dataclass(frozen=True)
class BenchCase:
    """One line of `bench`: a direction of an implementation under the name of a variant."""

    variant: str
    direction: Direction
    literature: Literature | None


@dataclass(frozen=True)
class Implementation:
    """One way in which an image serves a cipher. The first of a cipher is what `crypt` and `kat` use."""

    image: ImageSource
    entries: Mapping[Direction, Entries]
    bench: tuple[BenchCase, ...]


@dataclass(frozen=True)
class Cipher:
    """An algorithm with a key size, under its name on the command line.

    iv_bytes: 0 where the mode takes none. partial: the last unit may be incomplete. streams: how many messages there
    are, whose units take turns (words: whole rows); iv has one IV behind the other. lte: how the IV is made of the
    inputs of a 3GPP algorithm (lutra.firmware.lte), and lengths count bits; empty for others. vectors: (algorithm,
    mode) as in the vector files. tag_bits: of the whole tag of a MAC or an AEAD mode.
    """

    name: str
    key_bits: int
    iv_bytes: int
    unit: Unit
    partial: bool
    streams: int
    lte: str
    vectors: tuple[tuple[str, str], ...]
    implementations: tuple[Implementation, ...]
    kind: Kind = "cipher"
    tag_bits: int = 0

    @property
    def is_aead(self) -> bool:
        return self.kind in ("gcm", "ccm")

    @property
    def unit_bytes(self) -> int:
        return UNIT_BYTES[self.unit]

    @property
    def whole_bytes(self) -> int:
        """What a message without a partial unit is a multiple of."""
        return self.unit_bytes * self.streams

    @property
    def default(self) -> Implementation:
        return self.implementations[0]


@dataclass(frozen=True)
class Catalogue:
    """All ciphers of all manifests, in their order."""

    ciphers: tuple[Cipher, ...]

    def cipher(self, name: str) -> Cipher:
        """The cipher of a name. FirmwareError with the nearest name where there is none."""
        for cipher in self.ciphers:
            if cipher.name == name:
                return cipher
        hint = nearest(name, [c.name for c in self.ciphers])
        hint = hint or f"; there are {', '.join(self.families)} in their modes: see `lutra ciphers`"
        raise FirmwareError(f"unknown cipher {name!r}{hint}")

    def mac(self, name: str) -> Cipher:
        """The MAC of a name. FirmwareError where it is no MAC, or with the nearest where there is none of this name."""
        macs = {c.name: c for c in self.ciphers if c.kind == "mac"}
        if name in macs:
            return macs[name]
        if any(c.name == name for c in self.ciphers):
            raise FirmwareError(f"{name} is a cipher and not a MAC; use lutra crypt")
        hint = nearest(name, macs) or f"; there are {', '.join(macs)}"
        raise FirmwareError(f"unknown MAC {name!r}{hint}")

    @property
    def families(self) -> tuple[str, ...]:
        """First parts of the names: `aes` of `aes-128-ctr`, `128-eea` of `128-eea1`."""
        return tuple(sorted({c.name[:-1] if c.lte else c.name.split("-")[0] for c in self.ciphers}))

    def has_mode(self, algorithm: str, mode: str) -> bool:
        """Whether any cipher computes this algorithm and mode of the vector files."""
        return any((algorithm, mode) in c.vectors for c in self.ciphers)

    def lte(self, algorithm: str, mode: str) -> str:
        """`Cipher.lte` of an algorithm and mode of the vector files."""
        return next((c.lte for c in self.ciphers if (algorithm, mode) in c.vectors), "")

    def kind(self, algorithm: str, mode: str) -> Kind:
        """`Cipher.kind` of an algorithm and mode of the vector files."""
        return next((c.kind for c in self.ciphers if (algorithm, mode) in c.vectors), "cipher")

    def serving(self, algorithm: str, mode: str, key_bits: int) -> Cipher | None:
        """The cipher that computes the tests of an algorithm and mode of the vector files."""
        return next((c for c in self.ciphers if (algorithm, mode) in c.vectors and c.key_bits == key_bits), None)


@functools.cache
def assembled(source: ImageSource) -> Image:
    """The image of a manifest entry, assembled once a process."""
    return assemble(list(source.sources), include_dirs=list(source.include_dirs))


@functools.cache
def catalogue() -> Catalogue:
    """The installed firmware. FirmwareError where a manifest is wrong."""
    return Catalogue(tuple(c for path in sorted(SOURCES.glob("*/firmware.toml")) for c in load(path)))


def load(path: Path) -> tuple[Cipher, ...]:
    """Ciphers of one manifest. FirmwareError naming file and entry where it is wrong."""
    try:
        table = _Table(str(path), tomllib.loads(path.read_text(encoding="utf-8")))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FirmwareError(f"{path}: {error}") from error
    images = {name: _image(path.parent, name, t) for name, t in table.tables("image").items()}
    literature = {name: _literature(t) for name, t in table.tables("literature").items()}
    ciphers = tuple(c for t in table.list_of_tables("algorithm") for c in _ciphers(t, images, literature))
    table.finish()
    return ciphers


# ---------------------------------------------------------------------------------------- one table each


class _Table:
    """A TOML table that checks types, and at the end that nothing in it was left unread."""

    def __init__(self, where: str, data: dict[str, Any]) -> None:
        self.where = where
        self._data = dict(data)

    def error(self, text: str) -> FirmwareError:
        return FirmwareError(f"{self.where}: {text}")

    def get(self, key: str, kind: type[T]) -> T:
        """A value that must be there."""
        if key not in self._data:
            raise self.error(f"{key} is missing")
        value = self._data.pop(key)
        if not isinstance(value, kind):
            raise self.error(f"{key} must be of type {kind.__name__}, not {value!r}")
        return value

    def has(self, key: str) -> bool:
        return key in self._data

    def optional(self, key: str, kind: type[T], default: T) -> T:
        return self.get(key, kind) if self.has(key) else default

    def strings(self, key: str) -> tuple[str, ...]:
        values = self.get(key, list)
        if not values or not all(isinstance(v, str) for v in values):
            raise self.error(f"{key} must be a list of strings, not {values!r}")
        return tuple(values)

    def integers(self, key: str) -> tuple[int, ...]:
        values = self.get(key, list)
        if not values or not all(isinstance(v, int) for v in values):
            raise self.error(f"{key} must be a list of integers, not {values!r}")
        return tuple(values)

    def table(self, key: str) -> _Table:
        return _Table(f"{self.where}: {key}", self.get(key, dict))

    def tables(self, key: str) -> dict[str, _Table]:
        """Named tables within a table; none where the key is absent."""
        outer = _Table(f"{self.where}: {key}", self.optional(key, dict, {}))
        return {name: outer.table(name) for name in list(outer._data)}

    def list_of_tables(self, key: str) -> list[_Table]:
        items = self.optional(key, list, [])
        for item in items:
            if not isinstance(item, dict):
                raise self.error(f"{key} must be a list of tables")
        return [_Table(f"{self.where}: {key} {item.get('name', n + 1)}", item) for n, item in enumerate(items)]

    def one_of(self, key: str, known: Mapping[str, T]) -> T:
        name = self.get(key, str)
        if name not in known:
            raise self.error(f"unknown {key} {name!r}{nearest(name, known)}")
        return known[name]

    def finish(self) -> None:
        if self._data:
            raise self.error(f"unknown key {next(iter(self._data))!r}")


def _image(folder: Path, name: str, table: _Table) -> ImageSource:
    sources = tuple(folder / s for s in table.strings("sources"))
    p = table.table("parameters")
    parameters = Parameters(p.get("key", str), p.get("iv", str), p.get("length", str))
    p.finish()
    table.finish()
    return ImageSource(name, sources, (folder, folder.parent), parameters)


def _literature(table: _Table) -> dict[int, Literature]:
    """Figures by key size."""
    source = table.get("source", str)
    figures = table.get("cycles_per_unit", dict)
    table.finish()
    return {int(bits): Literature(source, float(figure)) for bits, figure in figures.items()}


def _ciphers(
    table: _Table, images: Mapping[str, ImageSource], literature: Mapping[str, Mapping[int, Literature]]
) -> list[Cipher]:
    name = table.get("name", str)
    key_bits = table.integers("key_bits")
    iv_bytes = table.optional("iv_bytes", int, 0)
    units: dict[str, Unit] = {"block": "block", "word": "word", "byte": "byte"}
    unit = table.one_of("unit", units)
    partial = table.optional("partial", bool, False)
    streams = table.optional("streams", int, 1)
    lte = table.one_of("lte", {name: name for name in FORMS}) if table.has("lte") else ""
    pairs: tuple[tuple[str, str], ...] = ()
    if table.has("vectors"):
        vectors = table.table("vectors")
        algorithm = vectors.get("algorithm", str)
        pairs = tuple((algorithm, mode) for mode in vectors.strings("modes"))
        vectors.finish()
    kinds: dict[str, Kind] = {kind: kind for kind in ROUTINES}
    kind = table.one_of("kind", kinds) if table.has("kind") else "cipher"
    tag_bits = 0 if kind == "cipher" else table.get("tag_bits", int)
    parts = [_implementation(t, images, literature, kind) for t in table.list_of_tables("implementation")]
    table.finish()
    if not parts:
        raise table.error("no implementation")
    return [
        Cipher(
            name=_put(name, bits),
            key_bits=bits,
            iv_bytes=iv_bytes,
            unit=unit,
            partial=partial,
            streams=streams,
            lte=lte,
            vectors=pairs,
            implementations=tuple(part(bits) for part in parts),
            kind=kind,
            tag_bits=tag_bits,
        )
        for bits in key_bits
    ]


def _implementation(
    table: _Table,
    images: Mapping[str, ImageSource],
    literature: Mapping[str, Mapping[int, Literature]],
    kind: Kind,
) -> Callable[[int], Implementation]:
    """The implementation for a key size. A MAC has one direction, whose table is `mac`."""
    image = table.one_of("image", images)
    names: dict[Direction, str] = {"encrypt": "mac"} if kind == "mac" else {d: d for d in DIRECTIONS}
    patterns = {direction: _entries(table.table(name), kind) for direction, name in names.items()}
    cases = [_bench(t, literature) for t in table.list_of_tables("bench")]
    table.finish()

    def at(bits: int) -> Implementation:
        entries = {direction: pattern(bits) for direction, pattern in patterns.items()}
        bench = tuple(BenchCase(variant, direction, figures.get(bits)) for variant, direction, figures in cases)
        return Implementation(image, entries, bench)

    return at


def _entries(table: _Table, kind: Kind) -> Callable[[int], Entries]:
    """The routines of a direction for a key size."""
    tables = table.get("tables", str)
    key, start = table.optional("key", str, ""), table.optional("start", str, "")
    key_tables, run = table.optional("key_tables", str, tables), table.get("run", str)
    others = {name: table.get(name, str) for name in ROUTINES[kind]}
    table.finish()

    def at(bits: int) -> Entries:
        named = {name: _put(entry, bits) for name, entry in others.items()}
        return Entries(
            _put(key_tables, bits), _put(key, bits), _put(tables, bits), _put(start, bits), _put(run, bits), named
        )

    return at


def _bench(
    table: _Table, literature: Mapping[str, Mapping[int, Literature]]
) -> tuple[str, Direction, Mapping[int, Literature]]:
    variant = table.get("variant", str)
    direction = table.one_of("direction", {d: d for d in DIRECTIONS})
    figures = table.one_of("literature", literature) if table.has("literature") else {}
    table.finish()
    return variant, direction, figures


def _put(pattern: str, bits: int) -> str:
    return pattern.replace("{bits}", str(bits))
