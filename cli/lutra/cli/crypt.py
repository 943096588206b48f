"""`lutra crypt`: encrypt or decrypt a file with a cipher's firmware."""

from __future__ import annotations

import contextlib
import json as json_text
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from lutra.cli.checks import usage_checks
from lutra.cli.errors import UsageError
from lutra.cli.files import MESSAGE_BYTES, distinct, opened, read_bounded, read_message
from lutra.cli.options import (
    EngineOption,
    JsonOption,
    LteOptions,
    ManifestOption,
    SegmentOptions,
    first_block,
    hexadecimal,
    lte_bytes,
    own_files,
    served,
)
from lutra.cli.output import output, progress
from lutra.cli.request import takes
from lutra.firmware import aead, wrap
from lutra.firmware.crypt import check_distinct_keys, check_padding, stream
from lutra.firmware.manifest import Catalogue, Cipher, Direction
from lutra.firmware.segments import check_left, left
from lutra.firmware.session import Session, Usage, check_lengths
from lutra.iss import engine as engines


@dataclass(frozen=True, kw_only=True)
class CryptOptions:
    """Options for a message and its cipher."""

    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read, or - for standard input.")]
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write, or - for standard output.")]
    cipher: Annotated[
        str, typer.Option("--cipher", metavar="NAME", help="Cipher, e.g. aes-128-ctr; see `lutra ciphers`.")
    ]
    key: Annotated[str, typer.Option("--key", metavar="HEX", help="Key in hexadecimal.")]
    iv: Annotated[
        str, typer.Option("--iv", metavar="HEX", help="IV, nonce or first counter block, in hexadecimal.")
    ] = ""
    decrypt: Annotated[bool, typer.Option("--decrypt", help="Decrypt instead of encrypt.")] = False
    pad: Annotated[bool, typer.Option("--pad", help="Use PKCS#7 padding (ECB, CBC).")] = False
    aad: Annotated[
        list[str] | None, typer.Option("--aad", metavar="HEX|@FILE", help="Associated data (AEAD); repeatable for SIV.")
    ] = None
    tag_bits: Annotated[
        int | None, typer.Option("--tag-bits", metavar="N", help="Tag length in bits (AEAD); default 128.")
    ] = None


@dataclass(frozen=True, kw_only=True)
class Request(SegmentOptions, LteOptions, CryptOptions):
    """Options of the command."""

    manifest: ManifestOption = None
    engine: EngineOption = "iss"
    json: JsonOption = False


@takes(Request)
def command(request: Request) -> None:
    """Encrypt or decrypt a file on the chosen engine.

    Files may have any size; the output matches OpenSSL byte for byte. AEAD modes append the tag to the ciphertext
    (SIV puts it first). Nothing is written if the tag or the integrity check of a wrapped key is wrong. LTE algorithms
    take --count, --bearer and --direction instead of --iv, integer counter mode (ICM) takes --segment. LTE algorithms,
    CFB1 and XTS accept --bits. When OUT is standard output, --json prints to standard error.

    \b
    Example:
      lutra crypt --cipher aes-128-ctr --key 000102030405060708090a0b0c0d0e0f \\
          --iv 00000000000000000000000000000001 README.md README.enc
    """
    known = served(request.manifest)
    associated_files = {f"--aad {n}" if n > 1 else "--aad": _file_of(a) for n, a in enumerate(request.aad or (), 1)}
    distinct(associated_files | own_files(known), {"OUT": request.target})
    message = _parse(request, known)
    _check(request, message)
    written, session = _process(request, message)
    if request.json:
        report = _report(message.cipher, message.direction, request.engine, written, session.usage)
        print(json_text.dumps(report, indent=2), file=sys.stderr if str(request.target) == "-" else sys.stdout)


@dataclass(frozen=True)
class _Message:
    """The meaning of the options: a cipher, the direction, key and IV."""

    cipher: Cipher
    direction: Direction
    key: bytes
    iv: bytes


def _parse(request: Request, known: Catalogue) -> _Message:
    """Return the cipher and its inputs. Raises UsageError."""
    with usage_checks():
        cipher = known.cipher(request.cipher)
    if not cipher.kind.encrypts:
        raise UsageError(f"{cipher.name} is a {cipher.kind.called}, not a cipher; use {cipher.kind.command}")
    key, iv = hexadecimal(request.key, "--key"), hexadecimal(request.iv, "--iv")
    from_lte = lte_bytes(cipher, request)
    from_segment = first_block(cipher, request)
    if iv and (made := from_lte or from_segment):
        instead = "a segment" if made is from_segment else "--count, --bearer and --direction"
        raise UsageError(f"{cipher.name} takes {instead} instead of an IV; leave out --iv")
    return _Message(cipher, "decrypt" if request.decrypt else "encrypt", key, iv or from_lte or from_segment)


def _check(request: Request, message: _Message) -> None:
    """Refuse options and lengths that the cipher does not take. Raises UsageError."""
    cipher, direction = message.cipher, message.direction
    if request.bits is not None and not cipher.to_the_bit:
        raise UsageError(f"{cipher.name} works on whole bytes; leave out --bits")
    with usage_checks():
        cipher.check_direction(direction)
        check_padding(cipher, request.pad)
        if cipher.is_aead or request.aad is not None or request.tag_bits is not None:
            # Read the files of associated data only after every other option is checked.
            tag_bits = 128 if request.tag_bits is None else request.tag_bits
            aead.check(cipher, message.iv, tag_bits, (b"",) * len(request.aad or ()))
        if cipher.wraps_keys:
            wrap.check(cipher, direction, message.iv)
        own_iv = cipher.is_aead or cipher.wraps_keys
        check_lengths(cipher, message.key, bytes(cipher.iv_bytes) if own_iv else message.iv)
        check_distinct_keys(cipher, direction, message.key)


def _process(request: Request, message: _Message) -> tuple[int, Session]:
    """Write the result; return its length and the session that made it."""
    associated = tuple(map(_associated, request.aad or ()))
    with _input(request.source) as (file, size), progress(f"{message.direction}ing", size) as done:
        session = Session(engines.make(request.engine))
        written = 0
        pieces = _pieces(request, message, session, file, size, associated, done)
        with output(request.target) as out:
            for piece in pieces:
                out.write(piece)
                written += len(piece)
    return written, session


def _pieces(
    request: Request,
    message: _Message,
    session: Session,
    file: BinaryIO,
    size: int | None,
    associated: tuple[bytes, ...],
    done: Callable[[int], None],
) -> Iterable[bytes]:
    """Return the result, in one piece where it must be checked as a whole."""
    cipher, direction, key, iv = message.cipher, message.direction, message.key, message.iv
    if cipher.is_aead:
        session.set_up(cipher, direction, key)
        data = read_message(file, request.source)
        return [aead.process(session, cipher, direction, iv, data, associated, request.tag_bits or 128, done)]
    if cipher.wraps_keys:
        return [wrap.process(session, cipher, direction, key, read_message(file, request.source), iv)]
    if size is not None:
        check_left(cipher.name, left(iv), size)
    session.set_up(cipher, direction, key, iv)
    return stream(session, cipher, direction, file, request.pad, size, done, request.bits)


def _associated(text: str) -> bytes:
    """Return the bytes of --aad: hexadecimal, or the contents of a file."""
    file = _file_of(text)
    return hexadecimal(text, "--aad") if file is None else read_bounded(file, MESSAGE_BYTES, "associated data")


def _file_of(aad: str) -> Path | None:
    return Path(aad[1:]) if aad.startswith("@") else None


@contextlib.contextmanager
def _input(path: Path) -> Iterator[tuple[BinaryIO, int | None]]:
    """Open the input; also return its size, or None where it is not known in advance."""
    with opened(path) as file:
        yield file, path.stat().st_size if path.is_file() else None


def _report(cipher: Cipher, direction: str, engine: str, written: int, usage: Usage) -> dict[str, object]:
    return {
        "cipher": cipher.name,
        "direction": direction,
        "engine": engine,
        "bytes": written,
        "unit": cipher.unit,
        "units": usage.units,
        "jobs": usage.jobs,
        "cycles": usage.cycles,
        "cycles_per_unit": round(usage.cycles / usage.units, 4) if usage.units else None,
        "setup_cycles": {"tables": usage.tables, "key_schedule": usage.key_schedule + usage.start},
        "instructions": usage.instructions,
    }
