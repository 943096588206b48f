"""The language server: messages in, messages out. The modules next to this one compute the answers."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.metadata import version
from typing import Any, BinaryIO

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from lutra.editor import settings
from lutra.editor.analyses import Analysed
from lutra.editor.cycles import Schedules
from lutra.editor.diagnostics import findings
from lutra.editor.documents import Document, file_of
from lutra.editor.frames import FrameError, Reader
from lutra.editor.headers import HeaderChecks
from lutra.editor.proofs import Proofs
from lutra.editor.spot import Spot
from lutra.editor.worker import Worker
from lutra.editor.workspace import BusyError, Workspace

_OWN = (
    types.TEXT_DOCUMENT_DID_OPEN,
    types.TEXT_DOCUMENT_DID_CHANGE,
    types.TEXT_DOCUMENT_DID_CLOSE,
    types.NOTEBOOK_DOCUMENT_DID_OPEN,
    types.NOTEBOOK_DOCUMENT_DID_CHANGE,
    types.NOTEBOOK_DOCUMENT_DID_CLOSE,
    types.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
)
_PARSE_ERROR, _INVALID, _INVALID_PARAMS, _NOT_INITIALIZED = -32700, -32600, -32602, -32002
_CONTENT_MODIFIED, _NO_METHOD = -32801, -32601


class Writer:
    """Writes messages; a client that has gone is noted, and nothing is written to it any more."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.gone = False

    def write(self, data: bytes) -> None:
        """Write a message."""
        try:
            if not self.gone:
                self._stream.write(data)
                self._stream.flush()
        except (OSError, ValueError):
            self.gone = True

    def close(self) -> None:
        """The stream is the process's."""


class Server(LanguageServer):
    """Knows the workspace, and publishes what is found in it."""

    def __init__(self) -> None:
        super().__init__("lutra", version("lutra-asip"), types.TextDocumentSyncKind.Full)
        self.known = Workspace(self._told, self.tell)
        self.headers = HeaderChecks(self.known, self.publish, self.tell)
        self.proofs = Proofs(self.known, self.refresh_lenses, self.tell)
        self.schedules = Schedules()
        self._published: dict[str, list[types.Diagnostic]] = {}
        self._worker: Worker | None = None
        # Texts are kept here, as the assembler counts their lines; pygls would keep them a second time.
        for method in _OWN:
            del self.protocol.fm.builtin_features[method]

    # ------------------------------------------------------------------------------- client

    def tell(self, text: str) -> None:
        """A line for the client's log."""
        self.window_log_message(types.LogMessageParams(types.MessageType.Info, self.known.shown(text)))

    def configure(self, given: object) -> None:
        """Take settings of the client; what is wrong with them is shown."""
        found, wrong = settings.read(given, self.known.settings)
        for line in wrong:
            self.window_show_message(types.ShowMessageParams(types.MessageType.Warning, line))
        if found != self.known.settings:
            self.known.settings = found
            self.known.forget()

    @property
    def encoding(self) -> str:
        """The unit of the client's positions."""
        return str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))

    def capability(self, *path: str) -> Any:
        """Return a capability of the client; None if it does not mention it."""
        found: Any = self.client_capabilities
        for name in path:
            found = getattr(found, name, None)
        return found

    def markup(self, text: str, *path: str) -> types.MarkupContent:
        """A text in Markdown, as plain text for a client that does not say that it shows Markdown there."""
        formats = self.capability("text_document", *path) or ()
        if types.MarkupKind.Markdown in formats:
            return types.MarkupContent(types.MarkupKind.Markdown, text)
        shown = "\n".join(line for line in text.splitlines() if not line.startswith("```"))
        return types.MarkupContent(types.MarkupKind.PlainText, shown.replace("`", ""))

    # ---------------------------------------------------------------------------- requests

    def document(self, uri: str) -> Document:
        """A text by its URI."""
        return self.known.document(file_of(uri))

    async def spot(self, params: Any, *, every: bool = False) -> Spot:
        """The place that a request is about, with one of its programs at least, or every one, as the text is now."""
        file = file_of(params.text_document.uri)
        programs = await (self.known.every(file) if every else self.known.first(file))
        return self.here(params, programs)

    def here(self, params: Any, programs: list[Analysed]) -> Spot:
        """The place that a request is about, in some programs."""
        file = file_of(params.text_document.uri)
        document = self.known.document(file)
        return Spot(self.known, programs, file, document, *document.place(params.position))

    async def background(self, work: Callable[[], Any]) -> Any:
        """Run long work in a thread next to the loop."""
        if self._worker is None:
            self._worker = Worker("schedules")
        return await self._worker.do(work)

    async def everywhere(self, params: Any) -> tuple[Spot, list[Analysed]]:
        """The place that a request is about, and all programs in which its names can be used."""
        try:
            spot = await self.spot(params, every=True)
            found: dict[tuple[str, ...], Analysed] = {}
            for file in dict.fromkeys((spot.file, *(name.place.file for name in spot.names))):
                for known in await self.known.every(file):
                    found[known.program.sources] = known
        except BusyError as error:
            raise JsonRpcException(str(error), _CONTENT_MODIFIED) from error
        return spot, list(found.values())

    # -------------------------------------------------------------------------- diagnostics

    def _told(self, known: Analysed) -> None:
        self.publish()
        for part, method in (
            ("inlay_hint", "workspace_inlay_hint_refresh"),
            ("code_lens", "workspace_code_lens_refresh"),
            ("semantic_tokens", "workspace_semantic_tokens_refresh"),
        ):
            if not self.known.busy and self.capability("workspace", part, "refresh_support"):
                getattr(self, method)(None)

    def refresh_lenses(self) -> None:
        """Let the client ask for lenses again."""
        if self.capability("workspace", "code_lens", "refresh_support"):
            self.workspace_code_lens_refresh(None)

    def publish(self) -> None:
        """Send findings of all programs with an open text, where they have changed."""
        workspace = self.known
        programs = {p.sources: p for file in workspace.open for p in workspace.of(file)}
        known = [workspace.done[key] for key in programs if key in workspace.done]
        found: dict[str, list[types.Diagnostic]] = {file: [] for file in workspace.open}
        for program in known:
            for file, items in findings(workspace, [program]).items():
                if workspace.current(program, file):
                    old = found.setdefault(file, [])
                    old += [item for item in items if item not in old]
        for headers in self.headers.found.values():
            for file, items in headers.items():
                if file in found:
                    found[file] += items
        for file in {*found, *self._published}:
            items = found.get(file, [])
            waits = file in workspace.open and not any(workspace.current(p, file) for p in known if file in p.files)
            if self._published.get(file, []) != items and not (waits and known):
                self._send(file, items)

    def _send(self, file: str, items: list[types.Diagnostic]) -> None:
        document = self.known.open.get(file)
        self._published[file] = items
        if not items:
            del self._published[file]
        self.text_document_publish_diagnostics(
            types.PublishDiagnosticsParams(self.known.uri(file), items, document.version if document else None)
        )

    # ------------------------------------------------------------------------------ messages

    async def serve(self, stream: BinaryIO, writer: Writer) -> int:
        """Answer a client until it says exit or is gone; the exit code, 0 after shutdown and exit."""
        self.protocol.set_writer(writer)
        reader = Reader(stream)
        try:
            while (body := await reader.next()) is not None and not writer.gone:
                if self._is_exit(body):
                    return 0 if self.protocol._shutdown else 1
                self._message(body)
                # Answers are given between messages.
                await asyncio.sleep(0)
        except FrameError as error:
            print(f"lutra: error: the client's message cannot be read: {error}", file=sys.stderr)
            return 1
        finally:
            self.headers.stop()
            self.proofs.stop()
        print("lutra: error: the client has gone without exit", file=sys.stderr)
        return 1

    @staticmethod
    def _is_exit(body: bytes) -> bool:
        if b"exit" not in body and b"\\u" not in body:  # long texts are not read twice
            return False
        with suppress(ValueError, RecursionError):
            message = json.loads(body)
            return isinstance(message, dict) and message.get("method") == types.EXIT and "id" not in message
        return False

    def _message(self, body: bytes) -> None:
        try:
            raw = json.loads(body)
        except (ValueError, RecursionError):
            return self._refuse(None, _PARSE_ERROR, "this is not JSON")
        if not isinstance(raw, dict) or raw.get("jsonrpc") != "2.0":
            return self._refuse(None, _INVALID, "this is not a message of JSON-RPC 2.0")
        number, method = raw.get("id"), raw.get("method")
        if "id" in raw and (isinstance(number, bool) or not isinstance(number, int | str)):
            return self._refuse(None, _INVALID, "the id of a message is a number or a text")
        if method == types.EXIT:  # pygls would leave the process
            return self._refuse(number, _INVALID, "exit is a notification and has no id")
        if "method" in raw and not isinstance(method, str):
            return self._refuse(number, _INVALID, "a method is a text")
        if problem := self._out_of_order(method):
            return self._refuse(number, *problem) if "id" in raw and method else None
        try:
            message = json.loads(body, object_hook=self.protocol.structure_message)
            self.protocol.handle_message(message)
        except (JsonRpcException, ValueError, TypeError, AttributeError, RecursionError):
            manager = self.protocol.fm
            if method and method not in manager.features and method not in manager.builtin_features:
                return self._refuse(number, _NO_METHOD, f"no method {method!r:.80}") if "id" in raw else None
            if "id" in raw and method:
                self._refuse(number, _INVALID_PARAMS, f"wrong parameters for {method!r:.80}")
        return None

    def _out_of_order(self, method: str | None) -> tuple[int, str] | None:
        """Code and text of what is wrong with a method at this time."""
        begun = self.protocol._workspace is not None
        if method is not None and not begun and method != types.INITIALIZE:
            return _NOT_INITIALIZED, "the first request is initialize"
        if method == types.INITIALIZE and begun:
            return _INVALID, "initialize comes once"
        if self.protocol._shutdown and method is not None:
            return _INVALID, "the server is shut down"
        return None

    def _refuse(self, number: object, code: int, text: str) -> None:
        document = {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": text}}
        body = json.dumps(document).encode()
        assert self.protocol.writer is not None
        self.protocol.writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
