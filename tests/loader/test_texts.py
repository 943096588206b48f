"""Every result has its text, and nothing else has."""

from __future__ import annotations

from support.loader import RESULTS, TEXTS, Library


def test_texts_are_those_of_the_header(library: Library) -> None:
    assert tuple(library.c.lutra_text(n).decode() for n in range(len(RESULTS))) == TEXTS
    assert len(set(TEXTS)) == len(RESULTS)
    assert library.c.lutra_text(len(RESULTS)) == b"no result of the loader"
