"""The editor's grammar, read by an independent reader of TextMate grammars, colours every source of the project."""

from __future__ import annotations

import json
import logging
import re
import shlex
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from textmate_grammar.parsers.base import LanguageParser

from lutra.asm import AsmError, assemble
from lutra.asm.text.textmate import grammar
from lutra.isa import load
from support.documents import ROOT
from support.sampling import sampled

EXTENSION = ROOT / "editor/vscode"
SOURCES = sorted([*ROOT.glob("firmware/**/*.s"), *ROOT.glob("firmware/**/*.inc")])
# Labels, then the word that says what a line does.
FIRST_WORD = re.compile(r"\s*(?:[\w.$\\@+()]+:\s*)*(\.?[A-Za-z_][\w$]*)(?=\s|$)")
# VS Code's own pattern $gcc, which the tasks use.
GCC = re.compile(r"^(.*?):(\d+):(\d*):?\s+(?:fatal\s+)?(warning|error):\s+(.*)$")


@cache
def parser() -> Any:
    logging.getLogger("textmate_grammar").setLevel(logging.CRITICAL)
    return LanguageParser(grammar())


def scopes(text: str) -> dict[tuple[int, int], tuple[str, str]]:
    """(text, innermost scope without the language) by line and column."""
    return {at: (part, found[-1].removesuffix(".lutra")) for at, part, found in parser().parse_string(text).flatten()}


def test_the_committed_grammar_is_that_of_the_description() -> None:
    committed = (EXTENSION / "syntaxes/lutra.tmLanguage.json").read_text()
    assert committed == json.dumps(grammar(), indent=2) + "\n", "run: make reference"


@pytest.mark.parametrize("insn", load().instructions, ids=lambda insn: insn.name)
def test_every_mnemonic_has_the_scope_of_its_group(insn: Any) -> None:
    group = next(g.name for g in load().groups if g.record == insn.group)
    wanted = "keyword.control.flow" if insn.facts.transfer else f"support.function.{group}"
    assert scopes(f"a:      {insn.mnemonic}     v0 // b\n")[0, 8] == (insn.mnemonic, wanted)


@pytest.mark.parametrize(
    ("line", "column", "part", "scope"),
    [
        ("key:    halt", 0, "key", "entity.name.label"),
        (".L_a\\@: halt", 0, ".L_a\\@", "entity.name.label"),
        ("rounds = 10", 0, "rounds", "variable.other.constant"),
        ("        .section t0.*", 17, "t0.*", "entity.name.section"),
        ("        .macro  round x", 16, "round", "entity.name.function.macro"),
        ("        round   v0, v1", 8, "round", "entity.name.function.macro"),
        ("        .byte   5 * \\+", 20, "\\+", "variable.parameter"),
        ("        .row    00ff", 8, ".row", "keyword.control.directive"),
        ("        .ascii  \"a // b\"", 16, '"a // b"', "string.quoted.double"),
        ("        mov     v0, m2[ar0++]", 16, "v0", "variable.language.register.vector"),
        ("        mov     v0, m2[ar0++]", 20, "m2", "support.type.memory"),
        ("        mov     v0, m2[ar0++]", 23, "ar0", "variable.language.register.address"),
        ("        mov     t0:t1[ar2++], v0", 16, "t0:t1", "support.type.memory"),
        ("        snow    c0:c1", 19, "c1", "variable.language.register.context"),
        ("        arset   ar0, 0x1f", 21, "0x1f", "constant.numeric"),
        ("        arset   ar0, 'a'", 21, "'a'", "constant.character"),
        ("        halt // end", 13, "// end", "comment.line.double-slash"),
        ("        halt ; end", 13, "; end", "comment.line.semicolon"),
    ],
)  # fmt: skip
def test_what_a_line_consists_of_has_its_scope(line: str, column: int, part: str, scope: str) -> None:
    assert scopes(line + "\n")[0, column] == (part, scope)


def test_a_name_that_begins_like_an_instruction_is_not_one() -> None:
    assert scopes("        arset   ar0, xor_key\n")[0, 19] == (", xor_key", "source")


MORE = pytest.mark.nightly("nine sources of ten of the firmware, whose lines are alike")


@pytest.mark.parametrize("source", sampled(SOURCES, 10, MORE), ids=lambda path: path.name)
def test_every_first_word_of_the_firmware_is_known(source: Path) -> None:
    text = source.read_text()
    found = scopes(text)
    comments = {line for (line, _), (_, scope) in found.items() if scope.startswith("comment.block")}
    unknown = []
    for number, line in enumerate(text.splitlines()):
        word = FIRST_WORD.match(line.split("//")[0])
        if word and number not in comments and not re.match(r"\s*=(?!=)", line[word.end() :]):
            part, scope = found.get((number, word.start(1)), ("", ""))
            if part != word[1] or not scope.startswith(("keyword", "support", "entity.name")):
                unknown.append(f"{source.name}:{number + 1}: {word[1]}: {scope or 'no scope'}")
    assert not unknown


# ------------------------------------------------------------------------------- the folder for the editor


def test_the_extension_names_files_that_exist() -> None:
    package = json.loads((EXTENSION / "package.json").read_text())
    contributes = package["contributes"]
    named = [contributes["grammars"][0]["path"], contributes["languages"][0]["configuration"]]
    assert all((EXTENSION / path).is_file() for path in named)
    assert contributes["grammars"][0]["scopeName"] == grammar()["scopeName"]
    assert contributes["grammars"][0]["language"] == contributes["languages"][0]["id"]


def test_the_tasks_name_commands_that_exist() -> None:
    tasks = json.loads((ROOT / ".vscode/tasks.json").read_text())["tasks"]
    for task in tasks:
        if task["command"] == "make":
            run = subprocess.run(["make", "-n", *task["args"]], cwd=ROOT, capture_output=True, text=True, check=False)
        else:
            command = task["command"].replace("${workspaceFolder}", str(ROOT))
            run = subprocess.run([*shlex.split(command), task["args"][0], "--help"], capture_output=True, text=True)
        assert run.returncode == 0, (task["label"], run.stderr)


def test_diagnostics_are_found_by_the_problem_matcher(tmp_path: Path) -> None:
    source = tmp_path / "case.s"
    source.write_text("        .section text\n        xor     v8, v1, v2\n")
    with pytest.raises(AsmError) as caught:
        assemble([source])
    found = [match for line in str(caught.value).splitlines() if (match := GCC.match(line))]
    assert [(m[1], m[2], m[3], m[4]) for m in found] == [(str(source), "2", "17", "error")]


@pytest.mark.parametrize("name", ["extensions.json", "settings.json", "tasks.json"])
def test_the_settings_are_json_without_comments(name: str) -> None:
    assert json.loads((ROOT / ".vscode" / name).read_text())
