"""`lutra packets`: encrypt or decrypt the packets of a capture."""

from __future__ import annotations

import json as json_text
import sys

import typer

from lutra.cli.checks import usage_checks
from lutra.cli.errors import tell
from lutra.cli.files import distinct, opened, read_message
from lutra.cli.output import output
from lutra.cli.packet_options import Request, protocol
from lutra.cli.request import takes
from lutra.soc.packets import captures, pcap
from lutra.soc.packets.captures import Report
from lutra.soc.packets.jobs import Cores


@takes(Request)
def command(request: Request) -> None:
    """Encrypt the packets of a capture, or decrypt them: ESP in tunnel mode, MACsec, SRTP, or PDCP.

    Reads pcap files. A frame that the protocol does not protect stays as it is. Packets that are replayed or changed
    are left out of OUT, with a line for each on standard error, and the exit code is 1. The packets are those of Linux,
    scapy and libsrtp. When OUT is standard output, --json prints to standard error.

    \b
    Example:
      lutra packets plain.pcap esp.pcap --spi 0x1000 --tunnel 192.0.2.1,192.0.2.2 \\
          --key 000102030405060708090a0b0c0d0e0fa0a1a2a3
      lutra packets plain.pcap macsec.pcap --protocol macsec --sci 0200000000010001 \\
          --key 000102030405060708090a0b0c0d0e0f
      lutra packets call.pcap srtp.pcap --protocol srtp --port 5004 \\
          --key 000102030405060708090a0b0c0d0e0fa0a1a2a3a4a5a6a7a8a9aaab
      lutra packets ip.pcap pdcp.pcap --protocol pdcp --cipher nea2 --bearer 1 --direction 0 \\
          --key 000102030405060708090a0b0c0d0e0f
    """
    chosen = protocol(request)
    distinct({"IN": request.source}, {"OUT": request.target})
    with opened(request.source) as file:
        data = read_message(file, request.source)
    capture, frames = pcap.parse(data, str(request.source))
    with usage_checks():
        cores = Cores(request.cores, request.engine)
    made, out, report = captures.run(capture, frames, chosen, cores)
    with output(request.target) as file:
        file.write(pcap.write(made, out))
    if request.json:
        found = json_text.dumps(_found(request, report, cores), indent=2)
        print(found, file=sys.stderr if str(request.target) == "-" else sys.stdout)
    for line in report.dropped:
        tell(f"{request.source}: {line}")
    if report.dropped:
        raise typer.Exit(1)


def _found(request: Request, report: Report, cores: Cores) -> dict[str, object]:
    return {
        "protocol": request.protocol,
        "direction": "decrypt" if request.decrypt else "encrypt",
        "cipher": request.algorithm,
        "engine": request.engine,
        "packets": report.changed,
        "unchanged": report.passed,
        "dropped": list(report.dropped),
        "bytes": report.bytes,
        "cycles": cores.cycles,
        "bytes_per_cycle": round(report.bytes / cores.cycles, 4) if cores.cycles else None,
        "packets_per_core": [core.packets for core in cores.all],
    }
