"""Options of `lutra packets`: which protocol takes which, and the protocol that they describe."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Literal

import typer

from lutra.cli.checks import usage_checks
from lutra.cli.errors import UsageError
from lutra.cli.options import BearerOption, CountOption, DirectionOption, EngineOption, JsonOption, hexadecimal, number
from lutra.soc.packets import esp, extensions, macsec, pdcp, srtp, tunnel
from lutra.soc.packets import protocols as made
from lutra.soc.packets.captures import Protocol
from lutra.soc.packets.esp import RESERVED
from lutra.soc.packets.jobs import ALGORITHMS, GCM
from lutra.soc.packets.tunnel import Ends

# Bytes of the tag of RTP by the name of an algorithm of SRTP; AES-GCM has its own.
SRTP_TAGS = MappingProxyType({GCM.name: srtp.TAGS[0], "aes-cm-sha1-80": srtp.TAGS[0], "aes-cm-sha1-32": srtp.TAGS[1]})
NEA, NIA = tuple(f"nea{n}" for n in range(pdcp.ALGORITHMS)), tuple(f"nia{n}" for n in range(pdcp.ALGORITHMS))
NCA = tuple(f"nca{n}" for n in pdcp.FAMILIES)
# Ciphers of each protocol, the first one by default.
CIPHERS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "esp": tuple(ALGORITHMS),
        "macsec": (GCM.name,),
        "srtp": tuple(SRTP_TAGS),
        "pdcp": ("nea2", *NEA[:2], *NEA[3:], *NCA),
    }
)
# Options that are of some protocols, and the values that say that they are not given.
OWN: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "esp": ("spi", "tunnel", "esn", "replay_window"),
        "macsec": ("sci", "an", "ssci", "clear_text", "replay_window"),
        "srtp": ("port", "mki", "replay_window"),
        "pdcp": ("integrity", "bearer", "direction", "sn_bits", "count", "control"),
    }
)
# Replay windows: RFC 4303 3.4.3 has 64 by default, RFC 3711 3.3.2 64 at least; more is as far as indices are guessed.
MOST_WINDOW, LEAST_SRTP_WINDOW = 1 << 15, 64
SN_BITS = 12


@dataclass(frozen=True, kw_only=True)
class Request:
    """Options of the command."""

    source: Annotated[Path, typer.Argument(metavar="IN", help="Capture to read (pcap), or - for standard input.")]
    target: Annotated[Path, typer.Argument(metavar="OUT", help="Capture to write, or - for standard output.")]
    protocol: Annotated[
        Literal["esp", "macsec", "srtp", "pdcp"], typer.Option("--protocol", help="Protocol of the packets.")
    ] = "esp"
    cipher: Annotated[
        str,
        typer.Option(
            "--cipher",
            metavar="NAME",
            help="Algorithm; the first one by default. "
            + "; ".join(f"{p}: {', '.join(c)}" for p, c in CIPHERS.items()),
        ),
    ] = ""
    key: Annotated[
        str,
        typer.Option(
            "--key",
            metavar="HEX",
            help="Key in hexadecimal, then its salt or the key of the MAC; SRTP: master key and master salt.",
        ),
    ]
    decrypt: Annotated[bool, typer.Option("--decrypt", help="Decrypt instead of encrypt.")] = False
    spi: Annotated[
        str, typer.Option("--spi", metavar="N", help="ESP: number of the security association, from 0x100 on.")
    ] = ""
    tunnel: Annotated[
        str, typer.Option("--tunnel", metavar="FROM,TO", help="ESP: addresses of the outer header; only to encrypt.")
    ] = ""
    esn: Annotated[bool, typer.Option("--esn", help="ESP: use extended sequence numbers, of 64 bits.")] = False
    sci: Annotated[
        str,
        typer.Option(
            "--sci", metavar="HEX", help="MACsec: secure channel identifier of 8 bytes; default: of the source address."
        ),
    ] = ""
    an: Annotated[
        int | None, typer.Option("--an", metavar="N", min=0, max=3, help="MACsec: association number; default 0.")
    ] = None
    ssci: Annotated[
        str,
        typer.Option(
            "--ssci", metavar="HEX", help="MACsec: short SCI of 4 bytes, for packet numbers of 64 bits (XPN)."
        ),
    ] = ""
    clear_text: Annotated[bool, typer.Option("--clear-text", help="MACsec: only authenticate, do not encrypt.")] = False
    port: Annotated[
        int | None,
        typer.Option(
            "--port", metavar="N", min=1, max=65535, help="SRTP: port of UDP that datagrams come from or go to."
        ),
    ] = None
    mki: Annotated[
        str, typer.Option("--mki", metavar="HEX", help="SRTP: master key identifier in each packet; default: none.")
    ] = ""
    replay_window: Annotated[
        int | None,
        typer.Option(
            "--replay-window",
            metavar="N",
            help="ESP, MACsec, SRTP: numbers that a packet may be late by; default 64, MACsec 0. Only to decrypt.",
        ),
    ] = None
    integrity: Annotated[
        str, typer.Option("--integrity", metavar="NAME", help="PDCP: nia0 to nia6; default: no MAC-I.")
    ] = ""
    bearer: BearerOption = None
    direction: DirectionOption = None
    sn_bits: Annotated[
        int | None,
        typer.Option("--sn-bits", metavar="N", help="PDCP: bits of sequence numbers: 5, 7, 12, 15, 18; default 12."),
    ] = None
    count: CountOption = ""
    control: Annotated[
        bool, typer.Option("--control", help="PDCP: of the control plane, whose messages are not IP packets.")
    ] = False
    cores: Annotated[
        int, typer.Option("--cores", metavar="N", min=1, max=8, help="Cores that share the packets; default 4.")
    ] = 4
    engine: EngineOption = "iss"
    json: JsonOption = False

    @property
    def algorithm(self) -> str:
        """The value of --cipher, or the default of the protocol."""
        return self.cipher or CIPHERS[self.protocol][0]


def protocol(request: Request) -> Protocol:
    """Return one direction of the protocol. Raises UsageError where an option is wrong, missing or of another one."""
    for option in dict.fromkeys(option for options in OWN.values() for option in options):
        names = [name for name, options in OWN.items() if option in options]
        value = getattr(request, option)
        if request.protocol not in names and not (value is None or value == "" or value is False):
            raise UsageError(f"--{option.replace('_', '-')} is for --protocol {' or '.join(names)}; leave it out")
    if request.replay_window is not None and not request.decrypt:
        raise UsageError("--replay-window is for a receiver; leave it out, or add --decrypt")
    if request.algorithm not in CIPHERS[request.protocol]:
        raise UsageError(f"--cipher {request.cipher}: choose {' or '.join(CIPHERS[request.protocol])}")
    return MAKERS[request.protocol](request)


def _esp(request: Request) -> Protocol:
    key, ends = hexadecimal(request.key, "--key"), _ends(request)
    if not request.spi:
        raise UsageError("ESP needs the number of the security association; give --spi")
    spi = number(request.spi, "--spi")
    if spi < RESERVED:
        raise UsageError(f"--spi {spi:#x}: SPIs below {RESERVED:#x} are reserved; choose a greater one")
    with usage_checks():
        association = esp.Association(spi, ALGORITHMS[request.algorithm], key, request.esn)
    return tunnel.Outbound(association, ends) if ends else tunnel.Inbound(association, _window(request, 1))


def _ends(request: Request) -> Ends | None:
    """Return the addresses of the tunnel to encrypt, None to decrypt."""
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


def _window(request: Request, least: int) -> esp.Window:
    """Return the window of a receiver that has a bit for each number."""
    size = request.replay_window
    if size is None:
        return esp.Window()
    if not least <= size <= MOST_WINDOW:
        raise UsageError(f"--replay-window {size}: {request.protocol} takes {least} to {MOST_WINDOW}")
    return esp.Window(size=size)


def _macsec(request: Request) -> Protocol:
    key, ssci = hexadecimal(request.key, "--key"), hexadecimal(request.ssci, "--ssci")
    sci = hexadecimal(request.sci, "--sci") if request.sci else None
    size = len(key) - macsec.SALT_BYTES * bool(ssci)
    salt = key[size:] if ssci and size > 0 else b""
    if ssci and size not in macsec.KEYS:
        raise UsageError(f"key of {len(key)} bytes; with --ssci it has 28 or 44, the last {macsec.SALT_BYTES} the salt")
    with usage_checks():
        association = macsec.Association(
            key[: len(key) - len(salt)], request.an or 0, sci, not request.clear_text, ssci, salt
        )
    if request.decrypt:
        with usage_checks("--replay-window"):
            return made.MacsecInbound(macsec.Receiver(association, request.replay_window or 0))
    return made.MacsecOutbound(macsec.Sender(association))


def _srtp(request: Request) -> Protocol:
    material = hexadecimal(request.key, "--key")
    if request.port is None:
        raise UsageError("SRTP needs the port of its datagrams; give --port")
    combined = request.algorithm == GCM.name
    salt = srtp.GCM_SALT if combined else extensions.SALT
    sizes = [size + salt for size in ((16, 32) if combined else (16, 24, 32))]
    if len(material) not in sizes:
        taken = f"{request.algorithm} in SRTP takes {' or '.join(map(str, sizes))}, the last {salt} of them the salt"
        raise UsageError(f"key of {len(material)} bytes; {taken}")
    with usage_checks():
        tag_bytes = SRTP_TAGS[request.algorithm]
        mki = hexadecimal(request.mki, "--mki") if request.mki else b""
        session = made.Session.derived(material[:-salt], material[-salt:], request.port, tag_bytes, mki)
    if request.decrypt:
        return made.SrtpInbound(session, _window(request, LEAST_SRTP_WINDOW))
    return made.SrtpOutbound(session)


def _pdcp(request: Request) -> Protocol:
    material = hexadecimal(request.key, "--key")
    if request.integrity not in ("", *NIA):
        raise UsageError(f"--integrity {request.integrity}: choose {' or '.join(NIA)}")
    if request.bearer is None or request.direction is None:
        raise UsageError("PDCP needs a bearer and a direction; give --bearer and --direction")
    cipher, combined = int(request.algorithm[-1]), request.algorithm in NCA
    if combined and request.integrity:
        raise UsageError(f"--cipher {request.algorithm} makes MAC-I itself; leave out --integrity")
    integrity = NIA.index(request.integrity) if request.integrity else None
    size = pdcp.key_bytes(cipher)
    needed = size + pdcp.key_bytes(integrity or pdcp.NULL)
    if len(material) != needed:
        each = "16 of nea1 to 3 and nia1 to 3, 32 of the 256-bit algorithms"
        raise UsageError(f"key of {len(material)} bytes; these algorithms take {needed}: {each}")
    first = hexadecimal(request.count or "00000000", "--count")
    if len(first) != 4:
        raise UsageError(f"--count has {len(request.count)} hexadecimal digits; it takes 8")
    with usage_checks():
        bearer = pdcp.Bearer(
            SN_BITS if request.sn_bits is None else request.sn_bits,
            request.bearer,
            request.direction,
            cipher,
            integrity,
            material[:size],
            material[size:],
            user=not request.control,
            combined=combined,
        )
    count = int.from_bytes(first, "big")
    if request.decrypt:
        return made.PdcpInbound(pdcp.Receiver(bearer, count))
    return made.PdcpOutbound(pdcp.Sender(bearer, count))


MAKERS: Mapping[str, Callable[[Request], Protocol]] = MappingProxyType(
    {"esp": _esp, "macsec": _macsec, "srtp": _srtp, "pdcp": _pdcp}
)
