"""How a session begins and ends, and what is done about clients that do not keep to the protocol."""

from __future__ import annotations

import json
import os
import subprocess
import threading
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from lutra.editor.documents import file_of
from lutra.editor.frames import FrameError, read
from support.editor import COMMAND, SECONDS

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"processId": None, "rootUri": None, "capabilities": {}},
}
SHUTDOWN = {"jsonrpc": "2.0", "id": 9, "method": "shutdown"}
EXIT = {"jsonrpc": "2.0", "method": "exit"}
FOLDS = {
    "jsonrpc": "2.0",
    "id": 5,
    "method": "textDocument/foldingRange",
    "params": {"textDocument": {"uri": "untitled:a"}},
}


def frame(message: object) -> bytes:
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


def talk(*messages: object, raw: bytes = b"") -> tuple[int, list[dict[str, Any]], str]:
    """Send everything at once; the exit code, the answers, and what stands on standard error."""
    data = b"".join(map(frame, messages)) + raw
    done = subprocess.run(COMMAND, input=data, capture_output=True, timeout=SECONDS, check=False)
    answers, rest = [], done.stdout
    while rest:
        header, _, rest = rest.partition(b"\r\n\r\n")
        length = int(header.lower().partition(b"content-length:")[2].split(b"\r\n")[0])
        answers.append(json.loads(rest[:length]))
        rest = rest[length:]
    return done.returncode, answers, done.stderr.decode()


def test_shutdown_and_exit_are_code_0() -> None:
    code, answers, error = talk(INITIALIZE, SHUTDOWN, EXIT)
    assert (code, error) == (0, "")
    assert [a["id"] for a in answers if "id" in a] == [1, 9]


def test_exit_without_shutdown_is_code_1() -> None:
    code, _, error = talk(INITIALIZE, EXIT)
    assert (code, error) == (1, "")


def test_exit_as_a_request_is_refused_and_ends_nothing() -> None:
    code, answers, error = talk(INITIALIZE, EXIT | {"id": 7}, SHUTDOWN, EXIT)
    assert (code, error) == (0, "")
    assert [a["error"]["code"] for a in answers if a.get("id") == 7] == [-32600]


@pytest.mark.parametrize(
    "end", [EXIT | {"params": {"text": "x" * 1000}}, json.dumps(EXIT).replace("exit", "\\u0065xit").encode()]
)
def test_exit_may_be_written_in_any_way(end: object) -> None:
    assert talk(INITIALIZE, SHUTDOWN, end)[0] == 0


def test_a_client_that_is_gone_is_code_1_and_one_line() -> None:
    code, _, error = talk(INITIALIZE)
    assert (code, error) == (1, "lutra: error: the client has gone without exit\n")


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"hello\r\n\r\n", "no header: b'hello'"),
        (b"X: y\r\n\r\n", "a message without Content-Length"),
        (b"Content-Length: 99999999999\r\n\r\n{", "a message of 99999999999 bytes; at most 134217728 are read"),
        (b"Content-Length: 20\r\n\r\n{", "the stream ends within a message of 20 bytes"),
        (b"Content-Length: 20", "a header without an end"),
        (b"Content-Length: 20\r\n", "the stream ends within a header"),
        (b"X: y\r\n" * 50, "more than 32 headers"),
        (b"x" * 100_000, "a header without an end"),
    ],
)
def test_broken_framing_is_said_in_one_line(raw: bytes, said: str) -> None:
    with pytest.raises(FrameError) as found:
        read(BytesIO(raw))
    assert str(found.value) == said


def test_broken_framing_ends_the_server() -> None:
    code, _, error = talk(INITIALIZE, raw=b"hello\r\n\r\n")
    assert (code, error) == (1, "lutra: error: the client's message cannot be read: no header: b'hello'\n")


def test_headers_are_read_in_any_case_with_others_beside_them() -> None:
    assert read(BytesIO(b"content-type: x\r\ncontent-length:2\r\n\r\n{}")) == b"{}"


WRONG: list[tuple[object, object, int]] = [
    (b"{", None, -32700),
    (b"[" * 100_000, None, -32700),
    (b"[]", None, -32600),
    ({"id": 31, "method": "x"}, None, -32600),
    ({"jsonrpc": "2.0", "id": [3], "method": "x"}, None, -32600),
    ({"jsonrpc": "2.0", "id": 32, "method": 4}, 32, -32600),
    ({"jsonrpc": "2.0", "id": 33, "method": "textDocument/hover", "params": {"x": 1}}, 33, -32602),
    ({"jsonrpc": "2.0", "id": 34, "method": "no/such"}, 34, -32601),
    ({**INITIALIZE, "id": 35}, 35, -32600),
]


def test_messages_that_are_wrong_are_refused_and_the_server_goes_on() -> None:
    done, answers, error = talk(INITIALIZE, *(message for message, _, _ in WRONG), FOLDS, SHUTDOWN, EXIT)
    assert (done, error) == (0, "")
    refused = [a for a in answers if "error" in a]
    assert [(a["id"], a["error"]["code"]) for a in refused] == [(number, code) for _, number, code in WRONG]
    assert all("\n" not in a["error"]["message"] for a in refused)
    assert any(a.get("id") == 5 and "result" in a for a in answers)


def test_nothing_is_answered_before_initialize_and_after_shutdown() -> None:
    _, answers, _ = talk(FOLDS, INITIALIZE, SHUTDOWN, {**FOLDS, "id": 6}, EXIT)
    errors = {a["id"]: a["error"]["code"] for a in answers if "error" in a}
    assert errors == {5: -32002, 6: -32600}


@pytest.mark.parametrize("uri", ["\ud800", "untitled:\0a", "file:///a\ud800"])
def test_a_document_goes_by_a_name_that_a_file_can_have(uri: str) -> None:
    name = os.fsencode(file_of(uri))  # as it is looked for on the disk
    assert b"\0" not in name


def test_the_help_has_an_example() -> None:
    command = [*COMMAND[:-1], COMMAND[-1].replace("['lsp']", "['lsp', '--help']")]
    done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    assert done.returncode == 0 and b"lutra lsp" in done.stdout


def test_wrong_usage_is_one_line() -> None:
    command = [*COMMAND[:-1], COMMAND[-1].replace("['lsp']", "['lsp', 'file.s']")]
    done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    assert done.returncode == 2 and done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("encoding", ["utf-8", "utf-32"])
def test_positions_are_in_the_encoding_that_the_client_prefers(tmp_path: Path, encoding: str) -> None:
    begin = json.loads(json.dumps(INITIALIZE))
    begin["params"]["capabilities"] = {"general": {"positionEncodings": [encoding]}}
    uri = (tmp_path / "a.s").as_uri()
    text = "/* \N{OTTER} */ start: nop\n        jmp start\n"
    opened = {"textDocument": {"uri": uri, "languageId": "lutra", "version": 1, "text": text}}
    ask = {"textDocument": {"uri": uri}, "position": {"line": 1, "character": 13}}
    messages = [
        begin,
        {"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": opened},
        {"jsonrpc": "2.0", "id": 2, "method": "textDocument/definition", "params": ask},
    ]
    with subprocess.Popen(COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        assert server.stdin is not None and server.stdout is not None
        patience = threading.Timer(SECONDS, server.kill)
        patience.start()
        server.stdin.write(b"".join(map(frame, messages)))
        server.stdin.flush()
        answers: dict[object, Any] = {}
        while 2 not in answers:
            while header := server.stdout.readline().strip().lower():
                if header.startswith(b"content-length:"):
                    length = int(header.partition(b":")[2])
            answer = json.loads(server.stdout.read(length))
            answers[answer.get("id")] = answer
        server.stdin.write(frame(SHUTDOWN) + frame(EXIT))
        server.stdin.close()
        server.stdout.read()
        patience.cancel()
    assert server.returncode == 0
    assert answers[1]["result"]["capabilities"]["positionEncoding"] == encoding
    bits = int(encoding[4:])
    width = len("/* \N{OTTER} */ ".encode(encoding if bits == 8 else f"{encoding}-le")) // (bits // 8)
    assert answers[2]["result"][0]["range"]["start"] == {"line": 0, "character": width}
