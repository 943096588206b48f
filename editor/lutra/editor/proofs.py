"""Proofs of a folder's firmware, when they are asked for: by a process of its own, which runs `lutra prove`."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from lsprotocol import types

from lutra.editor.workspace import Workspace
from lutra.firmware.manifest import NAME as MANIFEST

COMMAND = "lutra.prove"
ASK, BUSY = "prove for all keys and inputs", "proving"
# If it ends without a result, the client's log has its error.
_PROVE = "import sys; from lutra.cli.main import main; sys.exit(main(['prove', sys.argv[1], '--json']))"


class Proofs:
    """A lens over each source of a folder with a manifest, and the proofs of the folder that it has asked for.

    `told` is called when a lens has changed, `tell` with what could not be done.
    """

    def __init__(self, workspace: Workspace, told: Callable[[], None], tell: Callable[[str], None]) -> None:
        self._workspace, self._told, self._tell = workspace, told, tell
        self._titles: dict[str, str] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def lenses(self, file: str) -> list[types.CodeLens]:
        """Return the lens of a source: its command asks for proofs, or it says what came of them."""
        start = types.Position(0, 0)
        return [
            types.CodeLens(types.Range(start, start), command=types.Command(title, command, arguments=[folder]))
            for folder in self._folders(file)
            for title in [self._titles.get(folder, ASK)]
            for command in ["" if folder in self._tasks else COMMAND]
        ]

    def ask(self, folder: str) -> None:
        """Prove a folder's firmware."""
        if folder not in self._tasks:
            self._titles[folder] = BUSY
            self._tasks[folder] = asyncio.get_running_loop().create_task(self._run(folder))
            self._told()

    def forget(self, file: str) -> None:
        """A text has changed: what was proved is another one."""
        for folder in self._folders(file):
            if (task := self._tasks.pop(folder, None)) is not None:
                task.cancel()
            self._titles.pop(folder, None)

    def stop(self) -> None:
        """End what runs."""
        for task in self._tasks.values():
            task.cancel()

    def _folders(self, file: str) -> list[str]:
        folders = dict.fromkeys(program.folder for program in self._workspace.of(file) if file in program.sources)
        return [folder for folder in folders if Path(folder, MANIFEST).is_file()]

    async def _run(self, folder: str) -> None:
        claims, error = await _claims(folder)
        self._titles[folder] = title(claims)
        if error:
            self._tell(f"{folder}: {error}")
        self._tasks.pop(folder, None)
        self._told()


def title(claims: Sequence[dict[str, Any]]) -> str:
    """The results in one line: how many are proved, or why the first is not."""
    for claim in claims:
        name = f"{claim['algorithm']} {claim['direction']}"
        if found := claim["counterexample"]:
            return f"{name}: REFUTED for key {found['key']}, iv {found['iv']}, input {found['data'][:64]}"
        if claim["state"] != "proved":
            return f"{name}: {'REFUTED' if claim['state'] == 'refuted' else 'not proved'}: {claim['reason']}"
    counts = Counter(claim["algorithm"] for claim in claims)
    return f"proved: {', '.join(counts)}" if counts else ASK


async def _claims(folder: str) -> tuple[list[dict[str, Any]], str]:
    """The claims of a folder, or what went wrong."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", _PROVE, folder), stdin=asyncio.subprocess.DEVNULL, stdout=pipe, stderr=pipe
    )
    try:
        output, error = await process.communicate()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.terminate()
    with suppress(ValueError, KeyError):
        return json.loads(output)["claims"], ""
    return [], error.decode("utf-8", "replace").strip()
