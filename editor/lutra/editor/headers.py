"""Headers of routines that a run contradicts: found by a process of its own after a file is saved, in bounded time."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from lsprotocol import types

from lutra.asm.text.columns import Span
from lutra.editor.diagnostics import SOURCE
from lutra.editor.workspace import Workspace

NAME = "header"
Found = dict[str, list[types.Diagnostic]]


class HeaderChecks:
    """Runs the checks of the folders that a saved file matters to; a newer run ends an older one.

    `told` is called when `found` has changed, `tell` with what could not be done.
    """

    def __init__(self, workspace: Workspace, told: Callable[[], None], tell: Callable[[str], None]) -> None:
        self.found: dict[str, Found] = {}  # by folder
        self._workspace = workspace
        self._told, self._tell = told, tell
        self._task: asyncio.Task[None] | None = None

    def saved(self, file: str) -> None:
        """A file is saved."""
        if self._task is not None:
            self._task.cancel()
        folders = list(dict.fromkeys(program.folder for program in self._workspace.of(file)))
        self._task = asyncio.get_running_loop().create_task(self._run(folders))

    def forget(self, file: str) -> None:
        """Forget the findings of a text that has changed."""
        for found in self.found.values():
            if file in found:
                found[file].clear()

    def stop(self) -> None:
        """End what runs."""
        if self._task is not None:
            self._task.cancel()

    async def _run(self, folders: Sequence[str]) -> None:
        left = self._workspace.settings.header_seconds
        loop = asyncio.get_running_loop()
        for folder in folders:
            begin = loop.time()
            try:
                checks = await _checks(folder, left)
            except TimeoutError:
                self._tell(f"{folder}: headers are not checked: it took more than {left:.0f} s")
                return
            left -= loop.time() - begin
            found: dict[str, list[types.Diagnostic]] = {}
            for check in checks:
                file = os.path.realpath(check["file"])
                document = self._workspace.document(file)
                line = max(check["line"], 1)
                place = document.range(Span(file, line, 0, len(document.line(line))))
                routine = check["name"].removeprefix("header of ")
                text = f"{routine}: {check['text']}"
                warning = types.DiagnosticSeverity.Warning
                data = {"corrections": check["corrections"]}
                finding = types.Diagnostic(place, text, warning, code=NAME, source=SOURCE, data=data)
                found.setdefault(file, []).append(finding)
            self.found[folder] = found
            self._told()


async def _checks(folder: str, seconds: float) -> list[dict[str, Any]]:
    """The failed checks of a folder. Raises TimeoutError; what fails otherwise finds nothing."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "lutra.editor.header_run",
        folder,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        async with asyncio.timeout(seconds):
            output, _ = await process.communicate()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
    with suppress(ValueError):
        found: list[dict[str, Any]] = json.loads(output)
        return found
    return []
