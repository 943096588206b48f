"""The error of this package."""


class SpeedError(Exception):
    """Something cannot be measured; the text is one line with the remedy."""
