"""`lutra packets`: encrypt or decrypt the packets of a capture."""

from __future__ import annotations

import ipaddress
import json as json_text
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from lutra.cli.checks import usage_checks
from lutra.cli.errors import UsageError, tell
from lutra.cli.files import distinct, opened, read_message
from lutra.cli.options import EngineOption, JsonOption, hexadecimal, number
from lutra.cli.output import output
from lutra.cli.request import takes
from lutra.soc.packets import pcap, tunnel
from lutra.soc.packets.esp import RESERVED, Association
from lutra.soc.packets.jobs import ALGORITHMS, Cores
from lutra.soc.packets.tunnel import Ends, Report

CIPHERS = " or ".join(ALGORITHMS)


@dataclass(frozen=True, kw_only=True)
class Request:
    """Options of the command."""

    source: Annotated[Path, typer.Argument(metavar="IN", help="Capture to read (pcap), or - for standard input.")]
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Capture to write, or - for standard output.")]
    cipher: Annotated[str, typer.Option("--cipher", metavar="NAME", help=f"Algorithm: {CIPHERS}.")] = "aes-gcm"
    key: Annotated[
        str,
        typer.Option("--key", metavar="HEX", help="Key, then salt of 4 bytes or key of the MAC, in hexadecimal."),
    ]
    spi: Annotated[str, typer.Option("--spi", metavar="N", help="Number of the security association, from 0x100 on.")]
    tunnel: Annotated[
        str, typer.Option("--tunnel", metavar="FROM,TO", help="Addresses of the outer header; only to encrypt.")
    ] = ""
    decrypt: Annotated[bool, typer.Option("--decrypt", help="Decrypt instead of encrypt.")] = False
    esn: Annotated[bool, typer.Option("--esn", help="Use extended sequence numbers, of 64 bits.")] = False
    cores: Annotated[
        int, typer.Option("--cores", metavar="N", min=1, max=8, help="Cores that share the packets; default 4.")
    ] = 4
    engine: EngineOption = "iss"
    json: JsonOption = False


@takes(Request)
def command(request: Request) -> None:
    """Encrypt the IP packets of a capture with ESP in tunnel mode, or decrypt them.

    Reads pcap files of Ethernet or IP packets. Whatever is not an IP packet, or to decrypt not ESP, stays as it is.
    Packets that are replayed or changed are left out of OUT, with a line for each on standard error, and the exit code
    is 1. The packets are those of Linux and scapy. When OUT is standard output, --json prints to standard error.

    \b
    Example:
      lutra packets plain.pcap esp.pcap --spi 0x1000 --tunnel 192.0.2.1,192.0.2.2 \\
          --key 000102030405060708090a0b0c0d0e0fa0a1a2a3
    """
    association, ends = _association(request), _ends(request)
    distinct({"IN": request.source}, {"OUT": request.target})
    with opened(request.source) as file:
        data = read_message(file, request.source)
    capture, frames = pcap.parse(data, str(request.source))
    with usage_checks():
        cores = Cores(request.cores, request.engine)
    if ends is None:
        out, report = tunnel.decrypt(capture, frames, association, cores)
    else:
        out, report = tunnel.encrypt(capture, frames, association, ends, cores)
    with output(request.target) as file:
        file.write(pcap.write(capture, out))
    if request.json:
        found = json_text.dumps(_found(request, report, cores), indent=2)
        print(found, file=sys.stderr if str(request.target) == "-" else sys.stdout)
    for line in report.dropped:
        tell(f"{request.source}: {line}")
    if report.dropped:
        raise typer.Exit(1)


def _association(request: Request) -> Association:
    """Return the security association. Raises UsageError."""
    if request.cipher not in ALGORITHMS:
        raise UsageError(f"--cipher {request.cipher}: choose {CIPHERS}")
    key, spi = hexadecimal(request.key, "--key"), number(request.spi, "--spi")
    if spi < RESERVED:
        raise UsageError(f"--spi {spi:#x}: SPIs below {RESERVED:#x} are reserved; choose a greater one")
    with usage_checks():
        return Association(spi, ALGORITHMS[request.cipher], key, request.esn)


def _ends(request: Request) -> Ends | None:
    """Return the addresses of the tunnel to encrypt, None to decrypt. Raises UsageError."""
    if request.decrypt:
        if request.tunnel:
            raise UsageError("--tunnel is for encryption; leave it out with --decrypt")
        return None
    try:
        source, destination = map(ipaddress.ip_address, request.tunnel.split(","))
    except ValueError:
        text = f"--tunnel {request.tunnel}" if request.tunnel else "--tunnel is missing"
        raise UsageError(f"{text}: give two addresses, such as 192.0.2.1,192.0.2.2") from None
    with usage_checks("--tunnel"):
        return Ends(source, destination)


def _found(request: Request, report: Report, cores: Cores) -> dict[str, object]:
    return {
        "direction": "decrypt" if request.decrypt else "encrypt",
        "cipher": request.cipher,
        "engine": request.engine,
        "packets": report.changed,
        "unchanged": report.passed,
        "dropped": list(report.dropped),
        "bytes": report.bytes,
        "cycles": cores.cycles,
        "bytes_per_cycle": round(report.bytes / cores.cycles, 4) if cores.cycles else None,
        "packets_per_core": [core.packets for core in cores.all],
    }
