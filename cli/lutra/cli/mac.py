"""`lutra mac`: compute or verify the message authentication code of a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.checks import usage_checks
from lutra.cli.errors import CliError, UsageError
from lutra.cli.files import opened, read_message
from lutra.cli.options import (
    EngineOption,
    FreshOption,
    JsonOption,
    LteOptions,
    ManifestOption,
    hexadecimal,
    lte_bytes,
    served,
)
from lutra.cli.output import print_json
from lutra.cli.request import takes
from lutra.firmware import mac
from lutra.firmware.ciphers import Cipher
from lutra.firmware.session import Session, check_lengths
from lutra.iss import engine as engines


@dataclass(frozen=True, kw_only=True)
class MacOptions:
    """Options for a message and its algorithm."""

    source: Annotated[Path, typer.Argument(metavar="IN", help="File to read, or - for standard input.")]
    algorithm: Annotated[
        str, typer.Option("--algorithm", metavar="NAME", help="MAC algorithm, e.g. aes-128-cmac, 128-eia3, uia2.")
    ]
    key: Annotated[str, typer.Option("--key", metavar="HEX", help="Key in hexadecimal.")]
    iv: Annotated[str, typer.Option("--iv", metavar="HEX", help="IV in hexadecimal, if the algorithm takes one.")] = ""


@dataclass(frozen=True, kw_only=True)
class Request(LteOptions, MacOptions):
    """Options of the command."""

    fresh: FreshOption = ""
    length: Annotated[
        int | None,
        typer.Option("--length", metavar="BITS", min=8, help="Truncate the tag to BITS; default: the whole tag."),
    ] = None
    verify: Annotated[
        str | None,
        typer.Option(
            "--verify", metavar="HEX", help="Verify this tag instead of printing one; exit code 1 on a mismatch."
        ),
    ] = None
    manifest: ManifestOption = None
    engine: EngineOption = "iss"
    json: JsonOption = False


@takes(Request)
def command(request: Request) -> None:
    """Print the MAC of a file in hexadecimal, or verify a MAC.

    An algorithm with interleaved messages (e.g. aes-128-cmac-x2) reads their blocks alternately from IN and prints one
    MAC per line. --verify compares in constant time. It expects the whole tag, or with --length one truncated to at
    least 32 bits.

    \b
    Example:
      lutra mac --algorithm aes-128-cmac --key 000102030405060708090a0b0c0d0e0f README.md
    """
    todo = _parse(request)
    with opened(request.source) as file:
        message = read_message(file, request.source)
    session = Session(engines.make(request.engine))
    good, text, result = _computed(session, todo, message, request.bits)
    if request.json:
        message_bits = 8 * len(message) if request.bits is None else request.bits
        result |= {"mac_bits": todo.tag_bits, "message_bits": message_bits}
        print_json(_document(todo.algorithm, request.engine, result, session))
    elif good:
        print(text)
    if not good:
        raise CliError(f"{todo.algorithm.name}: tag mismatch: wrong key, IV or other option, or corrupted message")


@dataclass(frozen=True)
class _Todo:
    """The options. before: IV, or the one that a 3GPP algorithm makes of its inputs. given: the tag to verify."""

    algorithm: Cipher
    key: bytes
    before: bytes
    tag_bits: int
    given: bytes | None


def _parse(request: Request) -> _Todo:
    """Return the algorithm and its inputs, checked. Raises UsageError."""
    with usage_checks():
        chosen = served(request.manifest).mac(request.algorithm)
    key = hexadecimal(request.key, "--key")
    before, given_iv = lte_bytes(chosen, request, request.fresh), hexadecimal(request.iv, "--iv")
    if before and given_iv:
        raise UsageError(f"{chosen.name} derives its IV from the other options; leave out --iv")
    with usage_checks():
        check_lengths(chosen, key, given_iv or before[: chosen.iv_bytes])
    tag_bits = chosen.tag_bits if request.length is None else request.length
    if tag_bits > chosen.tag_bits or tag_bits % 8:
        raise UsageError(f"--length {tag_bits}: must be a multiple of 8 up to {chosen.tag_bits} for {chosen.name}")
    given = None if request.verify is None else _given(request.verify, chosen, tag_bits)
    return _Todo(chosen, key, before or given_iv, tag_bits, given)


def _computed(session: Session, todo: _Todo, message: bytes, bits: int | None) -> tuple[bool, str, dict[str, object]]:
    """Compute or verify; return whether the tag is right, the text, and the result for JSON."""
    if todo.given is not None:
        good = mac.verify(session, todo.algorithm, todo.key, message, todo.given, bits, todo.before)
        return good, "verified", {"verified": good}
    whole, size = mac.tag(session, todo.algorithm, todo.key, message, bits, todo.before), todo.algorithm.tag_bits // 8
    tags = [whole[at : at + todo.tag_bits // 8].hex() for at in range(0, len(whole), size)]
    return True, "\n".join(tags), {"mac": "".join(tags)}


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
