"""`lutra crypt`: a file through a cipher's firmware."""

from __future__ import annotations

import contextlib
import json as json_text
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, BinaryIO

import typer

from lutra.cli.checks import usage_checks
from lutra.cli.errors import UsageError
from lutra.cli.files import MESSAGE_BYTES, distinct, opened, read_bounded, read_message
from lutra.cli.options import (
    BearerOption,
    BitsOption,
    CountOption,
    DirectionOption,
    EngineOption,
    JsonOption,
    ManifestOption,
    hexadecimal,
    lte_bytes,
    own_files,
    served,
)
from lutra.cli.output import output, progress
from lutra.firmware import aead, wrap
from lutra.firmware.ciphers import CALLED
from lutra.firmware.crypt import check_distinct_keys, check_padding, stream
from lutra.firmware.manifest import Cipher, Direction
from lutra.firmware.session import Session, Usage, check_lengths
from lutra.iss import engine as engines


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read, or - for standard input.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write, or - for standard output.")],
    cipher: Annotated[str, typer.Option("--cipher", metavar="NAME", help="As OpenSSL names it: aes-128-ctr.")],
    key: Annotated[str, typer.Option("--key", metavar="HEX", help="The key.")],
    iv: Annotated[str, typer.Option("--iv", metavar="HEX", help="IV, nonce, or first counter block.")] = "",
    decrypt: Annotated[bool, typer.Option("--decrypt", help="Decrypt instead of encrypt.")] = False,
    pad: Annotated[bool, typer.Option("--pad", help="PKCS#7 padding (ECB, CBC).")] = False,
    aad: Annotated[
        list[str] | None, typer.Option("--aad", metavar="HEX|@FILE", help="Associated data (AEAD); of SIV any number.")
    ] = None,
    tag_bits: Annotated[
        int | None, typer.Option("--tag-bits", metavar="N", help="Length of the tag (AEAD); default 128.")
    ] = None,
    count: CountOption = "",
    bearer: BearerOption = None,
    lte_direction: DirectionOption = None,
    bits: BitsOption = None,
    manifest: ManifestOption = None,
    engine: EngineOption = "iss",
    json: JsonOption = False,
) -> None:
    """Encrypt or decrypt a file on the processor.

    Files may have any size; the result is OpenSSL's, byte for byte. --json goes to standard error when OUT is standard
    output. AEAD modes append the tag to the ciphertext and expect it there, SIV puts it first; if it is wrong, nothing
    is written, as where a wrapped key is.
    LTE algorithms take --count, --bearer and --direction instead of an IV. They, CFB1 and XTS take any number of
    --bits.

    \b
    Example:
      lutra crypt --cipher aes-128-ctr --key 000102030405060708090a0b0c0d0e0f \\
          --iv 00000000000000000000000000000001 README.md README.enc
    """
    known = served(manifest)
    associated_files = {f"--aad {n}" if n > 1 else "--aad": _file_of(text) for n, text in enumerate(aad or (), 1)}
    distinct(associated_files | own_files(known), {"OUT": target})
    with usage_checks():
        chosen = known.cipher(cipher)
    direction: Direction = "decrypt" if decrypt else "encrypt"
    called, command = CALLED[chosen.kind]
    if called != "cipher":
        raise UsageError(f"{chosen.name} is a {called} and not a cipher; use {command}")
    key_bytes, iv_bytes = hexadecimal(key, "--key"), hexadecimal(iv, "--iv")
    from_lte = lte_bytes(chosen, count, bearer, lte_direction)
    if from_lte and iv_bytes:
        raise UsageError(f"{chosen.name} takes --count, --bearer and --direction instead of an IV; leave out --iv")
    iv_bytes = iv_bytes or from_lte
    if bits is not None and not chosen.to_the_bit:
        raise UsageError(f"{chosen.name} takes whole bytes; leave out --bits")
    with usage_checks():
        chosen.check_direction(direction)
        check_padding(chosen, pad)
        if chosen.is_aead or aad is not None or tag_bits is not None:
            # Files of associated data are read when all else is right.
            aead.check(chosen, iv_bytes, 128 if tag_bits is None else tag_bits, (b"",) * len(aad or ()))
        if chosen.wraps_keys:
            wrap.check(chosen, direction, iv_bytes)
        own_iv = chosen.is_aead or chosen.wraps_keys
        check_lengths(chosen, key_bytes, bytes(chosen.iv_bytes) if own_iv else iv_bytes)
        check_distinct_keys(chosen, direction, key_bytes)
    associated = tuple(map(_associated, aad or ()))
    with _input(source) as (file, size), progress(f"{direction}ing", size) as done:
        session = Session(engines.make(engine))
        pieces: Iterable[bytes]
        if chosen.is_aead:
            session.set_up(chosen, direction, key_bytes)
            data = read_message(file, source)
            pieces = [
                aead.process(session, chosen, direction, iv_bytes, data, associated, tag_bits or 128, done),
            ]
        elif chosen.wraps_keys:
            data = read_message(file, source)
            pieces = [wrap.process(session, chosen, direction, key_bytes, data, iv_bytes)]
        else:
            session.set_up(chosen, direction, key_bytes, iv_bytes)
            pieces = stream(session, chosen, direction, file, pad, size, done, bits)
        written = 0
        with output(target) as out:
            for piece in pieces:
                out.write(piece)
                written += len(piece)
    if json:
        report = _report(chosen, direction, engine, written, session.usage)
        print(json_text.dumps(report, indent=2), file=sys.stderr if str(target) == "-" else sys.stdout)


def _associated(text: str) -> bytes:
    """Of --aad: hexadecimal, or the contents of a file."""
    file = _file_of(text)
    return hexadecimal(text, "--aad") if file is None else read_bounded(file, MESSAGE_BYTES, "associated data")


def _file_of(aad: str) -> Path | None:
    return Path(aad[1:]) if aad.startswith("@") else None


@contextlib.contextmanager
def _input(path: Path) -> Iterator[tuple[BinaryIO, int | None]]:
    """What to read, and its size where that is known beforehand."""
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
