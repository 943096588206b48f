"""How commands end: with a reader that has seen enough, told to by a signal, on a full disk."""

from __future__ import annotations

import json
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lutra.cli.main import main, tree
from lutra.soc.packets import pcap
from lutra.soc.packets.pcap import RAW, Capture, Frame
from ppa import tools
from support import small_pack
from support.cli import Lutra

PROGRAM = Path(sys.executable).with_name("lutra")
KEY = "000102030405060708090a0b0c0d0e0f"
CBC = ["crypt", "--cipher", "aes-128-cbc", "--key", KEY, "--iv", KEY]
# A packet of IPv4 without contents.
IP_PACKET = bytes.fromhex("4500001400010000400000000a0000010a000002")
ANSWERS = {
    "algorithm": "AES",
    "mode": "ECB",
    "tests": [
        {
            "id": "appendix-c.1",
            "key": KEY,
            "plaintext": "00112233445566778899aabbccddeeff",
            "ciphertext": "69c4e0d86a7b0430d8cdb78070b4c55a",
        }
    ],
}
# Each writes more than a line, where it has more to say than one.
PRINTING = [
    "asm program.s -o again.elf",
    "objdump program.elf",
    "image program.elf --format json",
    "fmt --diff long.s",
    "run program.elf --json",
    "debug program.elf --batch -c help",
    "profile program.elf",
    "cosim program.elf --json",
    "campaign run --seeds 0:1 --json",
    "coverage counts.json --holes",
    f"{shlex.join(CBC)} big -",
    f"packets plain.pcap esp.pcap --spi 0x1000 --key {KEY}a0a1a2a3 --tunnel 192.0.2.1,192.0.2.2 --json",
    f"mac --algorithm aes-128-cmac --key {KEY} --json big",
    "crc --json big",
    "ciphers",
    "kat answers.json --json",
    "bench --cipher aes-128-ctr --json",
    "isa",
    "demo",
    "new cipher",
    "test otter",
    "prove aes-128-ecb",
    "optimize loop.s",
    "pack inspect small.pack",
    "device show --device dev",
    "patch status --device dev",
]
# Servers, which talk to an editor until it leaves: tests/debug/dap and tests/editor/test_life.py.
SERVERS = {"dap", "lsp"}
# It says on standard error how far it is.
MEASURING = {"ppa": "ppa --module lutra_counter --json"}
# What has to be there for one of them.
CREATE = ["device", "create", "dev", "--roots", "vendor.roots"]
BEFORE = {
    "coverage": ["kat", "answers.json", "--coverage", "counts.json"],
    "test": ["new", "otter"],
    "device": CREATE,
    "patch": CREATE,
}


def test_every_command_is_among_those_whose_reader_closes_the_pipe() -> None:
    assert {command.split()[0] for command in PRINTING} == set(tree().commands) - SERVERS - set(MEASURING)


# Together they write in every way that commands do: text at once, line by line, JSON, bytes, tables, and by libraries.
BY_DAY = {"objdump", "run", "debug", "crypt", "kat", "isa"}
OTHERS = pytest.mark.nightly("a process for each command; six of them write in all the ways that there are")


@pytest.mark.parametrize(
    "command",
    [pytest.param(c, id=c.split()[0], marks=[OTHERS] * (c.split()[0] not in BY_DAY)) for c in PRINTING],
)
def test_every_command_may_have_a_reader_that_has_seen_enough(command: str, elf: Path) -> None:
    Path("answers.json").write_text(json.dumps(ANSWERS))
    Path("big").write_bytes(bytes(1 << 17))
    Path("plain.pcap").write_bytes(pcap.write(Capture(RAW), [Frame(IP_PACKET)]))
    Path("long.s").write_text("nop\n" * (1 << 14))
    Path("loop.s").write_text("repeat 2, end\nxor v0, v0, v1\nxor m3[ar1++], v0, zero\nend: halt\n")
    small_pack.write_files(Path())
    if before := BEFORE.get(command.split()[0]):
        assert main(before) == 0
    script = f"set -o pipefail; {PROGRAM} {command} | head -n 1"
    run = subprocess.run(["bash", "-c", script], capture_output=True, check=False)
    assert (run.returncode, run.stderr) == (0, b"")


@pytest.mark.nightly("a synthesis of five seconds; the readers of the other commands close their pipes by day")
@pytest.mark.parametrize("command", MEASURING.values(), ids=MEASURING)
def test_what_says_how_far_it_is_may_have_such_a_reader_too(command: str) -> None:
    if subprocess.run([tools.SCRIPT, "--there"], capture_output=True, check=False).returncode:
        pytest.skip("OpenSTA and the cells are not on this machine; make ppa-tools fetches them")
    script = f"set -o pipefail; {PROGRAM} {command} | head -c 1"
    run = subprocess.run(["bash", "-c", script], capture_output=True, check=False, text=True)
    assert (run.returncode, run.stdout) == (0, "{")
    assert all(re.match(r"\[ *\d+ s\] lutra_counter: ", line) for line in run.stderr.splitlines()), run.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_a_signal_leaves_no_plaintext_and_the_old_file(number: signal.Signals, code: int) -> None:
    Path("out").write_bytes(b"as it was")
    run = subprocess.Popen(
        [PROGRAM, *CBC, "--decrypt", "/dev/zero", "out"],
        stderr=subprocess.PIPE,
        # A job in the background of a shell script ignores interrupts, and so would what it starts.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    deadline = time.monotonic() + 60
    while not any(p.stat().st_size for p in Path().glob(".out.*.tmp")) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert list(Path().glob(".out.*.tmp"))
    run.send_signal(number)
    _, err = run.communicate(timeout=30)
    assert (run.returncode, err) == (code, b"")
    assert [p.name for p in Path().iterdir()] == ["out"]
    assert Path("out").read_bytes() == b"as it was"


@pytest.mark.parametrize(
    "command", ["isa", "ciphers", "run program.elf", "objdump program.elf", f"{shlex.join(CBC)} in -"]
)
def test_a_full_standard_output_is_named(command: str, elf: Path) -> None:
    Path("in").write_bytes(bytes(1 << 15))
    run = subprocess.run(["bash", "-c", f"{PROGRAM} {command} > /dev/full"], capture_output=True, check=False)
    assert run.returncode == 1
    assert run.stderr == b"lutra: error: standard output: No space left on device\n"


@pytest.mark.parametrize(
    "command",
    [
        ["asm", "program.s", "-o", "/dev/full"],
        ["asm", "program.s", "-o", "out", "--listing", "/dev/full"],
        ["run", "program.elf", "--trace", "/dev/full"],
        ["run", "program.elf", "--dump", "m3@0:16=out", "--dump", "m3@0:4096=/dev/full"],
        [*CBC, "in", "/dev/full"],
    ],
)
def test_a_full_file_is_named_and_no_other_is_written(command: list[str], lutra: Lutra, elf: Path) -> None:
    Path("in").write_bytes(bytes(16))
    assert lutra(*command).error == "/dev/full: No space left on device"
    assert not Path("out").exists()


@pytest.mark.parametrize("engine", ["rtl", "cosim"])
def test_waves_that_do_not_fit_are_an_error_and_leave_no_file(engine: str, elf: Path) -> None:
    def small_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

    run = subprocess.run(
        [PROGRAM, "run", elf, "--engine", engine, "--wave", "w.fst"],
        capture_output=True,
        preexec_fn=small_files,
        check=False,
    )
    assert run.returncode == 1
    assert run.stderr.startswith(b"lutra: error: w.fst: the waves cannot be written to their end: no space is left")
    assert run.stderr.count(b"\n") == 1
    assert not Path("w.fst").exists()


def test_waves_on_a_full_device_are_an_error(lutra: Lutra, elf: Path) -> None:
    assert lutra("run", elf, "--engine", "rtl", "--wave", "/dev/full").error.startswith(
        "/dev/full: the waves cannot be"
    )
    assert Path("/dev/full").is_char_device()


def test_an_error_that_cannot_be_told_is_still_an_error(elf: Path) -> None:
    run = subprocess.run(["bash", "-c", f"{PROGRAM} isa nothing 2> /dev/full"], capture_output=True, check=False)
    assert run.returncode == 2


@pytest.mark.parametrize(
    ("name", "shown"), [(b"no\xff", "no\\xff"), (b"a\nb", "a\\nb"), (b"\x1b[2J", "\\x1b[2J"), ("é".encode(), "é")]
)
@pytest.mark.parametrize("command", [["objdump"], ["asm", "-o", "x"], ["kat"], ["crc"]], ids=lambda c: c[0])
def test_a_name_that_is_no_text_is_shown_with_escapes(
    command: list[str], name: bytes, shown: str, lutra: Lutra
) -> None:
    result = lutra(*command, name.decode("utf-8", "surrogateescape"))
    assert result.code == 1
    assert result.error.startswith(f"{shown}: ")


def test_a_name_that_is_no_text_is_shown_with_escapes_on_standard_output(elf: Path) -> None:
    elf.rename(b"no\xff.elf".decode("utf-8", "surrogateescape"))
    run = subprocess.run([PROGRAM, "objdump", b"no\xff.elf"], capture_output=True, check=True)
    assert run.stdout.startswith(b"no\\xff.elf: entry 0x0000")


def test_standard_streams_may_be_closed(elf: Path) -> None:
    for command in (f"{shlex.join(CBC)} - out <&-", f"{shlex.join(CBC)} program.elf - >&-", "isa >&-"):
        run = subprocess.run(["bash", "-c", f"{PROGRAM} {command}"], capture_output=True, check=False)
        assert run.returncode in (0, 1)
        assert b"internal" not in run.stderr and b"Traceback" not in run.stderr
