"""Headers that a run contradicts, after a file is saved."""

from __future__ import annotations

import pytest
from lsprotocol import types

from lutra.firmware.new import make
from support.editor import Editor

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_header_that_a_run_contradicts_is_a_finding_until_it_is_put_right(editor: Editor) -> None:
    make("otter", editor.folder)
    source = (editor.folder / "otter" / "otter.s").read_text()
    line = next(line for line in source.splitlines() if line.startswith("// Outputs:") and "m3" in line)
    wrong = source.replace(line, "// Outputs:  nothing at all")
    editor.save("otter/otter.s", wrong)
    editor.open("otter/otter.s")
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams({"lutra": {"headers": True}}))
    item = types.DidSaveTextDocumentParams(editor.document("otter/otter.s"))
    editor.client.text_document_did_save(item)
    found = await editor.findings("otter/otter.s", lambda f: any(d.code == "header" for d in f))
    finding = next(d for d in found if d.code == "header")
    assert "which neither Outputs nor Memory names" in finding.message
    assert finding.severity == types.DiagnosticSeverity.Warning
    editor.save("otter/otter.s", source)
    editor.change("otter/otter.s", source)
    editor.client.text_document_did_save(item)
    await editor.findings("otter/otter.s", lambda f: not any(d.code == "header" for d in f))


async def test_a_run_that_takes_too_long_is_ended_and_said(editor: Editor) -> None:
    make("otter", editor.folder)
    editor.open("otter/otter.s")
    wanted = {"lutra": {"headers": True, "headerSeconds": 0}}
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(wanted))
    before = len(editor.client.log_messages)
    editor.client.text_document_did_save(types.DidSaveTextDocumentParams(editor.document("otter/otter.s")))
    while len(editor.client.log_messages) == before:
        await editor.hover_nothing()
    assert "headers are not checked: it took more than 0 s" in editor.client.log_messages[-1].message


async def test_what_a_run_has_measured_can_be_written_into_the_header(editor: Editor) -> None:
    make("otter", editor.folder)
    source = (editor.folder / "otter" / "otter.s").read_text()
    line = next(line for line in source.splitlines() if line.startswith("// Cycles:") and "n" in line[3:])
    wrong = source.replace(line, "// Cycles:")
    editor.save("otter/otter.s", wrong)
    editor.open("otter/otter.s")
    wanted = {"lutra": {"headers": True, "headerSeconds": 60}}
    editor.client.workspace_did_change_configuration(types.DidChangeConfigurationParams(wanted))
    editor.client.text_document_did_save(types.DidSaveTextDocumentParams(editor.document("otter/otter.s")))
    found = await editor.findings("otter/otter.s", lambda f: any(d.code == "header" for d in f))
    params = types.CodeActionParams(editor.document("otter/otter.s"), found[0].range, types.CodeActionContext(found))
    answer = await editor.ask(editor.client.text_document_code_action_async(params))
    (action,) = (a for a in answer or () if isinstance(a, types.CodeAction) and a.title.startswith("Write"))
    assert action.edit is not None
    assert editor.edited(action.edit)["otter/otter.s"] == source
