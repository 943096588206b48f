"""Snippets in the documents work: sources assemble, commands and Python run, and print what is shown below them.

`asm` blocks are assembled and `python` blocks executed, one after the other, in one folder for each document. A
comment in front of a block changes that:

    <!-- test: FILE -->             the block is saved under this name; some later block must name the file
    <!-- test: commands -->         the `sh` block is executed; a failing line ends it. `./lutra` is that of the
                                    checkout, `lutra` the same command line without its start-up (support/warm.py)
    <!-- test: commands exit N -->  ... and ends with this exit code
    <!-- test: output -->           the block is what the commands or the Python block before it print; `...`
                                    stands for anything in a line, on its own for any lines
    <!-- test: skip REASON -->      the block is not tested, though it would be; an error where it would pass
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import lutra
from lutra.asm import AsmError
from support.documents import DOCUMENTS, ROOT, Block, blocks, name
from support.only import only
from support.warm import served

WITH_BLOCKS = only(DOCUMENTS, lambda d: any(b.mark or b.language in ("asm", "python") for b in blocks(d)))
PROGRAMS = Path(sys.executable).parent


@pytest.fixture(scope="session")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with the program `lutra`."""
    folder = tmp_path_factory.mktemp("warm")
    with served(folder):
        yield folder


class Reader:
    """Does with one document's blocks what a reader would do."""

    def __init__(self, document: Path, programs: Path) -> None:
        self.document = document
        self.programs = programs
        self.printed: str | None = None
        self.names: dict[str, Any] = {"__name__": "__main__"}
        self.unused: dict[str, int] = {}
        self.warned = ""

    def read(self, block: Block) -> None:
        place = f"{name(self.document)}:{block.line}"
        for file in [f for f in self.unused if f in block.text or f"from {f.removesuffix('.py')} import" in block.text]:
            del self.unused[file]
        mark, _, rest = block.mark.partition(" ")
        assert not self.warned or (mark == "output" and ": warning: " in block.text), self.warned
        self.warned = ""
        if mark == "commands":
            assert block.language == "sh", f"{place}: commands are a block of sh"
            self.commands(block.text, place, int(rest.removeprefix("exit ") or 0))
        elif mark == "output":
            assert self.printed is not None, f"{place}: no commands precede this output"
            assert matches(block.text, self.printed), f"{place}: printed is\n{self.printed}"
        elif mark == "skip":
            assert rest, f"{place}: a skip without its reason"
            assert self.needs_skip(block), f"{place}: the skip is not needed"
        elif mark:
            assert block.language and not rest, f"{place}: no block of this name follows: {block.mark}"
            Path(mark).write_text(block.text)
            self.unused[mark] = block.line
        elif block.language == "asm":
            self.assemble(block.text, place)
        elif block.language == "python":
            self.python(block.text, place)

    def commands(self, text: str, place: str, expected: int) -> None:
        path = os.pathsep.join(map(str, (self.programs, PROGRAMS, os.environ["PATH"])))
        environment = os.environ | {"PATH": path, "LC_ALL": "C.UTF-8"}
        # Whoever has it set sees another order of standard output and standard error.
        environment.pop("PYTHONUNBUFFERED", None)
        # README's reader is at the top of a checkout.
        if "./lutra " in text and not Path("lutra").exists():
            Path("lutra").symlink_to(ROOT / "lutra")
        # One pipe for both, so that they are in the order of a terminal.
        ran = subprocess.run(
            ["bash", "-e", "-o", "pipefail", "-c", text],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            check=False,
        )
        self.printed = ran.stdout
        assert ran.returncode == expected, f"{place}: exit code {ran.returncode}, printed\n{ran.stdout}"
        # A warning is part of what the document shows, or there is none.
        self.warned = f"{place}: printed is\n{ran.stdout}" if ": warning: " in ran.stdout else ""

    def python(self, text: str, place: str) -> None:
        printed = io.StringIO()
        # Blank lines in front keep the document's line numbers in a traceback.
        code = compile("\n" * int(place.rpartition(":")[2]) + text, self.document, "exec")
        with contextlib.redirect_stdout(printed):
            exec(code, self.names)
        self.printed = printed.getvalue()

    def assemble(self, text: str, place: str) -> None:
        try:
            lutra.assemble_text(text, warnings=["error"])
        except AsmError as error:
            pytest.fail(f"{place}:\n{error}")

    def needs_skip(self, block: Block) -> bool:
        """Whether the block is of a kind that is tested, and does not pass; only assembly can be tried without harm."""
        if block.language != "asm":
            return block.language == "python"
        try:
            lutra.assemble_text(block.text, warnings=["error"])
        except AsmError:
            return True
        return False


def matches(shown: str, printed: str) -> bool:
    """Line by line, blanks at a line's end apart."""
    pattern = "".join(
        r"(?:.*\n)*?" if line.strip() == "..." else re.escape(line.rstrip()).replace(r"\.\.\.", ".*") + r"[ ]*\n"
        for line in shown.splitlines()
    )
    return re.fullmatch(pattern, printed if printed.endswith("\n") else printed + "\n") is not None


@pytest.mark.parametrize("document", WITH_BLOCKS, ids=name)
def test_what_is_shown_works(document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warm: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    reader = Reader(document, warm)
    for block in blocks(document):
        reader.read(block)
    for module in [m for m in sys.modules if (tmp_path / f"{m}.py").exists()]:
        del sys.modules[module]
    assert not reader.warned, reader.warned
    assert not reader.unused, f"{name(document)}: saved, and used by nothing after it: {reader.unused}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<!-- test: skip because -->\n```asm\nhalt\n```\n", "the skip is not needed"),
        ("<!-- test: skip because -->\n```sh\nfalse\n```\n", "the skip is not needed"),
        ("<!-- test: skip -->\n```asm\nhlt\n```\n", "without its reason"),
        ("<!-- test: a.s -->\n\nText.\n", "no block of this name follows"),
        ("<!-- test: a.s -->\n```asm\nhalt\n```\n", "used by nothing"),
        ("```asm\nhlt\n```\n", "did you mean 'halt'"),
        ("<!-- test: commands -->\n```sh\nfalse\ntrue\n```\n", "exit code 1"),
        (
            "<!-- test: a.s -->\n```asm\nnop\n```\n<!-- test: commands -->\n```sh\nlutra asm a.s -o a.elf\n```\n",
            "warning: ",
        ),
        ("<!-- test: commands exit 1 -->\n```sh\ntrue\n```\n", "exit code 0"),
        ("```python\n1 / 0\n```\n", "division by zero"),
        ("```python\nprint(1)\nprint(2)\n```\n<!-- test: output -->\n```text\n1\n```\n", "page.md:6: printed is"),
    ],
    ids=lambda text: "" if "\n" in text else text.replace(" ", "-"),
)
def test_what_does_not_work_is_found(
    text: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, warm: Path
) -> None:
    monkeypatch.setattr("support.documents.ROOT", tmp_path)
    document = tmp_path / "page.md"
    document.write_text(text)
    with pytest.raises((AssertionError, pytest.fail.Exception, ZeroDivisionError), match=re.escape(message)):
        test_what_is_shown_works(document, tmp_path, monkeypatch, warm)
