"""The host's reads and writes of the simulator's memories, behind the checks of its Python front."""

from __future__ import annotations

import struct

import pytest

import lutra
from lutra.isa import load

SPACES = [space.code for space in load().spaces]


@pytest.mark.parametrize("code", SPACES)
def test_nothing_beyond_a_space(code: int) -> None:
    backend = lutra.make_engine("iss").backend
    size = backend.size(code)
    backend.write(code, size, b"")
    assert backend.read(code, size, 0) == b""
    for offset, length in ((size, 1), (size + 1, 0), (0, size + 1)):
        with pytest.raises(Exception, match="beyond"):
            backend.write(code, offset, bytes(length))
        with pytest.raises(Exception, match="beyond"):
            backend.read(code, offset, length)


def test_no_other_space() -> None:
    backend = lutra.make_engine("iss").backend
    for code in set(range(256)) - set(SPACES):
        with pytest.raises(Exception, match="no such memory space"):
            backend.size(code)


def test_a_part_of_an_instruction_is_decoded() -> None:
    one, other = (lutra.assemble_text(f"jmp {n}\n.org 1\nhalt\nnotify 7\nhalt").program for n in (1, 2))
    engine = lutra.make_engine("iss")
    engine.load(lutra.Image(program=one))
    before, behind = (struct.pack("<Q", words[0]) for words in (one, other))
    at = next(n for n in range(8) if before[n] != behind[n])
    engine.write("pm", at, behind[at : at + 1])
    assert engine.run(0).instructions == 3
