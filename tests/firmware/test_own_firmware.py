"""Own firmware from Python: each function that takes an algorithm by its name takes a manifest."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.firmware import aead, crypt, mac
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import SOURCES
from support.outside import KEY, encrypt, vole

NAME = "vole-128-ecb"


@pytest.fixture
def manifest(tmp_path: Path) -> Path:
    return vole(tmp_path / "vole")


def test_a_message_goes_through_own_firmware_and_back(manifest: Path) -> None:
    data = bytes(range(48))
    for given in (manifest, manifest.parent, str(manifest)):
        assert crypt.encrypt(NAME, KEY, data, manifest=given) == encrypt(KEY, data)
    assert crypt.decrypt(NAME, KEY, encrypt(KEY, data), manifest=manifest) == data


def test_installed_firmware_is_there_as_well(manifest: Path) -> None:
    assert crypt.encrypt("aes-128-ecb", KEY, bytes(16), manifest=manifest) == crypt.encrypt(
        "aes-128-ecb", KEY, bytes(16)
    )


def test_without_the_manifest_its_name_is_unknown() -> None:
    with pytest.raises(FirmwareError, match=f"unknown cipher '{NAME}'"):
        crypt.encrypt(NAME, KEY, bytes(16))


def test_tags_come_from_a_manifest_too() -> None:
    """That of installed firmware stands for an own one."""
    own = SOURCES / "aes"
    assert mac.mac("aes-128-cmac", KEY, b"otter", manifest=own) == mac.mac("aes-128-cmac", KEY, b"otter")
    sealed = aead.encrypt("aes-128-gcm", KEY, bytes(12), b"otter", manifest=own)
    assert aead.decrypt("aes-128-gcm", KEY, bytes(12), sealed, manifest=own) == b"otter"
