"""`lutra new`: a folder that passes its own tests, or no folder at all."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lutra.firmware.new import FILES, HIDDEN, SKELETON
from support.cli import Lutra, Outcome


def test_a_new_folder_passes_its_own_tests_on_both_values_of_rounds(lutra: Lutra) -> None:
    made = lutra("new", "otter")
    assert made.code == 0
    assert made.out.splitlines()[-1].startswith("next: lutra test otter")
    result = lutra("test", "otter", "--rounds", "1,2", "-Werror", "--json")
    assert result.code == 0
    assert (result.json["engine"], result.json["rounds"]) == ("cosim", [1, 2])
    assert (result.json["failed"], result.json["skipped"], result.json["warned"]) == (0, 0, 0)
    kinds = {c["kind"] for c in result.json["checks"]}
    assert kinds == {"assembly", "header", "time", "vector", "routine"}


@pytest.mark.parametrize("name", ["x", "simon", "rc5", "rot13", "longername" * 3 + "ab"])
def test_every_legal_name_gives_firmware_that_works(name: str, lutra: Lutra) -> None:
    assert lutra("new", name).code == 0
    assert lutra("test", name, "--engine", "iss", "-Werror").code == 0
    assert lutra("fmt", "--check", name) == Outcome(0, "", "")
    files = [p for p in Path(name).iterdir() if "skeleton" in p.name or "skeleton" in p.read_text()]
    assert files == []


def test_a_new_folder_serves_the_other_commands(lutra: Lutra) -> None:
    lutra("new", "otter", "--into", ".")
    Path("in").write_bytes(bytes(range(64)))
    own = ("--manifest", "otter/firmware.toml")
    arguments = ("crypt", *own, "--cipher", "otter-128-ctr", "--key", bytes(range(16)).hex(), "--iv", "00" * 16)
    assert lutra(*arguments, "in", "out").code == 0
    assert lutra(*arguments, "--decrypt", "out", "back").code == 0
    assert Path("back").read_bytes() == bytes(range(64)) != Path("out").read_bytes()
    assert lutra("kat", *own, "otter/otter.vectors.json").out.endswith("3 passed, 0 failed, 0 skipped\n")
    assert lutra("bench", *own, "--json").json[0]["cipher"] == "otter-128-ctr"


def test_the_model_makes_the_vectors() -> None:
    """Those that are shipped, without Lutra in its Python."""
    ran = subprocess.run([sys.executable, "-I", SKELETON / "model.py"], capture_output=True, text=True, check=True)
    assert ran.stdout == (SKELETON / "skeleton.vectors.json").read_text()


def test_every_file_of_the_skeleton_is_copied() -> None:
    assert sorted(FILES) == sorted(p.name for p in SKELETON.iterdir() if p.is_file())
    assert set(HIDDEN) <= set(FILES)


@pytest.mark.parametrize(
    "name", ["Otter", "2otter", "sea_otter", "sea-otter", "öter", "", "../x", "a.b", "o" * 33, "a b"]
)
def test_a_name_that_cannot_begin_a_label_is_refused(name: str, folder: Path, lutra: Lutra) -> None:
    result = lutra("new", name)
    assert result.code == 2
    assert f"{name!r} cannot be the name" in result.error
    assert list(folder.iterdir()) == []


def test_the_name_of_installed_firmware_is_refused(folder: Path, lutra: Lutra) -> None:
    assert lutra("new", "aes").error.startswith("aes is an algorithm of Lutra")
    assert list(folder.iterdir()) == []


def state(path: Path) -> object:
    """Fields that would differ for another firmware or an additional one."""
    status = path.lstat()
    return status.st_ino, status.st_mode, status.st_mtime_ns, sorted(path.parent.iterdir())


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_what_is_there_is_not_touched(kind: str, folder: Path, lutra: Lutra) -> None:
    path = folder / "otter"
    if kind == "folder":
        path.mkdir()
    elif kind == "file":
        path.write_text("mine")
    else:
        path.symlink_to("nowhere")
    before = state(path)
    assert lutra("new", "otter").error == "otter already exists; choose another name, or another folder with --into"
    assert state(path) == before


def test_a_folder_to_make_it_in_must_be_there(folder: Path, lutra: Lutra) -> None:
    assert lutra("new", "otter", "--into", "nowhere").error == "nowhere: no such folder"
    (folder / "file").write_text("")
    assert lutra("new", "otter", "--into", "file").error == "file: not a folder"


def test_a_folder_that_cannot_be_written_is_an_error(lutra: Lutra) -> None:
    """/proc refuses root as well."""
    assert lutra("new", "otter", "--into", "/proc").error.startswith("/proc/otter: ")


def test_nothing_is_left_where_writing_fails_half_way(
    folder: Path, lutra: Lutra, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    write = Path.write_text

    def full(path: Path, text: str, encoding: str = "utf-8") -> int:
        written.append(path)
        if len(written) == len(FILES):
            raise OSError(28, "No space left on device", str(path))
        return write(path, text, encoding)

    monkeypatch.setattr(Path, "write_text", full)
    assert lutra("new", "otter").error == "otter: No space left on device"
    assert len(written) == len(FILES)
    assert list(folder.iterdir()) == []
