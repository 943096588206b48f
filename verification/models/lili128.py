"""LILI-128 (Dawson, Clark, Golic, Millan, Penna and Simpson; NESSIE submission, 2000) by its recursions."""

from __future__ import annotations

TAPS_C = (37, 25, 24, 22, 8, 6, 4, 0)
TAPS_D = (88, 50, 47, 36, 34, 9, 6, 0)
FILTERED = (0, 1, 3, 7, 12, 20, 30, 44, 65, 80)
# The truth table of fd, index 0 first.
FD = bytes.fromhex(
    "3cc3c33c3cc3c33c3cc3c33cc33c3cc35aa5a55a5aa5a55a5aa5a55aa55a5aa5"
    "669999666699996669699696699669960ff0f00ff00f0ff033cccc33cc3333cc"
    "3c3cc3c3c3c33c3c3cc33cc3c33cc33c55aaaa55aa5555aa5a5aa5a5a5a55a5a"
    "5aa55aa5a55aa55a666699999999666666996699996699666969696996969696"
)


def _clocked(register: list[int], taps: tuple[int, ...]) -> list[int]:
    return [*register[1:], sum(register[tap] for tap in taps) % 2]


def keystream(key: bytes, size: int) -> bytes:
    """The first bytes; a bit is the most significant one that a byte has not yet."""
    bits = [byte >> 7 - i & 1 for byte in key for i in range(8)]
    c, d = bits[:39], bits[39:]
    out = 0
    for _ in range(8 * size):
        index = int("".join(str(d[stage]) for stage in FILTERED), 2)
        out = out << 1 | FD[index // 8] >> 7 - index % 8 & 1
        clocks = 2 * c[12] + c[20] + 1
        c = _clocked(c, TAPS_C)
        for _ in range(clocks):
            d = _clocked(d, TAPS_D)
    return out.to_bytes(size, "big")
