"""The script `lutra` at the top of a checkout."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from support.documents import ROOT


def run(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


def checkout(folder: Path, *configurations: str) -> Path:
    """Make a checkout that has an environment but no build; return its script."""
    (folder / ".venv").symlink_to(ROOT / ".venv")
    (folder / "isa/configurations").mkdir(parents=True)
    for name in configurations:
        (folder / f"isa/configurations/{name}.toml").touch()
    return Path(shutil.copy(ROOT / "lutra", folder))


def test_a_checkout_without_environment_says_what_to_run(tmp_path: Path) -> None:
    script = shutil.copy(ROOT / "lutra", tmp_path)
    done = run(script, "isa", "xor")
    assert done.returncode == 1
    assert done.stderr == f"lutra: there is no environment yet; run: make -C '{tmp_path}' build\n"


def test_a_checkout_without_build_says_what_to_run(tmp_path: Path) -> None:
    done = run(checkout(tmp_path), "isa", "xor")
    assert done.returncode == 1
    assert done.stderr == f"lutra: the toolchain is not built yet; run: make -C '{tmp_path}' build\n"


def test_a_configuration_that_is_not_built_says_what_to_run(tmp_path: Path) -> None:
    done = run(checkout(tmp_path, "lte"), "--configuration", "lte", "isa", "xor")
    text = f"lutra: configuration lte is not built yet; run: make -C '{tmp_path}' build CONFIGURATION=lte\n"
    assert (done.returncode, done.stderr) == (1, text)


def test_an_unknown_configuration_is_wrong_usage_and_names_those_there_are(tmp_path: Path) -> None:
    (tmp_path / "build/configurations/small+mirror").mkdir(parents=True)
    done = run(checkout(tmp_path, "lte", "full"), "--configuration", "nope", "isa", "xor")
    assert done.returncode == 2
    assert done.stderr.startswith(
        "lutra: unknown configuration 'nope'; choose from full, lte, small+mirror; build your own"
    )


def test_a_link_to_the_script_runs_the_checkout(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(ROOT / "lutra")
    assert run(tmp_path / "link", "--version").stdout.startswith("lutra ")


def test_other_programs_get_the_environment() -> None:
    assert run(ROOT / "lutra", "--with", "sh", "-c", "command -v python").stdout == f"{ROOT}/.venv/bin/python\n"
