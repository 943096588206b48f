"""Monte Carlo tests: long chains of single blocks, in which any wrong bit changes the end.

The procedure is NIST's for AES (AESAVS 6.4), and the same for Camellia (lutra.firmware.monte_carlo). The package
`cryptography` computes the same chain; all intermediate results must be equal.

    python -m nightly.monte_carlo --engine cosim
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable

from cryptography.hazmat.decrepit.ciphers.algorithms import Camellia
from cryptography.hazmat.decrepit.ciphers.modes import CFB, OFB
from cryptography.hazmat.primitives.ciphers import Cipher as Library
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CBC, ECB

from lutra.firmware.manifest import Cipher, Direction, catalogue
from lutra.firmware.monte_carlo import Begin, Step, chain, firmware
from lutra.firmware.session import ROW, Session
from lutra.iss import engine as engines

OUTER, INNER = 100, 1000  # AESAVS 6.4
FAMILIES = {"aes": AES, "camellia": Camellia}
MODES: dict[str, Callable[[bytes], ECB | CBC | CFB | OFB]] = {
    "ecb": lambda _: ECB(),
    "cbc": CBC,
    "cfb": CFB,
    "ofb": OFB,
}


def library(cipher: Cipher, direction: Direction) -> Begin:
    """The cipher by OpenSSL."""
    family, _, mode = cipher.name.split("-")

    def begin(key: bytes, iv: bytes) -> Step:
        made = Library(FAMILIES[family](key), MODES[mode](iv))
        return (made.encryptor() if direction == "encrypt" else made.decryptor()).update

    return begin


def cases() -> list[tuple[Cipher, Direction]]:
    """Both directions of every cipher with this procedure."""
    parts = [(c, c.name.split("-")) for c in catalogue().ciphers]
    return [
        (cipher, direction)
        for cipher, part in parts
        if part[0] in FAMILIES and part[2:] in [[m] for m in MODES]
        for direction in ("encrypt", "decrypt")
    ]


def agree(session: Session, cipher: Cipher, direction: Direction, outer: int, inner: int) -> bool:
    """Whether firmware and library agree from the same random start."""
    rng = random.Random(f"{cipher.name} {direction}")
    key, iv, block = rng.randbytes(cipher.key_bits // 8), rng.randbytes(cipher.iv_bytes), rng.randbytes(ROW)
    ours = chain(firmware(session, cipher, direction), key, iv, block, outer, inner)
    theirs = chain(library(cipher, direction), key, iv, block, outer, inner)
    return all(a == b for a, b in zip(ours, theirs, strict=True))


def main() -> int:
    """Run all cases; return 1 if one is wrong."""
    parser = argparse.ArgumentParser(prog="python -m nightly.monte_carlo", description="Monte Carlo tests.")
    parser.add_argument("--engine", choices=["iss", "rtl", "cosim"], default="cosim")
    engine = parser.parse_args().engine
    session = Session(engines.make(engine))
    wrong = 0
    for cipher, direction in cases():
        start = time.monotonic()
        good = agree(session, cipher, direction, OUTER, INNER)
        wrong += not good
        print(
            f"{cipher.name:16} {direction}  {'ok' if good else 'WRONG'}  {time.monotonic() - start:.1f} s", flush=True
        )
    print(f"{len(cases()) - wrong} of {len(cases())} chains of {OUTER} x {INNER} blocks, {engine}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
