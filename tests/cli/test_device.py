"""`lutra device` and `lutra patch`: what they print, what they refuse, how they end."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lutra.firmware import device, pack
from support import devices
from support.cli import Lutra
from support.devices import CIPHER, memories, otter, roots

PROGRAM = Path(sys.executable).with_name("lutra")
HEX = bytes(range(16)).hex()
RUN = ("device", "run", "--device", "dev", "--cipher", CIPHER, "--key", HEX, "--iv", HEX)
COMMANDS = [f"device {name}" for name in ("create", "show", "boot", "run")]
COMMANDS += [f"patch {name}" for name in ("apply", "confirm", "revert", "status")]


@pytest.fixture
def dev(folder: Path) -> Path:
    """A device that runs version 1.0.0, next to its roots and two newer packs."""
    Path("vendor.roots").write_bytes(pack.roots.encode(roots()))
    Path("new.pack").write_bytes(otter("1.1.0", 3))
    Path("newer.pack").write_bytes(otter("1.2.0", 3))
    Path("text").write_bytes(bytes(range(48)))
    path = devices.create(Path("dev"))
    with device.opened(path) as opened:
        opened.update(otter())
    return path


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_a_device_has_help_with_an_example(command: str, lutra: Lutra) -> None:
    result = lutra(*command.split(), "--help")
    assert result.code == 0
    assert "Example:\n    lutra " in result.out
    assert f"    lutra {command}" in result.out


@pytest.mark.parametrize("group", ["device", "patch", "pack", "pack root"])
def test_a_group_has_an_example(group: str, lutra: Lutra) -> None:
    found = lutra(*group.split(), "--help")
    assert (found.code, "  Example" in found.out, f"    lutra {group} " in found.out) == (0, True, True)


@pytest.mark.parametrize("group", ["device", "patch"])
def test_a_group_lists_its_commands(group: str, lutra: Lutra) -> None:
    assert lutra(group, "--help").code == 0
    assert lutra(group).error == f"Missing command; see lutra {group} --help"
    wrong = lutra(group, "destroy")
    assert (wrong.code, wrong.error) == (2, f"No such command 'destroy'; see lutra {group} --help")


def test_a_device_is_created_for_its_roots(dev: Path, lutra: Lutra) -> None:
    made = lutra("device", "create", "other", "--roots", "vendor.roots", "--rounds", 1, "--slot-bytes", "0x2000")
    digest = pack.roots.trusted(roots()).hex()
    assert (made.code, made.out) == (0, f"other: trusts the root {digest}\n")
    shown = lutra("device", "show", "--device", "other", "--json").json
    assert (shown["rounds"], shown["slot_bytes"], shown["root_digests"], shown["next_boot"]) == (
        1,
        8192,
        [digest],
        None,
    )
    again = lutra("device", "create", "other", "--roots", "vendor.roots")
    assert (again.code, again.error) == (1, "other already exists; create the device in a new folder")


@pytest.mark.parametrize(
    ("arguments", "code", "text"),
    [
        (["device", "create", "x"], 2, "Missing option '--roots'"),
        (["device", "create", "x", "--roots", "none"], 1, "none: no such file"),
        (["device", "create", "x", "--roots", "text"], 1, "text: byte"),
        (["device", "create", "x", "--roots", "vendor.roots", "--rounds", "3"], 2, "--rounds"),
        (["device", "create", "x", "--roots", "vendor.roots", "--slot-bytes", "5000"], 2, "a multiple of 4096"),
        (["device", "create", "x", "--roots", "vendor.roots", "--slot-bytes", "big"], 2, "is not a number"),
        (["device", "create", "x", "--roots", "vendor.roots", "--engine", "fpga"], 2, "'fpga' is not one of"),
        (["device", "show"], 2, "Missing option '--device'"),
        (["device", "show", "--device", "none"], 1, "none: no such folder; `lutra device create` makes a device"),
        (["device", "boot", "--device", "text"], 1, "text: not a folder"),
        (["patch", "status", "--device", "."], 1, ".: has no device.json"),
        (["patch", "apply", "none", "--device", "dev"], 1, "none: no such file"),
        (["patch", "apply", "dev", "--device", "dev"], 1, "dev: is a folder"),
        (["patch", "apply", "/dev/zero", "--device", "dev"], 1, "the limit for a pack"),
        (["patch", "apply", "text", "--device", "dev"], 1, "text: not the encoding of a pack (byte 0)"),
        (["patch", "confirm", "--device", "dev"], 1, "dev: nothing is on trial; see `lutra patch status`"),
        (["patch", "revert", "--device", "dev"], 1, "dev: there is no other firmware to go back to"),
        (
            ["device", "run", "--device", "dev", "--cipher", "aes-128-ctr", "text", "out"],
            2,
            "unknown cipher 'aes-128-ctr'",
        ),
        (["device", "run", "--device", "dev", "--cipher", CIPHER, "text", "out"], 2, "needs a key of 16 bytes"),
        (["device", "run", "--device", "dev", "--cipher", CIPHER, "--key", HEX, "text", "out"], 2, "give --iv"),
        (["device", "run", "--device", "dev", "--cipher", CIPHER, "--key", "xy", "text", "out"], 2, "not hexadecimal"),
        ([*RUN, "--aad", "00", "text", "out"], 2, "leave out --aad"),
        ([*RUN, "none", "out"], 1, "none: no such file"),
        ([*RUN, "new.pack", "out"], 1, "takes multiples of 16 bytes"),
        ([*RUN, "text", "dev/flash.bin"], 2, "is the same file as dev/flash.bin"),
    ],
)
def test_what_is_wrong_is_one_line_and_changes_nothing(
    arguments: list[str], code: int, text: str, dev: Path, lutra: Lutra
) -> None:
    before = memories(dev)
    result = lutra(*arguments)
    assert result.code == code
    assert text in result.error
    assert memories(dev) == before
    assert not Path("x").exists() and not Path("out").exists()


def test_an_update_tells_each_step(dev: Path, lutra: Lutra) -> None:
    result = lutra("patch", "apply", "new.pack", "--device", dev, "--engine", "cosim")
    assert (result.code, result.out.splitlines()) == (
        0,
        [
            "checked: otter 1.1.0, counter 3, root 1",
            "written and read back; 2 known answers are right on cosim",
            "booted on trial: slot 1",
            "confirmed: counter 3",
        ],
    )


def test_an_update_as_json_has_its_steps_and_the_device(dev: Path, lutra: Lutra) -> None:
    document = lutra("patch", "apply", "new.pack", "--device", dev, "--json").json
    assert [step.split()[0] for step in document["steps"]] == ["checked:", "written", "booted", "confirmed:"]
    assert document["slots"][1]["version"] == "1.1.0"
    assert (document["running"], document["primary"], document["counter"]) == (1, 1, 3)


def test_a_trial_is_tried_confirmed_and_shown(dev: Path, lutra: Lutra) -> None:
    assert lutra("patch", "apply", "new.pack", "--device", dev, "--no-confirm").out.endswith(
        "next: lutra patch confirm or lutra patch revert; the next boot reverts by itself\n"
    )
    assert lutra("patch", "status", "--device", dev).out.splitlines() == [
        f"runs slot 1: otter 1.1.0, counter 3, on trial, {len(otter('1.1.0', 3))} bytes",
        f"slot 0: otter 1.0.0, counter 0, confirmed, {len(otter())} bytes",
        "next: lutra patch confirm, or lutra patch revert",
    ]
    assert lutra(*RUN, "text", "out").code == 0
    confirmed = lutra("patch", "confirm", "--device", dev)
    assert (confirmed.code, "otter 1.1.0, counter 3, confirmed" in confirmed.out) == (0, True)
    assert "cannot boot: the security counter is below this device's" in lutra("device", "show", "--device", dev).out


def test_a_boot_goes_back_from_a_trial(dev: Path, lutra: Lutra) -> None:
    lutra("patch", "apply", "new.pack", "--device", dev, "--no-confirm")
    assert "otter 1.0.0" in lutra("device", "boot", "--device", dev).out
    status = lutra("patch", "status", "--device", dev, "--json").json
    assert (status["slots"][1], status["next"]) == ({"state": "empty"}, "lutra patch apply")


def test_reverting_says_what_runs_then(dev: Path, lutra: Lutra) -> None:
    lutra("patch", "apply", "new.pack", "--device", dev, "--no-confirm")
    assert lutra("patch", "revert", "--device", dev).out.startswith("runs slot 0: otter 1.0.0")
    lutra("device", "create", "empty", "--roots", "vendor.roots")
    lutra("patch", "apply", "new.pack", "--device", "empty", "--no-confirm")
    assert lutra("patch", "revert", "--device", "empty").out == "runs nothing: no firmware is left\n"
    assert lutra("patch", "status", "--device", "empty").out.endswith("next: lutra patch apply\n")
    boot = lutra("device", "boot", "--device", "empty")
    assert (boot.code, boot.error) == (
        1,
        "empty: no slot has firmware that may run; install some with `lutra patch apply`",
    )


def test_a_pack_that_waits_is_shown_with_what_comes_next(dev: Path, lutra: Lutra) -> None:
    with device.opened(dev) as opened:
        opened.apply(otter("1.1.0", 3))
    assert "waits for its trial" in lutra("patch", "status", "--device", dev).out
    shown = lutra("device", "show", "--device", dev)
    assert shown.out.endswith("runs: nothing\nnext boot: slot 1\n")
    assert f"  {CIPHER}\n" in shown.out


def test_a_message_goes_there_and_back_in_place(dev: Path, lutra: Lutra) -> None:
    line = RUN
    before = Path("text").read_bytes()
    assert lutra(*line, "text", "text").code == 0
    assert Path("text").read_bytes() != before
    assert lutra(*line, "--decrypt", "text", "text").code == 0
    assert Path("text").read_bytes() == before


def test_a_second_command_on_a_device_is_refused(dev: Path, lutra: Lutra) -> None:
    with device.opened(dev):
        assert lutra("patch", "status", "--device", dev).error == (
            "dev: another process is using this device; wait until it ends"
        )


MORE_UPDATES = pytest.mark.nightly("five more updates that are killed; three by day, one of them at its begin")


@pytest.mark.parametrize("updates", [3, pytest.param(8, marks=MORE_UPDATES)])
def test_an_update_that_is_killed_leaves_the_old_or_the_new_firmware(dev: Path, lutra: Lutra, updates: int) -> None:
    rng = random.Random(2026)
    versions = []
    for number in range(updates):
        copy = Path(f"dev{number}")
        shutil.copytree(dev, copy)
        command = [str(PROGRAM), "patch", "apply", "new.pack", "--device", str(copy)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as update:
            assert update.stdout is not None
            assert update.stdout.readline().startswith("checked")
            time.sleep(rng.uniform(0, 0.12) if number else 0)
            update.send_signal(signal.SIGKILL)
        booted = lutra("device", "boot", "--device", copy, "--json")
        assert booted.code == 0
        slot = booted.json["slots"][booted.json["running"]]
        versions.append(slot["version"])
        assert slot["version"] in ("1.0.0", "1.1.0")
        assert (
            lutra("device", "run", "--device", copy, "--cipher", CIPHER, "--key", HEX, "--iv", HEX, "text", "out").code
            == 0
        )
        # The device is none the worse: a trial is over after one more boot, and the next update goes through.
        lutra("device", "boot", "--device", copy)
        assert lutra("patch", "apply", "newer.pack", "--device", copy).code == 0
    assert "1.0.0" in versions
