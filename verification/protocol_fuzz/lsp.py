"""`lutra lsp` under the fuzzer: editors that change real firmware at random and ask about any place of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

from lutra.firmware.manifest import SOURCES
from protocol_fuzz import installed
from protocol_fuzz.framing import Message
from protocol_fuzz.target import Target

PROBE = 1 << 30
# Folders of firmware that a session is opened for; the whole seldom, since all of it takes seconds.
FOLDERS = ("crc", "ascon", "chacha20", "aes", "withdrawn")
NAMES = ("v3", "start", ".L_a", "\\c\\()_x", "1", "", "count", "a b", "\U0001f600", "x" * 5000)
PIECES = (
    "",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "\\",
    "\\@",
    "\\()",
    '"',
    "'",
    "/*",
    "*/",
    "//",
    "[",
    "]",
    "{",
    "(",
    ",",
    ":",
    "=",
    ".",
    "0x",
    "é\U0001f600",
    "\ufeff",
    "\u2028",
    "\0",
    "        .macro m a, b=1\n",
    "        .endm\n",
    "        .rept 5\n",
    "        .rept 300000\n",
    "        .endr\n",
    "        .if 1\n",
    "        .else\n",
    "        .endif\n",
    '        .include "memory.inc"\n',
    '        .include "aes.s"\n',
    '        .include "/dev/zero"\n',
    '        .incbin "/dev/zero"\n',
    "        .alias a, v0\n",
    "        .function f(x) = f(x + 1)\n",
    "        .array S, 1, 2\n",
    "a = b\nb = a\n",
    "        .section t0.*\n",
    "        .global start\nstart:\n",
    "        mov     v0, m2[ar0++]\n",
    "        m       1, b=2\n",
    "1 << 99999999",
    "(" * 300,
    "-" * 3000,
    "x" * 50_000,
)


@lru_cache(maxsize=1)
def _texts() -> Mapping[str, str]:
    """File -> text of the firmware that sessions open."""
    files = [file for folder in FOLDERS for file in sorted((SOURCES / folder).rglob("*"))]
    return {str(file): file.read_text() for file in files if file.suffix in (".s", ".inc") and file.is_file()}


def _file(rng: Random) -> str:
    return rng.choice(list(_texts()))


def _uri(rng: Random) -> str:
    odd = ("untitled:one", "file:///nowhere/a.s", "file:///", "", "x", "file://[", "file:///a%00b.s")
    return rng.choice(odd) if rng.random() < 0.1 else Path(_file(rng)).as_uri()


def _edited(text: str, rng: Random) -> str:
    """A text with pieces put in, taken out, or moved."""
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(text) + 1)
        to = min(len(text), at + rng.choice([0, 0, 1, 5, 100]))
        text = text[:at] + rng.choice([*PIECES, text[at : at + 60]]) + text[to:]
    return text


def _position(rng: Random) -> dict[str, int]:
    line = rng.choice([rng.randrange(120), rng.randrange(120), 0, (1 << 31) - 1])
    return {"line": line, "character": rng.choice([rng.randrange(60), rng.randrange(60), 0, (1 << 31) - 1])}


def _range(rng: Random) -> dict[str, Any]:
    return {"start": _position(rng), "end": _position(rng)}


def _document(rng: Random) -> dict[str, Any]:
    return {"textDocument": {"uri": _uri(rng)}}


def _at(rng: Random) -> dict[str, Any]:
    return {**_document(rng), "position": _position(rng)}


def _finding(rng: Random) -> dict[str, Any]:
    hint = rng.choice(["did you mean 'xor'?", "did you mean one of a, b?", "", 3])
    return {
        "range": _range(rng),
        "message": "x",
        "source": rng.choice(["lutra", "other"]),
        "code": rng.choice(["unused-label", "x", 3]),
        "data": rng.choice([{"hint": hint}, None, []]),
    }


def _open(rng: Random) -> dict[str, Any]:
    file = _file(rng)
    text = _texts()[file]
    text = _edited(text, rng) if rng.random() < 0.5 else text
    return {"textDocument": {"uri": Path(file).as_uri(), "languageId": "lutra", "version": 1, "text": text}}


def _change(rng: Random) -> dict[str, Any]:
    file = _file(rng)
    changes: list[dict[str, Any]] = [{"text": _edited(_texts()[file], rng)}]
    if rng.random() < 0.1:
        changes.append({"range": _range(rng), "text": rng.choice(PIECES)})
    return {"textDocument": {"uri": Path(file).as_uri(), "version": rng.randrange(99)}, "contentChanges": changes}


Draw = Callable[[Random], Any]
REQUESTS: Mapping[str, Draw] = {
    "textDocument/hover": _at,
    "textDocument/completion": _at,
    "textDocument/signatureHelp": _at,
    "textDocument/definition": _at,
    "textDocument/references": lambda rng: {**_at(rng), "context": {"includeDeclaration": rng.random() < 0.5}},
    "textDocument/documentHighlight": _at,
    "textDocument/documentSymbol": _document,
    "textDocument/documentLink": _document,
    "textDocument/foldingRange": _document,
    "textDocument/prepareRename": _at,
    "textDocument/rename": lambda rng: {**_at(rng), "newName": rng.choice(NAMES)},
    "textDocument/semanticTokens/full": _document,
    "textDocument/semanticTokens/range": lambda rng: {**_document(rng), "range": _range(rng)},
    "textDocument/inlayHint": lambda rng: {**_document(rng), "range": _range(rng)},
    "textDocument/codeLens": _document,
    "textDocument/formatting": lambda rng: {**_document(rng), "options": {"tabSize": 8, "insertSpaces": True}},
    "textDocument/rangeFormatting": lambda rng: {
        **_document(rng),
        "range": _range(rng),
        "options": {"tabSize": 8, "insertSpaces": True},
    },
    "textDocument/codeAction": lambda rng: {
        **_document(rng),
        "range": _range(rng),
        "context": {"diagnostics": [_finding(rng)]},
    },
    "completionItem/resolve": lambda rng: {"label": rng.choice(["xor", ".byte", "x"]), "data": rng.choice([{}, 1])},
    "workspace/executeCommand": lambda rng: {"command": "x"},
    "no/such/request": lambda rng: {},
}
NOTIFICATIONS: Mapping[str, Draw] = {
    "textDocument/didOpen": _open,
    "textDocument/didChange": _change,
    "textDocument/didClose": _document,
    "textDocument/didSave": _document,
    "workspace/didChangeConfiguration": lambda rng: {
        "settings": {
            "lutra": {rng.choice(["delay", "includeFolders", "defines", "hints", "x"]): rng.choice([0, [], {}, "x"])}
        }
    },
    "workspace/didChangeWatchedFiles": lambda rng: {"changes": [{"uri": _uri(rng), "type": rng.randrange(1, 4)}]},
    "$/cancelRequest": lambda rng: {"id": rng.randrange(40)},
    "$/setTrace": lambda rng: {"value": "off"},
}
# These assemble many programs.
_SELDOM = {"textDocument/rename": 0.3, "textDocument/references": 0.5}


def _request(method: str, rng: Random) -> Message:
    return {"jsonrpc": "2.0", "id": 0, "method": method, "params": REQUESTS[method](rng)}


def _notification(method: str, rng: Random) -> Message:
    return {"jsonrpc": "2.0", "method": method, "params": NOTIFICATIONS[method](rng)}


class LanguageServer(Target):
    """`lutra lsp`."""

    name = "lsp"
    # 1 where the client has gone without a word.
    ends = frozenset({0, 1})
    # Assembly of a text that was made long is waited for.
    patience = 60.0

    def __init__(self) -> None:
        installed.warm("lutra.editor.serve")

    def serve(self) -> int:
        """As the command does."""
        return installed.run("lsp")

    def opening(self, rng: Random) -> list[Message]:
        """Initialize, in one of the folders, and open a text."""
        folder = (SOURCES / rng.choice(FOLDERS)).as_uri()
        params = {
            "processId": None,
            "rootUri": rng.choice([folder, folder, None]),
            "capabilities": {"general": {"positionEncodings": [rng.choice(["utf-8", "utf-16", "utf-32"])]}},
            "initializationOptions": {"delay": 0.01, "headers": False},
        }
        return [
            {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params},
            {"jsonrpc": "2.0", "method": "initialized", "params": {}},
            _notification("textDocument/didOpen", rng),
        ]

    def session(self, rng: Random) -> list[Message]:
        """Texts change, and after each change there are questions."""
        messages = self.opening(rng)
        for _ in range(rng.randrange(1, 6)):
            messages.append(_notification("textDocument/didChange", rng))
            messages += [self.request(rng) for _ in range(rng.randrange(5))]
        end = {"jsonrpc": "2.0", "id": 0, "method": "shutdown", "params": None}
        return [*messages, end, {"jsonrpc": "2.0", "method": "exit", "params": None}]

    def request(self, rng: Random) -> Message:
        """A request, or a change of a text."""
        if rng.random() < 0.3:
            return _notification(rng.choice(list(NOTIFICATIONS)), rng)
        names = list(REQUESTS)
        return _request(rng.choices(names, [_SELDOM.get(name, 1) for name in names])[0], rng)

    def numbered(self, messages: Sequence[Message]) -> list[Message]:
        """From 1 on; what has no number keeps none."""
        return [{**m, "id": number} if "id" in m else m for number, m in enumerate(messages, 1)]

    def probe(self) -> Message:
        """It is answered before initialize and after shutdown as well, with an error."""
        params = {"textDocument": {"uri": "untitled:probe"}}
        return {"jsonrpc": "2.0", "id": PROBE, "method": "textDocument/foldingRange", "params": params}

    def asked(self, message: Message) -> object:
        return message.get("id") if "method" in message else None

    def answered(self, message: Message) -> object:
        return message.get("id") if "method" not in message else None

    def fault(self, message: Message) -> str:
        error = message.get("error") or {}
        if isinstance(error, dict) and error.get("code") == -32603:
            return f"internal error: {error.get('message')} {error.get('data')}"[:400]
        params = message.get("params") or {}
        said = str(params.get("message", "")) if isinstance(params, dict) else ""
        return said if "internal error" in said or said.startswith("Error in server") else ""

    def ending(self, message: Message) -> bool:
        return message.get("method") == "exit"
