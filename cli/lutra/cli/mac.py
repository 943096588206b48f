"""`lutra mac`: compute or verify the message authentication code of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.checks import usage_checks
from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import opened, read_message
from lutra.cli.options import (
    BearerOption,
    BitsOption,
    CountOption,
    DirectionOption,
    EngineOption,
    FreshOption,
    JsonOption,
    ManifestOption,
    hexadecimal,
    lte_bytes,
    served,
)
from lutra.cli.output import print_json
from lutra.firmware import mac
from lutra.firmware.ciphers import Cipher
from lutra.firmware.session import Session, check_lengths
from lutra.iss import engine as engines


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read, or - for standard input.")],
    algorithm: Annotated[
        str, typer.Option("--algorithm", metavar="NAME", help="MAC algorithm, e.g. aes-128-cmac, 128-eia3, uia2.")
    ],
    key: Annotated[str, typer.Option("--key", metavar="HEX", help="Key in hexadecimal.")],
    iv: Annotated[str, typer.Option("--iv", metavar="HEX", help="IV in hexadecimal, if the algorithm takes one.")] = "",
    count: CountOption = "",
    bearer: BearerOption = None,
    fresh: FreshOption = "",
    direction: DirectionOption = None,
    bits: BitsOption = None,
    length: Annotated[
        int | None,
        typer.Option("--length", metavar="BITS", min=8, help="Truncate the tag to BITS; default: the whole tag."),
    ] = None,
    verify: Annotated[
        str | None,
        typer.Option(
            "--verify", metavar="HEX", help="Verify this tag instead of printing one; exit code 1 on a mismatch."
        ),
    ] = None,
    manifest: ManifestOption = None,
    engine: EngineOption = "iss",
    json: JsonOption = False,
) -> None:
    """Print the MAC of a file in hexadecimal, or verify a MAC.

    An algorithm with interleaved messages (e.g. aes-128-cmac-x2) reads their blocks alternately from IN and prints one
    MAC per line. --verify compares in constant time. It expects the whole tag, or with --length one truncated to at
    least 32 bits.

    \b
    Example:
      lutra mac --algorithm aes-128-cmac --key 000102030405060708090a0b0c0d0e0f README.md
    """
    known = served(manifest)
    with usage_checks():
        chosen = known.mac(algorithm)
    key_bytes = hexadecimal(key, "--key")
    before, given_iv = lte_bytes(chosen, count, bearer, direction, fresh), hexadecimal(iv, "--iv")
    if before and given_iv:
        raise UsageError(f"{chosen.name} derives its IV from the other options; leave out --iv")
    with usage_checks():
        check_lengths(chosen, key_bytes, given_iv or before[: chosen.iv_bytes])
    before = before or given_iv
    tag_bits = chosen.tag_bits if length is None else length
    if tag_bits > chosen.tag_bits or tag_bits % 8:
        raise UsageError(f"--length {tag_bits}: must be a multiple of 8 up to {chosen.tag_bits} for {chosen.name}")
    given = None if verify is None else _given(verify, chosen, tag_bits)
    with opened(source) as file:
        message = read_message(file, source)
    session = Session(engines.make(engine))
    result: dict[str, object]
    if given is None:
        whole, size = mac.tag(session, chosen, key_bytes, message, bits, before), chosen.tag_bits // 8
        tags = [whole[at : at + tag_bits // 8].hex() for at in range(0, len(whole), size)]
        good, text, result = True, "\n".join(tags), {"mac": "".join(tags)}
    else:
        good = mac.verify(session, chosen, key_bytes, message, given, bits, before)
        text, result = "verified", {"verified": good}
    if json:
        message_bits = 8 * len(message) if bits is None else bits
        print_json(_document(chosen, engine, result | {"mac_bits": tag_bits, "message_bits": message_bits}, session))
    elif good:
        print(text)
    if not good:
        raise CliError(f"{chosen.name}: tag mismatch: wrong key, IV or other option, or corrupted message")


def _given(text: str, algorithm: Cipher, tag_bits: int) -> bytes:
    """Return the tag of --verify, refusing a wrong length: a short tag would make guessing easier."""
    if tag_bits < mac.LEAST_TAG_BITS:
        raise UsageError(f"--length {tag_bits}: --verify needs a tag of at least {mac.LEAST_TAG_BITS} bits")
    given, size = hexadecimal(text, "--verify"), algorithm.streams * tag_bits // 8
    if len(given) != size:
        remedy = "" if len(given) > size else "; give --length for a truncated tag"
        raise UsageError(f"--verify has {len(given)} bytes; the tag of {algorithm.name} has {size}{remedy}")
    return given


def _document(algorithm: Cipher, engine: str, result: dict[str, object], session: Session) -> dict[str, object]:
    usage = session.usage
    work = {
        "jobs": usage.jobs,
        "cycles": usage.cycles,
        "setup_cycles": {"tables": usage.tables, "key_schedule": usage.key_schedule + usage.start},
        "instructions": usage.instructions,
    }
    return {"algorithm": algorithm.name, "engine": engine} | result | work
