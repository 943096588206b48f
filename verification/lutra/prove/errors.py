"""Why something is not proved."""

from __future__ import annotations


class Unprovable(Exception):
    """The method does not reach this far: nothing is said about the firmware."""


class Refuted(Exception):
    """The firmware differs from its specification, or its time depends on a secret."""
