"""One row of isa/retire.td makes a field of the retirement record everywhere, and what is wrong in it is refused."""

from __future__ import annotations

import re
import subprocess
import sysconfig
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from support.description import ROOT, described, isagen, refusal
from support.programs import kept

# A field more, with an enable of its own.
ADDED = """
def : RetireEnable<"echo_en", Bit, "echo:{echo}", "something is echoed">;
let Enables = ["echo_en"] in
  def : RetireField<"echo", Decimal<5>, "what is echoed">;
"""
ADDED_BITS = 1 + 5
PACKAGES = ("lutra_stream_pkg.sv", "lutra_pkg.sv", "lutra_retire.sv")


@dataclass(frozen=True)
class Generated:
    """Results of a description in its folder."""

    folder: Path

    @property
    def package(self) -> str:
        return (self.folder / "sv/lutra_isa_pkg.sv").read_text()

    @property
    def header(self) -> str:
        return (self.folder / "cpp/lutra_retire.hpp").read_text()

    @property
    def bits(self) -> int:
        return int(re.findall(r"kRetireBits = (\d+);", self.header)[0])

    def lsb(self, name: str) -> int:
        """Lowest bit of a field as the C++ side counts."""
        return int(re.findall(rf"take\(r\.{name}, (\d+), \d+\);", self.header)[0])

    @cached_property
    def program(self) -> Path:
        """tests/isa/retire_record.cpp over it, compiled where it is asked for."""
        headers, own = self.folder / "cpp", (ROOT / "iss/src", ROOT / "rtl/sim")
        source = Path(__file__).with_name("retire_record.cpp")
        command = [
            "g++",
            "-std=c++20",
            "-O1",
            "-Wall",
            "-Wextra",
            "-Werror",
            *(f"-I{path}" for path in (headers, *own)),
        ]

        def make(at: Path) -> Path:
            subprocess.run([*command, source, "-o", at / "record"], check=True)
            return at / "record"

        generated = [text for file in sorted(headers.iterdir()) for text in (file.name, file.read_text())]
        return kept("record", (source, *own, *generated), make)

    def run(self, *bits: int) -> list[str]:
        """Output of the program for a record with these bits set."""
        return subprocess.run(
            [self.program, *map(str, bits)], check=True, capture_output=True, text=True
        ).stdout.splitlines()


def made(folder: Path, addition: str) -> Generated:
    run = isagen(described(folder, addition), "--out", str(folder / "gen"))
    assert run.returncode == 0, run.stderr
    return Generated(folder / "gen")


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return made(tmp_path_factory.mktemp("original"), "")


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Generated:
    return made(tmp_path_factory.mktemp("extended"), ADDED)


def elaborate(generated: Generated, package: str) -> subprocess.CompletedProcess[str]:
    """Verilator on the module that fills the record, with a package."""
    file = generated.folder / "package.sv"
    file.write_text(package)
    sources = [ROOT / "rtl" / name for name in PACKAGES]
    root = Path(sysconfig.get_path("purelib")) / "verilator/share/verilator"
    program = root / "bin/verilator_bin"
    command: list[str | Path] = [
        program,
        "--lint-only",
        "--top-module",
        "lutra_retire",
        ROOT / "rtl/lint.vlt",
        file,
        *sources,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={"VERILATOR_ROOT": str(root)})


def test_every_bit_of_the_record_shows_in_its_text_and_in_a_difference(extended: Generated) -> None:
    """Those of the record as it is, and the added ones."""
    assert not [line for line in extended.run() if line.startswith(("lost", "same text"))]


def test_an_added_field_is_in_the_packed_struct(original: Generated, extended: Generated) -> None:
    assert "logic echo_en;" in extended.package and "logic [4:0] echo;" in extended.package
    assert extended.bits == original.bits + ADDED_BITS
    assert f"RetireBits = {extended.bits};" in extended.package


def test_an_added_field_is_unpacked_and_has_its_name_in_dictionary_and_text(extended: Generated) -> None:
    set_bits = [extended.lsb("echo_en"), extended.lsb("echo") + 1, extended.lsb("echo") + 4]
    lines = extended.run(*set_bits)
    assert not [line for line in lines if line.startswith(("lost", "same text"))]
    assert [line for line in lines if line.startswith("field: echo")] == ["field: echo_en", "field: echo"]
    assert next(line for line in lines if line.startswith("text: ")).endswith(" echo:18")
    assert lines[lines.index("- simulator: no echo") + 1] == "+ RTL      : echo:18"


def test_a_field_that_does_not_apply_and_is_not_zero_is_reported(extended: Generated) -> None:
    lines = extended.run(extended.lsb("echo"))
    assert lines[lines.index("- simulator: no residue") + 1] == "+ RTL      : residue:echo=0x01"
    assert "field: echo" not in lines


def test_an_added_field_is_in_the_reference(extended: Generated) -> None:
    reference = (extended.folder / "docs/isa-reference.md").read_text()
    assert "| `echo` | 5 | `echo_en` | what is echoed |" in reference


def test_the_core_does_not_elaborate_with_another_number_of_bits(extended: Generated) -> None:
    sound = elaborate(extended, extended.package)
    assert sound.returncode == 0, sound.stderr
    wrong = elaborate(extended, extended.package.replace("logic [4:0] echo;", "logic [5:0] echo;"))
    assert wrong.returncode != 0 and "retire_t width differs" in wrong.stderr


REFUSED = {
    "unknown_enable": (
        'let Enables = ["echo_en"] in def : RetireField<"echo", Bit, "">;',
        "echo: echo_en is not an enable",
    ),
    "name_used_twice": ('def : RetireField<"pc", Bit, "">;', "pc: two fields have this name"),
    "effect_used_twice": ('def : RetireEnable<"echo_en", Bit, "rd", "">;', "echo_en: two effects are called rd"),
    "text_without_field": (
        ADDED.replace("{echo}", "nothing"),
        "echo_en: its text does not show echo",
    ),
    "text_without_itself": (
        'def : RetireEnable<"depth", Decimal<4>, "depth", "">;',
        "depth: its text does not show its own value",
    ),
    "text_with_unknown_field": (
        'def : RetireEnable<"echo_en", Bit, "echo={sound}", "">;',
        "echo_en: its text shows sound, which is not a field",
    ),
    "mask_without_register": (
        'def : RetireMask<"echo_mask", StreamContext, "echo", "", "">;',
        "echo_mask: the text of a mask, and of nothing else, shows its register as {}",
    ),
    "mask_beside_another_enable": (
        'let Enables = ["ar_mask", "rd_en"] in def : RetireField<"echo", Bit, "">;',
        "echo: a field under a mask cannot have another enable",
    ),
    "enable_under_an_enable": (
        'let Enables = ["rd_en"] in def : RetireEnable<"echo_en", Bit, "echo", "">;',
        "echo_en: an enable cannot have enables",
    ),
}


@pytest.mark.parametrize(("addition", "finding"), REFUSED.values(), ids=REFUSED)
def test_an_unsound_field_is_refused_with_its_place(tmp_path: Path, addition: str, finding: str) -> None:
    assert re.search(rf"^added\.td:\d+: {re.escape(finding)}$", refusal(tmp_path, addition), re.M)
