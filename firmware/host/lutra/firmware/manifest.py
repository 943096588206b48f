"""The manifests: which algorithms the firmware serves, and the entries of their routines.

A manifest `<cipher>/firmware.toml` lists algorithms, each for all its key sizes, and the images that serve them. What
routines are called is in `conventions.toml`, exceptions are in the manifest.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lutra.asm import Image, assemble
from lutra.firmware import ciphers
from lutra.firmware.ciphers import DIRECTIONS, UNIT_BYTES, Catalogue, Cipher, Direction, ImageSource, Implementation
from lutra.firmware.errors import FirmwareError, nearest
from lutra.firmware.lte import FORMS
from lutra.firmware.polynomial import Polynomial

__all__ = ["DIRECTIONS", "Catalogue", "Cipher", "Direction", "Implementation", "assembled", "catalogue", "load"]

# The folder of the firmware: in a wheel beside this module (firmware/CMakeLists.txt), in a checkout above it.
SOURCES = next(p for p in (Path(__file__).parent / "src", Path(__file__).parents[3]) if p.is_dir())
ROWS = ("key", "iv", "length")

# What a table may have: a value of a type, a list of such, or one of several names.
Schema = Mapping[str, Any]
MANIFEST: Schema = {"cipher": str, "same_routines": dict, "defaults": dict, "image": dict, "algorithm": [dict]}
IMAGE: Schema = {"sources": [str], "parameters": dict, "offset": int, "job_bytes": int, "routines": dict}
ALGORITHM: Schema = {
    "name": str,
    "kind": ("cipher", "mac", "gcm", "ccm", "crc"),
    "key_bits": [int],
    "iv_bytes": int,
    "unit": tuple(UNIT_BYTES),
    "partial": bool,
    "tag_bits": int,
    "lte": tuple(FORMS),
    "keys": DIRECTIONS,
    "vectors": dict,
    "polynomial": dict,
    "routines": dict,
    "implementations": [dict],
}
IMPLEMENTATION: Schema = {"image": str, "routines": dict, "bench": dict}
VECTORS: Schema = {"algorithm": str, "modes": [str]}
POLYNOMIAL: Schema = {"width": int, "poly": int, "init": int, "refin": bool, "refout": bool, "xorout": int}
LITERATURE: Schema = {"source": str, "cycles_per_unit": dict}
PLURALS = {int: "integers", str: "strings", dict: "tables"}


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
    manifest = _checked(str(path), _toml(path), MANIFEST, "cipher", "algorithm")
    defaults = _checked(f"{path}: defaults", manifest.get("defaults", {}), ALGORITHM)
    tables = {source.stem.replace("_", "-"): {} for source in path.parent.glob("*.s")} | manifest.get("image", {})
    images = {name: _image(path, name, table, manifest["cipher"]) for name, table in tables.items()}
    found: list[Cipher] = []
    for number, own in enumerate(manifest["algorithm"], 1):
        where = f"{path}: algorithm {own.get('name', number)}"
        _checked(where, own, ALGORITHM, "name")
        name, streams = re.fullmatch(r"(.*?)(?:-x(\d+))?", own["name"]).groups()  # type: ignore[union-attr]
        mode = name.rpartition("-")[2]
        by_mode = _shared("conventions.toml")["mode"].get(mode, {})
        table = {"kind": "cipher"} | by_mode | defaults | {"routines": {}} | own
        _checked(where, table, ALGORITHM, "unit", "key_bits", "implementations")
        common = _convention(table["kind"]) | by_mode.get("routines", {}) | defaults.get("routines", {})
        if vectors := {} if streams else table.get("vectors", {}):
            modes = {"modes": [mode.upper()]} | by_mode.get("vectors", {})
            vectors = modes | _checked(f"{where}: vectors", vectors, VECTORS, "algorithm")
        places = {"cipher": manifest["cipher"], "mode": mode, "streams": f"_x{streams}" if streams else ""}
        same = manifest.get("same_routines", {})
        for bits in table["key_bits"]:
            places |= {"bits": bits, "size": same.get(str(bits), bits)}
            parts = [_implementation(where, table, part, common, images, places) for part in table["implementations"]]
            found.append(_cipher(where, table, bits, int(streams or 1), vectors, tuple(parts)))
    return tuple(found)


def _cipher(
    where: str,
    table: dict[str, Any],
    bits: int,
    streams: int,
    vectors: dict[str, Any],
    implementations: tuple[Implementation, ...],
) -> Cipher:
    plain, polynomial = table["kind"] == "cipher", table.get("polynomial")
    if polynomial:
        parameters = _checked(f"{where}: polynomial", polynomial, POLYNOMIAL, *POLYNOMIAL)
        try:
            polynomial = Polynomial(**parameters)
        except FirmwareError as error:
            raise FirmwareError(f"{where}: polynomial: {error}") from error
    return Cipher(
        name=table["name"].replace("{bits}", str(bits)),
        kind=table["kind"],
        key_bits=bits,
        iv_bytes=table.get("iv_bytes", 16 * streams if plain else 0),
        unit=table["unit"],
        partial=table.get("partial", streams == 1),
        streams=streams,
        lte=table.get("lte", ""),
        tag_bits=table.get("tag_bits", 0 if plain else 128),
        vectors=tuple((vectors["algorithm"], mode) for mode in vectors.get("modes", ())),
        polynomial=polynomial,
        implementations=implementations,
    )


def _implementation(
    where: str,
    table: dict[str, Any],
    part: dict[str, Any],
    common: dict[str, str],
    images: dict[str, Any],
    places: dict[str, Any],
) -> Implementation:
    _checked(where, part, IMPLEMENTATION, "image", "bench")
    image, exceptions = images[_one_of(where, "image", part["image"], images)]
    routines = common | exceptions | table["routines"] | part.get("routines", {})
    _checked(f"{where}: routines", routines, dict.fromkeys(_convention(table["kind"]), str))
    directions = DIRECTIONS[:1] if table["kind"] in ("mac", "crc") else DIRECTIONS
    entries = {d: _entries(where, routines, d, places | {"keys": table.get("keys", d)}) for d in directions}
    figures = f"{places['cipher']}-{places['bits']}"
    bench = tuple(_bench(where, variant, source, figures) for variant, source in part["bench"].items())
    return Implementation(image, entries, bench)


def _image(path: Path, name: str, table: dict[str, Any], cipher: str) -> tuple[ImageSource, dict[str, str]]:
    """An image, and what its routines are called otherwise."""
    where = f"{path}: image {name}"
    _checked(where, table, IMAGE)
    rows = _checked(f"{where}: parameters", table.get("parameters", {}), dict.fromkeys(ROWS, str))
    parameters = ciphers.Parameters(**{row: f"{cipher}_{row}" for row in ROWS} | rows)
    sources = tuple(path.parent / source for source in table.get("sources", [f"{name.replace('-', '_')}.s"]))
    folders = (path.parent, path.parent.parent)
    image = ImageSource(name, sources, folders, parameters, table.get("offset", 0), table.get("job_bytes", 0))
    return image, table.get("routines", {})


def _entries(where: str, routines: dict[str, str], direction: Direction, places: dict[str, Any]) -> ciphers.Entries:
    places |= {"direction": direction, "finish": "tag" if direction == "encrypt" else "verify"}
    try:
        named = {role: pattern.format(**places) for role, pattern in routines.items()}
    except (KeyError, ValueError, IndexError) as error:
        raise FirmwareError(f"{where}: routines: {error} is no place of a routine's name") from error
    named["key_tables"] = named["key_tables"] or named["tables"]
    own = {role: named.pop(role) for role in ("key_tables", "key", "tables", "start", "run")}
    return ciphers.Entries(**own, others=named)


def _bench(where: str, variant: str, source: str, figures: str) -> ciphers.BenchCase:
    direction: Direction = "decrypt" if variant.endswith("-decrypt") else "encrypt"
    if not source:
        return ciphers.BenchCase(variant, direction, None)
    literature = _shared("literature.toml")
    published = literature[_one_of(where, "literature", source, literature)]
    _checked(f"literature.toml: {source}", published, LITERATURE, *LITERATURE)
    figure = published["cycles_per_unit"].get(figures)
    return ciphers.BenchCase(variant, direction, figure and ciphers.Literature(published["source"], float(figure)))


def _convention(kind: str) -> dict[str, str]:
    """Names of the routines of a kind."""
    return dict(_shared("conventions.toml")["routines"][kind])


@functools.cache
def _shared(name: str) -> dict[str, Any]:
    """A table for all manifests."""
    return _toml(SOURCES / name)


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FirmwareError(f"{path}: {error}") from error


def _checked(where: str, table: Any, schema: Schema, *needed: str) -> dict[str, Any]:
    """The table; FirmwareError where a key is missing, unknown, or of another type."""
    if type(table) is not dict:
        raise FirmwareError(f"{where} must be a table, not {table!r}")
    if missing := next((key for key in needed if key not in table), None):
        raise FirmwareError(f"{where}: {missing} is missing")
    for key, value in table.items():
        want = schema[_one_of(where, "key", key, schema)]
        if isinstance(want, tuple):
            _one_of(where, key, value, want)
        elif isinstance(want, list):
            if type(value) is not list or not value or any(type(v) is not want[0] for v in value):
                raise FirmwareError(f"{where}: {key} must be a list of {PLURALS[want[0]]}, not {value!r}")
        elif type(value) is not want:
            raise FirmwareError(f"{where}: {key} must be of type {want.__name__}, not {value!r}")
    return table


def _one_of(where: str, what: str, name: Any, known: Iterable[str]) -> str:
    if name not in known:
        raise FirmwareError(f"{where}: unknown {what} {name!r}{nearest(str(name), known)}")
    return str(name)
