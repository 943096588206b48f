"""OpenSSL's list of ciphers, and what of the firmware computes each of them.

An algorithm is OpenSSL's of the same name, in capitals or not; where it has another name there, its manifest says so by
the key `openssl`.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lutra.firmware import bench
from lutra.firmware.ciphers import Catalogue, Cipher
from lutra.firmware.errors import FirmwareError
from lutra.firmware.session import Session
from lutra.iss import engine as engines

COMMAND = ("openssl", "list", "-cipher-algorithms", "-provider", "default", "-provider", "legacy")
REMEDY = "install OpenSSL 3.0 or later with its command line (Debian: apt-get install openssl)"
# `{ 2.16.840.1.101.3.4.1.2, AES-128-CBC, AES128 } @ default`, or a name alone.
PROVIDED = re.compile(r"\s*(?:\{ (?P<names>.+) \}|(?P<name>\S+)) @ \S+")
# `aes128 => AES-128-CBC`, in the list of names before the one of the providers.
ALIAS = re.compile(r"\s*(\S+) => \S+")
OBJECT_IDENTIFIER = re.compile(r"[\d.]+")
# A cipher and a MAC in one name, of TLS; and what leaves data as it is.
NO_CIPHER = re.compile(r".*-HMAC-.*|NULL")


@dataclass(frozen=True)
class Listed:
    """A cipher of OpenSSL's: its name, and others that it goes by."""

    name: str
    others: tuple[str, ...]

    def is_called(self, name: str) -> bool:
        return name.lower() in (other.lower() for other in (self.name, *self.others))


@dataclass(frozen=True)
class Served:
    """A cipher of OpenSSL's and the algorithm that computes it, if there is one.

    encrypt, decrypt: cycles per byte of a long message, None where no algorithm runs.
    """

    listed: Listed
    cipher: Cipher | None
    encrypt: float | None = None
    decrypt: float | None = None

    def as_json(self) -> dict[str, object]:
        """An object of `lutra ciphers --openssl --json`."""
        return {
            "openssl": self.listed.name,
            "others": list(self.listed.others),
            "name": self.cipher and self.cipher.name,
            "encrypt_cycles_per_byte": None if self.encrypt is None else round(self.encrypt, 4),
            "decrypt_cycles_per_byte": None if self.decrypt is None else round(self.decrypt, 4),
        }


def listed() -> tuple[Listed, ...]:
    """The ciphers of the installed OpenSSL, in the order of their names. FirmwareError where there is none."""
    try:
        done = subprocess.run(COMMAND, capture_output=True, text=True, check=False)
    except OSError as error:
        raise FirmwareError(f"cannot run openssl: {error.strerror}; {REMEDY}") from error
    found = parsed(done.stdout)
    if done.returncode or not found:
        said = next(iter(done.stderr.splitlines()), f"exit code {done.returncode}")
        raise FirmwareError(f"`{' '.join(COMMAND)}` lists no ciphers: {said}; {REMEDY}")
    return found


def parsed(text: str) -> tuple[Listed, ...]:
    """The ciphers of what `openssl list` prints: those that a provider has."""
    lines = text.splitlines()
    aliases = {alias[1].lower() for line in lines if (alias := ALIAS.fullmatch(line))}
    found = [_listed(entry, aliases) for line in lines if (entry := PROVIDED.fullmatch(line))]
    return tuple(sorted((c for c in found if not NO_CIPHER.fullmatch(c.name)), key=lambda c: c.name.lower()))


def _listed(entry: re.Match[str], aliases: set[str]) -> Listed:
    """The name is the first that is no alias of another."""
    stated = (entry["names"] or entry["name"]).split(", ")
    names = [name for name in stated if not OBJECT_IDENTIFIER.fullmatch(name)]
    name = next((n for n in names if n.lower() not in aliases), names[0])
    return Listed(name, tuple(n for n in names if n != name))


def serving(known: Catalogue, wanted: Listed) -> Cipher | None:
    """The algorithm that computes a cipher of OpenSSL's."""
    candidates = (c for c in known.offered if c.streams == 1 and c.openssl and wanted.is_called(c.openssl))
    return next(known.running(candidates), None)


def served(known: Catalogue, wanted: Iterable[Listed]) -> Iterator[Served]:
    """Each of the ciphers with what computes it, and its cycles, counted on the simulator, whose cycles are the core's.

    No run depends on values (tests/firmware), so any will do.
    """
    machine = engines.make("iss")
    for each in wanted:
        cipher = serving(known, each)
        yield Served(each, cipher, *(_cycles(machine, cipher) if cipher else ()))


def _cycles(machine: engines.Engine, cipher: Cipher) -> Iterator[float]:
    """Per byte of a long message, of both directions."""
    for direction in cipher.default.entries:
        session = Session(machine)
        session.set_up(cipher, direction, bytes(cipher.key_bits // 8), bytes(cipher.iv_bytes))
        jobs = bench.measured_jobs(session, cipher)
        yield jobs.more_cycles / jobs.more_units / cipher.unit_bytes
