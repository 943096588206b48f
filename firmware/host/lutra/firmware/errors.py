"""Errors between the host and the firmware, each in one line with its remedy."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class FirmwareError(Exception):
    """A manifest, a key, an input or a vector file that cannot be used; the text is one line for the user."""


class InputError(FirmwareError):
    """An input that an algorithm refuses: a key, nonce, text or tag of a wrong length, a wrong padding, a wrong tag.

    Never a fault of firmware or engine, so that a test of bad input can tell a refusal from a breakdown.
    """


def nearest(word: str, known: Iterable[str]) -> str:
    """`; did you mean ...?` for the most similar known word, or an empty text."""
    close = difflib.get_close_matches(word, list(known), n=1)
    return f"; did you mean {close[0]}?" if close else ""
