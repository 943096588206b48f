"""The schema of docs/pack-format.md as tables, and the functions that write and read by them.

data = encode(pack)
assert decode(data) == pack         # only for the one encoding that `encode` makes
contents(pack).manifest.algorithms
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from lutra.firmware.pack import records as r
from lutra.firmware.pack.cbor import Reader, place
from lutra.firmware.pack.errors import PackError
from lutra.firmware.pack.schema import Bool, Bytes, Item, List, Optional, Record, Text, Uint, Variant, Word
from lutra.firmware.pack.space import Space, code, is_program, word_bytes
from lutra.isa import Version
from lutra.iss.places import Place


def _table(cls: type, *members: tuple[str, Item], rule: Any = lambda _: "", **more: Any) -> Record:
    return Record(cls, members, rule=rule, **more)


def _ascending(key: Callable[[Any], Any]) -> Callable[[Any, Any], bool]:
    return lambda before, after: bool(key(before) < key(after))


FORMATS = (1, 2)
NAME = Text(1, r.NAME_BYTES)
DIGEST = Bytes(r.DIGEST_BYTES, r.DIGEST_BYTES)
SHORT = Text(1, 16)

SIGNATURES = List(
    _table(r.Signature, ("key", Uint()), ("signature", Bytes(r.SIGNATURE_BYTES, r.SIGNATURE_BYTES))),
    *(0, r.SIGNATURES),
    follows=_ascending(lambda s: s.key),
    order="ascending keys",
)
SIGNED_ROOT = _table(
    r.SignedRoot, ("root", Bytes(0, r.ROOT_BYTES)), ("by_previous", SIGNATURES), ("by_own", SIGNATURES)
)
ROOTS = List(SIGNED_ROOT, 1, r.ROOTS)


def _pack_rule(pack: r.Pack) -> str:
    if pack.format < 2 and len(pack.parts) > r.PARTS_1:
        return f"at most {r.PARTS_1} parts in format 1, not {len(pack.parts)}"
    return "roots, since there are signatures" if pack.signatures and not pack.roots else ""


PACK = _table(
    r.Pack,
    ("format", Uint(FORMATS[0], FORMATS[-1])),
    ("roots", List(SIGNED_ROOT, 0, r.ROOTS)),
    ("manifest", Bytes(0, r.MANIFEST_BYTES)),
    ("signatures", SIGNATURES),
    ("parts", List(Bytes(0, (1 << 32) - 1), 1, r.PARTS)),
    words=(Word(Text(0, 16), "lutra-pack"),),
    rule=_pack_rule,
)
ROLE = _table(
    r.Role,
    ("threshold", Uint(1)),
    (
        "keys",
        List(Bytes(r.KEY_BYTES, r.KEY_BYTES), 1, r.SIGNATURES, follows=_ascending(bytes), order="ascending keys"),
    ),
    rule=lambda role: "a threshold up to the number of keys" if role.threshold > len(role.keys) else "",
)
ROOT = _table(
    r.Root,
    *(("version", Uint(1, r.ROOTS)), ("root_keys", ROLE), ("pack_keys", ROLE)),
    words=(Word(Text(0, 16), "lutra-root"),),
)

VERSION = _table(r.PackVersion, *((name, Uint(0, 65535)) for name in ("major", "minor", "patch")))
ISA = _table(Version, ("major", Uint()), ("minor", Uint()))
CORE = _table(
    r.Core, ("rounds", Uint(1, 2)), *((name, Uint()) for name in ("program_words", "memory_rows", "contexts"))
)
REGION = _table(r.Region, ("space", Space()), ("first", Uint()), ("size", Uint(1)))
PART = _table(
    r.Part,
    ("kind", Uint(r.IMAGE, r.ANSWER)),
    ("name", NAME),
    ("size", Uint(1)),
    ("digest", DIGEST),
    ("map", List(REGION, 0, 8, follows=_ascending(lambda region: code(region.space)), order="ascending spaces")),
    rule=lambda part: "no map of answers" if part.kind == r.ANSWER and part.map else "",
)
PLACE = _table(Place, ("space", Space()), ("offset", Uint()))
ROUTINES = List(
    _table(r.Routine, ("role", SHORT), ("entry", Uint())),
    *(0, 16),
    follows=_ascending(lambda routine: routine.role),
    order="ascending roles",
)
POLYNOMIAL = _table(
    r.Parameters,
    *(("width", Uint()), ("poly", Uint()), ("init", Uint()), ("refin", Bool()), ("refout", Bool()), ("xorout", Uint())),
)
PROOF = _table(r.Proof, ("specification", DIGEST))
INPUT = _table(r.Input, ("space", Space()), ("offset", Uint()), ("job_bytes", Uint()))
PLACES = (
    *(("key", Optional(PLACE)), ("iv", Optional(PLACE)), ("length", Optional(PLACE))),
    *(("input", INPUT), ("output", PLACE)),
)


def _algorithm_rule(algorithm: r.Algorithm) -> str:
    if algorithm.decryption is None:
        return ""
    if not algorithm.decrypt:
        return f"routines that decrypt of algorithm {algorithm.name}, which has an image for decryption"
    same = algorithm.decryption.image == algorithm.image
    return f"another image for decryption of algorithm {algorithm.name} than number {algorithm.image}" if same else ""


ALGORITHM = _table(
    r.Algorithm,
    *(("name", NAME), ("kind", SHORT), ("image", Uint()), ("key_bits", Uint()), ("iv_bytes", Uint())),
    *(("unit_bytes", Uint(1)), ("partial", Bool()), ("streams", Uint(1)), ("tag_bits", Uint()), ("lte", Text(0, 16))),
    *(("cycles", Uint()), *PLACES),
    *(("encrypt", ROUTINES), ("decrypt", ROUTINES), ("polynomial", Optional(POLYNOMIAL))),
    ("proof", Optional(PROOF)),
    last=("decryption", _table(r.Call, ("image", Uint()), *PLACES)),
    rule=_algorithm_rule,
)


def _manifest_rule(manifest: r.Manifest) -> str:
    kinds = [part.kind for part in manifest.parts]
    if kinds != [r.IMAGE] * (len(kinds) - 1) + [r.ANSWER]:
        return "images, then one part of answers"
    for a in manifest.algorithms:
        for call in a.calls:
            if call.image >= len(manifest.images):
                return f"an image of algorithm {a.name} among the parts, not number {call.image}"
    return ""


MANIFEST = _table(
    r.Manifest,
    *(("name", NAME), ("version", VERSION), ("counter", Uint(r.COUNTERS[0], r.COUNTERS[-1]))),
    *(("isa", ISA), ("core", CORE), ("parts", List(PART, 1, r.PARTS))),
    (
        "algorithms",
        List(ALGORITHM, 0, r.ALGORITHMS, follows=_ascending(lambda a: a.name), order="ascending names"),
    ),
    rule=_manifest_rule,
)


def _segment_rule(segment: r.Segment) -> str:
    unit = word_bytes()
    if is_program(segment.space) and (segment.offset % unit or len(segment.data) % unit):
        return f"whole words of {unit} bytes in {segment.space}"
    return ""


def _apart(before: r.Segment, after: r.Segment) -> bool:
    end = (code(before.space), before.offset + len(before.data))
    return end <= (code(after.space), after.offset)


SEGMENTS = List(
    _table(r.Segment, ("space", Space()), ("offset", Uint()), ("data", Bytes(1, (1 << 32) - 1)), rule=_segment_rule),
    *(1, 64),
    follows=_apart,
    order="ascending segments without overlap",
)
_STEP_BYTES = ("data", Bytes(1, r.STEP_BYTES))
STEP = Variant(
    (
        _table(r.Write, ("space", Space()), ("offset", Uint()), _STEP_BYTES, words=(Word(Uint(), 0),)),
        _table(r.Run, ("entry", Uint()), ("cycles", Uint()), words=(Word(Uint(), 1),)),
        _table(r.Compare, ("space", Space()), ("offset", Uint()), _STEP_BYTES, words=(Word(Uint(), 2),)),
    )
)
ANSWER = _table(
    r.Answer,
    *(("name", NAME), ("image", Uint()), ("steps", List(STEP, 1, r.STEPS))),
    rule=lambda answer: "" if isinstance(answer.steps[-1], r.Compare) else "a last step that compares",
)
ANSWERS = List(ANSWER, 1, r.ANSWERS)


def read(item: Item, data: bytes) -> Any:
    """Decode bytes that contain exactly one value. Raises PackError with the place of an error or of extra bytes."""
    reader = Reader(data, place(data))
    value = item.read(reader)
    reader.end()
    return value


def encode(pack: r.Pack) -> bytes:
    """The bytes of a pack. PackError where it is not by the schema."""
    return PACK.write(pack)


def decode(data: bytes) -> r.Pack:
    """The envelope of a pack. PackError with the place where the bytes are not exactly what `encode` makes."""
    pack: r.Pack = read(PACK, data)
    return pack


def digest(data: bytes) -> bytes:
    return hashlib.sha512(data).digest()[: r.DIGEST_BYTES]


def manifest_of(pack: r.Pack) -> r.Manifest:
    """Return the manifest after checking the format, and size and digest of each part. Raises PackError on a
    mismatch."""
    found: r.Manifest = _named("manifest", MANIFEST, pack.manifest)
    if pack.format != found.format:
        text = f"expected {found.format}, the least that says what the manifest does, found {pack.format}"
        raise PackError(text, place(pack.manifest), "format")
    if len(found.parts) != len(pack.parts):
        text = f"expected {len(found.parts)} parts as in the manifest, found {len(pack.parts)}"
        raise PackError(text, place(pack.parts[0]), "parts")
    for n, (part, data) in enumerate(zip(found.parts, pack.parts, strict=True)):
        if len(data) != part.size:
            text = f"expected {part.size} bytes of {part.name} as in the manifest, found {len(data)}"
            raise PackError(text, place(data), f"parts[{n}]")
        if digest(data) != part.digest:
            raise PackError(
                f"this is not the {part.name} that the manifest has the digest of", place(data), f"parts[{n}]"
            )
    return found


def contents(pack: r.Pack) -> r.Contents:
    """Manifest and parts. PackError where they do not follow the schema."""
    manifest = manifest_of(pack)
    *images, answers = (
        _named(f"parts[{n}]", ANSWERS if part.kind == r.ANSWER else SEGMENTS, data)
        for n, (part, data) in enumerate(zip(manifest.parts, pack.parts, strict=True))
    )
    return r.Contents(manifest, tuple(images), answers)


def _named(name: str, item: Item, data: bytes) -> Any:
    try:
        return read(item, data)
    except PackError as error:
        raise error.within(name) from None
