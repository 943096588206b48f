"""The error of the demo."""

from __future__ import annotations


class DemoError(Exception):
    """The demo cannot run, or has found something wrong; the message is one line."""
