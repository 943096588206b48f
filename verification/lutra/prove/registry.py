"""Which specification an algorithm has."""

from __future__ import annotations

import hashlib
import importlib.util
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from types import ModuleType, SimpleNamespace

from lutra.firmware.ciphers import Cipher, Direction
from lutra.firmware.polynomial import Polynomial
from lutra.prove import specifications
from lutra.prove.bits import Bits, join
from lutra.prove.errors import SpecificationError, told
from lutra.prove.goal import Specification
from lutra.prove.jobs import Job
from lutra.prove.limits import MOST_TERMS
from lutra.prove.sections import Message
from lutra.prove.specifications import (
    aes,
    aria,
    ascon,
    camellia,
    cast5,
    ccm,
    chacha20,
    cmac,
    crc,
    des,
    gcm,
    gcm_siv,
    helix,
    kasumi,
    modes,
    rc2,
    rc6,
    salsa20,
    seed,
    serpent,
    sm4,
    snow1,
    snow3g,
    snowv,
    sst,
    stealing,
    trivium,
    turns,
    twofish,
    wrap,
    zuc,
    zuc256,
)

# A module of specifications, or what stands for one: with `Cipher` and `BLOCK`.
Family = ModuleType | SimpleNamespace
BLOCK_CIPHERS: Mapping[str, Family] = {
    "3des": SimpleNamespace(Cipher=des.Triple, BLOCK=des.BLOCK),
    "aes": aes,
    "aria": aria,
    "camellia": camellia,
    "cast5": cast5,
    "des": des,
    "desx": SimpleNamespace(Cipher=des.Desx, BLOCK=des.BLOCK),
    "kasumi": kasumi,
    "rc2": rc2,
    "rc6": rc6,
    "seed": seed,
    "serpent": serpent,
    "sm4": sm4,
    "twofish": twofish,
}
AEAD: Mapping[str, Callable[[modes.BlockCipher, bool], Message]] = {"ccm": ccm.Ccm, "gcm": gcm.Gcm}
# Ciphers without modes, and other names of a mode.
STREAM_CIPHERS: Mapping[str, Callable[[Bits], Job]] = {
    **{f"salsa20-{bits}": salsa20.Salsa20 for bits in (128, 256)},
    **{f"snow2-{bits}": snow3g.Snow2 for bits in (128, 256)},
    "snow3g": snow3g.Snow3g,
    **{f"snow1-{bits}": snow1.Snow1 for bits in (128, 256)},
    **{f"snow1-{bits}-iv": snow1.Iv for bits in (128, 256)},
    **{f"snow1-{bits}-x4": snow1.Four for bits in (128, 256)},
    **{f"snow1-{bits}-iv-x4": snow1.FourIv for bits in (128, 256)},
    "snowv": snowv.SnowV,
    "snow5g-256-nea4": snowv.Snow5g,
    "trivium": trivium.Trivium,
    "trivium-iv64": trivium.Trivium,
    "zuc-256": zuc256.Zuc256,
    "zuc-256-nea6": zuc256.Nea6,
    "zuc-128": zuc.Zuc,
    "chacha20": chacha20.ChaCha20,
    "chacha20-original": chacha20.Original,
    "128-eea1": lambda key: snow3g.Snow3g(join(key.parts(32)[::-1])),  # TS 35.215 3.4: K3 is the first word
    "128-eea3": zuc.Zuc,
    "128-eia1": snow3g.F9,
    "128-eia3": zuc.Eia3,
    "uea1": kasumi.F8,
    "uia1": kasumi.F9,
    "uia2": snow3g.F9,
    **{f"kasumi-kgcore-{bits}": kasumi.F8 for bits in (64, 128)},
    **{f"kasumi-kgcore-{bits}-x8": kasumi.Eight for bits in (64, 128)},
    "aes-256-nea5": lambda key: sst.Counter(aes.Cipher(key)),
    "aes-256-nia5": lambda key: sst.Mac(sst.Counter(aes.Cipher(key))),
    "snow5g-256-nia4": lambda key: sst.Mac(sst.Rows(snowv.Snow5g(key))),
    "zuc-256-nia6": lambda key: sst.Mac(sst.Rows(zuc256.Nea6(key), 4)),
}
# GCM-SST by the name of an algorithm: its keystream.
SEALED: Mapping[str, Callable[[Bits], sst.Stream]] = {
    "aes-256-nca5": lambda key: sst.Counter(aes.Cipher(key)),
    "zuc-256-nca6": lambda key: sst.Rows(zuc256.Nea6(key), 4),
}
SAME: Mapping[str, str] = {
    "128-eea2": "aes-128-ctr",
    "128-eia2": "aes-128-cmac",
    **{f"srtp-aes-{bits}-cm": f"aes-{bits}-ctr" for bits in (128, 192, 256)},
}
# Whose loops hash the text two blocks after they have written it.
PAIRS = {
    *(("aes-256-nca5", direction) for direction in ("encrypt", "decrypt")),
    *((f"aes-{bits}-gcm-siv", "decrypt") for bits in (128, 256)),
}
# Why algorithms of a folder have no specification.
OPEN: Mapping[str, str] = {
    "a51": "128 messages at once, bit by bit, in an order of their own",
    "aes": "OCB looks its offsets up by the number of a pass; SIV writes over the end of its text",
    "ascon": "two messages at once are not specified",
    "blowfish": "its key schedule encrypts 521 blocks, with other tables each: more than 2,000 MB",
    "chacha20": "sums modulo 2^130 - 5 have no canonical form",
    "des": "key wrap is not specified: it hashes by SHA-1",
    "e0": "128 messages at once, bit by bit, in an order of their own",
    "hc128": "a table is written at rows that depend on data",
    "leviathan": "a table is written at rows that depend on data; its time depends on the key",
    "lili128": "128 messages at once, bit by bit, in an order of their own",
    "lili2": "128 messages at once, bit by bit, in an order of their own",
    "rc4": "a table is written at rows that depend on data; its time depends on the key",
    "snow5g": "encryption of GCM-SST works in chunks that one loop hashes",
    "zuc256": "MACs of 2018 begin in a row with bits of an earlier message",
}
# Modes of which a block needs the one before it.
SERIAL: Mapping[Direction, re.Pattern[str]] = {
    "encrypt": re.compile("-(cbc|ccm|cfb|cmac|ofb)"),
    "decrypt": re.compile("-(ccm|ofb)"),
}
ROW = 16
# In a folder of one's own firmware: the function `specification(name, direction)`, which returns one or None.
OWN = "specification.py"


def specification(cipher: Cipher, direction: Direction) -> Specification | None:
    """The specification of an algorithm; None where there is none. Raises SpecificationError."""
    file = own(cipher)
    with told(file):
        if (module := _module(file)) is not None:
            return _specified(module, file, cipher.name, direction)
    if cipher.polynomial is not None:
        return _crc(cipher, cipher.polynomial)
    family = BLOCK_CIPHERS.get(cipher.name.split("-")[0])
    if cipher.kind.name in ("kw", "kwp") and family is not None:
        return Specification(cipher.key_bits, wrap.HALF // 8, _wrap(cipher, direction, family))
    of = STREAM_CIPHERS.get(SAME.get(cipher.name, cipher.name))
    most_terms = getattr(of, "most_terms", getattr(family, "MOST_TERMS", MOST_TERMS))
    ahead = getattr(of, "ahead", _ahead(cipher, direction, family))
    degree = getattr(of, "degree", getattr(family, "DEGREE", 1))
    if (message := _message(cipher, direction)) is not None:
        ahead = ascon.AHEAD if cipher.name == "ascon-aead128" else ahead
        rows, behind = _rows(cipher), 2 if (cipher.name, direction) in PAIRS else 0
        return Specification(cipher.key_bits, rows, message, most_terms=most_terms, ahead=ahead, behind=behind)
    name = SAME.get(cipher.name, cipher.name)
    job, each = STREAM_CIPHERS.get(name) or _mode(name, direction), 1
    # The first passes decrypt bytes of the IV, which firmware has put before the input.
    windowed = family is not None and family.BLOCK == 8 * ROW and _shifts(name, direction)
    peeled = ROW if name.endswith("-cfb8") and direction == "decrypt" and not windowed else 0
    if job is None and (one := STREAM_CIPHERS.get(name.removesuffix("-x2"))) is not None:
        job, each = _by_turns(one), turns.ROW // turns.WORD
    if job is None:
        return None
    bits = cipher.to_the_bit and cipher.partial
    iv_bytes = cipher.iv_row_bytes if cipher.kind.chained else cipher.iv_bytes
    moving, behind = getattr(of, "moving", False), getattr(of, "behind", 0)
    peeled = getattr(of, "peeled", peeled)
    ahead = 0 if windowed else ahead + (2 * peeled if ahead else 0)  # those, and a pass of as many
    last, numbers = (cipher.partial, bits), (cipher.streams, each, peeled, most_terms, ahead, degree)
    found = Specification(cipher.key_bits, iv_bytes, job, *last, *numbers, moving=moving, behind=behind)
    return replace(found, windowed=windowed)


def _rows(cipher: Cipher) -> int:
    """Bytes with which a message in several parts begins."""
    if cipher.name.startswith("phelix-"):
        return helix.Phelix.iv_bytes
    return ROW * (gcm_siv.GcmSiv.rows if cipher.name.endswith("-gcm-siv") else 1)


def _shifts(name: str, direction: Direction) -> bool:
    """Whether a mode decrypts less than a block at a time, by the last bits of ciphertext (SP 800-38A 6.3)."""
    return direction == "decrypt" and name.endswith(("-cfb1", "-cfb8"))


def _ahead(cipher: Cipher, direction: Direction, family: Family | None) -> int:
    """Units in which words are named before firmware has them: few where a block needs the one before it."""
    serial = SERIAL[direction].search(cipher.name) is not None
    default = getattr(family, "AHEAD", 0)
    return getattr(family, "ONE_BY_ONE", default) if serial or cipher.streams > 1 else default


def own(cipher: Cipher) -> Path:
    """The file of a user's specifications, next to the manifest of a cipher; it need not exist."""
    return cipher.manifest.parent / OWN


def digest(cipher: Cipher) -> bytes:
    """Return the SHA-256 of the files that a specification is made of: the user's, and all of `specifications/`."""
    files = [*sorted(Path(specifications.__file__).parent.glob("*.py")), Path(__file__)]
    if own(cipher).is_file():
        files.append(own(cipher))
    out = hashlib.sha256()
    for file in files:
        data = file.read_bytes()
        out.update(f"{file.name}:{len(data)}:".encode() + data)
    return out.digest()


def _specified(module: ModuleType, file: Path, name: str, direction: Direction) -> Specification | None:
    if not hasattr(module, "specification"):
        raise SpecificationError(f"{file}: has no function specification(name, direction)")
    found = module.specification(name, direction)
    if not isinstance(found, Specification | None):
        raise SpecificationError(f"{file}: specification() returns {type(found).__name__}, not a Specification or None")
    return found


def _crc(cipher: Cipher, polynomial: Polynomial) -> Specification:
    """Its first passes reach into the row into which the register is added."""
    return Specification(0, crc.REGISTER, lambda _: crc.Crc(polynomial), peeled=3, register="register")


@cache
def _module(file: Path) -> ModuleType | None:
    """The module of a user's specifications."""
    spec = importlib.util.spec_from_file_location(f"specification_of_{file.parent.name}", file)
    if not file.is_file() or spec is None or spec.loader is None:
        return None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _message(cipher: Cipher, direction: Direction) -> Callable[[Bits], Message] | None:
    """An AEAD mode of a block cipher, or a cipher that authenticates by itself."""
    if cipher.name == "ascon-aead128":
        return lambda key: ascon.Ascon(key, direction == "decrypt")
    if (own_mac := {"helix": helix.Helix, "phelix": helix.Phelix}.get(cipher.name.split("-")[0])) is not None:
        return lambda key: own_mac(key, direction == "decrypt")
    if (stream := SEALED.get(cipher.name)) is not None:
        return lambda key: sst.Sealed(stream(key), direction == "decrypt")
    if re.fullmatch(r"aes-\d+-gcm-siv", cipher.name):
        return lambda key: gcm_siv.GcmSiv(key, direction == "decrypt")
    family, mode = BLOCK_CIPHERS.get(cipher.name.split("-")[0]), AEAD.get(cipher.kind.name)
    if family is None or mode is None:
        return None
    return lambda key: mode(family.Cipher(key), direction == "decrypt")


def _cs(variant: int) -> Callable[[Family, bool], Callable[[Bits], Job]]:
    return lambda family, decrypts: lambda key: stealing.CbcCs(family.Cipher(key), decrypts, variant)


def _by_turns(one: Callable[[Bits], Job]) -> Callable[[Bits], Job]:
    return lambda key: turns.ByTurns(one(key))


def _xts(family: Family, decrypts: bool) -> Callable[[Bits], Job]:
    """The first half of the key is that of the data (IEEE 1619 5.1)."""

    def job(key: Bits) -> Job:
        data, tweak = (family.Cipher(half) for half in key.parts(len(key) // 2))
        return stealing.Xts(data, tweak, decrypts)

    return job


def _wrap(cipher: Cipher, direction: Direction, family: Family) -> Callable[[Bits], wrap.Wrap | wrap.Unwrap]:
    """Key wrap, with the cipher or with its inverse (SP 800-38F 5.1)."""
    inverse = cipher.name.endswith("-inv")

    def job(key: Bits) -> wrap.Wrap | wrap.Unwrap:
        block = family.Cipher(key)
        if direction == "encrypt":
            return wrap.Wrap(block.decrypt if inverse else block.encrypt)
        return wrap.Unwrap(block.encrypt if inverse else block.decrypt, cipher.kind.name == "kwp")

    return job


def _cmac(one: cmac.Cmac, streams: int) -> Job:
    return one if streams == 1 else cmac.Several(one, streams)


STEALING = {"cbc-cts": _cs(1), "cbc-cs2": _cs(2), "cbc-cs3": _cs(3), "xts": _xts}


def _mode(name: str, direction: Direction) -> Callable[[Bits], Job] | None:
    """A mode of a block cipher, as its name says it."""
    parts = re.fullmatch(r"(\w+)-\d+-(?:e(\d+)-)?([\w-]+?)(?:-x(\d+))?", name)
    if parts is None or parts[1] not in BLOCK_CIPHERS:
        return None
    family, mode, streams = BLOCK_CIPHERS[parts[1]], parts[3], int(parts[4] or 1)
    if parts[2]:
        family = SimpleNamespace(Cipher=partial(family.Cipher, effective=int(parts[2])), BLOCK=family.BLOCK)
    if mode in STEALING:
        return STEALING[mode](family, direction == "decrypt")
    if mode == "cmac":
        return lambda key: _cmac(cmac.Cmac(family.Cipher(key)), streams)
    if mode == "icm":
        return lambda key: modes.Icm(family.Cipher(key[: -family.BLOCK]), family.BLOCK, key[-family.BLOCK :])
    if mode not in modes.MODES:
        return None

    def job(key: Bits) -> Job:
        one = modes.MODES[mode](family.Cipher(key), family.BLOCK, direction == "decrypt")
        return one if streams == 1 else modes.Interleaved(one, streams)

    return job
