"""Files that are too long, nested too deep, or in two places of a command line; ranges without end."""

from __future__ import annotations

import hashlib
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.cli import Lutra

KEY = "000102030405060708090a0b0c0d0e0f"
CTR = ["crypt", "--cipher", "aes-128-ctr", "--key", KEY, "--iv", KEY]
GCM = ["crypt", "--cipher", "aes-128-gcm", "--key", KEY, "--iv", KEY[:24]]
WORDS = "offset and length must be multiples of 8, the bytes of a program word"
# What every command that writes files reads first.
INPUTS = ["program.s", "program.elf", "counts.json", "more.json", "aad", "in", "report.json", "vectors.json"]
# Outputs that are an input by the same name, a link, a hard link or another way to write the name; two outputs.
CONFLICTS = [
    ["asm", "program.s", "-o", "program.s"],
    ["asm", "program.s", "-o", "link"],
    ["asm", "program.s", "-o", "x.elf", "--listing", "program.s"],
    ["asm", "program.s", "-o", "x.elf", "--listing", "./x.elf"],
    ["asm", "program.s", "-o", "-", "--listing", "-"],
    ["run", "program.elf", "--trace", "program.elf"],
    ["run", "program.elf", "--trace", "hard"],
    ["run", "program.elf", "--engine", "rtl", "--wave", "folder/../program.elf"],
    ["run", "program.elf", "--dump", "m3@0:16=program.elf"],
    ["run", "program.elf", "--dump", "m3@0:16=o", "--trace", "o"],
    ["run", "program.elf", "--dump", "m3@0:16=o", "--dump", "m3@16:16=o"],
    ["run", "program.elf", "--engine", "rtl", "--wave", "o", "--trace", "o"],
    ["run", "program.elf", "--load", "m2@0=in", "--dump", "m3@0:16=in"],
    ["run", "program.s", "--trace", "program.s"],
    ["coverage", "counts.json", "-o", "counts.json"],
    ["coverage", "counts.json", "more.json", "--page", "more.json"],
    ["coverage", "counts.json", "-o", "o", "--page", "o"],
    ["campaign", "merge", "report.json", "--junit", "report.json"],
    ["campaign", "run", "--seeds", "0:1", "--coverage", "o", "--junit", "o"],
    ["campaign", "run", "--seeds", "0:1", "--steer", "counts.json", "--coverage", "counts.json"],
    ["kat", "vectors.json", "--coverage", "vectors.json"],
    ["kat", ".", "--coverage", "vectors.json"],
    [*GCM, "--aad", "@aad", "in", "aad"],
]


@pytest.mark.parametrize("command", CONFLICTS, ids=" ".join)
def test_an_output_never_takes_the_place_of_an_input_or_of_another_output(
    command: list[str], lutra: Lutra, elf: Path
) -> None:
    Path("folder").mkdir()
    for name in INPUTS[2:]:
        Path(name).write_text("{}")
    Path("link").symlink_to("program.s")
    Path("hard").hardlink_to("program.elf")
    before = {path: hashlib.sha256(path.read_bytes()).digest() for path in Path().iterdir() if path.is_file()}
    result = lutra(*command)
    assert result.code == 2
    assert "is the same file as" in result.error
    after = {path: hashlib.sha256(path.read_bytes()).digest() for path in Path().iterdir() if path.is_file()}
    assert after == before


@pytest.mark.parametrize("output", ["rows.inc", "data.bin", "link"])
@pytest.mark.parametrize("option", ["-o", "--listing", "-MF"])
def test_a_file_that_is_included_is_not_overwritten(option: str, output: str, lutra: Lutra) -> None:
    Path("rows.inc").write_text("        halt\n")
    Path("data.bin").write_bytes(b"data")
    Path("link").symlink_to("data.bin")
    Path("a.s").write_text('        .section m0\n        .incbin "data.bin"\n        .section text\n'
                           '        .include "rows.inc"\n')  # fmt: skip
    others = ["-MD"] if option == "-MF" else []
    result = lutra("asm", "a.s", *others, *([] if option == "-o" else ["-o", "a.elf"]), option, output)
    assert result.code == 2
    assert "is the same file as" in result.error
    assert (Path("rows.inc").read_text(), Path("data.bin").read_bytes()) == ("        halt\n", b"data")
    assert not Path("a.elf").exists()


@pytest.mark.parametrize(
    ("command", "text"),
    [
        (["run", "program.elf", "--load", "m2@0=/dev/zero"], "more than 4096 bytes, the limit for m2 from 0x0 on"),
        (["run", "program.elf", "--load", "m2@0xff0=/dev/zero"], "more than 16 bytes"),
        (["run", "program.elf", "--load", "pm@0=/dev/zero"], "more than 8192 bytes"),
        (["run", "/dev/zero"], "more than 67108864 bytes, the limit for an image"),
        (["objdump", "/dev/zero"], "more than 67108864 bytes, the limit for an image"),
        (["asm", "/dev/zero", "-o", "x"], "more than 16777216 bytes, the limit for sources and included files"),
        (["kat", "/dev/zero"], "more than 67108864 bytes, the limit for a vector file"),
        (["coverage", "/dev/zero"], "more than 67108864 bytes"),
        (["campaign", "merge", "/dev/zero"], "more than 67108864 bytes, the limit for a report"),
        (["campaign", "run", "--steer", "/dev/zero", "--coverage", "x"], "more than 67108864 bytes"),
        (["campaign", "run", "--weights", "/dev/zero"], "more than 67108864 bytes"),
        ([*GCM, "/dev/zero", "x"], "more than 268435456 bytes, the limit for a message that is held in memory"),
        ([*GCM, "--aad", "@/dev/zero", "in", "x"], "more than 268435456 bytes, the limit for associated data"),
        (["mac", "--algorithm", "aes-128-cmac", "--key", KEY, "/dev/zero"], "more than 268435456 bytes"),
    ],
    ids=lambda c: " ".join(c) if isinstance(c, list) else "",
)
def test_a_device_without_end_is_refused(command: list[str], text: str, lutra: Lutra, elf: Path) -> None:
    Path("in").write_bytes(b"")
    result = lutra(*command)
    assert result.code == 1
    assert result.error.startswith(("/dev/zero: has more than ", "/dev/zero: cannot be read: has more than "))
    assert text in result.error
    assert not Path("x").exists()


def test_a_file_that_is_included_has_a_limit(lutra: Lutra) -> None:
    with Path("huge").open("wb") as file:
        file.truncate(1 << 40)
    Path("a.s").write_text('        .section m0\n        .incbin "huge"\n')
    result = lutra("asm", "a.s", "-o", "x")
    assert result.code == 1
    assert "'huge' cannot be read: has more than 16777216 bytes" in result.err
    assert not Path("x").exists()


@pytest.mark.parametrize(
    "command",
    [
        ["kat", "deep.json"],
        ["coverage", "deep.json"],
        ["campaign", "merge", "deep.json"],
        ["campaign", "run", "--weights", "deep.json"],
        ["campaign", "run", "--steer", "deep.json", "--coverage", "x"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("text", ["[" * 100_000, '{"tests":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_json_that_is_nested_without_end_is_an_error_naming_the_file(
    command: list[str], text: str, lutra: Lutra
) -> None:
    Path("deep.json").write_text(text)
    result = lutra(*command)
    assert result.code == 1
    assert "deep.json" in result.error
    assert "internal" not in result.error


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_thousand_million_seeds_are_not_held_in_memory(jobs: str) -> None:
    """Under a limit of memory in which a list of their chunks would not fit."""
    limit = "ulimit -v 1500000" if jobs == "1" else "true"
    run = subprocess.Popen(
        ["bash", "-c", f"{limit}; exec {Path(sys.executable).with_name('lutra')} "
         f"campaign run --seeds 0:1000000000 --mode loops --jobs {jobs}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        time.sleep(4)
        assert run.poll() is None, run.stderr.read() if run.stderr else ""
        status = Path(f"/proc/{run.pid}/status").read_text()
        resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
        assert resident < 250_000, f"{resident} KiB"
    finally:
        run.terminate()
        # Without what the workers have still to do.
        _, err = run.communicate(timeout=20)
    assert run.returncode == 143
    assert err == b""


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--load", "pm@3=in"], f"--load pm@3: {WORDS}"),
        (["--dump", "pm@4:8=out"], f"--dump pm@4:8: {WORDS}"),
        (["--dump", "pm@8:12=out"], f"--dump pm@8:12: {WORDS}"),
        (["--dump", "m3@0:0=out"], "--dump m3@0:0: the length must be at least 1"),
    ],
)
def test_parts_of_words_and_nothing_are_no_places(arguments: list[str], text: str, lutra: Lutra, elf: Path) -> None:
    Path("in").write_bytes(bytes(16))
    result = lutra("run", elf, *arguments)
    assert (result.code, result.error) == (2, text)
    assert not Path("out").exists()


def test_a_file_that_ends_within_a_program_word_is_refused(lutra: Lutra, elf: Path) -> None:
    Path("in").write_bytes(bytes(17))
    assert lutra("run", elf, "--load", "pm@8=in").error == f"--load pm@8: {WORDS}"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["--width", "16"], "--width is for a custom CRC; give --poly as well"),
        (["--init", "ffff"], "--init is for a custom CRC; give --width and --poly as well"),
        (["--xorout", "1"], "--xorout is for a custom CRC; give --width and --poly as well"),
        (["--reflected"], "--reflected is for a custom CRC; give --width and --poly as well"),
        (["--poly", "1021"], "--poly is for a custom CRC; give --width as well"),
        (
            ["--algorithm", "crc-16", "--reflected"],
            "--algorithm crc-16 already sets all parameters; leave out --reflected",
        ),
        (
            ["--algorithm", "crc-32", "--width", "16", "--poly", "1021"],
            "--algorithm crc-32 already sets all parameters; leave out --width, --poly",
        ),
        (["--algorithm", "crc-33"], "unknown CRC 'crc-33'; did you mean crc-32?"),
        (["--width", "16", "--poly", "10211"], "--poly, --init and --xorout must fit in the 16 bits of --width"),
        (["--width", "-4", "--poly", "1"], "Invalid value for '--width'"),
        (["--width", "33", "--poly", "1"], "Invalid value for '--width'"),
        (["--width", "16", "--poly", "xy"], "is not a number"),
    ],
)
def test_options_of_crc_that_do_not_belong_together_are_wrong_usage(
    arguments: list[str], text: str, lutra: Lutra
) -> None:
    Path("in").write_bytes(b"123456789")
    result = lutra("crc", *arguments, "in")
    assert result.code == 2
    assert text in result.error
    assert result.out == ""


@pytest.mark.parametrize(
    "command",
    [
        [*CTR[:-2], "in", "out"],
        ["cosim"],
        ["campaign", "run", "--seeds", "5"],
        ["campaign", "run", "--seeds", f"0:{'9' * 5000}"],
        ["campaign", "run", "--jobs", "100000"],
        ["mac", "--algorithm", "aes-128-cmac", "--key", KEY, "--length", "9", "in"],
        ["mac", "--algorithm", "128-eia2", "--key", KEY, "--count", "00000000", "--bearer", "32", "in"],
        ["run", "program.elf", "--wave", "w.fst"],
        ["run", "program.elf", "--entry", "nowhere"],
        ["isa", "nothing"],
        ["bench", "--check"],
        ["asm", "program.s", "-o", "out", "-D", "1"],
    ],
    ids=" ".join,
)
def test_wrong_usage_is_exit_code_2_whoever_finds_it(command: list[str], lutra: Lutra, elf: Path) -> None:
    Path("in").write_bytes(b"")
    result = lutra(*command)
    assert result.code == 2
    assert result.error
    assert not Path("out").exists()


@pytest.mark.parametrize(
    "command",
    [
        ["crc", "none"],
        [*CTR, "none", "out"],
        ["run", "program.elf", "--load", "m2@0=none"],
        ["run", "program.elf", "--entry", "underflow"],
        ["asm", "none.s", "-o", "out"],
        ["kat", "none.json"],
    ],
    ids=" ".join,
)
def test_work_that_fails_is_exit_code_1(command: list[str], lutra: Lutra, elf: Path) -> None:
    assert lutra(*command).code == 1
    assert not Path("out").exists()
