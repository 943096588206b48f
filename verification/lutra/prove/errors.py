"""Why something is not proved."""

from __future__ import annotations


class Unprovable(Exception):  # noqa: N818 (an outcome)
    """The method does not reach this far: nothing is said about the firmware."""


class Refuted(Exception):  # noqa: N818
    """The firmware differs from its specification, or its time depends on a secret."""
