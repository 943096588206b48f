"""The error that stops an optimisation."""

from __future__ import annotations


class OptimizeError(Exception):
    """A loop cannot be optimised; the message has the place and the reason."""
