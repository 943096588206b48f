"""Parts that a configuration leaves out are in nothing that is generated for it, and its file is checked."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from support.description import ROOT, generator, python

ISA = ROOT / "isa"
READY = sorted(file.stem for file in (ISA / "configurations").glob("*.toml"))


def generate(configuration: str | Path, *options: str | Path) -> subprocess.CompletedProcess[str]:
    return generator("--configuration", configuration, *options)


@pytest.fixture(scope="module")
def of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Generated files of a configuration, once."""

    @cache
    def make(configuration: str) -> Path:
        out = tmp_path_factory.mktemp(configuration)
        run = generate(configuration, "--out", out)
        assert (run.returncode, run.stderr) == (0, "")
        return out

    return make


BY_DAY = ("aes", "cp-asip", "lte")
OTHERS = pytest.mark.nightly("three of the configurations that lie ready are generated; the build generates `full`")


@pytest.fixture(scope="module", params=[pytest.param(n, marks=[OTHERS] * (n not in BY_DAY)) for n in READY])
def made(request: pytest.FixtureRequest, of: Callable[[str], Path]) -> Path:
    return of(request.param)


def tables(made: Path) -> dict[str, object]:
    found: dict[str, object] = json.loads((made / "python/lutra/isa/tables.json").read_text())
    return found


def test_those_that_lie_ready() -> None:
    assert READY == ["aes", "cp-asip", "full", "lte", "protected", "shadow"]


def test_what_is_left_out_is_generated_nowhere(made: Path) -> None:
    data = tables(made)
    decoder, executor = (made / "sv/lutra_decoder.sv").read_text(), (made / "cpp/lutra_exec.inc").read_text()
    decode = (made / "cpp/lutra_isa.hpp").read_text()
    insns, absent = data["instructions"], data["absent"]
    assert isinstance(insns, list) and isinstance(absent, list)
    for insn in insns:
        assert f"8'h{insn['opcode']:02x}: begin // {insn['mnemonic']}:" in decoder
    for insn in absent:
        assert f"8'h{insn['opcode']:02x}: begin" not in decoder
        assert f"struct {insn['name']} {{" not in executor
        assert f"Op::{insn['name']}," not in decode
    assert bool(absent) == (made.name.rstrip("0123456789") != "protected")


def test_a_block_has_just_the_functions_that_an_instruction_names(made: Path) -> None:
    data, blocks = tables(made), (made / "sv/lutra_blocks.sv").read_text()
    insns = data["instructions"]
    assert isinstance(insns, list)
    used = {step["function"] for insn in insns for step in insn["path"]}
    cases = re.findall(r"^      (?:Logic|Crossbar|Mix|Pairing)(\w+): ", blocks, re.M)
    assert cases and set(cases) <= used


def test_the_reference_of_a_configuration_names_what_it_lacks(made: Path) -> None:
    text = (made / "docs/isa-reference.md").read_text()
    absent = tables(made)["absent"]
    assert isinstance(absent, list)
    assert all(f"`{insn['mnemonic']}`" in text.partition("It does not have ")[2].split("\n")[0] for insn in absent)
    assert all(f"Record `{insn['name']}`," not in text for insn in absent)


ASSEMBLE = "from lutra.asm import assemble_text; assemble_text({!r})"
REFUSED = [
    ("lte", "ariao v0, v1, m0[0]",
     "'ariao' is of extension aria, which configuration lte does not have", "cp-asip, full, protected, shadow"),
    ("aes", "mov v0, hold",
     "hold is of extension camellia, which configuration aes does not have", "cp-asip, full, protected, shadow"),
    ("cp-asip", "aesenc2 v0, v1, m0:m1[0]",
     "'aesenc2' needs two rounds per instruction; configuration cp-asip has one", "aes, full, lte, protected, shadow"),
    ("cp-asip", "zucw c0, c0",
     "'zucw' is of extension ghash, which configuration cp-asip does not have", "full, lte, protected, shadow"),
    ("cp-asip", "zuc c1", "configuration cp-asip has 1 stream context, so no c1", "full, lte, protected, shadow"),
]  # fmt: skip


@pytest.mark.parametrize(("configuration", "text", "message", "having"), REFUSED)
def test_the_assembler_says_who_has_what_is_left_out(
    of: Callable[[str], Path], configuration: str, text: str, message: str, having: str
) -> None:
    run = python(of(configuration), ASSEMBLE.format(text + "\nhalt\n"))
    assert f"error: {message}\n" in run.stderr and f"hint: configurations that have it: {having}\n" in run.stderr


WRONG = [
    ({"extensions": '["base", "des"]'}, "no extension des; choose from base, "),
    ({"extensions": '["aes"]'}, "extension base is in every core; name it"),
    ({"extensions": '["base", "multiplier"]'}, "extension multiplier needs ghash; name it too"),
    ({"rounds": "[3]"}, "rounds are none of 1, 2"),
    ({"rounds": "[]"}, "rounds are none of 1, 2"),
    ({"contexts": "3"}, "contexts is 3, which is not from 1 to 2"),
    ({"contexts": "true"}, "contexts is not of type int"),
    ({"memory_rows": "512"}, "MemoryRows is 512; more than 256 are not reached by the encoding"),
    ({"program_words": "0"}, "program_words is less than 1"),
    ({"shadow_words": "5"}, "shadow_words needs extension stream; name it too, or leave shadow_words out"),
    ({"shadow_words": "17"}, "shadow_words is not from 0 to 16"),
    ({"shadow_words": "true"}, "shadow_words is not of type int"),
    ({"wipe": "1"}, "wipe is not of type bool"),
    ({"key_rows": "-1"}, "key_rows is less than 0"),
    ({"key_rows": "257"}, "key_rows is 257; a data memory has 256 rows"),
    ({"protect": "1"}, "protect is not of type bool"),
    ({"colour": "1"}, "unknown key colour; known are "),
]


@pytest.mark.parametrize(("changed", "message"), WRONG)
def test_a_wrong_file_is_refused_with_its_name(tmp_path: Path, changed: dict[str, str], message: str) -> None:
    values = {"text": '"mine"', "extensions": '["base"]', "rounds": "[2]", "contexts": "1"} | changed
    file = tmp_path / "mine.toml"
    file.write_text("".join(f"{key} = {value}\n" for key, value in values.items()))
    run = generate(file)
    assert run.returncode == 1 and run.stderr.startswith(f"{file}: ") and message in run.stderr


def test_the_smallest_file_is_a_core(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('text = "mine"\nextensions = ["base"]\nrounds = [1]\ncontexts = 1\nmemory_rows = 64\n')
    run = generate(file, "--out", tmp_path / "out")
    assert (run.returncode, run.stderr) == (0, "")
    package = (tmp_path / "out/sv/lutra_isa_pkg.sv").read_text()
    assert "MemoryRows = 64;" in package and "CoreRounds = 1;" in package and "HasAes = 0;" in package


@pytest.mark.parametrize("named", ["ghash", "zuc"])
def test_what_joins_two_extensions_is_there_only_with_both(named: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'text = "mine"\nextensions = ["base", "{named}"]\nrounds = [2]\ncontexts = 1\n')
    run = generate(file, "--out", tmp_path / "out")
    assert (run.returncode, run.stderr) == (0, "")
    decoder = (tmp_path / "out/sv/lutra_decoder.sv").read_text()
    assert ("// ghstep:" in decoder, "// zuc:" in decoder) == (named == "ghash", named == "zuc")
    assert "// zucw:" not in decoder


def test_an_unknown_name_lists_those_that_lie_ready() -> None:
    run = generate("lite")
    assert run.returncode == 1
    assert run.stderr == f"no configuration lite; choose from {', '.join(READY)}, or give a file that ends in .toml\n"
