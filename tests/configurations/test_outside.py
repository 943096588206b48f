"""The example of docs/how-to/write-an-extension.md: its core passes lint, and random programs have its instruction.

In the nightly part, simulator and core of a configuration with it are built and run.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from support import description
from support.documents import ROOT

PAGE = ROOT / "docs/how-to/write-an-extension.md"
MIRROR = ROOT / "docs/how-to/mirror"
NAME = "small+mirror"


def run(*command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    return subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, cwd=ROOT, env=kept | variables
    )


CHOSEN = ("CONFIGURATION=docs/how-to/mirror/small.toml", "EXTENSION=docs/how-to/mirror")


def make(target: str, *chosen: str) -> None:
    made = run("make", target, *CHOSEN, *chosen)
    assert made.returncode == 0, made.stdout + made.stderr


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Generated files of the small configuration with the extension, in a folder `gen`."""
    folder = tmp_path_factory.mktemp("mirror")
    made = description.generator(
        "--configuration", MIRROR / "small.toml", "--extension", MIRROR, "--out", folder / "gen"
    )
    assert (made.returncode, made.stderr) == (0, "")
    return folder


@pytest.fixture(scope="module")
def simulator() -> None:
    # Little runs on it.
    make("build", "OPTIMISATION=-O0", "RTL=0")


def check_firmware(engine: str) -> None:
    done = run("./lutra", "--configuration", NAME, "test", "--engine", engine, MIRROR / "firmware")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "mirror.vectors.json: vectors: 2 passed, 0 failed" in done.stdout
    assert f"({engine}, rounds 1)" in done.stdout


@pytest.mark.nightly(
    "a simulator is compiled, most of a minute; here its core passes lint and programs have the extension"
)
@pytest.mark.usefixtures("simulator")
def test_the_known_answers_of_its_firmware_pass_on_the_simulator() -> None:
    check_firmware("iss")


def test_its_core_passes_lint(generated: Path) -> None:
    assert description.lint(generated) == ""


def test_random_programs_have_its_instruction(generated: Path) -> None:
    code = "from lutra.random import Generator; from lutra.isa import load\n"
    code += "words = [w for s in range(12) for w in Generator().program(s).words]\n"
    code += "print(sum(i is not None and i.mnemonic == 'mirror' for i in map(load().decode, words)))"
    counted = description.python(generated / "gen", code)
    assert counted.returncode == 0 and int(counted.stdout) > 0, counted.stderr


def test_what_the_small_core_lacks_is_an_error_of_the_assembler(generated: Path) -> None:
    code = "from lutra.asm import assemble_text; assemble_text('aesimc v0, v1\\nhalt')"
    done = description.python(generated / "gen", code)
    assert "'aesimc' is of extension aes, which configuration small+mirror does not have" in done.stderr


@pytest.mark.nightly("a core is compiled; without it, Verilator checks the core")
def test_its_core_runs_firmware_and_random_programs_in_lock_step() -> None:
    make("build", "OPTIMISATION=-O0")
    check_firmware("cosim")
    done = run("./lutra", "--configuration", NAME, "campaign", "run", "--seeds", "0:12", "--jobs", "1")
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_page_shows_what_is_in_the_folder() -> None:
    files = {"c": "mirror.td", "c++": "functions.hpp", "systemverilog": "functions.sv"}
    blocks = re.findall(r"```(\S+)\n(.*?)```", PAGE.read_text(), re.S)
    shown = {language: text for language, text in blocks if language in files}
    assert shown.keys() == files.keys()
    for language, text in shown.items():
        there = {line.strip() for line in (MIRROR / files[language]).read_text().splitlines()}
        assert all(line.strip() in there for line in text.splitlines() if line.strip())


BAD = [
    ("def OtherExtension : Extension<\"other\", \"x\">;", "one extension is called as the folder, bad; it has other"),
    ("", "one extension is called as the folder, bad; it has none"),
    ('def BadExtension : Extension<"bad", "x">;\nlet Group = MoveInsns, Extension = BadExtension in\n'
     'def BAD : FmtControl<0x7f, "bad", (ops), [], "x">;',
     "BAD: an extension outside this repository has opcodes 0xe0 to 0xfe"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "message"), BAD)
def test_a_bad_extension_is_refused_with_the_reason(tmp_path: Path, text: str, message: str) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    (folder / "bad.td").write_text(text + "\n")
    done = run(sys.executable, "-m", "isagen", "--extension", folder, PYTHONPATH=str(ROOT / "isa"))
    assert done.returncode == 1 and message in done.stderr


def test_a_folder_without_a_description_is_no_extension(tmp_path: Path) -> None:
    done = run(sys.executable, "-m", "isagen", "--extension", tmp_path, PYTHONPATH=str(ROOT / "isa"))
    assert (done.returncode, done.stderr) == (1, f"{tmp_path}: not an extension: it has no {tmp_path.name}.td\n")


def test_python_says_how_the_configuration_of_the_environment_is_built() -> None:
    done = run(sys.executable, "-c", "import lutra", LUTRA_CONFIGURATION="nowhere")
    assert "LUTRA_CONFIGURATION=nowhere: it is not built yet; run `make build CONFIGURATION=nowhere`" in done.stderr
    assert done.returncode == 1
