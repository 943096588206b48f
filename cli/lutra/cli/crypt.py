"""`lutra crypt`: encrypt or decrypt a file with a cipher's firmware."""

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
from lutra.firmware.crypt import check_distinct_keys, check_padding, stream
from lutra.firmware.manifest import Cipher, Direction
from lutra.firmware.session import Session, Usage, check_lengths
from lutra.iss import engine as engines


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read, or - for standard input.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="File to write, or - for standard output.")],
    cipher: Annotated[
        str, typer.Option("--cipher", metavar="NAME", help="Cipher, e.g. aes-128-ctr; see `lutra ciphers`.")
    ],
    key: Annotated[str, typer.Option("--key", metavar="HEX", help="Key in hexadecimal.")],
    iv: Annotated[
        str, typer.Option("--iv", metavar="HEX", help="IV, nonce or first counter block, in hexadecimal.")
    ] = "",
    decrypt: Annotated[bool, typer.Option("--decrypt", help="Decrypt instead of encrypt.")] = False,
    pad: Annotated[bool, typer.Option("--pad", help="Use PKCS#7 padding (ECB, CBC).")] = False,
    aad: Annotated[
        list[str] | None, typer.Option("--aad", metavar="HEX|@FILE", help="Associated data (AEAD); repeatable for SIV.")
    ] = None,
    tag_bits: Annotated[
        int | None, typer.Option("--tag-bits", metavar="N", help="Tag length in bits (AEAD); default 128.")
    ] = None,
    count: CountOption = "",
    bearer: BearerOption = None,
    lte_direction: DirectionOption = None,
    bits: BitsOption = None,
    manifest: ManifestOption = None,
    engine: EngineOption = "iss",
    json: JsonOption = False,
) -> None:
    """Encrypt or decrypt a file on the chosen engine.

    Files may have any size; the output matches OpenSSL byte for byte. AEAD modes append the tag to the ciphertext
    (SIV puts it first). Nothing is written if the tag or the integrity check of a wrapped key is wrong. LTE algorithms
    take --count, --bearer and --direction instead of --iv. LTE algorithms, CFB1 and XTS accept --bits. When OUT is
    standard output, --json prints to standard error.

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
    if not chosen.kind.encrypts:
        raise UsageError(f"{chosen.name} is a {chosen.kind.called}, not a cipher; use {chosen.kind.command}")
    key_bytes, iv_bytes = hexadecimal(key, "--key"), hexadecimal(iv, "--iv")
    from_lte = lte_bytes(chosen, count, bearer, lte_direction)
    if from_lte and iv_bytes:
        raise UsageError(f"{chosen.name} takes --count, --bearer and --direction instead of an IV; leave out --iv")
    iv_bytes = iv_bytes or from_lte
    if bits is not None and not chosen.to_the_bit:
        raise UsageError(f"{chosen.name} works on whole bytes; leave out --bits")
    with usage_checks():
        chosen.check_direction(direction)
        check_padding(chosen, pad)
        if chosen.is_aead or aad is not None or tag_bits is not None:
            # Read the files of associated data only after every other option is checked.
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
