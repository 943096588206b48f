"""`lutra pack key`: generate keys."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Annotated

import typer
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lutra.cli.errors import CliError, UsageError
from lutra.firmware.pack import keys

PRIVATE, PUBLIC = ".pem", ".pub"


def command(
    names: Annotated[list[Path], typer.Argument(metavar="NAME...", help="Names of the key files, without suffix.")],
) -> None:
    """Generate Ed25519 key pairs: NAME.pem, the private key, which only you can read, and NAME.pub.

    Existing files are never overwritten. The public keys are printed.

    \b
    Example:
      lutra pack key offline release
    """
    for name in names:
        if not name.name or name.suffix in (PRIVATE, PUBLIC):
            raise UsageError(f"NAME {name}: stands for two files, {PRIVATE} and {PUBLIC}; give it without suffix")
    files = [Path(f"{name}{suffix}") for name in names for suffix in (PRIVATE, PUBLIC)]
    for n, file in enumerate(files):
        if file.exists() or file in files[:n]:
            raise CliError(f"{file}: already exists, and keys are never overwritten; choose another name")
    written: list[Path] = []
    try:
        for name in names:
            key = Ed25519PrivateKey.generate()
            for suffix, data, mode in ((PRIVATE, keys.private_pem(key), 0o600), (PUBLIC, keys.public_pem(key), 0o644)):
                _write(Path(f"{name}{suffix}"), data, mode, written)
            print(f"{name}: {keys.public(key).hex()}")
    except BaseException:
        for file in written:
            with contextlib.suppress(OSError):
                file.unlink()
        raise


def _write(file: Path, data: bytes, mode: int, written: list[Path]) -> None:
    """Create a file that has these permissions from the start."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        written.append(file)
        with os.fdopen(handle, "wb") as opened:
            opened.write(data)
    except OSError as error:
        why = error.strerror if file.parent.is_dir() else "the folder does not exist"
        raise OSError(error.errno, why, str(file)) from error
