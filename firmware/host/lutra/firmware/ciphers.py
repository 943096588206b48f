"""The algorithms of the firmware as data: ciphers, their implementations and the entries of their routines."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from lutra.asm import Image
from lutra.firmware.composed import Part
from lutra.firmware.errors import FirmwareError, InputError, nearest
from lutra.firmware.kinds import KINDS, Kind, KindName
from lutra.firmware.openssl_names import same_as
from lutra.firmware.polynomial import Polynomial, tables
from lutra.isa import load

Direction = Literal["encrypt", "decrypt"]
DIRECTIONS: tuple[Direction, ...] = ("encrypt", "decrypt")
# Units that have a name, by their bytes; others are blocks of some length.
UnitName = Literal["block", "word", "byte"]
UNITS: Mapping[int, UnitName] = {16: "block", 4: "word", 1: "byte"}
ANY_MODE = "*"
ROW = 16
# Names that an error lists.
MOST_MEANT = 30


class Parameters(Struct, frozen=True):
    """Symbols of an image's parameter rows; key is empty without one.

    key_again, iv_again, asked, done: of an image that computes twice (lutra.firmware.twice), else empty. It may lack
    iv_again.
    """

    key: str
    iv: str
    length: str
    key_again: str = ""
    iv_again: str = ""
    asked: str = ""
    done: str = ""


@dataclass(frozen=True, eq=False)
class ImageSource:
    """One image: the assembly sources that make it, and where it expects its parameters and its input.

    Equal to itself only: what is read anew from a manifest is assembled anew, since sources may have changed.
    offset: of the input in m2. job_bytes: the most that a job takes. image: where there is one without sources, as of a
    pack.
    """

    name: str
    sources: tuple[Path, ...]
    include_dirs: tuple[Path, ...]
    parameters: Parameters
    offset: int
    job_bytes: int
    image: Image | None = None


class Entries(Struct, frozen=True):
    """Routines of one direction, in the order in which they run: tables and key schedule, tables, start and job.

    key and start may be empty: there is no key schedule, nothing to do when a message begins; tables are empty where
    the host computes them. others: `update` of a MAC, and what an AEAD mode has next to its job; the host calls them
    (lutra.firmware.mac, lutra.firmware.aead); `text` of an encryption that reads all of the text before its jobs;
    `last` of a cipher that does the last job of a message otherwise; `open` and `hash` of a decryption whose plaintext
    a core gives out with its tag only.
    """

    key_tables: str
    key: str
    tables: str
    start: str
    run: str
    others: Mapping[str, str] = msgspec.field(default_factory=dict)

    @property
    def last(self) -> str:
        """The routine of a message's last job, which then has more than one unit if the message has."""
        return self.others.get("last", "")


class Literature(Struct, frozen=True):
    """A published figure for the same work.

    source: what it is taken from.
    """

    source: str
    cycles_per_unit: float


class Hardware(Struct, frozen=True):
    """A published rate of a design for one algorithm. source: what it is taken from."""

    source: str
    bits_per_cycle: float


class BenchCase(Struct, frozen=True):
    """One line of `bench`: a direction of an implementation under the name of a variant."""

    variant: str
    direction: Direction
    literature: Literature | None


class Implementation(Struct, frozen=True):
    """One way in which an image serves a cipher. The first of a cipher is what `crypt` and `kat` use, but for
    `Cipher.taken`."""

    image: ImageSource
    entries: Mapping[Direction, Entries]
    bench: tuple[BenchCase, ...]

    @property
    def opens(self) -> bool:
        """Whether it decrypts, and a core gives the plaintext out with its tag only."""
        return "decrypt" in self.entries and "open" in self.entries["decrypt"].others


@dataclass(frozen=True)
class Cipher:
    """An algorithm with a key size, under its name on the command line.

    iv_bytes: 0 where the mode takes none. unit_bytes: of what its lengths count. partial: the last unit may be
    incomplete. nonce_bytes: least and most that an AEAD mode takes, by another way than an IV. streams: how many
    messages there are, whose units are interleaved (words: whole rows); iv has one IV after the other. lte: how the IV
    is made of the inputs of a 3GPP algorithm (lutra.firmware.lte), and lengths count bits; empty for others. vectors:
    (algorithm, mode) as in the vector files. tag_bits: of the whole tag of a MAC or an AEAD mode. polynomial: of a CRC.
    manifest: the file that offers it. openssl: its name there, in capitals or not; empty where it has none. any_bits:
    its manifest says that a message may have any number of them. distinct_keys: of how many keys, which have to differ
    where it encrypts, its key consists; 0 where they need not. offset_bytes: of the offset at the end of the key to
    which integer counter mode adds the index of a block (lutra.firmware.segments); 0 in other modes. associated: of
    kind aead, whether there is associated data. mode: of a block cipher, as conventions.toml has it; empty for others.
    hardware: published rates. keys: one of all streams, or as many as there are streams. vector_ivs: of what the IV is
    composed in vectors of a mode; reflected: whether the first bit of their keystreams is the most significant one of
    its byte, and here the least significant one.
    """

    name: str
    kind: Kind
    key_bits: int
    iv_bytes: int
    nonce_bytes: tuple[int, int]
    unit_bytes: int
    partial: bool
    streams: int
    lte: str
    tag_bits: int
    vectors: tuple[tuple[str, str], ...]
    polynomial: Polynomial | None
    implementations: tuple[Implementation, ...]
    manifest: Path
    openssl: str = ""
    any_bits: bool = False
    distinct_keys: int = 0
    offset_bytes: int = 0
    associated: bool = True
    mode: str = ""
    hardware: tuple[Hardware, ...] = ()
    keys: int = 1
    vector_ivs: Mapping[str, tuple[Part, ...]] = field(default_factory=dict)
    reflected: bool = False

    @property
    def stated_iv_bytes(self) -> int:
        """`iv_bytes` as manifests and packs have it: that of the nonce if the cipher authenticates by itself."""
        return self.nonce_bytes[0] if self.kind.aead and self.kind.aead.built_in else self.iv_bytes

    @property
    def iv_row_bytes(self) -> int:
        """Bytes at the label of the iv: the IVs, or the chaining values of a MAC."""
        return self.streams * ROW if self.kind.chained else self.iv_bytes

    @property
    def to_the_bit(self) -> bool:
        """Whether a message may have any number of bits."""
        return self.any_bits or bool(self.lte) or self.kind.to_the_bit

    def check_direction(self, direction: Direction) -> None:
        """Raise InputError if the firmware lacks a direction."""
        if direction not in self.directions:
            raise InputError(f"{self.name} cannot {direction}: its firmware has only the other direction")

    @property
    def is_aead(self) -> bool:
        return self.kind.aead is not None

    @property
    def least_bytes(self) -> int:
        """Whether the last job of a message uses ciphertext stealing."""
        return self.unit_bytes if any(entries.last for entries in self.default.entries.values()) else 0

    @property
    def wraps_keys(self) -> bool:
        return self.kind.wrap is not None

    @property
    def unit(self) -> str:
        """Return the unit of its lengths as text: `block`, `8-byte block`."""
        return UNITS.get(self.unit_bytes, f"{self.unit_bytes}-byte block")

    @property
    def base_name(self) -> str:
        """Its name without the number of streams: `aes-128-cbc` of `aes-128-cbc-x2`."""
        return self.name.removesuffix(f"-x{self.streams}")

    @property
    def whole_bytes(self) -> int:
        """Number of bytes that the length of a message without a partial unit is a multiple of."""
        return self.unit_bytes * self.streams

    @property
    def message_key_bits(self) -> int:
        """Length of the key of one message, which may be shared by all streams."""
        return self.key_bits // self.keys

    @property
    def any_key(self) -> bytes:
        """A key where any will do; not of two equal halves, which XTS refuses."""
        return bytes(i % 256 for i in range(self.key_bits // 8))

    @property
    def default(self) -> Implementation:
        return self.implementations[0]

    def taken(self, direction: Direction) -> Implementation:
        """Return what a message takes: of a decryption the one that gives plaintext out with its tag only, if any."""
        able = [i for i in self.implementations if direction in i.entries]
        found = (i for i in able if direction == "decrypt" and i.opens)
        return next(found, next(iter(able), self.default))

    @property
    def directions(self) -> tuple[Direction, ...]:
        """The directions that it has routines for."""
        return tuple(d for d in DIRECTIONS if any(d in i.entries for i in self.implementations))

    @property
    def host_tables(self) -> tuple[bytes, ...]:
        """Contents of the table banks that the host writes; none where a routine fills them.

        A core with one stream context takes four bytes of a CRC at a time: by what is in t1 of two.
        """
        made = tables(self.polynomial) if self.polynomial else ()
        return made[-load().configuration.contexts :]

    def answers(self, algorithm: str, mode: str) -> bool:
        """Whether it computes this algorithm and mode of the vector files."""
        return (algorithm, mode) in self.vectors or (algorithm, ANY_MODE) in self.vectors


def initial_bytes(kind: Kind, stated: int) -> dict[str, Any]:
    """`iv_bytes` and `nonce_bytes` of a Cipher from `iv_bytes` of a manifest or pack."""
    if kind.aead is None:
        return {"iv_bytes": stated, "nonce_bytes": (0, 0)}
    if kind.aead.nonces is None:
        return {"iv_bytes": 0, "nonce_bytes": (stated, stated)}
    return {"iv_bytes": stated, "nonce_bytes": kind.aead.nonces}


def _unchanged(cipher: Cipher) -> Cipher | None:
    return cipher


@dataclass(frozen=True)
class Catalogue:
    """All ciphers of all manifests, in their order.

    offered: those of the manifests. own: those of manifests that the user names; the others are installed with Lutra.
    able: gives a cipher with the implementations that the configuration can run, None where it can run none. That may
    take assembling, so it is asked only for a cipher that is wanted. FirmwareError where two have one name.
    """

    offered: tuple[Cipher, ...]
    own: tuple[Cipher, ...] = ()
    able: Callable[[Cipher], Cipher | None] = _unchanged
    _asked: dict[str, Cipher | None] = field(default_factory=dict, init=False, repr=False, compare=False)
    _answering: dict[tuple[str, str], list[Cipher]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        first: dict[str, Cipher] = {}
        for cipher in self.offered:
            if (other := first.setdefault(cipher.name, cipher)) is not cipher:
                remedy = "give one of them another name"
                if other.manifest == cipher.manifest:
                    raise FirmwareError(f"{cipher.manifest}: algorithm {cipher.name} is defined twice; {remedy}")
                raise FirmwareError(
                    f"{other.manifest}: algorithm {cipher.name} is also defined in {cipher.manifest}; {remedy}"
                )

    def running(self, offered: Iterable[Cipher]) -> Iterator[Cipher]:
        """Return the ciphers that the configuration can run, each with the implementations that it can run.

        Of the user's own it returns also those of which nothing runs: the assembler says what they need.
        """
        for cipher in offered:
            if cipher.name not in self._asked:
                able = self.able(cipher)
                is_own = any(cipher is own for own in self.own)
                self._asked[cipher.name] = cipher if able is None and is_own else able
            if (able := self._asked[cipher.name]) is not None:
                yield able

    @property
    def ciphers(self) -> tuple[Cipher, ...]:
        """All ciphers that the configuration can run."""
        return tuple(self.running(self.offered))

    @property
    def listed(self) -> tuple[Cipher, ...]:
        """The ciphers for a command without a name: the user's own, or else all."""
        return tuple(self.running(self.own)) or self.ciphers

    def of_kind(self, kind: KindName) -> tuple[Cipher, ...]:
        """Return the ciphers of a kind."""
        return tuple(self.running(c for c in self.offered if c.kind is KINDS[kind]))

    def cipher(self, name: str) -> Cipher:
        """Return the algorithm of a name, of any kind, or of a name that OpenSSL has for it.

        Raises FirmwareError with a suggestion if there is none.
        """
        for cipher in self.offered:
            if cipher.name == name:
                return self._running(cipher)
        if found := self.of_openssl((name,)) or self.of_openssl(same_as(name)):
            return self._running(found)
        raise FirmwareError(f"unknown cipher {name!r}; {self._meant(name)}")

    def of_openssl(self, names: Collection[str]) -> Cipher | None:
        """The algorithm of one message that is a cipher of OpenSSL's, which has these names there; whether the
        configuration runs it is not asked."""
        lower = {name.lower() for name in names}
        return next((c for c in self.offered if c.streams == 1 and c.openssl and c.openssl.lower() in lower), None)

    def _meant(self, name: str) -> str:
        """Return what an unknown name may mean: a cipher without its mode, the nearest of a family that is
        called alike, or firmware of the user's own."""
        beginning = [c.name for c in self.offered if c.streams == 1 and c.name.startswith(f"{name}-")]
        if 0 < len(beginning) <= MOST_MEANT:
            return f"name its mode: {', '.join(beginning)}"
        if beginning:
            sizes = sorted({"-".join(each.split("-")[:2]) for each in beginning})
            return f"choose from {', '.join(sizes)} in their modes: see `lutra ciphers`"
        first = {c.name: c.name.split("-")[0] for c in self.offered}
        alike = difflib.get_close_matches(name.split("-")[0], set(first.values()))
        if hint := nearest(name, [each for each, family in first.items() if family in alike]):
            return hint.removeprefix("; ")
        hint = f"choose from {', '.join(self.families)} in their modes: see `lutra ciphers`"
        # Firmware cannot be added to a device or a pack.
        installed = self.able is not _unchanged and not self.own
        return f"{hint}; name your own firmware with --manifest or in lutra.toml" if installed else hint

    def named(self, name: str, kind: KindName) -> Cipher:
        """Return the algorithm of a name and a kind. Raises FirmwareError if it is of another kind or unknown."""
        known = {c.name: c for c in self.offered if c.kind is KINDS[kind]}
        if name in known:
            return self._running(known[name])
        what = KINDS[kind].called
        for other in self.offered:
            if other.name == name:
                raise FirmwareError(f"{name} is a {other.kind.called}, not a {what}; use {other.kind.command}")
        hint = nearest(name, known) or f"; choose from {', '.join(known)}"
        raise FirmwareError(f"unknown {what} {name!r}{hint}")

    def _running(self, cipher: Cipher) -> Cipher:
        """The cipher as the configuration runs it. FirmwareError where it cannot."""
        if (able := next(self.running((cipher,)), None)) is None:
            lacks = f"configuration {load().configuration.name} lacks what {cipher.name} needs"
            raise FirmwareError(f"{lacks}; `lutra ciphers` lists what it runs")
        return able

    def mac(self, name: str) -> Cipher:
        """Return the MAC of a name. Raises FirmwareError if there is none."""
        return self.named(name, "mac")

    @property
    def families(self) -> tuple[str, ...]:
        """First parts of the names: `aes` of `aes-128-ctr`, `128-eea` of `128-eea1`."""
        return tuple(sorted({c.name[:-1] if c.lte else c.name.split("-")[0] for c in self.offered}))

    @cached_property
    def modes(self) -> frozenset[tuple[str, str]]:
        """Algorithms and modes of the vector files that manifests name."""
        return frozenset((algorithm, mode) for c in self.offered for algorithm, mode in c.vectors)

    def answering(self, algorithm: str, mode: str) -> list[Cipher]:
        """The ciphers that compute an algorithm and mode of the vector files, one for each key size."""
        wanted = algorithm, mode
        if wanted not in self._answering:  # asked for each of the tests of a file
            self._answering[wanted] = list(self.running(c for c in self.offered if c.answers(algorithm, mode)))
        return self._answering[wanted]

    def serving(self, algorithm: str, mode: str, key_bits: int) -> Cipher | None:
        """The cipher that computes the tests of an algorithm and mode of the vector files."""
        return next((c for c in self.answering(algorithm, mode) if c.key_bits == key_bits), None)
