"""Makes the pictures of the terminal debugger (`make screenshots`) in this folder or in another, its argument.

The screen runs without a terminal, in a folder of its own, and is written as SVG. The same sources give the same bytes.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from contextlib import chdir
from pathlib import Path

from scenes import SCENES, Scene
from svg import picture

from lutra.debug.screen.app import Debugger


async def _shot(scene: Scene) -> str:
    app = Debugger(scene.opened())
    async with app.run_test(size=scene.size) as pilot:
        for step in scene.steps:
            if step.startswith("<"):
                await pilot.press(step.strip("<>"))
            else:
                app.command.focus()
                app.command.value = step
                await pilot.press("enter")
            await pilot.pause()
            await app.workers.wait_for_complete()
            await pilot.pause()
        text = picture(app, scene.title)
    if app.failure is not None:
        raise app.failure
    return text


def made(scene: Scene) -> str:
    """The picture of a scene."""
    for name in ("NO_COLOR", "COLORFGBG"):
        os.environ.pop(name, None)
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        return asyncio.run(_shot(scene))


def main(folder: Path) -> None:
    """Make all pictures."""
    for scene in SCENES:
        file = folder / f"{scene.name}.svg"
        file.write_text(made(scene))
        print(file)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve() if len(sys.argv) > 1 else Path(__file__).resolve().parent)
