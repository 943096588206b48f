"""Every implementation that a manifest offers, in each direction, and the headers of all routines; of withdrawn ciphers
too, which are not installed."""

from __future__ import annotations

from pathlib import Path

from lutra.asm.analysis.headers import Headers
from lutra.firmware.ciphers import ImageSource
from lutra.firmware.manifest import NAME, catalogue_with
from lutra.firmware.testing.cases import Case, cases

FIRMWARE = Path(__file__).parents[2] / "firmware"
WITHDRAWN = FIRMWARE / "withdrawn"
EVERYTHING = catalogue_with(sorted(WITHDRAWN.glob(f"*/{NAME}")))
IMPLEMENTATIONS = list(cases(EVERYTHING))
HEADERS = Headers.of_files(
    sorted(file for suffix in ("s", "inc") for at in ("*", "withdrawn/*") for file in FIRMWARE.glob(f"{at}/*.{suffix}"))
)

# Routines with a branch or a count that the firmware takes from memory, where it has put it before, or from an address
# register that goes round a window: their cycles are known in a run only.
RUN_ONLY = {
    *(f"serpent_{mode}4{way}" for mode in ("ecb", "cbc", "cfb") for way in ("_encrypt", "_decrypt")),
    *("serpent_ofb4", "serpent_ctr4", "hc128", "poly1305", "poly1305_update"),
    *("chacha20_poly1305_absorb", "chacha20_poly1305_absorb_last"),
    *("chacha20_poly1305_encrypt", "chacha20_poly1305_decrypt", "poly1305_mul", "poly1305_update_mul"),
    *("chacha20_poly1305_absorb_mul", "chacha20_poly1305_absorb_last_mul"),
    *("chacha20_poly1305_encrypt_mul", "chacha20_poly1305_decrypt_mul"),
}


def is_typical(case: Case) -> bool:
    """Whether its key size is looked at: of an image that takes more than four, the smallest and the largest."""
    sizes = KEY_SIZES[case.implementation.image]
    return len(sizes) <= 4 or case.cipher.key_bits in (min(sizes), max(sizes))


KEY_SIZES: dict[ImageSource, set[int]] = {}
for _case in IMPLEMENTATIONS:
    KEY_SIZES.setdefault(_case.implementation.image, set()).add(_case.cipher.key_bits)
