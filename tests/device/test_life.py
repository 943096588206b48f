"""The life of a device: packs come, are tried, stay or go, from one process and one reset to the next."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, aead, modes
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.cmac import CMAC

from lutra.firmware import device, pack
from lutra.firmware._loader import Result, SlotState, Status
from lutra.firmware.device.session import DeviceSession, process
from lutra.firmware.errors import FirmwareError, InputError
from lutra.firmware.request import Request
from support import devices
from support.devices import aes, create, memories, otter, roots, signed, unsigned
from support.documents import ROOT

KEY, IV, TEXT = bytes(range(16)), bytes(range(16, 32)), b"otters hold hands in their sleep"


def running(status: Status) -> tuple[str, tuple[int, int, int]] | None:
    """Name and version of what runs."""
    return None if status.running is None else (status.info[status.running].name, status.info[status.running].version)


def boot(folder: Path) -> Status:
    """A reset, in what would be another process."""
    with device.opened(folder) as opened:
        return opened.boot()


def run(folder: Path, cipher: str, iv: bytes = b"", aad: bytes = b"") -> bytes:
    with device.opened(folder) as opened:
        session = DeviceSession(opened)
        return process(session, Request(session.catalogue.cipher(cipher), "encrypt", KEY, iv, aad), TEXT)


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_an_update_changes_what_a_device_computes(engine: str, tmp_path: Path) -> None:
    folder = create(tmp_path / "dev", engine=engine, slots=64 * 1024)
    told: list[str] = []
    with device.opened(folder) as opened:
        opened.update(otter(), tell=told.append)
        assert told[1] == f"written and read back; 2 known answers are right on {engine}"
        opened.update(aes("1.0.0", 1))
    counter = Cipher(AES(KEY), modes.CTR(IV)).encryptor()
    assert run(folder, "aes-128-ctr", iv=IV) == counter.update(TEXT)
    assert run(folder, "aes-128-gcm", iv=IV[:12], aad=b"who") == aead.AESGCM(KEY).encrypt(IV[:12], TEXT, b"who")
    tag = CMAC(AES(KEY))
    tag.update(TEXT)
    assert run(folder, "aes-128-cmac") == tag.finalize()
    with pytest.raises(FirmwareError, match="unknown cipher 'otter-128-ctr'"):
        run(folder, "otter-128-ctr", iv=IV)


def test_a_message_is_decrypted_on_the_device(tmp_path: Path) -> None:
    folder = create(tmp_path / "dev", slots=64 * 1024)
    with device.opened(folder) as opened:
        opened.update(aes())
        session = DeviceSession(opened)
        sealed = aead.AESGCM(KEY).encrypt(IV[:12], TEXT, b"")
        request = Request(session.catalogue.cipher("aes-128-gcm"), "decrypt", KEY, IV[:12])
        assert process(session, request, sealed) == TEXT
        with pytest.raises(InputError, match="the tag does not fit"):
            process(session, request, sealed[:-1] + bytes([sealed[-1] ^ 1]))


def test_a_device_computes_crcs(tmp_path: Path) -> None:
    settings = pack.read_settings(ROOT / "firmware/crc", version="1.0.0", vectors=[ROOT / "tests/vectors"])
    folder = create(tmp_path / "dev", slots=64 * 1024)
    with device.opened(folder) as opened:
        opened.update(signed(pack.build(settings)))
        session = DeviceSession(opened)
        crc = session.catalogue.cipher("crc-32")
        assert process(session, Request(crc, "encrypt", b""), b"123456789").hex() == "cbf43926"
        for request, text in (
            (Request(crc, "decrypt", b""), "cannot decrypt"),
            (Request(crc, "encrypt", b"", iv=bytes(16)), "does not take an iv"),
            (Request(crc, "encrypt", b"", pad=True), "has a tag or an integrity check"),
        ):
            with pytest.raises(FirmwareError, match=text):
                process(session, request, b"")


def test_a_pack_of_several_images_changes_them_as_they_are_called(tmp_path: Path) -> None:
    folder = create(tmp_path / "dev", slots=64 * 1024)
    with device.opened(folder) as opened:
        opened.update(aes())
        assert opened.status().info[0].images > 1
        session = DeviceSession(opened)
        results = []
        for name in ("aes-128-ctr", "aes-128-gcm", "aes-128-ctr"):
            iv = IV if name.endswith("ctr") else IV[:12]
            results.append(process(session, Request(session.catalogue.cipher(name), "encrypt", KEY, iv), TEXT))
        assert results[0] == results[2] != results[1][: len(TEXT)]


def test_the_counter_is_burnt_by_the_confirmation_and_not_before(dev: Path) -> None:
    with device.opened(dev) as opened:
        before = memories(dev)[1]
        status = opened.update(otter("1.2.0", 5), confirm=False)
        assert (status.counter, running(status)) == (2, ("otter", (1, 2, 0)))
        assert memories(dev)[1] == before
        assert opened.confirm().counter == 5


def test_a_reset_takes_back_what_nobody_has_confirmed(dev: Path) -> None:
    with device.opened(dev) as opened:
        opened.update(otter("1.2.0", 5), confirm=False)
    status = boot(dev)
    assert (running(status), status.counter) == (("otter", (1, 1, 0)), 2)
    assert status.state[1 - (status.running or 0)] is SlotState.EMPTY


def test_a_later_process_confirms_what_has_been_tried_since(dev: Path) -> None:
    with device.opened(dev) as opened:
        opened.update(otter("1.2.0", 5), confirm=False)
    assert run(dev, devices.CIPHER, iv=IV)
    with device.opened(dev) as opened:
        assert running(opened.confirm()) == ("otter", (1, 2, 0))
    assert running(boot(dev)) == ("otter", (1, 2, 0))


def test_a_trial_is_not_confirmed_after_a_reset(dev: Path) -> None:
    with device.opened(dev) as opened:
        opened.update(otter("1.2.0", 5), confirm=False)
    boot(dev)
    with device.opened(dev) as opened, pytest.raises(device.LoaderError, match="nothing is on trial"):
        opened.confirm()


def test_a_trial_that_has_lost_its_power_is_not_confirmed(dev: Path) -> None:
    with device.opened(dev) as opened:
        opened.update(otter("1.2.0", 5), confirm=False)
    (dev / "running.json").unlink()
    with device.opened(dev) as opened, pytest.raises(device.LoaderError, match="nothing is on trial"):
        opened.confirm()


def test_what_is_said_to_run_counts_for_its_own_boot_record_only(dev: Path) -> None:
    before = (dev / "running.json").read_text()
    with device.opened(dev) as opened:
        opened.apply(otter("1.2.0", 5))
    (dev / "running.json").write_text(before)
    with device.opened(dev) as opened:
        assert opened.status().running is None


def test_a_pack_that_is_refused_leaves_a_trial_as_it_is(dev: Path) -> None:
    with device.opened(dev) as opened:
        opened.update(otter("1.2.0", 5), confirm=False)
    with device.opened(dev) as opened, pytest.raises(device.LoaderError, match="confirm or revert it first"):
        opened.update(otter("1.3.0", 5))
    with device.opened(dev) as opened:
        assert running(opened.confirm()) == ("otter", (1, 2, 0))


def test_reverting_drops_what_is_on_trial(dev: Path) -> None:
    with device.opened(dev) as opened:
        opened.update(otter("1.2.0", 5), confirm=False)
        assert running(opened.revert()) == ("otter", (1, 1, 0))
        with pytest.raises(device.LoaderError, match="there is no other firmware"):
            opened.revert()


def test_reverting_goes_to_the_other_slot_and_back(dev: Path) -> None:
    with device.opened(dev) as opened:
        opened.update(otter("1.2.0", 2))
        assert running(opened.revert()) == ("otter", (1, 1, 0))
        assert running(opened.revert()) == ("otter", (1, 2, 0))
    assert running(boot(dev)) == ("otter", (1, 2, 0))


def test_reverting_does_not_go_below_the_counter(dev: Path) -> None:
    with device.opened(dev) as opened:
        opened.update(otter("1.2.0", 5))
        before = memories(dev)
        with pytest.raises(device.LoaderError, match=r"may not boot any more: .* counter is below .*; keep"):
            opened.revert()
    assert memories(dev) == before
    assert running(boot(dev)) == ("otter", (1, 2, 0))


def test_without_its_first_pack_a_device_runs_nothing(tmp_path: Path) -> None:
    folder = create(tmp_path / "dev")
    assert running(boot(folder)) is None
    with device.opened(folder) as opened:
        assert opened.next_boot() is None
        with pytest.raises(device.DeviceError, match="has no firmware"):
            DeviceSession(opened)
        opened.update(otter(), confirm=False)
        assert running(opened.revert()) is None
    assert running(boot(folder)) is None


def test_a_damaged_primary_falls_back_to_the_firmware_before(dev: Path) -> None:
    with device.opened(dev) as opened:
        status = opened.update(otter("1.2.0", 2))
        damaged = opened.folder.flash.slots[status.running or 0] + 1000
    flash = bytearray((dev / "flash.bin").read_bytes())
    flash[damaged] ^= 0x10
    (dev / "flash.bin").write_bytes(flash)
    with device.opened(dev) as opened:
        status = opened.status()
        assert status.check[status.primary or 0] is not Result.OK
        assert opened.next_boot() == 1 - (status.primary or 0)
        assert running(opened.boot()) == ("otter", (1, 1, 0))
    assert running(boot(dev)) == ("otter", (1, 1, 0))


def test_the_next_boot_is_told_without_booting(dev: Path) -> None:
    with device.opened(dev) as opened:
        opened.apply(otter("1.2.0", 5))
        before = memories(dev)
        told = opened.next_boot()
        assert memories(dev) == before
        assert told == opened.boot().running


def test_a_pack_brings_a_new_root_and_the_old_one_is_over(dev: Path) -> None:
    with device.opened(dev) as opened:
        opened.update(otter("1.2.0", 2, by=roots(2)), confirm=False)
        assert opened.roots() == [pack.roots.trusted(roots())]
        opened.confirm()
        assert opened.roots() == [pack.roots.trusted(roots()), pack.roots.trusted(roots(2))]
        before = memories(dev)
        with pytest.raises(device.LoaderError, match="none of the pack's roots is the one that this device trusts"):
            opened.update(otter("1.3.0", 2))
        with pytest.raises(device.LoaderError, match="a signature is wrong"):
            opened.update(replayed("1.3.0"))
        assert memories(dev) == before
        opened.update(otter("1.3.0", 2, by=roots(3)))
        assert len(opened.roots()) == 3


def replayed(version: str) -> bytes:
    """A pack with the newest roots, signed by a key that only the first of them had."""
    old = pack.decode(signed(unsigned(version, 2)))
    return pack.encode(pack.Pack(roots(2), old.manifest, old.signatures, old.parts))


def test_known_answers_can_be_asked_for_at_any_time(dev: Path) -> None:
    with device.opened(dev) as opened:
        opened.resume()
        opened.self_test()
    assert run(dev, devices.CIPHER, iv=IV)
