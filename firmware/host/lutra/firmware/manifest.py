"""The manifests: which algorithms the firmware serves, and the entries of their routines.

A manifest `<cipher>/firmware.toml` lists algorithms and the images that serve them, each algorithm for all its key sizes.
Names of images and routines follow the conventions of firmware/README.md; the manifest states exceptions.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lutra.asm import Image, assemble
from lutra.firmware.ciphers import (
    DIRECTIONS,
    UNIT_BYTES,
    BenchCase,
    Catalogue,
    Cipher,
    Direction,
    Entries,
    ImageSource,
    Implementation,
    Literature,
    Parameters,
)
from lutra.firmware.errors import FirmwareError, nearest
from lutra.firmware.lte import FORMS
from lutra.firmware.polynomial import Polynomial

__all__ = ["DIRECTIONS", "Catalogue", "Cipher", "Direction", "Entries", "Implementation", "assembled", "catalogue"]

# The folder of the firmware: in a wheel beside this module (firmware/CMakeLists.txt), in a checkout above it.
SOURCES = next(p for p in (Path(__file__).parent / "src", Path(__file__).parents[3]) if p.is_dir())

# Routines by kind. {size} is the key size whose routine it is, {keys} the direction of the key schedule, {streams} `_x2`
# where there are two.
COMMON = {"tables": "{cipher}_tables", "key_tables": "", "key": "{cipher}{bits}_key_{keys}", "start": ""}
AEAD = {
    "key": "{cipher}{bits}_{mode}_key",
    "begin": "{cipher}_{mode}_start",
    "absorb": "{cipher}{size}_{mode}_absorb",
    "run": "{cipher}{size}_{mode}_{direction}",
    "finish": "{cipher}{size}_{mode}_{finish}",
}
ROUTINES: dict[str, dict[str, str]] = {
    "cipher": COMMON | {"run": "{cipher}{size}_{mode}_{direction}{streams}"},
    "mac": COMMON
    | {
        "key": "{cipher}{bits}_mac_key",
        "update": "{cipher}{size}_{mode}_update{streams}",
        "run": "{cipher}{size}_{mode}{streams}",
    },
    "gcm": COMMON | AEAD | {"begin_hashed": "{cipher}_{mode}_start_hashed", "absorb": "{cipher}_{mode}_absorb"},
    "ccm": COMMON | AEAD,
    "crc": COMMON | {"tables": "", "key": "", "run": "{cipher}"},
}
OWN = ("key_tables", "key", "tables", "start", "run")  # fields of Entries

# What a table may have: a type, a list of a type, a table of texts, or one of several names.
Schema = Mapping[str, Any]
ALGORITHM: Schema = {
    "name": str,
    "kind": tuple(ROUTINES),
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
MANIFEST: Schema = {"cipher": str, "same_routines": dict, "defaults": dict, "image": dict, "algorithm": [dict]}
IMAGE: Schema = {"sources": [str], "parameters": dict, "offset": int, "job_bytes": int, "routines": dict}
IMPLEMENTATION: Schema = {"image": str, "routines": dict, "bench": dict}
VECTORS: Schema = {"algorithm": str, "modes": [str]}
LITERATURE: Schema = {"source": str, "cycles_per_unit": dict}
POLYNOMIAL: Schema = {"width": int, "poly": int, "init": int, "refin": bool, "refout": bool, "xorout": int}
NAMES = {int: "integers", str: "strings", dict: "tables"}


def _checked(where: str, table: Mapping[str, Any], schema: Schema, *needed: str) -> dict[str, Any]:
    """The table; FirmwareError where a key is missing, unknown, or of another type."""
    for key in needed:
        if key not in table:
            raise FirmwareError(f"{where}: {key} is missing")
    for key, value in table.items():
        if key not in schema:
            raise FirmwareError(f"{where}: unknown key {key!r}{nearest(key, schema)}")
        want = schema[key]
        if isinstance(want, tuple):
            _one_of(where, key, value, want)
        elif isinstance(want, list):
            if type(value) is not list or not value or any(type(v) is not want[0] for v in value):
                raise FirmwareError(f"{where}: {key} must be a list of {NAMES[want[0]]}, not {value!r}")
        elif type(value) is not want:
            raise FirmwareError(f"{where}: {key} must be of type {want.__name__}, not {value!r}")
    return dict(table)


def _one_of(where: str, what: str, name: Any, known: Any) -> Any:
    if name not in known:
        raise FirmwareError(f"{where}: unknown {what} {name!r}{nearest(str(name), known)}")
    return name


@functools.cache
def assembled(source: ImageSource) -> Image:
    """The image of a manifest entry, assembled once a process."""
    return assemble(list(source.sources), include_dirs=list(source.include_dirs))


@functools.cache
def catalogue() -> Catalogue:
    """The installed firmware. FirmwareError where a manifest is wrong."""
    return Catalogue(tuple(c for path in sorted(SOURCES.glob("*/firmware.toml")) for c in load(path)))


@functools.cache
def literature() -> dict[str, dict[str, Any]]:
    """Published figures by their source."""
    path = SOURCES / "literature.toml"
    return {name: _checked(f"{path}: {name}", t, LITERATURE, *LITERATURE) for name, t in _toml(path).items()}


def load(path: Path) -> tuple[Cipher, ...]:
    """Ciphers of one manifest. FirmwareError naming file and entry where it is wrong."""
    table = _checked(str(path), _toml(path), MANIFEST, "cipher", "algorithm")
    return tuple(c for n in range(len(table["algorithm"])) for c in _Algorithm(path, table, n).ciphers())


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FirmwareError(f"{path}: {error}") from error


class _Algorithm:
    """One algorithm of a manifest, for all its key sizes."""

    def __init__(self, path: Path, manifest: dict[str, Any], number: int) -> None:
        own = manifest["algorithm"][number]
        self.where = f"{path}: algorithm {own.get('name', number + 1)}"
        self.path, self.manifest, self.cipher = path, manifest, str(manifest["cipher"])
        defaults = _checked(f"{path}: defaults", manifest.get("defaults", {}), ALGORITHM)
        _checked(self.where, own, ALGORITHM, "name")
        _checked(self.where, defaults | own, ALGORITHM, "unit", "key_bits", "implementations")
        self.table = {"kind": "cipher", "lte": "", "polynomial": None} | defaults | own
        self.kind = self.table["kind"]
        # Later ones hold: of the kind, of the manifest, of the image, of the algorithm, of the implementation.
        self.routines = (ROUTINES[self.kind], defaults.get("routines", {}), own.get("routines", {}))
        several = re.search(r"-x(\d+)$", own["name"])
        self.streams = int(several[1]) if several else 1
        self.mode = own["name"].removesuffix(several[0] if several else "").rpartition("-")[2]

    def ciphers(self) -> list[Cipher]:
        """One for each key size."""
        table, plain = self.table, self.kind == "cipher"
        if table["polynomial"] is not None:
            where = f"{self.where}: polynomial"
            table["polynomial"] = Polynomial(**_checked(where, table["polynomial"], POLYNOMIAL, *POLYNOMIAL))
        vectors = table.get("vectors", {}) if self.streams == 1 else {}
        if vectors:
            vectors = {"modes": [self.mode.upper()]} | vectors
            _checked(f"{self.where}: vectors", vectors, VECTORS, "algorithm")
        return [
            Cipher(
                name=table["name"].replace("{bits}", str(bits)),
                kind=self.kind,
                key_bits=bits,
                iv_bytes=table.get("iv_bytes", 16 * self.streams if plain else 0),
                unit=table["unit"],
                partial=table.get("partial", self.streams == 1),
                streams=self.streams,
                lte=table["lte"],
                tag_bits=table.get("tag_bits", 0 if plain else 128),
                vectors=tuple((vectors["algorithm"], mode) for mode in vectors.get("modes", ())),
                polynomial=table["polynomial"],
                implementations=tuple(self._implementation(t, bits) for t in table["implementations"]),
            )
            for bits in table["key_bits"]
        ]

    def _implementation(self, table: dict[str, Any], bits: int) -> Implementation:
        _checked(self.where, table, IMPLEMENTATION, "image", "bench")
        images = self.manifest.get("image", {})
        _one_of(self.where, "image", table["image"], images)
        image = _checked(f"{self.path}: image {table['image']}", images[table["image"]], IMAGE)
        kind, manifest, algorithm = self.routines
        routines = kind | manifest | image.get("routines", {}) | algorithm | table.get("routines", {})
        _checked(f"{self.where}: routines", routines, dict.fromkeys(kind, str))
        directions = DIRECTIONS if self.kind in ("cipher", "gcm", "ccm") else DIRECTIONS[:1]
        return Implementation(
            image=self._image(table["image"], image),
            entries={d: self._entries(routines, d, bits) for d in directions},
            bench=tuple(self._bench(variant, source, bits) for variant, source in table["bench"].items()),
        )

    def _image(self, name: str, table: dict[str, Any]) -> ImageSource:
        sources = table.get("sources", [f"{name.replace('-', '_')}.s"])
        rows = {row: f"{self.cipher}_{row}" for row in ("key", "iv", "length")}
        given = _checked(f"{self.path}: image {name}: parameters", table.get("parameters", {}), dict.fromkeys(rows, str))
        folder = self.path.parent
        return ImageSource(
            name=name,
            sources=tuple(folder / source for source in sources),
            include_dirs=(folder, folder.parent),
            parameters=Parameters(**(rows | given)),
            offset=table.get("offset", 0),
            job_bytes=table.get("job_bytes", 0),
        )

    def _entries(self, routines: dict[str, str], direction: Direction, bits: int) -> Entries:
        places = {
            "cipher": self.cipher,
            "bits": bits,
            "size": self.manifest.get("same_routines", {}).get(str(bits), bits),
            "mode": self.mode,
            "streams": f"_x{self.streams}" if self.streams > 1 else "",
            "direction": direction,
            "keys": self.table.get("keys", direction),
            "finish": "tag" if direction == "encrypt" else "verify",
        }
        try:
            named = {role: pattern.format(**places) for role, pattern in routines.items()}
        except (KeyError, ValueError, IndexError) as error:
            raise FirmwareError(f"{self.where}: routines: {error} is no place of a routine's name") from error
        named["key_tables"] = named["key_tables"] or named["tables"]
        return Entries(**{role: named.pop(role) for role in OWN}, others=named)  # type: ignore[arg-type]

    def _bench(self, variant: str, source: str, bits: int) -> BenchCase:
        direction: Direction = "decrypt" if variant.endswith("-decrypt") else "encrypt"
        if not source:
            return BenchCase(variant, direction, None)
        figures = literature()[_one_of(self.where, "literature", source, literature())]
        figure = figures["cycles_per_unit"].get(f"{self.cipher}-{bits}")
        return BenchCase(variant, direction, Literature(figures["source"], float(figure)) if figure else None)
