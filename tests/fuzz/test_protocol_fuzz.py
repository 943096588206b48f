"""The fuzzer of protocols: the same cases from the same seed, and a finding for whatever a server must not do."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from lutra.debug.dap import adapter
from protocol_fuzz import dap
from protocol_fuzz.__main__ import campaign, main
from protocol_fuzz.cases import KINDS, Case, case
from protocol_fuzz.framing import Frames, Message, OutputError, encode
from protocol_fuzz.process import FindingError, run
from protocol_fuzz.target import Target
from protocol_fuzz.targets import TARGETS
from support.documents import ROOT

# Python 3.12 and later: a server that is forked here starts no thread of this process.
pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")

PROBE = -1
# One of each kind; the nightly parts take an hour of each server.
CASES = len(KINDS)


class Small(Target):
    """A server of one request, `n`, which is answered by `a`; what it does wrong is said by `wrong`."""

    name = "small"
    memory = 300 << 20

    def __init__(self, wrong: str = "") -> None:
        self.wrong = wrong
        self.patience = 1 if wrong in ("hang", "silence", "no end") else 20

    def serve(self) -> int:
        frames = Frames()
        held: list[bytes] = []
        while data := os.read(0, 1000):
            try:
                for message in frames.feed(data):
                    if self.wrong == "traceback":
                        print("Traceback (most recent call last)\nKeyError: 1", file=sys.stderr)
                    if self.wrong == "hang":
                        time.sleep(60)
                    if self.wrong == "memory" and not held:
                        held.append(b"x" * (360 << 20))
                    if self.wrong == "signal":
                        os.abort()
                    if self.wrong == "raise":
                        raise KeyError("n")
                    if self.wrong == "own":
                        os.write(1, encode({"fault": "internal error"}))
                    if "n" in message and self.wrong != "silence":
                        answer = encode({"a": message["n"]})
                        os.write(1, answer[:-1] if self.wrong == "cut" else answer * (1 + (self.wrong == "twice")))
            except OutputError:
                return 0
        if self.wrong == "no end":
            time.sleep(60)
        return 3 if self.wrong == "code" else 0

    def session(self, rng: Random) -> list[Message]:
        return [{"n": 0}, {"n": 0}]

    opening = session

    def request(self, rng: Random) -> Message:
        return {"n": 0}

    def numbered(self, messages: Sequence[Message]) -> list[Message]:
        return [{**message, "n": number} for number, message in enumerate(messages, 1)]

    def probe(self) -> Message:
        return {"n": PROBE}

    def asked(self, message: Message) -> object:
        return message.get("n")

    def answered(self, message: Message) -> object:
        return message.get("a")

    def fault(self, message: Message) -> str:
        return str(message.get("fault", ""))

    def ending(self, message: Message) -> bool:
        return False


VALID = Case("valid", encode({"n": 1}) + encode({"n": 2}), True, frozenset({1, 2}))


def test_a_server_that_answers_and_ends_has_no_finding() -> None:
    assert run(Small(), VALID).answers == 3


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("traceback", "traceback: KeyError: 1"),
        ("hang", "no answer, or no end, within 1 s"),
        ("no end", "no answer, or no end, within 1 s"),
        ("silence", "no answer, or no end, within 1 s"),
        ("memory", "held .* MiB of memory, more than 300"),
        ("signal", "request .* was answered 0 times"),
        ("raise", "request .* was answered 0 times"),
        ("cut", "body .*"),
        ("twice", "request .* was answered 2 times"),
        ("own", "internal error"),
        ("code", "ended with 3, not 0"),
    ],
)
def test_whatever_a_server_must_not_do_is_a_finding(fault: str, said: str) -> None:
    with pytest.raises(FindingError, match=said):
        run(Small(fault), VALID)


@pytest.mark.parametrize(("fault", "said"), [("signal", "ended with -6"), ("raise", "ended with 70.*KeyError: 'n'")])
def test_a_crash_is_a_finding_where_no_answer_is_due(fault: str, said: str) -> None:
    with pytest.raises(FindingError, match=said):
        run(Small(fault), Case("valid", encode({"n": 1}), whole=False))


@pytest.mark.parametrize("kind", KINDS)
def test_a_case_is_made_again_from_its_number(kind: str) -> None:
    first, again = (case(Small(), 1, 7, (kind,)) for _ in range(2))
    assert first == again and first.kind == kind
    assert case(Small(), 1, 8, (kind,)).data != first.data


def test_a_server_that_reads_strictly_ends_on_every_case() -> None:
    for number in range(60):
        made = case(Small(), 2, number)
        run(Small(), Case(made.kind, made.data, whole=False))


def test_frames_are_read_in_pieces_of_any_size() -> None:
    data = encode({"a": "é"}) + encode({"b": 2})
    frames = Frames()
    found: list[Message] = []
    for at in range(len(data)):
        found += frames.feed(data[at : at + 1])
    frames.finish()
    assert found == [{"a": "é"}, {"b": 2}]


@pytest.mark.parametrize("data", [b"Content-Length: x\r\n\r\n", b"Content-Length: 2\r\n\r\n[]", b"x" * 5000])
def test_output_that_is_no_message_is_bad(data: bytes) -> None:
    with pytest.raises(OutputError):
        list(Frames().feed(data))


# ------------------------------------------------------------------ the servers


def test_every_request_of_the_debug_adapter_is_drawn() -> None:
    assert sorted(dap.REQUESTS) == sorted(adapter.REQUESTS)


@pytest.mark.parametrize("target", TARGETS)
def test_some_cases_of_each_server_have_no_finding(target: str) -> None:
    """From fixed seeds; `make fuzz-dap` and the nightly part go on from there."""
    command = [sys.executable, "-m", "protocol_fuzz", "--target", target, "--cases", str(CASES)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{target}: {CASES} cases" in done.stdout and ", no findings" in done.stdout


def test_a_finding_is_kept_with_the_command_that_sends_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("protocol_fuzz.__main__.WORK", tmp_path)
    assert campaign(Small("code"), 1, 2, None, ("random-order",)) == 2
    said = capsys.readouterr().out
    assert "small 0, random-order: ended with 3, not 0" in said and "2 findings" in said
    kept = tmp_path / "small-1-0.input"
    assert kept.read_bytes() == case(Small(), 1, 0, ("random-order",)).data
    assert f"--target small --again {kept} --whole" in said


def test_a_server_that_is_not_known_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["protocol_fuzz", "--target", "dap,ftp"])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2 and "no target ftp; choose from" in capsys.readouterr().err
