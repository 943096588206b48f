"""Show names safely: characters that are not text or would move the cursor are escaped with a backslash."""

from __future__ import annotations

import codecs
import io
import sys

_HANDLER = "lutra.escaped"


def printable(text: str, keep: str = "") -> str:
    """Escape control characters other than `keep`, and bytes of a name that are not UTF-8, as \\xNN."""
    return "".join(c if c.isprintable() or c in keep else _escape(c) for c in text)


def escape_on_standard_streams() -> None:
    """Escape as well the characters that the encoding of standard output or standard error lacks."""
    codecs.register_error(_HANDLER, _unencodable)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_HANDLER)


def _unencodable(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    return "".join(map(_escape, error.object[error.start : error.end])), error.end


def _escape(character: str) -> str:
    # Python represents a byte that it cannot decode by one of these.
    if "\udc80" <= character <= "\udcff":
        return f"\\x{ord(character) & 0xFF:02x}"
    return character.encode("unicode_escape").decode()
