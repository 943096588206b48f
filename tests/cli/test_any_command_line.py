"""1,000 random command lines: none ends in a traceback, hangs, destroys a file or leaves half a result."""

from __future__ import annotations

import hashlib
import io
import json
import os
import random
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from lutra.cli.main import main
from lutra.firmware import device
from lutra.soc.packets import pcap
from lutra.soc.packets.pcap import RAW, Capture, Frame
from support import devices, small_pack
from support.cli import PROGRAM
from support.command_lines import KEPT, KEY, OUTPUTS, command_line, file_of, name_of, option_of, written

LINES = 1000
# So that several processes share the work.
SHARDS = 8
FIRST = 1
NIGHTLY = pytest.mark.nightly("more random command lines of the same kind")
SECONDS = 10
# Of the wall, where other work may have the processors.
PATIENCE = 60
LINKS = {"link", "hard", "fifo"}


class Hang(BaseException):
    """A command has taken too long."""


@pytest.fixture
def scratch(folder: Path) -> Iterator[Path]:
    """The files that command lines name, and a pipe that someone reads and writes."""
    template = folder / "template"
    template.mkdir()
    (template / "program.s").write_text(PROGRAM)
    assert main(["asm", str(template / "program.s"), "-o", str(template / "program.elf")]) == 0
    image = bytearray((template / "program.elf").read_bytes())
    image[100] ^= 0x10
    vectors = {"id": "1", "key": KEY, "plaintext": KEY, "ciphertext": "0a940bb5416ef045f1c39458c653ea5a"}
    contents = {
        "damaged.elf": bytes(image),
        "blocks": bytes(64),
        "odd": bytes(33),
        "empty": b"",
        "capture.pcap": pcap.write(Capture(RAW), [Frame(bytes([0x45]) + bytes(39))]),
        "vectors.json": json.dumps({"algorithm": "AES", "mode": "ECB", "tests": [vectors]}).encode(),
        "deep.json": b"[" * 100_000,
        "weights.json": b'{"near": 2}',
        "firmware.toml": b'[[algorithm]]\nname = "x"\n',
        "no\udcff": b"as it was",
    }
    for name, data in contents.items():
        (template / name).write_bytes(data)
    assert main(["kat", str(template / "vectors.json"), "--coverage", str(template / "counts.json")]) == 0
    (template / "report.json").write_text("{}")
    small_pack.write_files(template)
    (template / "newer.pack").write_bytes(devices.otter("1.1.0", 1))
    with device.opened(devices.create(template / "dev")) as dev:
        dev.update(devices.otter())
    (template / "folder").mkdir()
    (template / "folder/inner.json").write_text("[]")
    yield template


@pytest.fixture
def work(scratch: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with those files, and links and a pipe."""
    folder = scratch.parent / "work"
    _restore(scratch, folder)
    monkeypatch.chdir(folder)
    os.mkfifo(scratch.parent / "fifo")
    stopped = threading.Event()
    thread = threading.Thread(target=_serve, args=(scratch.parent / "fifo", stopped))
    thread.start()
    yield folder
    stopped.set()
    thread.join()


def _restore(template: Path, folder: Path) -> None:
    if folder.exists():
        for entry in folder.iterdir():
            shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
    shutil.copytree(template, folder, dirs_exist_ok=True)
    (folder / "link").symlink_to("program.s")
    (folder / "hard").hardlink_to(folder / "program.elf")
    (folder / "fifo").symlink_to("../fifo")


def _serve(fifo: Path, stopped: threading.Event) -> None:
    """Read what is written to the pipe, and end it for whoever reads."""
    reading = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    while not stopped.is_set():
        try:
            while os.read(reading, 1 << 16):
                pass
        except BlockingIOError:
            pass
        os.close(os.open(fifo, os.O_WRONLY | os.O_NONBLOCK))
        time.sleep(0.005)
    os.close(reading)


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).digest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _run(line: list[str], monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, str]:
    """Exit code, standard output and standard error."""

    def hang(*_: object) -> None:
        raise Hang

    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    environment = dict(os.environ)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(bytes(32))))
        timers = {signal.ITIMER_PROF: (signal.SIGPROF, SECONDS), signal.ITIMER_REAL: (signal.SIGALRM, PATIENCE)}
        for timer, (number, seconds) in timers.items():
            signal.signal(number, hang)
            signal.setitimer(timer, seconds)
        try:
            code = main(line)
        finally:
            for timer, (number, _) in timers.items():
                signal.setitimer(timer, 0)
                signal.signal(number, signal.SIG_DFL)
            os.environ.clear()
            os.environ.update(environment)
    out.flush()
    err.flush()
    texts = [s.buffer.getvalue().decode("utf-8", "replace") for s in (out, err)]
    return code, texts[0], texts[1]


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return os.path.realpath(one) == os.path.realpath(other)


def _check(line: list[str], code: int, err: str, changed: set[str]) -> None:
    """Claims about a command line that was run, and of the files that are new, gone or others after it."""
    assert code in (0, 1, 2)
    assert "Traceback" not in err and "internal error" not in err
    name = name_of(line)
    if code == 0:
        assert err.count("lutra: error:") == 0
    elif code == 2:
        assert err.startswith("lutra: error: ") and err.count("\n") == 1
    allowed = set(written(line, OUTPUTS.get(name, set()) if code == 0 else KEPT.get(name, set())))
    for file in changed:
        assert any(_same(Path(file), path) or path in Path(file).parents for path in allowed), f"{file} has changed"
        # In place, as a whole, is what `crypt FILE FILE` is for.
        # The last of an option that is given twice counts.
        uses = {option_of(name, before) or word: file_of(word) for before, word in pairwise(line)}
        named = [use for use, path in uses.items() if _same(Path(file), path)]
        assert len(named) <= 1 or name == "crypt", f"{file} is read and written"


@pytest.mark.parametrize("shard", [*range(FIRST), *(pytest.param(n, marks=NIGHTLY) for n in range(FIRST, SHARDS))])
def test_a_random_command_line_ends_as_the_manual_says(
    shard: int, scratch: Path, work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(shard)
    codes = set()
    for _ in range(LINES // SHARDS):
        line = command_line(rng)
        before = _files(work)
        try:
            code, _, err = _run(line, monkeypatch)
            after = _files(work)
            changed = {file for file in before.keys() | after.keys() if before.get(file) != after.get(file)}
            _check(line, code, err, changed)
        except (Exception, SystemExit, Hang) as error:
            pytest.fail(f"{line}: {type(error).__name__}: {error}")
        codes.add(code)
        if changed or {p.name for p in work.iterdir()} != {p.name for p in scratch.iterdir()} | LINKS:
            _restore(scratch, work)
    assert codes == {0, 1, 2}
