"""Devices and packs for tests: keys that are not random, roots, and packs of a small cipher."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lutra.firmware import device, new, pack
from lutra.firmware.pack.roots import Roots
from support.documents import ROOT

# The cipher that `lutra new` makes.
NAME = "otter"
CIPHER = "otter-128-ctr"
KEY = bytes(range(16))
SLOT_BYTES = 16 * 1024


@cache
def key(number: int) -> Ed25519PrivateKey:
    """A key that is always the same."""
    return Ed25519PrivateKey.from_private_bytes(bytes([number]) * 32)


def role(numbers: Sequence[int], threshold: int = 1) -> pack.Role:
    return pack.roots.role("keys", [pack.keys.public(key(n)) for n in numbers], threshold)


@cache
def roots(version: int = 1, pack_threshold: int = 1) -> Roots:
    """Roots up to a version; the root key of version n is n, its pack keys are 10 n and 10 n + 1."""
    if version == 1:
        made = pack.roots.create(role([1]), role([10, 11], pack_threshold))
    else:
        before = roots(version - 1, pack_threshold)
        made = pack.roots.rotate(before, role([version]), role([10 * version, 10 * version + 1], pack_threshold))
        made = pack.roots.sign(made, key(version - 1))
    return pack.roots.sign(made, key(version))


@cache
def unsigned(version: str = "1.0.0", counter: int = 0, folder: Path | None = None) -> pack.Pack:
    """A pack of the firmware in a folder, by default of the small cipher."""
    with tempfile.TemporaryDirectory() as scratch:
        if folder is None:
            new.make(NAME, Path(scratch))
            folder = Path(scratch) / NAME
        return pack.build(pack.read_settings(folder, version=version, counter=counter))


def signed(unsigned: pack.Pack, by: Roots | None = None, signers: Sequence[int] | None = None) -> bytes:
    """The bytes of a pack, signed by the first pack key of the last root or by others."""
    by = roots() if by is None else by
    return pack.encode(pack.signed(unsigned, by, [key(n) for n in signers or [10 * len(by)]]))


def otter(version: str = "1.0.0", counter: int = 0, by: Roots | None = None) -> bytes:
    return signed(unsigned(version, counter), by)


@cache
def aes(version: str = "1.0.0", counter: int = 0) -> bytes:
    """A pack of two modes of AES-128."""
    algorithms = ("aes-128-ctr", "aes-128-gcm", "aes-128-cmac")
    settings = pack.read_settings(
        ROOT / "firmware/aes", None, version, counter, algorithms, vectors=[ROOT / "tests/vectors"]
    )
    return signed(pack.build(settings))


def create(
    folder: Path, trusted: Roots | None = None, engine: str = "iss", rounds: int = 2, slots: int = SLOT_BYTES
) -> Path:
    """A device with small slots that trusts the last of some roots."""
    layout = device.Layout(slot_bytes=slots)
    digest = pack.roots.trusted(roots() if trusted is None else trusted)
    device.create(folder, digest, device.Description(engine, rounds, layout))
    return folder


def memories(folder: Path) -> tuple[bytes, bytes]:
    """Flash and fuses."""
    return (folder / "flash.bin").read_bytes(), (folder / "fuses.bin").read_bytes()
