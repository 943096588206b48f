"""A command loads only what it works with, and a configuration assembles nothing that is not wanted."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import lutra
from support.description import generator
from support.documents import ROOT

# What `lutra --help` may load of the project.
LIGHT = {"lutra", "lutra._configuration"} | {
    f"lutra.cli{name}" for name in ("", ".commands", ".ending", ".errors", ".main", ".text", ".version")
}
LOADED = "import json, sys; from lutra.cli.main import main; code = main({arguments}); "
LOADED += "print(json.dumps([code, [name for name in sys.modules if name.partition('.')[0] == 'lutra']]))"


def python(code: str, **variables: str) -> str:
    """The last line that a process of its own prints."""
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=os.environ | variables
    )
    return run.stdout.splitlines()[-1]


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_load_no_package_of_the_toolchain(option: str) -> None:
    code, loaded = json.loads(python(LOADED.format(arguments=[option]), LUTRA_COVERAGE=""))
    assert code == 0
    assert set(loaded) <= LIGHT


def test_a_command_loads_no_other_command() -> None:
    _, loaded = json.loads(python(LOADED.format(arguments=["asm", "--help"]), LUTRA_COVERAGE=""))
    assert "lutra.cli.asm" in loaded
    assert not {"lutra.cosim", "lutra.coverage", "lutra.firmware", "lutra.rtl", "lutra.cli.run"} & set(loaded)


def test_every_public_name_can_be_imported() -> None:
    assert [name for name in lutra.__all__ if getattr(lutra, name, None) is None] == []
    assert set(lutra.__all__) <= set(dir(lutra))
    assert lutra.make_engine is lutra.engine.make
    assert lutra.__version__ == version("lutra-asip")


def test_a_name_that_there_is_not_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'lutra' has no attribute 'assembly'"):
        getattr(lutra, "assembly")  # noqa: B009


def test_the_assembler_works_with_itself_and_the_description_alone(tmp_path: Path) -> None:
    (tmp_path / "lutra").mkdir()
    (tmp_path / "lutra/isa").symlink_to(ROOT / "build/python/lutra/isa")
    path = os.pathsep.join(map(str, (ROOT / "isa", ROOT / "assembler", tmp_path)))
    code = "from lutra.asm import assemble_text; print(len(assemble_text('halt').program))"
    run = subprocess.run(
        # Without the packages that the installation has on the path.
        [sys.executable, "-S", "-c", f"import sys; sys.path += {libraries()}; {code}"],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert (run.stdout, run.stderr) == ("1\n", "")


def libraries() -> list[str]:
    """Where other packages are installed; -S leaves it out, and with it the packages."""
    return [place for place in sys.path if place.endswith("site-packages")]


def test_what_is_not_built_is_said_where_it_is_needed(tmp_path: Path) -> None:
    path = os.pathsep.join(str(ROOT / room) for room in ("cli", "isa", "assembler", "iss"))
    code = "import lutra, lutra._configuration\ntry: import lutra.iss\nexcept ImportError as error: print(error)"
    run = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert run.stdout == "the toolchain is not built yet; run `make build`\n"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The tables of a configuration without most extensions."""
    folder = tmp_path_factory.mktemp("aes")
    assert generator("--configuration", "aes", "--out", folder).returncode == 0
    return str(folder / "python/lutra/isa/tables.json")


def test_a_configuration_assembles_only_the_firmware_of_the_cipher_that_is_asked_for(small: str) -> None:
    code = "from lutra.firmware import manifest; known = manifest.catalogue(); known.cipher('aes-128-ctr'); "
    code += "print(manifest.lacking.cache_info().currsize, len(known.families) > 9)"
    count, has_all_names = python(code, LUTRA_ISA_TABLES=small).split()
    assert (int(count) <= 3, has_all_names) == (True, "True")


def test_a_cipher_that_the_configuration_cannot_run_is_told(small: str) -> None:
    code = "from lutra.firmware.manifest import catalogue\n"
    code += "try: catalogue().cipher('128-eea3')\nexcept Exception as error: print(error)"
    said = python(code, LUTRA_ISA_TABLES=small)
    assert said == "configuration aes lacks what 128-eea3 needs; `lutra ciphers` lists what it runs"
