"""The manifests: which algorithms the firmware serves, and the entries of their routines.

A manifest `firmware.toml` lists algorithms, each for all its key sizes, and the images that serve them. What routines
are called is in `conventions.toml`, exceptions are in the manifest.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from lutra.asm import AsmError, Image, assemble
from lutra.asm.files import read_toml
from lutra.firmware import ciphers, composed, schema
from lutra.firmware.ciphers import DIRECTIONS, UNITS, Catalogue, Cipher, Direction, ImageSource, Implementation
from lutra.firmware.errors import FirmwareError, nearest
from lutra.firmware.kinds import KINDS, Kind
from lutra.firmware.polynomial import Polynomial
from lutra.firmware.schema import checked, one_of
from lutra.isa import Version
from lutra.isa import load as load_isa

__all__ = [
    "DIRECTIONS",
    "Catalogue",
    "Cipher",
    "Direction",
    "Implementation",
    "assembled",
    "assembled_with_warnings",
    "catalogue",
    "catalogue_with",
    "known",
    "load",
]

# The folder of the firmware: in a wheel next to this module (firmware/CMakeLists.txt), in a checkout above it.
SOURCES = next(p for p in (Path(__file__).parent / "src", Path(__file__).parents[3]) if p.is_dir())
NAME = "firmware.toml"
# In the name of a routine, such as {bits}.
PLACE = re.compile(r"\{(\w*)\}")


@functools.cache
def assembled(source: ImageSource) -> Image:
    """Return the image of a manifest entry, assembled once and without warnings, some of which take long."""
    return source.image or _assemble(source, "no-all")


def assembled_with_warnings(source: ImageSource) -> Image:
    """Return the image with the assembler's warnings, for tests of firmware."""
    return source.image or _assemble(source)


def _assemble(source: ImageSource, *warnings: str) -> Image:
    return assemble(list(source.sources), include_dirs=list(source.include_dirs), warnings=warnings)


@functools.cache
def catalogue() -> Catalogue:
    """The installed firmware. FirmwareError where a manifest is wrong."""
    return Catalogue(_all(_installed()), able=_able)


def known(manifest: Path | str | None) -> Catalogue:
    """Return the installed firmware, preceded by that of the user's manifest if there is one."""
    return catalogue() if manifest is None else catalogue_with([Path(manifest)])


def catalogue_with(manifests: Iterable[Path]) -> Catalogue:
    """The ciphers of the user's own manifests, or of the folders that they are in, before the installed ones.

    A manifest of the installed firmware may be among them. FirmwareError where a manifest is wrong, and where two
    algorithms have one name.
    """
    files = [path / NAME if path.is_dir() else path for path in manifests]
    chosen = {file.resolve(): file for file in files}
    own = _all(chosen.values())
    others = _all(path for path in _installed() if path.resolve() not in chosen)
    return Catalogue(own + others, own, able=_able)


def _able(cipher: Cipher) -> Cipher | None:
    """A cipher with the implementations that the configuration can run; None where it can run none."""
    if not load_isa().absent:
        return cipher
    able = tuple(i for i in cipher.implementations if _runs(i))
    return replace(cipher, implementations=able) if able else None


def _runs(implementation: Implementation) -> bool:
    """Whether an image uses nothing that the configuration lacks, and has the routines still. AsmError as it comes."""
    image = _image_of(implementation.image)
    if image is None:
        return False
    known = {s.name for s in image.symbols if s.space == load_isa().program.name}
    entries = implementation.entries.values()
    called = [name for e in entries for name in (e.key_tables, e.key, e.tables, e.start, e.run, *e.others.values())]
    return all(name in known for name in called if name)


@functools.cache
def _image_of(source: ImageSource) -> Image | None:
    """Return an image; None if it uses something that the configuration lacks."""
    try:
        return assembled(source)
    except AsmError as error:
        if any(d.absent for d in error.diagnostics):
            return None
        raise


def _installed() -> list[Path]:
    return sorted(SOURCES.glob(f"*/{NAME}"))


def _all(manifests: Iterable[Path]) -> tuple[Cipher, ...]:
    return tuple(cipher for path in manifests for cipher in load(path))


def load(path: Path) -> tuple[Cipher, ...]:
    """Ciphers of one manifest. FirmwareError naming file and entry where it is wrong."""
    manifest = checked(str(path), _toml(path), schema.MANIFEST, *schema.MANIFEST_NEEDS)
    _check_isa(path, manifest.get("isa"))
    checked(f"{path}: pack", manifest.get("pack", {}), schema.PACK)
    defaults = checked(f"{path}: defaults", manifest.get("defaults", {}), schema.ALGORITHM)
    tables = {source.stem.replace("_", "-"): {} for source in path.parent.glob("*.s")} | manifest.get("image", {})
    images = {name: _image(path, name, table, manifest["cipher"]) for name, table in tables.items()}
    found: list[Cipher] = []
    for number, own in enumerate(manifest["algorithm"], 1):
        where = f"{path}: algorithm {own.get('name', number)}"
        checked(where, own, schema.ALGORITHM, "name")
        words = re.fullmatch(r"([\w{}.+-]+?)(?:-x([1-9]\d{0,3}))?", own["name"])
        if words is None:
            raise FirmwareError(f"{where}: a name contains only letters, digits, - and {{bits}}, not {own['name']!r}")
        name, streams = words.groups()
        mode = name.rpartition("-")[2]
        by_mode = _shared("conventions.toml")["mode"].get(mode, {})
        table = (
            {"kind": "cipher", "implementations": [{"image": manifest["cipher"]}]}
            | by_mode
            | defaults
            | {"routines": {}}
            | own
        )
        checked(where, table, schema.ALGORITHM, *schema.ALGORITHM_NEEDS)
        kind = KINDS[table["kind"]]
        common = _convention(kind) | by_mode.get("routines", {}) | defaults.get("routines", {})
        # Those of all algorithms, in defaults, are of one message.
        if vectors := (own if streams else table).get("vectors", {}):
            if streams and not kind.in_streams:
                fitting = " and ".join(k.name for k in KINDS.values() if k.in_streams)
                kinds = f"kinds {fitting}, not {kind.name}"
                raise FirmwareError(f"{where}: vectors of several streams are for {kinds}: leave out vectors")
            usual = by_mode.get("vectors", {}).get("modes", [mode.upper()])
            vectors = _vectors(f"{where}: vectors", vectors, usual, 8 * _unit_bytes(table["unit"]))
        places = {"cipher": manifest["cipher"], "mode": mode, "streams": f"_x{streams}" if streams else ""}
        same = manifest.get("same_routines", {})
        for bits in table["key_bits"]:
            places |= {"bits": bits, "size": same.get(str(bits), bits)}
            parts = [_implementation(where, table, part, common, images, places) for part in table["implementations"]]
            cipher = _cipher(path, where, table, bits, int(streams or 1), vectors, tuple(parts))
            # A mode such as XTS has several keys for one message.
            keys = table.get("key_parts", 1) // by_mode.get("key_parts", 1)
            found.append(
                replace(
                    cipher,
                    mode=mode if by_mode else "",
                    hardware=_hardware(name, cipher),
                    keys=cipher.streams if keys == cipher.streams else 1,
                )
            )
    return tuple(found)


def _check_isa(path: Path, needed: str | None) -> None:
    """FirmwareError where firmware is of a version of the instruction set that this one does not run."""
    if needed is None:
        return
    if not (parts := re.fullmatch(r"(\d{1,4})\.(\d{1,4})", needed)):
        raise FirmwareError(f"{path}: isa must be a version such as {load_isa().version}, not {needed!r}")
    version = Version(int(parts[1]), int(parts[2]))
    if not load_isa().version.runs(version):
        raise FirmwareError(f"{path}: is for instruction set {version}, but this Lutra has {load_isa().version}")


def _cipher(
    path: Path,
    where: str,
    table: dict[str, Any],
    bits: int,
    streams: int,
    vectors: dict[str, Any],
    implementations: tuple[Implementation, ...],
) -> Cipher:
    kind, polynomial = KINDS[table["kind"]], table.get("polynomial")
    unit_bytes = _unit_bytes(table["unit"])
    for image in (part.image for part in implementations):
        if (whole := unit_bytes * streams) > image.job_bytes:
            unit = f"one unit of each of {streams} streams" if streams > 1 else "one unit"
            most = f"a job of image {image.name} has {image.job_bytes} bytes at most"
            raise FirmwareError(f"{where}: {unit} has {whole} bytes, {most}")
    if kind.unit_bytes not in (None, unit_bytes):
        unit = f"blocks of {kind.unit_bytes} bytes: unit must be {UNITS[kind.unit_bytes]}"
        raise FirmwareError(f"{where}: {kind.name.upper()} has {unit}")
    own_aead = kind.aead is not None and kind.aead.built_in
    if own_aead and not 32 <= (tag_bits := table.get("tag_bits", 128)) <= 128:
        raise FirmwareError(f"{where}: kind aead allows tags of 32 to 128 bits, not {tag_bits}")
    if own_aead and table.get("partial", streams == 1) is not (streams == 1):
        lengths = "one message of any length, or several in whole units"
        raise FirmwareError(f"{where}: kind aead takes {lengths}: leave out partial")
    if (polynomial is not None) is not kind.has_polynomial:
        raise FirmwareError(f"{where}: kind crc needs a polynomial, and only kind crc may have one")
    if polynomial is not None:
        parameters = checked(f"{where}: polynomial", polynomial, schema.POLYNOMIAL, *schema.POLYNOMIAL_NEEDS)
        try:
            polynomial = Polynomial(**parameters)
        except FirmwareError as error:
            raise FirmwareError(f"{where}: polynomial: {error}") from error
    # By the rule a name is that of OpenSSL.
    openssl = table.get("openssl", table["name"] if kind.encrypts else "")
    iv_bytes = table.get("iv_bytes", kind.iv_bytes * streams)
    if iv_bytes == "unit":
        iv_bytes = unit_bytes * streams
    each_iv_bits = 8 * iv_bytes // streams
    return Cipher(
        name=table["name"].replace("{bits}", str(bits)),
        kind=kind,
        key_bits=bits * table.get("key_parts", 1),
        **ciphers.initial_bytes(kind, iv_bytes),
        unit_bytes=unit_bytes,
        partial=table.get("partial", streams == 1 and kind.partial),
        streams=streams,
        lte=table.get("lte", ""),
        tag_bits=table.get("tag_bits", kind.tag_bits),
        vectors=tuple((a, m.replace("{bits}", str(bits))) for a, m in vectors.get("answers", ())),
        vector_ivs={
            mode.replace("{bits}", str(bits)): _composed(f"{where}: vectors: iv: {mode}", items, each_iv_bits)
            for mode, items in vectors.get("iv", {}).items()
        },
        reflected=vectors.get("reflected", False),
        polynomial=polynomial,
        implementations=implementations,
        manifest=path,
        any_bits=table.get("to_the_bit", False),
        distinct_keys=table.get("key_parts", 1) if table.get("distinct_keys", False) else 0,
        associated=table.get("associated", True),
        openssl=openssl.replace("{bits}", str(bits)),
    )


def _vectors(where: str, stated: dict[str, Any], usual: list[str], unit_bits: int) -> dict[str, Any]:
    """The table with what it answers, algorithms and modes: the modes that it names, or the usual ones, those for which
    it composes an IV, and those of other algorithms."""
    table = checked(where, stated, schema.VECTORS, *schema.VECTORS_NEEDS)
    ivs = table.get("iv", {})
    checked(f"{where}: iv", ivs, {mode: [str] for mode in ivs})
    ivs = {mode.replace("{unit_bits}", str(unit_bits)): items for mode, items in ivs.items()}
    modes = [mode.replace("{unit_bits}", str(unit_bits)) for mode in table.get("modes", [] if ivs else usual)]
    others = table.get("others", {})
    checked(f"{where}: others", others, {algorithm: [str] for algorithm in others})
    named = {table["algorithm"]: [*modes, *ivs]} | others
    return table | {"answers": [(algorithm, mode) for algorithm, modes in named.items() for mode in modes], "iv": ivs}


def _composed(where: str, items: list[str], bits: int) -> tuple[composed.Part, ...]:
    """Return the parts from which vectors of a mode compose the IV of a message, and check their bits."""
    try:
        return composed.parts(items, bits)
    except FirmwareError as error:
        raise FirmwareError(f"{where}: {error}") from error


def _unit_bytes(unit: str | int) -> int:
    """Return the unit of lengths, given by name or in bytes."""
    return unit if isinstance(unit, int) else next(size for size, name in UNITS.items() if name == unit)


def _implementation(
    where: str,
    table: dict[str, Any],
    part: dict[str, Any],
    common: dict[str, str],
    images: dict[str, Any],
    places: dict[str, Any],
) -> Implementation:
    checked(where, part, schema.IMPLEMENTATION, *schema.IMPLEMENTATION_NEEDS)
    if (name := part["image"]) not in images:
        hint = nearest(name, images) or f"; there is neither {name.replace('-', '_')}.s nor [image.{name}]"
        raise FirmwareError(f"{where}: unknown image {name!r}{hint}")
    image, exceptions = images[name]
    routines = common | exceptions | table["routines"] | part.get("routines", {})
    checked(f"{where}: routines", routines, dict.fromkeys(_convention(KINDS[table["kind"]]), str))
    directions = _directions(where, table)
    keys = {d: table.get("keys", d) for d in directions}
    if table.get("keys") == "opposite":
        keys = dict(zip(DIRECTIONS, reversed(DIRECTIONS), strict=True))
    entries = {d: _entries(where, routines, d, places | {"keys": keys[d]}) for d in directions}
    lines = part.get("bench", {name: ""})
    checked(f"{where}: bench", lines, dict.fromkeys(lines, str))
    figures = f"{places['cipher']}-{places['bits']}"
    bench = tuple(_bench(where, variant, source, figures) for variant, source in lines.items())
    if "directions" in table and (missing := next((case for case in bench if case.direction not in entries), None)):
        raise FirmwareError(f"{where}: bench: {missing.variant} decrypts, which directions leaves out")
    return Implementation(image, entries, bench)


def _directions(where: str, table: dict[str, Any]) -> tuple[Direction, ...]:
    """Return the directions that it has routines for, in order: a MAC and a CRC have one."""
    if not KINDS[table["kind"]].encrypts:
        if "directions" in table:
            raise FirmwareError(f"{where}: kind {table['kind']} has only one direction: leave out directions")
        return DIRECTIONS[:1]
    stated = table.get("directions", DIRECTIONS)
    if "encrypt" not in stated:
        raise FirmwareError(f"{where}: directions must include encrypt: decryption alone cannot be tested")
    return tuple(d for d in DIRECTIONS if d in stated)


def _image(path: Path, name: str, table: dict[str, Any], cipher: str) -> tuple[ImageSource, dict[str, str]]:
    """Return an image, and the other names of its routines."""
    where = f"{path}: image {name}"
    checked(where, table, schema.IMAGE)
    rows = checked(f"{where}: parameters", table.get("parameters", {}), schema.PARAMETERS)
    parameters = ciphers.Parameters(**{row: f"{cipher}_{row}" for row in schema.PARAMETERS} | rows)
    sources = tuple(path.parent / source for source in table.get("sources", [f"{name.replace('-', '_')}.s"]))
    for source in (s for s in sources if not s.is_file()):
        raise FirmwareError(f"{where}: no source {source}; sources are named from the manifest's folder")
    folders = tuple(dict.fromkeys((path.parent, path.parent.parent, SOURCES)))
    machine = load_isa().machine
    offset, memory = table.get("offset", 0), machine["MemoryRows"] * machine["VectorBytes"]
    size = table.get("job_bytes", max(memory - offset, 1))
    if offset + size > memory:
        raise FirmwareError(f"{where}: offset and job_bytes, {offset} and {size}, go beyond the {memory} of a memory")
    image = ImageSource(name, sources, folders, parameters, offset, size)
    return image, table.get("routines", {})


def _entries(where: str, routines: dict[str, str], direction: Direction, places: dict[str, Any]) -> ciphers.Entries:
    places |= {"direction": direction, "finish": "tag" if direction == "encrypt" else "verify"}
    try:
        named = {role: PLACE.sub(lambda at: str(places[at[1]]), pattern) for role, pattern in routines.items()}
    except KeyError as error:
        raise FirmwareError(f"{where}: routines: {error} is not a placeholder of a routine's name") from error
    named["key_tables"] = named["key_tables"] or named["tables"]
    own = {role: named.pop(role) for role in ("key_tables", "key", "tables", "start", "run")}
    for role in ("last", "text"):
        if not named.get(role, " "):
            del named[role]
    if direction == "decrypt":
        named.pop("text", None)
    return ciphers.Entries(**own, others=named)


def _bench(where: str, variant: str, source: str, figures: str) -> ciphers.BenchCase:
    direction: Direction = "decrypt" if variant.endswith("-decrypt") else "encrypt"
    if not source:
        return ciphers.BenchCase(variant, direction, None)
    processors = _literature()["processors"]
    published = processors[one_of(where, "literature", source, processors)]
    checked(f"literature.toml: {source}", published, schema.PROCESSOR, *schema.PROCESSOR_NEEDS)
    figure = published["cycles_per_unit"].get(figures)
    return ciphers.BenchCase(variant, direction, figure and ciphers.Literature(published["source"], float(figure)))


def _hardware(name: str, cipher: Cipher) -> tuple[ciphers.Hardware, ...]:
    """Published rates of an algorithm, by its name in the manifest without streams, and by that of its key size."""
    literature = _literature()
    names = {name, cipher.base_name}
    found = []
    for figure in literature["figure"]:
        if names.isdisjoint(figure.get("algorithms", ())):
            continue
        where = f"literature.toml: {name}"
        checked(where, figure, schema.FIGURE, "design", *schema.FIGURE_NEEDS)
        paper = literature["papers"][one_of(where, "paper", figure["paper"], literature["papers"])]
        if "bits_per_cycle" in figure:
            rate = float(figure["bits_per_cycle"])
        else:
            checked(where, figure, schema.FIGURE, "cycles_per_unit")
            rate = 8 * cipher.unit_bytes / figure["cycles_per_unit"]
        found.append(ciphers.Hardware(f"{figure['design']}: {paper}", rate))
    return tuple(found)


def _literature() -> dict[str, Any]:
    return checked("literature.toml", _shared("literature.toml"), schema.LITERATURE, *schema.LITERATURE)


def _convention(kind: Kind) -> dict[str, str]:
    """Names of the routines of a kind."""
    return dict(_shared("conventions.toml")["routines"][kind.name])


@functools.cache
def _shared(name: str) -> dict[str, Any]:
    """A table for all manifests."""
    return _toml(SOURCES / name)


def _toml(path: Path) -> dict[str, Any]:
    try:
        return read_toml(path, "a manifest")
    except OSError as error:
        remedy = f"; a manifest is a file {NAME}, or the folder that has one"
        raise FirmwareError(f"{path}: {error.strerror}{remedy}") from error
    except UnicodeDecodeError as error:
        raise FirmwareError(f"{path}: not valid UTF-8: byte {error.start + 1}") from error
    except ValueError as error:
        raise FirmwareError(f"{path}: {error}") from error
