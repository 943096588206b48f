"""From the tables of a manifest to ciphers: an algorithm for each key size, with the routines that serve it.

What routines are called is in `conventions.toml`, exceptions are in the manifest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from lutra.firmware import ciphers, composed, literature, tables
from lutra.firmware.ciphers import DIRECTIONS, UNITS, Cipher, Direction, Entries, ImageSource, Implementation
from lutra.firmware.errors import FirmwareError, nearest
from lutra.firmware.kinds import KINDS, Kind
from lutra.firmware.schema import convert, one_of, optional
from lutra.isa import load

# Optional routines and the direction that lacks them.
ONE_WAY: Mapping[str, Direction] = {"text": "decrypt", "open": "encrypt", "hash": "encrypt"}
# In the name of a routine, such as {bits}.
PLACE = re.compile(r"\{(\w*)\}")
NAME = re.compile(r"([\w{}.+-]+?)(?:-x([1-9]\d{0,3}))?")


class _Image(Struct, frozen=True):
    """An image of a manifest. routines: other names than those of its algorithms."""

    source: ImageSource
    routines: Mapping[str, str]


class _Entry(Struct, frozen=True):
    """An algorithm of a manifest, for all key sizes, with all that decides about it.

    where: for errors. name: without the number of streams. mode: the last part of the name; particular: what
    conventions.toml says of it, empty where it is not a mode. routines: names for all images.
    """

    path: Path
    where: str
    manifest: tables.Manifest
    table: tables.Algorithm
    images: Mapping[str, _Image]
    name: str
    streams: int
    mode: str
    particular: Mapping[str, Any]
    routines: Mapping[str, str]

    @property
    def kind(self) -> Kind:
        return KINDS[self.table.kind]

    @property
    def unit_bytes(self) -> int:
        """The unit of lengths, given by name or in bytes."""
        unit = self.table.unit
        return unit if isinstance(unit, int) else next(size for size, name in UNITS.items() if name == unit)

    @property
    def iv_bytes(self) -> int:
        """Bytes of the IVs of all messages, or of the nonce."""
        stated = self.table.iv_bytes
        if stated is None:
            return self.kind.iv_bytes * self.streams
        return self.unit_bytes * self.streams if stated == "unit" else stated


def elaborate(path: Path, manifest: tables.Manifest) -> Iterator[Cipher]:
    """Yield the ciphers of a manifest. FirmwareError naming the entry where it is wrong."""
    convert(f"{path}: defaults", manifest.defaults, optional(tables.Algorithm))
    found = {source.stem.replace("_", "-"): tables.Image() for source in path.parent.glob("*.s")} | manifest.image
    images = {name: _image(path, name, table, manifest.cipher) for name, table in found.items()}
    for number, own in enumerate(manifest.algorithm, 1):
        entry = _entry(path, manifest, images, f"{path}: algorithm {own.get('name', number)}", own)
        _check(entry)
        answers, ivs = _answers(entry, own)
        for bits in entry.table.key_bits:
            yield _cipher(entry, bits, answers, ivs)


def _image(path: Path, name: str, table: tables.Image, cipher: str) -> _Image:
    where = f"{path}: image {name}"
    stated = {"key": table.parameters.key, "iv": table.parameters.iv, "length": table.parameters.length}
    parameters = {row: f"{cipher}_{row}" if label is None else label for row, label in stated.items()}
    sources = tuple(path.parent / source for source in table.sources or (f"{name.replace('-', '_')}.s",))
    for source in (s for s in sources if not s.is_file()):
        raise FirmwareError(f"{where}: no source {source}; sources are named from the manifest's folder")
    folders = tuple(dict.fromkeys((path.parent, path.parent.parent, tables.SOURCES)))
    machine = load().machine
    memory = machine["MemoryRows"] * machine["VectorBytes"]
    size = table.job_bytes or max(memory - table.offset, 1)
    if table.offset + size > memory:
        places = f"offset and job_bytes, {table.offset} and {size}"
        raise FirmwareError(f"{where}: {places}, go beyond the {memory} of a memory")
    if table.twice:
        parameters |= {row: f"{cipher}_{row}" for row in ("key_again", "iv_again", "asked", "done")}
    rows = ciphers.Parameters(**parameters)
    return _Image(ImageSource(name, sources, folders, rows, table.offset, size), table.routines)


def _entry(
    path: Path, manifest: tables.Manifest, images: Mapping[str, _Image], where: str, own: dict[str, Any]
) -> _Entry:
    """An algorithm with what its mode and the defaults say."""
    convert(where, own, optional(tables.Algorithm, "name"))
    words = NAME.fullmatch(own["name"])
    if words is None:
        raise FirmwareError(f"{where}: a name contains only letters, digits, - and {{bits}}, not {own['name']!r}")
    name, streams = words.groups()
    mode = name.rpartition("-")[2]
    particular = tables.conventions().mode.get(mode, {})
    # Vectors and routines of the mode and routines of the defaults give way to more than what the algorithm says.
    said = {key: value for key, value in particular.items() if key not in ("routines", "vectors")}
    said |= {key: value for key, value in manifest.defaults.items() if key != "routines"}
    table = convert(where, {"implementations": [{"image": manifest.cipher}]} | said | own, tables.Algorithm)
    routines = tables.conventions().routines[table.kind] | particular.get("routines", {})
    routines |= manifest.defaults.get("routines", {})
    return _Entry(path, where, manifest, table, images, name, int(streams or 1), mode, particular, routines)


def _check(entry: _Entry) -> None:
    """FirmwareError where the keys of an algorithm do not fit each other."""
    where, table, kind, streams = entry.where, entry.table, entry.kind, entry.streams
    if kind.unit_bytes not in (None, entry.unit_bytes):
        unit = f"blocks of {kind.unit_bytes} bytes: unit must be {UNITS[kind.unit_bytes]}"
        raise FirmwareError(f"{where}: {kind.name.upper()} has {unit}")
    if kind.aead and kind.aead.built_in:
        if table.tag_bits and not 32 <= table.tag_bits <= 128:
            raise FirmwareError(f"{where}: kind aead allows tags of 32 to 128 bits, not {table.tag_bits}")
        if table.partial not in (None, streams == 1):
            lengths = "one message of any length, or several in whole units"
            raise FirmwareError(f"{where}: kind aead takes {lengths}: leave out partial")
    if (table.polynomial is not None) is not kind.has_polynomial:
        raise FirmwareError(f"{where}: kind crc needs a polynomial, and only kind crc may have one")
    if table.directions is not None:
        if not kind.encrypts:
            raise FirmwareError(f"{where}: kind {kind.name} has only one direction: leave out directions")
        if "encrypt" not in table.directions:
            raise FirmwareError(f"{where}: directions must include encrypt: decryption alone cannot be tested")


def _answers(entry: _Entry, own: dict[str, Any]) -> tuple[list[tuple[str, str]], dict[str, tuple[composed.Part, ...]]]:
    """Algorithms and modes that it answers in vector files, and what the IV is composed of, by mode.

    The modes are those that the manifest names, or the usual ones, those for which it composes an IV, and those of
    other algorithms.
    """
    vectors, where = entry.table.vectors, f"{entry.where}: vectors"
    # Those of all algorithms, in defaults, are of one message.
    if vectors is None or (entry.streams > 1 and "vectors" not in own):
        return [], {}
    if entry.streams > 1 and not entry.kind.in_streams:
        fitting = " and ".join(kind.name for kind in KINDS.values() if kind.in_streams)
        raise FirmwareError(
            f"{where} of several streams are for kinds {fitting}, not {entry.kind.name}: leave out vectors"
        )
    usual = entry.particular.get("vectors", {}).get("modes", (entry.mode.upper(),))
    unit_bits = str(8 * entry.unit_bytes)
    ivs = {mode.replace("{unit_bits}", unit_bits): items for mode, items in vectors.iv.items()}
    named = vectors.modes or (() if ivs else usual)
    modes = [mode.replace("{unit_bits}", unit_bits) for mode in named]
    by_algorithm = {vectors.algorithm: (*modes, *ivs)} | vectors.others
    bits = 8 * entry.iv_bytes // entry.streams
    return (
        [(algorithm, mode) for algorithm, modes in by_algorithm.items() for mode in modes],
        {mode: _composed(f"{where}: iv: {mode}", items, bits) for mode, items in ivs.items()},
    )


def _composed(where: str, items: tuple[str, ...], bits: int) -> tuple[composed.Part, ...]:
    """Return the parts from which vectors of a mode compose the IV of a message, and check their bits."""
    try:
        return composed.parts(items, bits)
    except FirmwareError as error:
        raise FirmwareError(f"{where}: {error}") from error


def _cipher(
    entry: _Entry, bits: int, answers: list[tuple[str, str]], ivs: dict[str, tuple[composed.Part, ...]]
) -> Cipher:
    """The algorithm for one key size."""
    table, kind, streams = entry.table, entry.kind, entry.streams
    # By the rule a name is that of OpenSSL.
    openssl = table.openssl if table.openssl is not None else table.name if kind.encrypts else ""
    # A mode such as XTS has several keys for one message.
    keys = table.key_parts // entry.particular.get("key_parts", 1)
    return Cipher(
        name=_with_bits(table.name, bits),
        kind=kind,
        key_bits=bits * table.key_parts + 8 * table.offset_bytes,
        **ciphers.initial_bytes(kind, entry.iv_bytes),
        unit_bytes=entry.unit_bytes,
        partial=streams == 1 and kind.partial if table.partial is None else table.partial,
        streams=streams,
        lte=table.lte or "",
        tag_bits=table.tag_bits or kind.tag_bits,
        vectors=tuple((algorithm, _with_bits(mode, bits)) for algorithm, mode in answers),
        vector_ivs={_with_bits(mode, bits): parts for mode, parts in ivs.items()},
        reflected=bool(answers and table.vectors and table.vectors.reflected),
        polynomial=table.polynomial,
        implementations=tuple(_implementation(entry, part, bits) for part in table.implementations),
        manifest=entry.path,
        any_bits=table.to_the_bit,
        distinct_keys=table.key_parts if table.distinct_keys else 0,
        offset_bytes=table.offset_bytes,
        associated=table.associated,
        openssl=_with_bits(openssl, bits),
        mode=entry.mode if entry.particular else "",
        hardware=tuple(literature.hardware(entry.name, _with_bits(entry.name, bits), entry.unit_bytes)),
        keys=streams if keys == streams else 1,
    )


def _with_bits(name: str, bits: int) -> str:
    return name.replace("{bits}", str(bits))


def _implementation(entry: _Entry, part: tables.Implementation, bits: int) -> Implementation:
    """One way to serve an algorithm of a key size."""
    where, table, name = entry.where, entry.table, part.image
    if name not in entry.images:
        hint = nearest(name, entry.images) or f"; there is neither {name.replace('-', '_')}.s nor [image.{name}]"
        raise FirmwareError(f"{where}: unknown image {name!r}{hint}")
    image = entry.images[name]
    if (whole := entry.unit_bytes * entry.streams) > image.source.job_bytes:
        unit = f"one unit of each of {entry.streams} streams" if entry.streams > 1 else "one unit"
        most = f"a job of image {name} has {image.source.job_bytes} bytes at most"
        raise FirmwareError(f"{where}: {unit} has {whole} bytes, {most}")
    routines = {**entry.routines, **image.routines, **table.routines, **part.routines}
    for role in routines:
        one_of(f"{where}: routines", "key", role, tables.conventions().routines[table.kind])
    places = {
        "cipher": entry.manifest.cipher,
        "mode": entry.mode,
        "streams": f"_x{entry.streams}" if entry.streams > 1 else "",
        "bits": str(bits),
        "size": str(entry.manifest.same_routines.get(str(bits), bits)),
    }
    served = [d for d in _directions(entry) if d in (part.directions or DIRECTIONS)]
    if not served:
        lacks = f"{name} has directions {', '.join(part.directions or ())}, which the algorithm lacks"
        raise FirmwareError(f"{where}: implementations: {lacks}")
    entries = {d: _entries(where, routines, d, places | _particular(entry, d)) for d in served}
    lines = {name: ""} if part.bench is None else part.bench
    work = f"{entry.manifest.cipher}-{bits}"
    bench = tuple(literature.bench_case(where, variant, source, work) for variant, source in lines.items())
    stated = table.directions or part.directions
    if stated and (missing := next((case for case in bench if case.direction not in entries), None)):
        raise FirmwareError(f"{where}: bench: {missing.variant} {missing.direction}s, which directions leaves out")
    if part is table.implementations[0] and len(served) < len(_directions(entry)):
        raise FirmwareError(f"{where}: implementations: {name} is the first, which has all directions of the algorithm")
    return Implementation(image.source, entries, bench)


def _directions(entry: _Entry) -> tuple[Direction, ...]:
    """Return the directions that it has routines for, in order: a MAC and a CRC have one."""
    if not entry.kind.encrypts:
        return DIRECTIONS[:1]
    return tuple(d for d in DIRECTIONS if d in (entry.table.directions or DIRECTIONS))


def _particular(entry: _Entry, direction: Direction) -> dict[str, str]:
    """The common part of the names of the routines of a direction."""
    keys = entry.table.keys or direction
    if keys == "opposite":
        keys = DIRECTIONS[direction == DIRECTIONS[0]]
    return {"direction": direction, "keys": keys, "finish": "tag" if direction == "encrypt" else "verify"}


def _entries(where: str, routines: Mapping[str, str], direction: Direction, places: Mapping[str, str]) -> Entries:
    """The routines of a direction by their names."""
    try:
        named = {role: PLACE.sub(lambda at: places[at[1]], pattern) for role, pattern in routines.items()}
    except KeyError as error:
        raise FirmwareError(f"{where}: routines: {error} is not a placeholder of a routine's name") from error
    own = {role: named[role] for role in ("key", "tables", "start", "run")}
    others = {role: label for role, label in named.items() if role not in (*own, "key_tables")}
    for role in ("last", "text", "open", "hash"):
        if not others.get(role) or direction == ONE_WAY.get(role):
            others.pop(role, None)
    return Entries(key_tables=named["key_tables"] or named["tables"], **own, others=others)
