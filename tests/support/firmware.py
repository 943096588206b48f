"""Every implementation that a manifest offers, in each direction, and the headers of all routines; of withdrawn ciphers
too, which are not installed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from lutra.asm.headers import Headers
from lutra.firmware.ciphers import ImageSource
from lutra.firmware.manifest import NAME, catalogue_with
from lutra.firmware.testing.cases import Case, cases
from lutra.firmware.testing.timing import is_variable

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
    *("chacha20_poly1305_encrypt", "chacha20_poly1305_decrypt"),
}


def is_typical(case: Case) -> bool:
    """Whether its key is the smallest or the largest of its image."""
    sizes = KEY_SIZES[case.implementation.image]
    return case.cipher.key_bits in (min(sizes), max(sizes))


def few(cases: Iterable[Case]) -> Iterator[Case]:
    """The typical ones, and of the others those that run a routine that no case before them runs, unless its time may
    depend on secrets."""
    seen: set[tuple[ImageSource, str]] = set()
    for case in sorted(cases, key=is_typical, reverse=True):
        own = {(case.implementation.image, name) for name in (*case.set_up, *case.jobs) if not is_variable(name)}
        if is_typical(case) or own - seen:
            seen |= own
            yield case


KEY_SIZES: dict[ImageSource, set[int]] = {}
for _case in IMPLEMENTATIONS:
    KEY_SIZES.setdefault(_case.implementation.image, set()).add(_case.cipher.key_bits)
