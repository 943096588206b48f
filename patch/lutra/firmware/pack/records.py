"""The contents of a pack as data, in the terms of docs/pack-format.md."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from lutra.isa import Version
from lutra.iss.places import Place

DIGEST_BYTES = 32
KEY_BYTES = 32
SIGNATURE_BYTES = 64
ROOTS = 8
SIGNATURES = 8
# Parts of a pack: of format 1, and of any format.
PARTS_1 = 16
PARTS = 24
ALGORITHMS = 128
ANSWERS = 64
STEPS = 64
STEP_BYTES = 4096
NAME_BYTES = 64
MANIFEST_BYTES = 65535
ROOT_BYTES = 4095
COUNTERS = range(256)
IMAGE, ANSWER = 0, 1


@dataclass(frozen=True)
class Role:
    """Ed25519 public keys, ascending, and how many of them have to sign."""

    threshold: int
    keys: tuple[bytes, ...]


@dataclass(frozen=True)
class Root:
    """The keys that may sign packs and the next root."""

    version: int
    root_keys: Role
    pack_keys: Role


@dataclass(frozen=True)
class Signature:
    """key: the index in a role's list."""

    key: int
    signature: bytes


@dataclass(frozen=True)
class SignedRoot:
    """A root with its signatures. root: the encoding of a Root, which is signed."""

    root: bytes
    by_previous: tuple[Signature, ...] = ()
    by_own: tuple[Signature, ...] = ()


@dataclass(frozen=True)
class Pack:
    """The envelope. manifest and parts are encodings, which are not looked into before the signatures are checked.

    format: the least number that the manifest needs (`Manifest.format`).
    """

    roots: tuple[SignedRoot, ...]
    manifest: bytes
    signatures: tuple[Signature, ...]
    parts: tuple[bytes, ...]
    format: int = 1


@dataclass(frozen=True, order=True)
class PackVersion:
    major: int
    minor: int
    patch: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.patch}"


@dataclass(frozen=True)
class Core:
    """The least that a core must have. rounds: ROUNDS_PER_INSTR. contexts: STREAM_CONTEXTS."""

    rounds: int
    program_words: int
    memory_rows: int
    contexts: int


@dataclass(frozen=True)
class Region:
    """A range of a memory, in bytes."""

    space: str
    first: int
    size: int


@dataclass(frozen=True)
class Part:
    """kind: IMAGE or ANSWER. size: of the encoding, in bytes. map: what an image occupies."""

    kind: int
    name: str
    size: int
    digest: bytes
    map: tuple[Region, ...] = ()


@dataclass(frozen=True)
class Input:
    """The place of a job's input, and its most bytes."""

    space: str
    offset: int
    job_bytes: int

    def __str__(self) -> str:
        return f"{Place(self.space, self.offset)}, jobs of {self.job_bytes} bytes"


@dataclass(frozen=True)
class Routine:
    """A role of docs/manifest.md, and the program address that it begins at."""

    role: str
    entry: int


@dataclass(frozen=True)
class Parameters:
    """Parameters of a CRC, as in the catalogue of parametrised CRC algorithms."""

    width: int
    poly: int
    init: int
    refin: bool
    refout: bool
    xorout: int


@dataclass(frozen=True)
class Proof:
    """The specification that an algorithm was proved equal to, for all keys and inputs, as the SHA-256 of its files."""

    specification: bytes


@dataclass(frozen=True)
class Call:
    """Where a host finds and leaves what the routines of one direction take. image: index among the parts."""

    image: int
    key: Place | None
    iv: Place | None
    length: Place | None
    input: Input
    output: Place


@dataclass(frozen=True)
class Algorithm:
    """How a host calls an algorithm: as lutra.firmware.ciphers.Cipher, with places instead of labels.

    image: index among the parts. cycles: for one more unit of a long job, in thousandths. decryption: of another image,
    where one decrypts; the fields of the same names are for encryption then.
    """

    name: str
    kind: str
    image: int
    key_bits: int
    iv_bytes: int
    unit_bytes: int
    partial: bool
    streams: int
    tag_bits: int
    lte: str
    cycles: int
    key: Place | None
    iv: Place | None
    length: Place | None
    input: Input
    output: Place
    encrypt: tuple[Routine, ...]
    decrypt: tuple[Routine, ...]
    polynomial: Parameters | None
    proof: Proof | None
    decryption: Call | None = None

    def call(self, direction: Literal["encrypt", "decrypt"]) -> Call:
        """Return the places of a direction."""
        if direction == "decrypt" and self.decryption is not None:
            return self.decryption
        return Call(self.image, self.key, self.iv, self.length, self.input, self.output)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The places of each image."""
        return (self.call("encrypt"), *([self.decryption] if self.decryption else ()))

    @property
    def routines(self) -> Mapping[str, Mapping[str, int]]:
        """Entries by direction and role."""
        return {way: {r.role: r.entry for r in getattr(self, way)} for way in ("encrypt", "decrypt")}


@dataclass(frozen=True)
class Manifest:
    """The signed part of a pack: everything that a device must know about the parts before it uses them."""

    name: str
    version: PackVersion
    counter: int
    isa: Version
    core: Core
    parts: tuple[Part, ...]
    algorithms: tuple[Algorithm, ...]

    @property
    def images(self) -> tuple[Part, ...]:
        return self.parts[:-1]

    @property
    def format(self) -> int:
        """The least format that says all of it."""
        return 2 if len(self.parts) > PARTS_1 or any(a.decryption for a in self.algorithms) else 1


@dataclass(frozen=True)
class Segment:
    """Bytes of an image, and where they go."""

    space: str
    offset: int
    data: bytes


@dataclass(frozen=True)
class Write:
    """A step of a known answer: the host writes."""

    space: str
    offset: int
    data: bytes


@dataclass(frozen=True)
class Run:
    """A step of a known answer: from an entry to its halt, within so many cycles."""

    entry: int
    cycles: int


@dataclass(frozen=True)
class Compare:
    """A step of a known answer: bytes to expect."""

    space: str
    offset: int
    data: bytes


Step = Write | Run | Compare


@dataclass(frozen=True)
class Answer:
    """A known answer. image: index among the parts."""

    name: str
    image: int
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class Contents:
    """The contents of a pack's parts, in the order of the manifest."""

    manifest: Manifest
    images: tuple[tuple[Segment, ...], ...]
    answers: tuple[Answer, ...]
