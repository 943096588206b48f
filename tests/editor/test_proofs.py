"""The lens that proves the firmware of a folder."""

from __future__ import annotations

import asyncio

import pytest
from lsprotocol import types

from lutra.editor.proofs import ASK, COMMAND, title
from lutra.firmware.new import make
from support.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")
SECONDS = 120


async def lens(editor: Editor) -> types.Command:
    """The command of the first lens."""
    params = types.CodeLensParams(editor.document("otter/otter.s"))
    found = await editor.ask(editor.client.text_document_code_lens_async(params))
    assert found and found[0].command is not None
    return found[0].command


async def test_lens_proves_when_it_is_asked_and_forgets_when_the_text_changes(editor: Editor) -> None:
    make("otter", editor.folder)
    text = editor.open("otter/otter.s")
    command = await lens(editor)
    assert (command.title, command.command) == (ASK, COMMAND)
    params = types.ExecuteCommandParams(COMMAND, command.arguments)
    await editor.ask(editor.client.workspace_execute_command_async(params))
    async with asyncio.timeout(SECONDS):
        while (command := await lens(editor)).title == "proving":
            await asyncio.sleep(0.2)
    assert command.title == "proved: otter-128-ctr"
    editor.change("otter/otter.s", text + "\n")
    assert (await lens(editor)).title == ASK


CLAIM = {"algorithm": "a", "direction": "encrypt", "state": "proved", "reason": "", "counterexample": None}
WRONG = {"key": "00", "iv": "01", "data": "02" * 99}


@pytest.mark.parametrize(
    ("claims", "text"),
    [
        ([], ASK),
        ([CLAIM, CLAIM | {"direction": "decrypt"}], "proved: a"),
        ([CLAIM, CLAIM | {"state": "open", "reason": "why"}], "a encrypt: not proved: why"),
        ([CLAIM | {"state": "refuted", "reason": "time"}], "a encrypt: REFUTED: time"),
        ([CLAIM | {"counterexample": WRONG}], f"a encrypt: REFUTED for key 00, iv 01, input {'02' * 32}"),
    ],
)
async def test_title_says_what_came_of_it(claims: list[dict[str, object]], text: str) -> None:
    assert title(claims) == text
