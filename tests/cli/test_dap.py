"""`lutra dap` at its ends: no input, input that is not a message, a client that has gone, a wrong command line."""

from __future__ import annotations

import json
import os
import subprocess

import pytest

from support.documents import ROOT

INITIALIZE = json.dumps({"seq": 1, "type": "request", "command": "initialize", "arguments": {}}).encode()


def served(data: bytes, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The adapter with some bytes as all of its input."""
    return subprocess.run([ROOT / "lutra", "dap", *arguments], input=data, capture_output=True, timeout=60, check=False)


def test_the_end_of_the_input_is_the_end_of_the_adapter() -> None:
    done = served(b"")
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@pytest.mark.parametrize("data", [b"hello\n", b"Content-Length: 100\r\n\r\n{", b"Content-Length: 2\r\n\r\n[]"])
def test_input_that_is_no_message_is_no_failure(data: bytes) -> None:
    done = served(data)
    assert done.returncode == 0 and not done.stderr
    assert b"Traceback" not in done.stdout


def test_a_request_is_answered_on_standard_output_alone() -> None:
    done = served(b"Content-Length: %d\r\n\r\n%s" % (len(INITIALIZE), INITIALIZE))
    header, body = done.stdout.split(b"\r\n\r\n")
    assert header == b"Content-Length: %d" % len(body) and not done.stderr
    assert json.loads(body)["body"]["supportsStepBack"] is True


def test_a_client_that_reads_no_more_ends_the_adapter() -> None:
    read, write = os.pipe()
    os.close(read)
    with subprocess.Popen([ROOT / "lutra", "dap"], stdin=subprocess.PIPE, stdout=write, stderr=subprocess.PIPE) as run:
        os.close(write)
        _, errors = run.communicate(b"Content-Length: %d\r\n\r\n%s" % (len(INITIALIZE), INITIALIZE), timeout=60)
    assert (run.returncode, errors) == (0, b"")


def test_a_wrong_command_line_is_wrong_usage() -> None:
    done = served(b"", "program.s")
    assert done.returncode == 2 and done.stderr.startswith(b"lutra: error: ")
