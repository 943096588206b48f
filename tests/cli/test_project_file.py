"""`lutra.toml`: own firmware that need not be named by --manifest."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from support.cli import Lutra
from support.outside import KEY, MANIFEST, encrypt, vole

NAME = "vole-128-ecb"
LISTED = f"{NAME}  cipher, key 128 bits\n"


@pytest.fixture
def project(folder: Path) -> Path:
    """A project with own firmware in a folder of it, which is the current one."""
    vole(folder / "vole")
    file = folder / "lutra.toml"
    file.write_text('# own firmware\nmanifests = ["vole"]\n')
    return file


def test_its_firmware_serves_every_command(project: Path, lutra: Lutra) -> None:
    Path("in").write_bytes(bytes(range(32)))
    assert lutra("crypt", "--cipher", NAME, "--key", KEY.hex(), "in", "out").code == 0
    assert Path("out").read_bytes() == encrypt(KEY, bytes(range(32)))
    assert lutra("ciphers").out == LISTED
    assert [row["cipher"] for row in lutra("bench", "--engine", "iss", "--json").json] == [NAME]
    assert lutra("profile", "--cipher", NAME, "--json").code == 0
    assert lutra("kat", "vole/vole.json", "--json").json["passed"] == 1
    batch = ("--batch", "-c", "where")
    assert lutra("debug", "--kat", "vole/vole.json", "--test", "one", *batch).code == 0


def test_it_is_found_from_a_folder_below(project: Path, lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    below = project.parent / "a" / "b"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert lutra("ciphers").out == LISTED


def test_the_nearest_one_counts(project: Path, lutra: Lutra, monkeypatch: pytest.MonkeyPatch) -> None:
    below = project.parent / "below"
    below.mkdir()
    (below / "lutra.toml").write_text("")
    monkeypatch.chdir(below)
    assert LISTED not in lutra("ciphers").out


def test_manifest_stands_for_it(project: Path, lutra: Lutra) -> None:
    other = vole(project.parent / "other")
    other.write_text(MANIFEST.replace("vole-{bits}", "stoat-{bits}"))
    assert lutra("ciphers", "--manifest", "other").out == LISTED.replace("vole", "stoat")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('\nmanifest = ["vole"]\n', "lutra.toml:2: unknown key 'manifest'; did you mean manifests?"),
        ("manifests = 3\n", "lutra.toml:1: manifests must be a list of strings, not 3"),
        (
            'manifests = [\n  "vole",\n  "vale",\n]\n',
            "lutra.toml:3: no vale; name a manifest or its folder, from the folder of",
        ),
        ("manifests = [\n", "lutra.toml: Invalid value (at end of document)"),
    ],
)
def test_a_wrong_one_is_an_error_with_its_line(text: str, message: str, project: Path, lutra: Lutra) -> None:
    project.write_text(text)
    result = lutra("ciphers")
    assert result.code == 1
    assert f"{project.parent}{os.sep}{message}" in result.error


def test_a_name_that_is_unknown_points_at_it(folder: Path, lutra: Lutra) -> None:
    result = lutra("bench", "--cipher", NAME)
    assert result.code == 2
    assert result.error.endswith("name your own firmware with --manifest or in lutra.toml")
