"""The pack that docs/pack-format.md shows byte by byte is a pack, and each of its bytes is shown."""

from __future__ import annotations

from itertools import chain

from lutra.firmware import pack
from support import annotated
from support import small_pack as packs
from support.documents import ROOT, blocks

DOCUMENT = ROOT / "docs/pack-format.md"
(EXAMPLE,) = (block.text for block in blocks(DOCUMENT) if block.language == "text")


def test_the_example_is_what_the_tools_make() -> None:
    assert EXAMPLE.splitlines() == list(annotated.lines(pack.encode(packs.small())))


def test_the_bytes_of_the_example_are_a_pack_that_verifies() -> None:
    data = bytes.fromhex("".join(chain.from_iterable(line[6:42] for line in EXAMPLE.splitlines())))
    contents = pack.verify(data, pack.roots.trusted(packs.made_roots()))
    assert contents.manifest.name == "mole"


def test_every_line_says_where_its_bytes_are() -> None:
    at = 0
    for line in EXAMPLE.splitlines():
        assert int(line[:4], 16) == at
        at += len(bytes.fromhex(line[6:42]))
