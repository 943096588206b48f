"""The error of this package."""

from __future__ import annotations


class FaultsError(Exception):
    """A campaign cannot be run; the text says what to do."""
