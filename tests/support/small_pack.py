"""A small pack, and the keys of tests, which are not secret."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

import lutra
from lutra.firmware import pack
from lutra.firmware.pack import format as layout
from lutra.firmware.pack import keys, needs, roots
from lutra.firmware.pack.records import ANSWER, IMAGE, Input, Routine
from lutra.isa import Version

# XOR of a row of m2 with the key in m1, to m3.
SOURCE = """
        .section m1
key:    .zero 16
        .section text
        mov     v0, m1[key]
        xor     m3[0], v0, m2[0]
        halt
"""
KEY, TEXT = bytes(range(16)), bytes(range(100, 116))


@cache
def key(name: str) -> Ed25519PrivateKey:
    """The private key of a name, always the same."""
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(name.encode()).digest())


def role(*names: str, threshold: int = 1) -> pack.Role:
    return roots.role("keys", [keys.public(key(name)) for name in names], threshold)


def made_roots(root_keys: tuple[str, ...] = ("root",), pack_keys: tuple[str, ...] = ("pack",)) -> roots.Roots:
    """A first root that is signed by all its root keys."""
    found = roots.create(role(*root_keys, threshold=len(root_keys)), role(*pack_keys, threshold=len(pack_keys)))
    for name in root_keys:
        found = roots.sign(found, key(name))
    return found


def unsigned(**other: Any) -> pack.Pack:
    """One image, one algorithm and one known answer. other: what the manifest says otherwise."""
    image = lutra.assemble_text(SOURCE, warnings=["no-all"])
    segments = needs.segments(image)
    regions = needs.regions(image, [], [pack.Region(space, 0, 16) for space in ("m2", "m3")])
    answer = pack.Answer(
        "xor",
        0,
        (
            pack.Write("m1", 0, KEY),
            pack.Write("m2", 0, TEXT),
            pack.Run(0, cycles()),
            pack.Compare("m3", 0, bytes(a ^ b for a, b in zip(KEY, TEXT, strict=True))),
        ),
    )
    parts = [layout.SEGMENTS.write(segments), layout.ANSWERS.write((answer,))]
    algorithm = pack.Algorithm(
        *("xor", "cipher", 0, 128, 0, 16, False, 1, 0, "", 1000),
        *(pack.Place("m1", 0), None, None, Input("m2", 0, 16), pack.Place("m3", 0)),
        *((Routine("run", 0),), (Routine("run", 0),), None, None),
    )
    values: dict[str, Any] = {
        "name": "mole",
        "version": pack.PackVersion(1, 0, 0),
        "counter": 0,
        "isa": Version(0, 1),
        "core": needs.core([image], regions),
        "parts": (
            pack.Part(IMAGE, "mole", len(parts[0]), layout.digest(parts[0]), regions),
            pack.Part(ANSWER, "answers", len(parts[1]), layout.digest(parts[1])),
        ),
        "algorithms": (algorithm,),
    }
    return pack.Pack((), layout.MANIFEST.write(pack.Manifest(**(values | other))), (), tuple(parts))


@cache
def cycles() -> int:
    """Image of the program."""
    engine = lutra.make_engine("iss")
    engine.load(lutra.assemble_text(SOURCE, warnings=["no-all"]))
    return engine.run(0).cycles


def small(version: pack.PackVersion | None = None) -> pack.Pack:
    """The small pack, signed."""
    made = unsigned() if version is None else unsigned(version=version)
    return pack.signed(made, made_roots(), [key("pack")])


def write_files(folder: Path) -> None:
    """The small pack, its roots, and the keys that sign both."""
    (folder / "small.pack").write_bytes(pack.encode(small()))
    (folder / "vendor.roots").write_bytes(roots.encode(made_roots()))
    for name in ("root", "pack"):
        (folder / f"{name}.pem").write_bytes(keys.private_pem(key(name)))
        (folder / f"{name}.pub").write_bytes(keys.public_pem(key(name)))


def with_manifest(made: pack.Pack, **other: Any) -> pack.Pack:
    """A pack with another manifest, signed again."""
    manifest = replace(layout.manifest_of(made), **other)
    return pack.signed(replace(made, manifest=layout.MANIFEST.write(manifest)), made.roots, [key("pack")])


def with_parts(made: pack.Pack, *parts: bytes) -> pack.Pack:
    """A pack with other parts, whose sizes and digests are in the manifest, signed again."""
    entries = tuple(
        replace(entry, size=len(part), digest=layout.digest(part))
        for entry, part in zip(layout.manifest_of(made).parts, parts, strict=True)
    )
    manifest = replace(layout.manifest_of(made), parts=entries)
    changed = replace(made, manifest=layout.MANIFEST.write(manifest), parts=parts)
    return pack.signed(changed, made.roots, [key("pack")])
