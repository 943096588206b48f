"""The command that measures the assembler, on a small program."""

import subprocess
import sys
from pathlib import Path

from assembly_speed import once, program
from lutra.asm import assemble

ROOT = Path(__file__).parents[2]


def test_the_large_program_has_no_findings_and_the_size_that_is_asked_for(tmp_path: Path) -> None:
    source = program.write(tmp_path, files=3, lines=900)
    found = assemble([source], program_words=program.WORDS, warnings=["all", "no-stalls"])
    assert found.warnings == ()
    assert len(list(tmp_path.glob("part*.inc"))) == 3
    lines = [line for file in tmp_path.glob("*.inc") for line in file.read_text().split("\n")]
    assert 900 <= sum(map(program.is_code, lines)) < 1100
    assert len(found.program) >= 900


def test_the_same_seed_writes_the_same_program() -> None:
    assert program.texts(2, 300, seed=5) == program.texts(2, 300, seed=5) != program.texts(2, 300, seed=6)


def test_a_measurement_leaves_the_program_as_it_was(tmp_path: Path) -> None:
    program.write(tmp_path, files=2, lines=400)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    found = once.measure(tmp_path)
    assert found.keys() == {"words", once.SOURCE, once.AGAIN, once.CHANGED, once.ELF}
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_the_command_prints_a_table() -> None:
    command = [sys.executable, "-m", "assembly_speed", "--lines", "300", "--files", "2", "--runs", "1"]
    printed = subprocess.run(command, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout
    assert printed.startswith("300 instruction lines in 2 files, ")
    assert "first assembly in a process" in printed
    assert "ELF file" in printed
