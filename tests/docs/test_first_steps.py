"""First steps of a user: the commands named exist, and the model page says what the machine does."""

from __future__ import annotations

import re
import subprocess

import pytest

from lutra.cli.main import main
from lutra.isa import load
from lutra.isa.sections import Table, sections
from support.documents import ROOT

README = (ROOT / "README.md").read_text()
MODEL = (ROOT / "docs/programmers-manual/01-model.md").read_text()
WRAPPER = re.compile(r"\./lutra ((?:--)?\w+)")


def printed_after_the_demo() -> str:
    """Output of `make demo` after the demonstration."""
    recipe = subprocess.run(["make", "-n", "demo"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return recipe.rpartition("./lutra demo\n")[2]


def commands() -> set[str]:
    """Words that `./lutra` is followed by where a newcomer is told to type it."""
    return set(WRAPPER.findall(printed_after_the_demo() + README)) - {"--with"}


def test_the_demo_ends_with_what_to_type_next() -> None:
    said = printed_after_the_demo()
    assert 'echo "Next' in said and "First firmware" in said and len(WRAPPER.findall(said)) >= 3


def test_a_newcomer_may_type_it_in_any_folder() -> None:
    run = subprocess.run([ROOT / "lutra", "asm", "--help"], cwd="/", capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("command", sorted(commands()))
def test_a_command_that_a_newcomer_types_exists(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = main([command] if command.startswith("-") else [command, "--help"])
    assert (code, capsys.readouterr().err) == (0, "")


def test_the_readme_writes_the_command_as_it_is_found() -> None:
    assert not re.findall(r"(?<![/\w])lutra [a-z]+ (?:-|\w+\.)", README)


def test_moves_are_said_of_the_instructions_that_have_them() -> None:
    # `hold` cannot be set by others, so a reader must not try.
    paragraph = next(p for p in MODEL.split("\n\n") if "**move**" in p)
    named = re.findall(r"`lutra isa (\w+)`", paragraph)
    assert named and all(insn.facts.move for mnemonic in named for insn in load().lookup(mnemonic))
    # After the keys; only the hash unit's step follows it.
    assert "written after its keys" in " ".join(paragraph.split())
    last = {tuple(o.name for o in insn.operands[-3:]) for insn in load().instructions if insn.facts.move}
    assert last == {("keys", "move", "step")}
    assert "No other instruction takes one" in " ".join(paragraph.split())


def test_the_cost_of_ctr_and_wk_is_said_where_registers_are() -> None:
    registers = " ".join(MODEL.partition("## Registers")[2].partition("\n## ")[0].split())
    name = re.search(r"`(\w+)` in the table of \[hazards\]", registers)
    assert name
    table = next(part for part in sections()["hazards"][0].body if isinstance(part, Table))
    rows = {row[0]: dict(zip(table.columns, row, strict=True)) for row in table.rows}
    cost, vector = rows[name[1]], rows["vector_x2"]
    assert "wk as first source" in cost["the instruction in ID reads"] and cost["bypassed"] == ""
    assert int(cost["two rounds"]) > int(vector["two rounds"])
