"""The host's reads and writes of a machine's memories, at the bindings, which check them."""

from __future__ import annotations

import struct

import pytest

import lutra
from lutra.isa import load

SPACES = [space.code for space in load().spaces]


@pytest.mark.parametrize("name", lutra.engine.names())
@pytest.mark.parametrize("code", SPACES)
def test_an_access_beyond_a_space_is_refused(code: int, name: lutra.engine.EngineName) -> None:
    backend = lutra.make_engine(name).backend
    size = backend.size(code)
    backend.write(code, size, b"")
    assert backend.read(code, size, 0) == b""
    for offset, length in ((size, 1), (size + 1, 0), (0, size + 1), (-1, 1)):
        with pytest.raises(Exception, match="beyond"):
            backend.write(code, offset, bytes(length))
        with pytest.raises(Exception, match="beyond"):
            backend.read(code, offset, length)
    with pytest.raises(Exception, match="beyond"):
        backend.read(code, 0, -1)


@pytest.mark.parametrize("name", lutra.engine.names())
def test_a_code_of_no_space_is_refused(name: lutra.engine.EngineName) -> None:
    backend = lutra.make_engine(name).backend
    for code in set(range(256)) - set(SPACES):
        with pytest.raises(Exception, match="no such memory space"):
            backend.size(code)


@pytest.mark.parametrize("name", lutra.engine.names())
def test_an_access_that_does_not_fit_is_told_in_one_line(name: lutra.engine.EngineName) -> None:
    engine = lutra.make_engine(name)
    for offset, text in ((0xFFF, "m0@0xfff: 2 bytes do not fit; m0 has 0x1000"), (-1, "m0@-0x1: 2 bytes do not fit")):
        with pytest.raises(lutra.EngineError, match=text):
            engine.write("m0", offset, bytes(2))
        with pytest.raises(lutra.EngineError, match=text):
            engine.read("m0", offset, 2)


def test_a_part_of_an_instruction_is_decoded() -> None:
    one, other = (lutra.assemble_text(f"jmp {n}\n.org 1\nhalt\nnotify 7\nhalt").program for n in (1, 2))
    engine = lutra.make_engine("iss")
    engine.load(lutra.Image(program=one))
    before, after = (struct.pack("<Q", words[0]) for words in (one, other))
    at = next(n for n in range(8) if before[n] != after[n])
    engine.write("pm", at, after[at : at + 1])
    assert engine.run(0).instructions == 3
