"""OpenSSL's list of ciphers, and what of the firmware computes each of them.

An algorithm is OpenSSL's of the same name, in capitals or not; where it has another name there, its manifest says so by
the key `openssl`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from lutra.firmware import bench
from lutra.firmware.ciphers import Catalogue, Cipher
from lutra.firmware.openssl_names import Listed, listed, parsed
from lutra.firmware.session import Session
from lutra.iss import engine as engines

__all__ = ["Listed", "Served", "listed", "parsed", "served", "serving"]


@dataclass(frozen=True)
class Served:
    """A cipher of OpenSSL and the algorithm that computes it, if there is one.

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


def serving(known: Catalogue, wanted: Listed) -> Cipher | None:
    """The algorithm that computes a cipher of OpenSSL's."""
    found = known.of_openssl((wanted.name, *wanted.others))
    return next(known.running((found,)), None) if found else None


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
    for direction in cipher.directions:
        session = Session(machine)
        session.set_up(cipher, direction, bytes(cipher.key_bits // 8), bytes(cipher.iv_bytes))
        jobs = bench.measured_jobs(session, cipher)
        yield jobs.more_cycles / jobs.more_units / cipher.unit_bytes
