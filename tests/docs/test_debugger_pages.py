"""The manual has every command of the debugger as it is, and the page of the debugger keeps its promise."""

from __future__ import annotations

import re

from lutra.debug.commands import COMMANDS
from support.documents import ROOT

MANUAL = ROOT / "docs/programmers-manual/06-debugger.md"
PAGE = ROOT / "docs/how-to/debug-firmware.md"
# In how many commands the wrong rotation is found, without a program.
MOST_COMMANDS = 10


def test_the_manual_has_every_command_of_the_debugger() -> None:
    rows = []
    for command in COMMANDS.all:
        usage, short = command.usage.replace("|", "\\|"), ", ".join(f"`{name}`" for name in command.aliases)
        rows.append(f"| `{usage}` | {short} | {command.summary} |")
    section = MANUAL.read_text().partition("## Commands")[2].partition("\nA PLACE")[0]
    assert [line for line in section.splitlines() if line.startswith("| `")] == rows


def test_the_wrong_rotation_is_found_in_at_most_ten_commands_without_a_program() -> None:
    section = PAGE.read_text().partition("## A wrong rotation\n")[2].partition("\n## ")[0]
    sessions = re.findall(r"lutra debug [^\n]*<<'END'\n(.*?)END\n", section, re.S)
    assert len(sessions) == 1
    commands = sessions[0].splitlines()
    assert 0 < len(commands) <= MOST_COMMANDS
    for line in commands:
        COMMANDS.find(line.split()[0].partition("/")[0])
    assert "```python" not in section
    # The bug that the page makes is the line that the last command names.
    edit = re.search(r"sed -i 's/(.*), 23/\1, 24/' sm4/schedule.inc", section)
    assert edit is not None
    shown = re.findall(r"<!-- test: output -->\n```text\n(.*?)```", section, re.S)[-1]
    answer = shown.partition(f"(lutra) {commands[-1]}\n")[2]
    source = (ROOT / "firmware/sm4/schedule.inc").read_text().splitlines()
    (number,) = (n for n, line in enumerate(source, 1) if f"{edit[1]}, 23" in line)
    assert f"sm4/schedule.inc:{number} in sm4_schedule_round" in answer
    assert ", 24" in answer
