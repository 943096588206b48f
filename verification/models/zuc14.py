"""ZUC 1.4, the version before TS 35.222: in initialisation mode u enters the LFSR by XOR, which is not a bijection.

After Wu, Huang, Nguyen, Wang, Ling: Differential Attacks against Stream Cipher ZUC (ASIACRYPT 2012).
"""

from __future__ import annotations

from models import zuc


class Zuc14(zuc.Zuc):
    """Differs in the 32 clocks of the initialisation only."""

    def entered(self, v: int, u: int) -> int:
        """Zero, which is not an LFSR word, for v = u; 2^31 - 1, which replaces it, for v = 2^31 - 1 - u too."""
        return v ^ u


def keystream(key: bytes, iv: bytes, size: int) -> bytes:
    """The first `size` bytes."""
    return zuc.bytes_of(Zuc14(key, iv), size)
