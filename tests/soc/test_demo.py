"""The demo without its simulation: what it refuses, its packs, its trace and its picture."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lutra.firmware import device, pack
from lutra.firmware.pack.records import PackVersion
from lutra.soc.demo import __main__ as command
from lutra.soc.demo import packs, program, story, trace
from lutra.soc.demo.errors import DemoError
from lutra.soc.demo.run import Encrypted, Outcome, Step, follow
from lutra.soc.system import Mark
from support.documents import ROOT

FIRST, PATCH = PackVersion(1, 0, 0), PackVersion(1, 1, 0)


@pytest.fixture(scope="module")
def vendor() -> packs.Vendor:
    return packs.Vendor.make()


# ----------------------------------------------------------------------------------------- what it refuses


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "No such file or directory; name a file with --file"),
        (b"", "is empty; there is nothing to encrypt"),
        (bytes(98305), "has 98,305 bytes; the system's RAM has room for 98,304: choose a smaller file"),
    ],
)
def test_a_file_that_cannot_be_encrypted_is_one_line(
    content: bytes | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    if content is not None:
        file.write_bytes(content)
    assert command.main(["--file", str(file)]) == 1
    assert capsys.readouterr().err == f"error: {file}: {message}\n"


def test_a_missing_tool_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("PATH", "")
    assert command.main(["--file", str(ROOT / "LICENSE")]) == 1
    assert capsys.readouterr().err == "error: clang-19 is not there; run: make setup\n"


def test_help_of_the_demo_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--help"])
    assert "python -m lutra.soc.demo --file README.md" in capsys.readouterr().out


def test_a_result_that_is_not_that_of_openssl_is_an_error(tmp_path: Path) -> None:
    case = program.Case(b"text" * 9, (bytes(16), bytes(32)), (bytes(16), bytes(16)), b"", b"", b"", (0, 0))
    demo = story.Demo("ibex", tmp_path, tmp_path, lambda *_: None)
    right = case.expected(1)
    demo.check(2, Encrypted([], right), case)
    for wrong in (right[:-1] + bytes([right[-1] ^ 1]), right[:-1], right + b"\0"):
        with pytest.raises(DemoError, match=r"after the patch: ChaCha20 differs from OpenSSL at byte 3[56]"):
            demo.check(2, Encrypted([], wrong), case)


@pytest.mark.parametrize(
    ("printed", "message"),
    [
        ("@boot 15 40 1 1\nexit 1", "the host stopped at step 'boot': signature, detail 40"),
        ("@key 4 0 1 1\nexit 1", "the host stopped at step 'key': bad_key, detail 0"),
        ("error: the host trapped", "the simulation failed: error: the host trapped"),
        ("@device 0 0 1 1\n'; kill -9 $$; '", "the simulation was ended by signal 9"),
        ("", "the simulation ended before the host reported anything"),
    ],
)
def test_a_run_that_fails_says_where(printed: str, message: str, tmp_path: Path) -> None:
    simulator = tmp_path / "simulator"
    simulator.write_text(f"#!/bin/sh\nprintf '{printed}\\n'\n")
    simulator.chmod(0o755)
    with pytest.raises(DemoError) as found:
        list(follow(simulator, tmp_path, tmp_path, Outcome()))
    assert str(found.value) == message


def test_a_run_is_followed_step_by_step(tmp_path: Path) -> None:
    simulator = tmp_path / "simulator"
    lines = ("@device 0 0 10 9", "mark 8 100 1 0 0", "mark 9 150 5 0 0", "dump 00ff", "@file 0 70 160 90", "exit 0")
    simulator.write_text("#!/bin/sh\n" + "".join(f"echo {line}\n" for line in lines))
    simulator.chmod(0o755)
    outcome = Outcome()
    steps = list(follow(simulator, tmp_path, tmp_path, outcome))
    assert [(step.name, step.detail, step.cycle, step.instructions) for step in steps] == [
        ("device", 0, 10, 9),
        ("file", 70, 160, 90),
    ]
    assert outcome.files == [Encrypted([Mark(8, 100, 1, 0, 0), Mark(9, 150, 5, 0, 0)], b"\x00\xff")]
    assert (outcome.files[0].cycles, [step.detail for step in outcome.encrypted]) == (50, [70])


def test_every_step_of_the_program_is_told() -> None:
    source = (program.DEMO / "demo.c").read_text()
    for name in story.SENTENCES:
        assert f'"{name}"' in source, name
    assert isinstance(Step("file", 0, 0, 0, 0, 0.0), Step)


# ----------------------------------------------------------------------------------------------- its packs


def test_a_device_takes_the_first_pack_and_the_patch_but_not_a_changed_one(
    vendor: packs.Vendor, tmp_path: Path
) -> None:
    first, patch = vendor.release(packs.AES, FIRST, 1), vendor.release(packs.CHACHA, PATCH, 2)
    folder = tmp_path / "device"
    device.create(folder, pack.roots.trusted(vendor.roots), device.Description("iss", 2, program.LAYOUT))
    with device.opened(folder) as opened:
        opened.update(first)
        byte, bit = program.flip(patch)
        changed = bytearray(patch)
        changed[byte] ^= 1 << bit
        with pytest.raises(device.LoaderError):
            opened.check(bytes(changed))
        opened.update(patch)
        # The image that runs has its table of operations where the host looks for it.
        firmware = packs.CHACHA.image()
        assert packs.table(firmware) == opened.core.engine.read(packs.TABLE_SPACE, 0, 80)


def test_firmware_that_computes_something_else_is_not_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs.Cipher, "reference", lambda *_: bytes(80))
    with pytest.raises(DemoError, match="ChaCha20: the firmware and OpenSSL differ"):
        packs.build(packs.CHACHA, FIRST, 0)


# ------------------------------------------------------------------------------------ its trace and picture


def recorded() -> trace.Window:
    (window,) = trace.windows(story.RECORDED.read_text().splitlines())
    return window


def test_a_trace_has_what_a_packet_needs() -> None:
    window = recorded()
    for track in trace.TRACKS:
        assert window.on(track), track
    assert all(0 <= span.begin < span.end <= window.cycles for span in window.spans)
    # Reading, computing and writing overlap: one after the other would take longer than the window.
    assert sum(window.busy(track) for track in ("reads", "core", "writes")) > 1.5 * window.cycles


def test_bursts_of_a_client_end_in_order() -> None:
    lines = ["10 on", "11 r 3 64 16", "12 r 0 0 8", "13 r 3 192 2", "20 R 3", "22 R 0", "24 R 3", "25 w 1 8", "30 off"]
    (window,) = trace.windows(lines)
    spans = [(span.track, span.begin, span.end) for span in window.spans]
    assert spans == [("reads", 1, 11), ("descriptors", 2, 13), ("reads", 3, 15), ("completions", 15, 20)]
    assert window.busy("reads") == 14


@pytest.mark.parametrize(("lines", "message"), [(["x"], "line 1: 'x' is not an event"), (["1 on"], "ends within")])
def test_what_is_not_a_trace_is_an_error(lines: list[str], message: str) -> None:
    with pytest.raises(DemoError, match=message):
        trace.windows(lines)


def test_trace_events_have_a_thread_per_track_on_which_nothing_overlaps() -> None:
    document = json.loads(json.dumps(trace.document([recorded()], ["first"])))
    events = document["traceEvents"]
    named = {event["tid"]: event["args"]["name"] for event in events if event["name"] == "thread_name"}
    assert set(named.values()) == set(trace.TRACKS.values())
    reached: dict[int, int] = {}
    for event in events:
        if event["ph"] == "X":
            assert event["ts"] >= reached.get(event["tid"], 0)
            reached[event["tid"]] = event["ts"] + event["dur"]
    assert reached.keys() == named.keys()


def test_the_picture_in_the_manual_is_that_of_the_recorded_trace(tmp_path: Path) -> None:
    made = tmp_path / "made.svg"
    subprocess.run([sys.executable, story.PICTURE, made], check=True, timeout=300)
    assert (ROOT / "docs" / "transfers.svg").read_text() == made.read_text()
    assert "prefers-color-scheme: dark" in made.read_text()
    assert all(f">{title}<" in made.read_text() for title in trace.TRACKS.values())
