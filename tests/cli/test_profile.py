"""`lutra profile`: options, files and errors; what it counts is tested in tests/profile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lutra import engine as engines
from lutra.firmware.manifest import catalogue
from support import tracefile
from support.cli import Lutra

FORMS = ("--html", "--svg", "--speedscope", "--perfetto", "--konata", "--lcov")
ENGINES = engines.names()


@pytest.mark.parametrize("engine", ENGINES)
def test_the_profile_has_the_cycles_of_the_run(engine: str, lutra: Lutra, elf: Path) -> None:
    ran = lutra("run", elf, "--engine", engine, "--json").json
    found = lutra("profile", elf, "--engine", engine, "--json").json
    assert (found["cycles"], found["stalls"]) == (ran["cycles"], ran["stalls"])
    assert sum(line["cycles"] for line in found["lines"]) == ran["cycles"]
    assert found["error"] is None


def test_options_of_run_load_and_start(lutra: Lutra, elf: Path) -> None:
    options = ["--load", "m2@0=hex:" + "05" * 16, "--entry", "start", "--entry", "pause", "--resume", "--rounds", "1"]
    ran = lutra("run", elf, *options, "--json").json
    assert lutra("profile", elf, *options, "--json").json["cycles"] == ran["cycles"]


def test_assembly_is_profiled_with_symbols_and_includes(lutra: Lutra, folder: Path) -> None:
    Path("inc").mkdir()
    Path("inc/n.inc").write_text("n = N\n")
    Path("p.s").write_text('.include "n.inc"\n.section text\nrepeat n, .L\nnop\n.L: halt\n')
    found = lutra("profile", "p.s", "-I", "inc", "-D", "N=7", "--json").json
    # A body of one instruction is entered a cycle later.
    assert [(loop["passes"], loop["cycles"], loop["cycles_a_pass"]) for loop in found["loops"]] == [(7, 8, 8 / 7)]


def test_every_form_is_written_and_the_tables_printed(lutra: Lutra, elf: Path) -> None:
    files = [item for form in FORMS for item in (form, f"out{form}")]
    result = lutra("profile", elf, *files, "--annotate", "notes")
    assert result.code == 0, result.err
    assert "start" in result.out and "cycles" in result.out
    assert all(Path(f"out{form}").stat().st_size for form in FORMS)
    assert "bcast" in Path("notes/program.s.txt").read_text()
    assert json.loads(Path("out--perfetto").read_text())["traceEvents"]


@pytest.mark.parametrize("form", [*FORMS, "--annotate"])
def test_one_form_goes_to_standard_output_in_place_of_the_tables(form: str, lutra: Lutra, elf: Path) -> None:
    result = lutra("profile", elf, form, "-")
    assert result.code == 0, result.err
    assert result.out and "with calls" not in result.out.partition("<h2>")[0]


@pytest.mark.parametrize(("entry", "error"), [("spin", "no halt within 300 cycles"), ("underflow", "call-stack")])
@pytest.mark.parametrize("engine", ENGINES)
def test_a_run_that_fails_is_profiled_up_to_its_end(
    engine: str, entry: str, error: str, lutra: Lutra, elf: Path
) -> None:
    options = ["--entry", entry, "--max-cycles", 300, "--engine", engine, "--lcov", "out.info"]
    result = lutra("profile", elf, *options)
    assert result.code == 1
    assert error in result.error
    assert "program.s:" in result.out
    assert Path("out.info").is_file()
    assert lutra("profile", elf, *options, "--json").json["error"]


@pytest.mark.parametrize("name", [cipher.name for cipher in catalogue().listed][::30])
def test_a_cipher_is_profiled_by_its_name(name: str, lutra: Lutra) -> None:
    found = lutra("profile", "--cipher", name, "--json").json
    assert found["profiled"] == name
    assert sum(line["cycles"] for line in found["lines"]) == found["cycles"] > 0


def test_the_profile_of_an_aead_is_of_a_whole_message(lutra: Lutra) -> None:
    """Set-up, begin, associated data, text and tag: what `bench` counts of them, in one."""
    message = ["--cipher", "aes-128-gcm", "--bytes", 64, "--aad", 13, "--json"]
    (found,) = lutra("bench", *message, "--variant", "fused", "--engine", "rtl").json
    setup = found["setup_cycles"]
    whole = found["message"]["cycles"] + setup["tables"] + setup["key_schedule"]
    assert lutra("profile", *message).json["cycles"] == whole


def test_own_firmware_is_profiled_in_the_other_direction(lutra: Lutra, otter: None) -> None:
    options = ["--manifest", "otter", "--cipher", "otter-128-ctr", "--bytes", 64]
    one = lutra("profile", *options, "--json").json
    other = lutra("profile", *options, "--decrypt", "--json").json
    assert other["profiled"] == "otter-128-ctr, decrypting"
    assert one["cycles"] > 0 and other["cycles"] > 0


@pytest.mark.parametrize(
    ("code", "options", "error"),
    [
        (2, [], "give either an image or assembly to run, or --cipher"),
        (2, ["program.elf", "--cipher", "aes-128-ctr"], "give either an image"),
        (2, ["program.elf", "--bytes", 16], "--bytes works only with --cipher; leave it out"),
        (2, ["--cipher", "aes-128-ctr", "--entry", "main"], "--entry works only with FILE; leave it out"),
        (2, ["--cipher", "aes-128-ctx"], "aes-128-ctx"),
        (2, ["--cipher", "aes-128-ecb", "--bytes", 3], "--bytes 3: aes-128-ecb takes multiples of 16 bytes"),
        (2, ["--cipher", "aes-128-ecb", "--aad", 13], "--aad 13: aes-128-ecb does not take associated data"),
        (2, ["program.elf", "--aad", 13], "--aad works only with --cipher; leave it out"),
        (2, ["--cipher", "crc-32", "--decrypt"], "--decrypt: crc-32 has no decryption; leave it out"),
        (
            2,
            ["program.elf", "--html", "-", "--json"],
            "--html and --json would both write to standard output; give one of them a file",
        ),
        (2, ["program.elf", "--html", "a", "--svg", "a"], "--svg a: is the same file as --html; give another"),
        (2, ["program.elf", "--html", "program.elf"], "--html program.elf: is the same file as FILE; give another"),
        (2, ["program.s", "--lcov", "program.s"], "--lcov program.s: is the same file as"),
        (2, ["program.elf", "--window", 0], "--window"),
        (2, ["program.elf", "--konata", "a", "--from", 9**9], f"--from {9**9}: the program ends in cycle "),
        (2, ["program.elf", "--perfetto", "a", "--html", "b", "--from", 9**9], ", so --perfetto would be empty"),
        (1, ["none.elf"], "none.elf: no such file"),
        (1, ["program.elf", "--annotate", "program.s"], "--annotate program.s: is not a folder; give a folder or -"),
        (1, ["program.elf", "--html", "none/a"], "none/a: the folder does not exist"),
        (1, ["program.elf", "--html", "a", "--svg", "none/b"], "none/b: the folder does not exist"),
        (1, ["program.elf", "--engine", "cosim", "--konata", "/dev/full"], "/dev/full: No space left on device"),
    ],
)
def test_errors_name_the_option_and_leave_no_file(
    code: int, options: list[object], error: str, lutra: Lutra, elf: Path
) -> None:
    before = {path: path.read_bytes() for path in Path().iterdir()}
    result = lutra("profile", *options)
    assert result.code == code
    assert error in result.error
    assert {path: path.read_bytes() for path in Path().iterdir()} == before


def test_annotated_sources_take_the_place_of_no_source(lutra: Lutra, folder: Path) -> None:
    Path("p.s").write_text('.section m0\n.incbin "p.s.txt"\n.section text\nhalt\n')
    Path("p.s.txt").write_bytes(bytes(16))
    assert "p.s.txt: is the same file as" in lutra("profile", "p.s", "--annotate", ".").error
    assert Path("p.s.txt").read_bytes() == bytes(16)


@pytest.mark.parametrize("command", ["kat", "test"])
def test_coverage_of_firmware_adds_up_over_a_whole_command(command: str, lutra: Lutra, otter: None) -> None:
    options = {"kat": ["--manifest", "otter", "otter"], "test": ["otter"]}[command]
    result = lutra(command, *options, "--lcov", "out.info")
    assert result.code == 0, result.err
    covered = tracefile.read(Path("out.info").read_text().splitlines())
    of = next(found for file, found in covered.items() if file.endswith("otter.s"))
    assert max(of.lines.values()) > 10


def test_coverage_is_written_where_a_test_fails(lutra: Lutra, otter: None) -> None:
    Path("otter/otter.s").write_text(Path("otter/otter.s").read_text().replace("xor ", "and ", 1))
    assert lutra("test", "otter", "--lcov", "out.info").code == 1
    assert tracefile.read(Path("out.info").read_text().splitlines())
