"""Claims about every command."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from typer.core import TyperGroup

from lutra.cli import commands
from lutra.cli import isa as isa_command
from lutra.cli.main import tree
from support.cli import Lutra
from support.documents import ROOT

COMMANDS = [
    "asm",
    "optimize",
    "fmt",
    "objdump",
    "image",
    "run",
    "debug",
    "dap",
    "lsp",
    "profile",
    "cosim",
    "coverage",
    "crypt",
    "packets",
    "mac",
    "crc",
    "ciphers",
    "kat",
    "bench",
    "ppa",
    "new",
    "test",
    "prove",
    "isa",
    "demo",
]


def test_the_list_of_commands_is_the_contract() -> None:
    assert [name for name, command in tree().commands.items() if not isinstance(command, TyperGroup)] == COMMANDS


def test_the_list_of_groups_is_the_contract() -> None:
    groups = [name for name, command in tree().commands.items() if isinstance(command, TyperGroup)]
    assert groups == ["campaign", "pack", "device", "patch"]


def test_a_line_of_the_list_of_commands_is_one_line_of_a_terminal(lutra: Lutra) -> None:
    listed = lutra("--help").out.partition("Commands:\n")[2].splitlines()
    assert [line.split(maxsplit=1) for line in listed] == [[name, text] for name, text in commands.COMMANDS.items()]
    assert all(len(line) < 80 for line in listed)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: str, lutra: Lutra) -> None:
    result = lutra(command, "--help")
    assert result.code == 0
    assert f"Example:\n    lutra {command}" in result.out


def test_without_arguments_help_is_shown(lutra: Lutra) -> None:
    result = lutra("--help")
    assert result.code == 0
    assert all(f"  {command} " in result.out for command in COMMANDS)


def test_version_is_that_of_the_package(lutra: Lutra) -> None:
    assert lutra("--version").out.startswith(f"lutra {version('lutra-asip')}")


def test_version_names_the_commit_of_a_checkout(lutra: Lutra) -> None:
    commit = ""
    if (ROOT / ".git").exists():
        command = ["git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD"]
        head = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
        commit = rf" \({head}(-dirty)?\)"
    assert re.fullmatch(rf"lutra \S+{commit}\n", lutra("--version").out)


def test_version_without_a_repository_is_the_package_alone(
    lutra: Lutra, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lutra.__file__", str(tmp_path / "site-packages/lutra/__init__.py"))
    assert lutra("--version").out == f"lutra {version('lutra-asip')}\n"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["frobnicate"], "No such command 'frobnicate'; see lutra --help"),
        (["--configuration", "lte", "isa"], "works only with the script `lutra` of a checkout"),
        (["crypt", "a"], "Missing"),
        (["run", "a", "--engine", "fpga"], "'fpga' is not one of 'iss', 'rtl', 'cosim'"),
        (["run", "a", "--rounds", "3"], "Invalid value for '--rounds': must be less than or equal to 2; see"),
        (["run", "a", "--max-cycles", "x"], "Invalid value for '--max-cycles': not an integer; see lutra run --help"),
        (["kat", "a", "--limit", "none"], "--limit"),
        (["asm", "a.s"], "-o"),
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(arguments: list[str], text: str, lutra: Lutra) -> None:
    result = lutra(*arguments)
    assert result.code == 2
    assert text in result.error


def test_an_unexpected_exception_is_one_line(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LUTRA_DEBUG", raising=False)
    monkeypatch.setattr(isa_command, "load", lambda: 1 // 0)
    result = lutra("isa")
    assert result.code == 1
    assert result.error.startswith("internal error: ZeroDivisionError")
    assert "LUTRA_DEBUG=1" in result.error


def test_debugging_shows_the_traceback(lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUTRA_DEBUG", "1")
    monkeypatch.setattr(isa_command, "load", lambda: 1 // 0)
    assert "Traceback" in lutra("isa").err


def test_the_installed_command_has_no_colours_without_a_terminal() -> None:
    run = subprocess.run([Path(sys.executable).with_name("lutra"), "isa"], capture_output=True, check=True)
    assert b"\x1b" not in run.stdout + run.stderr
    assert run.stderr == b""


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = f"{Path(sys.executable).with_name('lutra')} isa aesenc2 | head -n 1"
    run = subprocess.run(["bash", "-c", command], capture_output=True, check=True)
    assert run.stderr == b""
