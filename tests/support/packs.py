"""A second writer of packs (docs/pack-format.md), which shares no line with the first: what tests feed to loaders."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from lutra.isa import load

ISA = load()
# The class Root has a property of the name `bytes`.
Digest = bytes


@dataclass(frozen=True)
class Raw:
    """Bytes that stand as they are, for encodings that no writer would choose."""

    bytes: bytes


def head(major: int, number: int) -> bytes:
    """The shortest head of an item."""
    if number < 24:
        return bytes([major << 5 | number])
    size = 1 if number < 1 << 8 else 2 if number < 1 << 16 else 4
    return bytes([major << 5 | {1: 24, 2: 25, 4: 26}[size]]) + number.to_bytes(size, "big")


def encode(item: Any) -> bytes:
    """CBOR of an item."""
    match item:
        case Raw():
            return item.bytes
        case bool():
            return b"\xf5" if item else b"\xf4"
        case int():
            return head(0, item)
        case bytes():
            return head(2, len(item)) + item
        case str():
            return head(3, len(item)) + item.encode("ascii")
    return head(4, len(item)) + b"".join(encode(each) for each in item)


def digest(data: bytes) -> bytes:
    """Digest of a part, a root, a manifest."""
    return hashlib.sha512(data).digest()[:32]


@dataclass(frozen=True)
class Key:
    """A key pair that depends on its name only."""

    name: str

    @property
    def private(self) -> Ed25519PrivateKey:
        return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(self.name.encode()).digest())

    @property
    def public(self) -> bytes:
        return self.private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, purpose: bytes, data: bytes) -> bytes:
        return self.private.sign(purpose.ljust(16, b"\0") + hashlib.sha512(data).digest())


def signatures(keys: list[Key], signers: list[Key], purpose: bytes, data: bytes) -> list[Any]:
    """Signatures of `data` by `signers`, which are some of `keys`."""
    ordered = sorted(key.public for key in keys)
    rows = [[ordered.index(key.public), key.sign(purpose, data)] for key in signers]
    return sorted(rows, key=lambda row: row[0])


@dataclass(frozen=True)
class Root:
    """A version of the root."""

    version: int
    root_keys: list[Key]
    pack_keys: list[Key]
    root_threshold: int = 1
    pack_threshold: int = 1

    @property
    def bytes(self) -> bytes:
        return encode(
            [
                "lutra-root",
                self.version,
                [self.root_threshold, sorted(key.public for key in self.root_keys)],
                [self.pack_threshold, sorted(key.public for key in self.pack_keys)],
            ]
        )

    @property
    def digest(self) -> Digest:
        return digest(self.bytes)


ROOT_KEY, PACK_KEY = Key("root"), Key("pack")
FIRST_ROOT = Root(1, [ROOT_KEY], [PACK_KEY])


def signed_roots(roots: list[Root]) -> list[Any]:
    """Each signed by all keys of the root before and by all of its own."""
    rows: list[Any] = []
    for before, root in zip([None, *roots], roots, strict=False):
        by_previous = (
            signatures(before.root_keys, before.root_keys, b"lutra root v1", root.bytes) if before is not None else []
        )
        by_own = signatures(root.root_keys, root.root_keys, b"lutra root v1", root.bytes)
        rows.append([root.bytes, by_previous, by_own])
    return rows


PROGRAM = next(space.code for space in ISA.spaces if space.is_program)
# Codes of the toy core in tests/loader/memory_device.c.
TOY_XOR, TOY_WAIT, TOY_ENDLESS, TOY_IDLE, TOY_LATE = range(0x11, 0x16)


def toy_word(code: int, cycles: int = 5) -> bytes:
    """A word of the toy core's program."""
    return bytes([code, cycles, 0, 0, 0, 0, 0, 0])


TABLE = bytes(range(0x40, 0x50))
INPUT = bytes(range(16))
OUTPUT = bytes(a ^ b for a, b in zip(TABLE, INPUT, strict=True))


def algorithm(name: str = "toy-ecb", **changes: Any) -> list[Any]:
    """An algorithm of the manifest."""
    fields: dict[str, Any] = {
        "name": name,
        "kind": "block",
        "image": 0,
        "key_bits": 128,
        "iv_bytes": 0,
        "unit_bytes": 16,
        "partial": False,
        "streams": 1,
        "tag_bits": 0,
        "lte": "",
        "cycles": 5000,
        "key": [0, 0],
        "iv": [],
        "length": [0, 16],
        "input": [2, 0, 4096],
        "output": [3, 0],
        "encrypt": [["job", 0]],
        "decrypt": [],
        "polynomial": [],
        "proof": [],
    }
    return list((fields | changes).values())


@dataclass(frozen=True)
class Pack:
    """Contents of a pack. Lists are as in the format; a field may hold anything that `encode` takes."""

    name: str = "toy"
    version: tuple[int, int, int] = (1, 0, 0)
    counter: int = 0
    isa: tuple[int, int] = (ISA.version.major, ISA.version.minor)
    core: tuple[int, int, int, int] = (1, 8, 1, 1)
    images: list[Any] = field(default_factory=lambda: [[[4, 0, TABLE], [PROGRAM, 0, toy_word(TOY_XOR)]]])
    maps: list[Any] = field(default_factory=lambda: [[[4, 0, 16], [PROGRAM, 0, 8]]])
    answers: Any = field(default_factory=lambda: [["xor", 0, [[0, 2, 0, INPUT], [1, 0, 5], [2, 3, 0, OUTPUT]]]])
    algorithms: Any = field(default_factory=lambda: [algorithm()])
    roots: list[Root] = field(default_factory=lambda: [FIRST_ROOT])
    signers: list[Key] = field(default_factory=lambda: [PACK_KEY])
    format: int = 1

    def parts(self) -> list[bytes]:
        """Images, then the answers."""
        return [encode(part) for part in (*self.images, self.answers)]

    def entries(self, parts: list[bytes]) -> list[Any]:
        """Digest of the manifest."""
        rows: list[Any] = [[0, f"image{n}", len(part), digest(part), self.maps[n]] for n, part in enumerate(parts[:-1])]
        return [*rows, [1, "answers", len(parts[-1]), digest(parts[-1]), []]]

    def manifest(self) -> list[Any]:
        """Its items."""
        return [
            self.name,
            self.version,
            self.counter,
            self.isa,
            self.core,
            self.entries(self.parts()),
            self.algorithms,
        ]

    def envelope(self, manifest: bytes | None = None) -> list[Any]:
        """Its items; signed."""
        manifest = encode(self.manifest()) if manifest is None else manifest
        signed = signatures(self.roots[-1].pack_keys, self.signers, b"lutra pack v1", manifest) if self.roots else []
        return ["lutra-pack", self.format, signed_roots(self.roots), manifest, signed, self.parts()]

    @property
    def bytes(self) -> bytes:
        return encode(self.envelope())

    def but(self, **changes: Any) -> Pack:
        """Another pack."""
        return replace(self, **changes)
