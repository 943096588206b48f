"""The names of OpenSSL's ciphers, as the installed one lists them."""

from __future__ import annotations

import functools
import re
import subprocess
from dataclasses import dataclass

from lutra.firmware.errors import FirmwareError

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


def listed() -> tuple[Listed, ...]:
    """Return the ciphers of the installed OpenSSL, sorted by name. Raises FirmwareError without OpenSSL."""
    try:
        done = subprocess.run(COMMAND, capture_output=True, text=True, check=False)
    except OSError as error:
        raise FirmwareError(f"cannot run openssl: {error.strerror}; {REMEDY}") from error
    found = parsed(done.stdout)
    if done.returncode or not found:
        said = next(iter(done.stderr.splitlines()), f"exit code {done.returncode}")
        raise FirmwareError(f"`{' '.join(COMMAND)}` lists no ciphers: {said}; {REMEDY}")
    return found


@functools.cache
def same_as(name: str) -> tuple[str, ...]:
    """All names of the cipher that goes by this one; the name alone where OpenSSL has none, or is not there."""
    try:
        found = next((each for each in listed() if each.is_called(name)), None)
    except FirmwareError:
        found = None
    return (found.name, *found.others) if found else (name,)


def parsed(text: str) -> tuple[Listed, ...]:
    """The ciphers of what `openssl list` prints: those that a provider has."""
    lines = text.splitlines()
    aliases = {alias[1].lower() for line in lines if (alias := ALIAS.fullmatch(line))}
    found = [_listed(entry, aliases) for line in lines if (entry := PROVIDED.fullmatch(line))]
    return tuple(sorted((c for c in found if not NO_CIPHER.fullmatch(c.name)), key=lambda c: c.name.lower()))


def _listed(entry: re.Match[str], aliases: set[str]) -> Listed:
    """Return the first name that is not an alias of another."""
    stated = (entry["names"] or entry["name"]).split(", ")
    names = [name for name in stated if not OBJECT_IDENTIFIER.fullmatch(name)]
    name = next((n for n in names if n.lower() not in aliases), names[0])
    return Listed(name, tuple(n for n in names if n != name))
