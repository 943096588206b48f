"""`lutra mac`: the message authentication code of a file."""

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
        str, typer.Option("--algorithm", metavar="NAME", help="Such as aes-128-cmac, 128-eia3, uia2.")
    ],
    key: Annotated[str, typer.Option("--key", metavar="HEX", help="The key.")],
    iv: Annotated[str, typer.Option("--iv", metavar="HEX", help="IV, of an algorithm that takes one.")] = "",
    count: CountOption = "",
    bearer: BearerOption = None,
    fresh: FreshOption = "",
    direction: DirectionOption = None,
    bits: BitsOption = None,
    length: Annotated[
        int | None,
        typer.Option("--length", metavar="BITS", min=8, help="Length of the tag, cut at its end; default all."),
    ] = None,
    verify: Annotated[
        str | None,
        typer.Option("--verify", metavar="HEX", help="Compare with this tag instead; exit code 1 if it is wrong."),
    ] = None,
    manifest: ManifestOption = None,
    engine: EngineOption = "iss",
    json: JsonOption = False,
) -> None:
    """Compute the MAC of a file on the processor, in hexadecimal, or verify one.

    An algorithm of interleaved messages (aes-128-cmac-x2) takes them block by block and prints one MAC per line.
    --verify compares in constant time and takes a whole tag, or one cut to --length, which has at least 32 bits then.

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
        raise UsageError(f"{chosen.name} makes its IV of the other inputs; leave out --iv")
    with usage_checks():
        check_lengths(chosen, key_bytes, given_iv or before[: chosen.iv_bytes])
    before = before or given_iv
    tag_bits = chosen.tag_bits if length is None else length
    if tag_bits > chosen.tag_bits or tag_bits % 8:
        raise UsageError(
            f"--length: {chosen.name} has tags of whole bytes up to {chosen.tag_bits} bits, not of {tag_bits}"
        )
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
        raise CliError(f"{chosen.name}: wrong tag: key, message or other inputs are not those that it was made of")


def _given(text: str, algorithm: Cipher, tag_bits: int) -> bytes:
    """The tag of --verify: as long as it must be, so that its sender cannot make guessing easier."""
    if tag_bits < mac.LEAST_TAG_BITS:
        raise UsageError(f"--length: --verify takes tags of at least {mac.LEAST_TAG_BITS} bits, not of {tag_bits}")
    given, size = hexadecimal(text, "--verify"), algorithm.streams * tag_bits // 8
    if len(given) != size:
        remedy = "" if len(given) > size else "; a tag that was cut needs --length"
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
