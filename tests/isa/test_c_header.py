"""The C header of the core says what the tables say."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from lutra.isa import load

ISA = load()
HEADER = Path(__file__).parents[2] / "build" / "gen" / "c" / "lutra_isa.h"
PROGRAM = """#include "lutra_isa.h"
#define ROW(code, kind) memory code kind
major LUTRA_ISA_MAJOR
minor LUTRA_ISA_MINOR
VectorBytes LUTRA_ISA_ROW_BYTES
ProgramWords LUTRA_ISA_PROGRAM_WORDS
MemoryRows LUTRA_ISA_MEMORY_ROWS
TableRows LUTRA_ISA_TABLE_ROWS
StreamContexts LUTRA_ISA_STREAM_CONTEXTS
idle LUTRA_ISA_IDLE
running LUTRA_ISA_RUNNING
waiting LUTRA_ISA_WAITING
halted LUTRA_ISA_HALTED
trapped LUTRA_ISA_TRAPPED
faulted LUTRA_ISA_FAULTED
word LUTRA_ISA_WORD_BYTES
LUTRA_ISA_MEMORIES(ROW)
"""


def preprocessed() -> str:
    command = ["gcc", "-E", "-P", "-xc", f"-I{HEADER.parent}", "-"]
    return subprocess.run(command, input=PROGRAM, capture_output=True, text=True, check=True).stdout


def test_header_has_the_numbers_of_the_tables() -> None:
    found = {name: int(number) for name, number in re.findall(r"^(\w+) (\d+)u$", preprocessed(), re.M)}
    states = {state.name: state.code for state in ISA.states}
    assert found == states | {"major": ISA.version.major, "minor": ISA.version.minor, "word": 8} | {
        name: ISA.machine[name] for name in ("VectorBytes", "ProgramWords", "MemoryRows", "TableRows", "StreamContexts")
    }


def test_header_has_each_memory_once_and_no_name_for_several() -> None:
    found = {int(code): kind for code, kind in re.findall(r"memory (\d+)u (\w+)", preprocessed())}
    kinds = {
        space.code: "PROGRAM" if space.is_program else "DATA" if space.blocks else "TABLE"
        for space in ISA.spaces
        if len(space.blocks) + len(space.banks) < 2
    }
    assert found == kinds
