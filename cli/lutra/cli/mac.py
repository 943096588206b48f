"""`lutra mac`: the message authentication code of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.errors import UsageError, usage_checks
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
from lutra.firmware.session import Session, check_lengths
from lutra.iss import engine as engines


def command(
    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read, or - for standard input.")],
    algorithm: Annotated[
        str, typer.Option("--algorithm", metavar="NAME", help="Such as aes-128-cmac, 128-eia3, uia2.")
    ],
    key: Annotated[str, typer.Option("--key", metavar="HEX", help="The key.")],
    count: CountOption = "",
    bearer: BearerOption = None,
    fresh: FreshOption = "",
    direction: DirectionOption = None,
    bits: BitsOption = None,
    length: Annotated[
        int | None,
        typer.Option("--length", metavar="BITS", min=8, help="Length of the tag, cut at its end; default all."),
    ] = None,
    manifest: ManifestOption = None,
    engine: EngineOption = "iss",
    json: JsonOption = False,
) -> None:
    """Compute the MAC of a file on the processor, in hexadecimal.

    An algorithm of interleaved messages (aes-128-cmac-x2) takes them block by block and prints one MAC per line.

    \b
    Example:
      lutra mac --algorithm aes-128-cmac --key 000102030405060708090a0b0c0d0e0f README.md
    """
    known = served(manifest)
    with usage_checks():
        chosen = known.mac(algorithm)
    key_bytes = hexadecimal(key, "--key")
    before = lte_bytes(chosen, count, bearer, direction, fresh)
    with usage_checks():
        check_lengths(chosen, key_bytes, before[: chosen.iv_bytes])
    tag_bits = chosen.tag_bits if length is None else length
    if tag_bits > chosen.tag_bits or tag_bits % 8:
        raise UsageError(
            f"--length: {chosen.name} has tags of whole bytes up to {chosen.tag_bits} bits, not of {tag_bits}"
        )
    with opened(source) as file:
        message = read_message(file, source)
    session = Session(engines.make(engine))
    whole, size = mac.tag(session, chosen, key_bytes, message, bits, before), chosen.tag_bits // 8
    tags = [whole[at : at + tag_bits // 8].hex() for at in range(0, len(whole), size)]
    if not json:
        print("\n".join(tags))
        return
    usage = session.usage
    print_json(
        {
            "algorithm": chosen.name,
            "engine": engine,
            "mac": "".join(tags),
            "mac_bits": tag_bits,
            "message_bits": 8 * len(message) if bits is None else bits,
            "jobs": usage.jobs,
            "cycles": usage.cycles,
            "setup_cycles": {"tables": usage.tables, "key_schedule": usage.key_schedule + usage.start},
            "instructions": usage.instructions,
        }
    )
