"""A sample of the campaign `make power-loss`, and that its programs notice a device that does not come through."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from power_loss import bugs, report
from power_loss.__main__ import main
from power_loss.runner import Result, programs, run
from power_loss.scenarios import SCENARIOS, write_plan
from seeded_bugs.__main__ import changed, read
from support.documents import ROOT

FLASH = ("write slot", "write record", "erase slot", "erase record")
TEARS = ("old", "bits", "random", "unit")


MORE = pytest.mark.nightly("twice as many places; twelve of each scenario by day have each kind of access and of tear")


@pytest.mark.parametrize(
    ("places", "double", "ends"),
    [(12, "2,6", {"old", "new on trial"}), pytest.param(24, "3,14", {"old", "new on trial", "new"}, marks=MORE)],
    ids=["12", "24"],
)
def test_a_device_comes_through_a_loss_of_power_wherever_it_is(places: int, double: str, ends: set[str]) -> None:
    """Some places of each scenario, and second cuts after a few of them."""
    results = run(ROOT, list(SCENARIOS), ["--seeds=7:8", f"--sample={places}", f"--double={double}"], "0/1", 1)
    assert [(result.scenario, place, what) for result in results for place, what in result.failures] == []
    assert report.total(results, "single") >= 8 * places and report.total(results, "double") >= 6 * places
    # Each kind of access is cut, with each state that it can leave; the old and the new firmware boot after it.
    kinds = {key.split(": ", 1)[1] for result in results for key in result.single}
    assert kinds == {f"{what}, {tear}" for what in FLASH for tear in TEARS} | {"burn, subset"}
    update = next(result for result in results if result.scenario == "update")
    assert set(update.outcomes) == ends


@pytest.fixture
def device(tmp_path: Path) -> list[str]:
    """A new device, as a command; the first firmware is in `tmp_path`."""
    write_plan("first", programs(ROOT)[0], tmp_path)
    geometry = SCENARIOS["first"].geometry
    (tmp_path / "flash").write_bytes(b"\xff" * (2 * geometry.sector + 2 * geometry.slot))
    (tmp_path / "fuses").write_bytes((tmp_path / "provisioned").read_bytes())
    return [str(programs(ROOT)[0]), str(tmp_path), f"--geometry={geometry}"]


def lived(command: list[str], *arguments: str) -> tuple[int, str]:
    done = subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout


def test_a_cut_leaves_the_files_as_the_access_had_come_and_ends_the_process(device: list[str], tmp_path: Path) -> None:
    pack = f"apply={tmp_path / 'new.pack'}"
    code, said = lived(device, "--trace", "--cut=2,5,0,0", pack)
    assert code == 9 and "apply" not in said.splitlines()[-1].split()[0]
    accesses = [line.split() for line in said.splitlines() if line[:2] in ("w ", "e ", "b ")]
    address = int(accesses[2][1])
    flash = (tmp_path / "flash").read_bytes()
    written = (tmp_path / "new.pack").read_bytes()
    # After two sectors have been erased, the write that is cut has begun with the first bytes of the pack.
    assert accesses[2][0] == "w" and flash[address : address + 5] == written[:5]
    assert set(flash[address + 5 :]) == {0xFF}


def test_the_state_after_a_cut_is_determined_by_its_seed(device: list[str], tmp_path: Path) -> None:
    states = []
    for seed in (1, 1, 2):
        (tmp_path / "flash").write_bytes(b"\xff" * (tmp_path / "flash").stat().st_size)
        lived(device, f"--cut=2,5,2,{seed}", f"apply={tmp_path / 'new.pack'}")
        states.append((tmp_path / "flash").read_bytes())
    assert states[0] == states[1] != states[2]


def test_one_bit_of_the_firmware_that_runs_is_missed_by_nobody(device: list[str], tmp_path: Path) -> None:
    pack = tmp_path / "new.pack"
    assert lived(device, f"update={pack}")[0] == 0
    flash = bytearray((tmp_path / "flash").read_bytes())
    at = flash.index(pack.read_bytes())
    flash[at + pack.stat().st_size // 2] ^= 1
    (tmp_path / "flash").write_bytes(flash)
    code, said = lived(device, "boot", "report")
    assert code == 1 and "no slot holds firmware that may run" in said


@pytest.mark.parametrize("path", sorted(bugs.HERE.glob("*.patch")), ids=lambda path: path.stem)
def test_a_mistake_for_the_campaign_still_applies(path: Path) -> None:
    bug = read(path, bugs.HEADER)
    assert changed(bug) and bug.header["Found in"] in SCENARIOS


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--scenario", "update,downgrade"], "no scenario 'downgrade'; choose from update, "),
        (["--shard", "3"], "--shard 3: expected I/N"),
        (["--shard", "3/3"], "--shard 3/3: expected I/N"),
        (["--seeds", "5:5"], "--seeds 5:5: expected A:B"),
    ],
)
def test_a_wrong_choice_is_refused(
    arguments: list[str], error: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["power_loss", *arguments])
    with pytest.raises(SystemExit) as caught:
        main()
    assert caught.value.code == 2 and error in capsys.readouterr().err


def test_results_of_a_campaign_are_for_programs_and_people() -> None:
    failing = Result("update", {"0: write slot, old": 2}, {}, {"old": 2}, [("0.1.2.old.0", "none boots")], 8)
    assert json.loads(report.as_json([failing]))[0]["failures"] == [["0.1.2.old.0", "none boots"]]
    page = report.as_page([failing])
    assert "update:0.1.2.old.0: none boots" in page and "| update | 0: write slot | 2 |" in page
    assert report.summary([failing]) == "power-loss: 2 single and 0 double cuts, 8 processes, 1 failure"
