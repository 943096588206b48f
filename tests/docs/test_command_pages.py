"""The index of the commands has every command, with the line of `lutra --help`, and their pages have a section each."""

from __future__ import annotations

import re

from lutra.cli.commands import COMMANDS
from support.documents import ROOT, prose

INDEX = ROOT / "docs/programmers-manual/04-command-line.md"
ROW = re.compile(r"\| .*?\| \[(\w+)\]\((commands/[\w-]+\.md)#\1\) \| (.*) \|")
ROWS = [found.groups() for _, line in prose(INDEX) if (found := ROW.fullmatch(line))]


def test_the_index_of_commands_says_what_the_help_says() -> None:
    assert {command: text for command, _, text in ROWS} == dict(COMMANDS)
    assert len(ROWS) == len(COMMANDS)


def test_the_sections_of_a_page_of_commands_are_those_that_the_index_names() -> None:
    pages = {page.relative_to(INDEX.parent).as_posix(): page for page in (INDEX.parent / "commands").glob("*.md")}
    sections = {name: [line[3:] for _, line in prose(page) if line.startswith("## ")] for name, page in pages.items()}
    named: dict[str, list[str]] = {}
    for command, page, _ in ROWS:
        named.setdefault(page, []).append(command)
    assert sections == named
