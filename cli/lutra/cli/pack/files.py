"""Read packs, roots and keys; every error names the file."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated

import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lutra.asm.files import MIB
from lutra.cli.files import read_bounded
from lutra.cli.output import output
from lutra.firmware import pack

# Larger than any real pack: a manifest has at most 64 KiB, and the memories bound each of the 16 parts.
PACK_BYTES = 16 * MIB
ROOTS_BYTES = 1 << 17
KEY_BYTES = 1 << 16

PackArgument = Annotated[Path, typer.Argument(metavar="FILE.pack", help="Pack from `lutra pack build`.")]
KeysOption = Annotated[
    list[Path], typer.Option("--key", metavar="FILE.pem", help="Sign with this private key; repeatable.")
]


@contextlib.contextmanager
def about(path: Path) -> Iterator[None]:
    """Name the file in errors about its contents."""
    try:
        yield
    except pack.PackError as error:
        raise pack.PackError(f"{path}: {error}") from error


def read_pack(path: Path) -> bytes:
    return read_bounded(path, PACK_BYTES, "a pack")


def envelope(path: Path) -> pack.Pack:
    """Return the envelope of a pack."""
    data = read_pack(path)
    with about(path):
        return pack.decode(data)


def roots(path: Path) -> pack.roots.Roots:
    """Return the roots of a file without checking their signatures."""
    data = read_bounded(path, ROOTS_BYTES, "a file of roots")
    with about(path):
        return pack.roots.decode(data)


def private(paths: Sequence[Path]) -> list[Ed25519PrivateKey]:
    """Read private keys."""
    return [pack.keys.read_private(read_bounded(path, KEY_BYTES, "a key"), str(path)) for path in paths]


def public(paths: Sequence[Path] | None) -> list[bytes]:
    """Read public keys, from files of either kind."""
    return [pack.keys.read_public(read_bounded(path, KEY_BYTES, "a key"), str(path)) for path in paths or ()]


def write(path: Path, data: bytes) -> None:
    """Write a whole file or none."""
    with output(path) as file:
        file.write(data)


def named(paths: Sequence[Path]) -> dict[str, Path | None]:
    """Return input files as `distinct` expects them."""
    return {str(path): path for path in paths}


def short(key: bytes) -> str:
    """Return the start of a public key, enough to recognize it."""
    return key.hex()[:16]
