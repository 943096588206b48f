"""An editor for tests: pytest-lsp's client with texts, and places in them that are marked by `|`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest_lsp
from lsprotocol import types
from pytest_lsp import LanguageClient

T = TypeVar("T")
COMMAND = [sys.executable, "-c", "import sys; from lutra.cli.main import main; sys.exit(main(['lsp']))"]
CONFIG = pytest_lsp.ClientServerConfig(server_command=COMMAND)
# A manifest whose one program has two sources.
TWO_SOURCES = """\
cipher = "pair"
[defaults]
unit = "block"
key_bits = [128]
[image.pair]
sources = ["a.s", "b.s"]
[[algorithm]]
name = "pair-{bits}-ecb"
"""
# Nothing takes that long; a test that waits for it has failed.
SECONDS = 20


def capabilities(encodings: list[types.PositionEncodingKind] | None = None) -> types.ClientCapabilities:
    """Capabilities of an editor that can do much."""
    return types.ClientCapabilities(
        general=types.GeneralClientCapabilities(position_encodings=encodings),
        workspace=types.WorkspaceClientCapabilities(configuration=False),
        text_document=types.TextDocumentClientCapabilities(
            hover=types.HoverClientCapabilities(content_format=[types.MarkupKind.Markdown]),
            completion=types.CompletionClientCapabilities(
                completion_item=types.ClientCompletionItemOptions(documentation_format=[types.MarkupKind.Markdown])
            ),
            publish_diagnostics=types.PublishDiagnosticsClientCapabilities(related_information=True),
            document_symbol=types.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=True),
            rename=types.RenameClientCapabilities(prepare_support=True),
            code_action=types.CodeActionClientCapabilities(
                code_action_literal_support=types.ClientCodeActionLiteralOptions(
                    code_action_kind=types.ClientCodeActionKindOptions([types.CodeActionKind.QuickFix])
                )
            ),
        ),
    )


class Editor:
    """Texts in a folder, and a client that has some of them open."""

    def __init__(self, client: LanguageClient, folder: Path) -> None:
        self.client = client
        self.folder = folder
        self._versions: dict[str, int] = {}
        self.texts: dict[str, str] = {}

    def uri(self, name: str) -> str:
        """The URI of a file by its name."""
        return (self.folder / name).as_uri()

    def write(self, **texts: str) -> None:
        """Files on the disk; `_` in a name stands for a dot. The client tells that they are there."""
        for name, text in texts.items():
            self.save(name.replace("_", "."), text)

    def save(self, name: str, text: str) -> None:
        """A file on the disk, of which the client tells."""
        file = self.folder / name
        kind = types.FileChangeType.Changed if file.exists() else types.FileChangeType.Created
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode())
        self.watched(name, kind)

    def watched(self, name: str, kind: types.FileChangeType) -> None:
        """Tell of a change on the disk."""
        event = types.FileEvent(self.uri(name), kind)
        self.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))

    def open(self, name: str, text: str | None = None) -> str:
        """Open a file, or a text that is on no disk; its text without the mark."""
        if text is None:
            text = (self.folder / name).read_bytes().decode()
        plain = text.replace("|", "", 1) if "|" in text else text
        self._versions[name] = 1
        self.texts[name] = text
        item = types.TextDocumentItem(self.uri(name), "lutra", 1, plain)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(item))
        return plain

    def change(self, name: str, text: str) -> None:
        """Another text."""
        self._versions[name] += 1
        self.texts[name] = text
        plain = text.replace("|", "", 1)
        self.client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                types.VersionedTextDocumentIdentifier(self._versions[name], self.uri(name)),
                [types.TextDocumentContentChangeWholeDocument(plain)],
            )
        )

    def close(self, name: str) -> None:
        """Close a text."""
        item = types.TextDocumentIdentifier(self.uri(name))
        self.texts.pop(name)
        self._versions.pop(name)
        self.client.text_document_did_close(types.DidCloseTextDocumentParams(item))

    def document(self, name: str) -> types.TextDocumentIdentifier:
        """A text for a request."""
        return types.TextDocumentIdentifier(self.uri(name))

    def mark(self, name: str) -> types.Position:
        """The position of the mark in a text, in units of UTF-16."""
        before, found, _ = self.texts[name].partition("|")
        assert found, "there is no mark"
        line = before.rpartition("\n")[2]
        return types.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)

    def at(self, name: str) -> dict[str, Any]:
        """The parameters of a request at the mark."""
        return {"text_document": self.document(name), "position": self.mark(name)}

    async def findings(
        self, name: str, good: Callable[[list[types.Diagnostic]], bool] = bool
    ) -> list[types.Diagnostic]:
        """The diagnostics of a text, once they are as wanted; those of the last word else, after some seconds."""
        uri = self.uri(name)

        async def wait() -> None:
            while uri not in self.client.diagnostics or not good(list(self.client.diagnostics[uri])):
                await asyncio.sleep(0.02)

        await asyncio.wait_for(wait(), SECONDS)
        return list(self.client.diagnostics[uri])

    async def hover_nothing(self) -> None:
        """Wait until the texts that are open are assembled: a question about one of them waits for that."""
        for name in self._versions:
            where = types.HoverParams(self.document(name), types.Position(0, 0))
            await self.ask(self.client.text_document_hover_async(where))

    async def hover(self, name: str) -> str:
        """Hover text at the mark; empty if there is none."""
        found = await self.ask(self.client.text_document_hover_async(types.HoverParams(**self.at(name))))
        if found is None:
            return ""
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def offers(self, name: str) -> list[str]:
        """Completions at the mark."""
        found = await self.ask(self.client.text_document_completion_async(types.CompletionParams(**self.at(name))))
        assert isinstance(found, types.CompletionList)
        return [item.label for item in found.items]

    async def ask(self, request: Awaitable[T]) -> T:
        """An answer, in time."""
        return await asyncio.wait_for(request, SECONDS)

    def places(self, locations: Any) -> list[str]:
        """`name:line:column` of locations, as editors show them, in order."""
        found = []
        for item in locations or ():
            name = item.uri.removeprefix(self.folder.as_uri() + "/")
            found.append(f"{name}:{item.range.start.line + 1}:{item.range.start.character + 1}")
        return sorted(found)

    def edited(self, edit: types.WorkspaceEdit) -> dict[str, str]:
        """Name -> text after an edit."""
        assert edit.changes is not None
        found = {}
        for uri, edits in edit.changes.items():
            name = uri.removeprefix(self.folder.as_uri() + "/")
            text = self.texts[name].replace("|", "", 1) if name in self.texts else (self.folder / name).read_text()
            lines = text.split("\n")
            for change in sorted(edits, key=lambda e: (e.range.start.line, e.range.start.character), reverse=True):
                line = change.range.start.line
                assert change.range.end.line == line
                raw = lines[line].encode("utf-16-le")
                start, end = 2 * change.range.start.character, 2 * change.range.end.character
                lines[line] = (raw[:start] + change.new_text.encode("utf-16-le") + raw[end:]).decode("utf-16-le")
            found[name] = "\n".join(lines)
        return found
