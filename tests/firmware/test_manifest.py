"""Manifests: the installed ones fit their images, and a wrong one is refused with its place."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lutra.firmware.ciphers import Entries
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import SOURCES, assembled, catalogue, load

TEXT = (SOURCES / "aes" / "firmware.toml").read_text()
CBC = 'name = "aes-{bits}-cbc"\n'


def used(e: Entries) -> set[str]:
    """Routines that are not left out."""
    return {e.key_tables, e.key, e.tables, e.start, e.run, *e.others.values()} - {""}


def test_every_entry_is_a_global_symbol_of_its_image() -> None:
    for cipher in catalogue().ciphers:
        for implementation in cipher.implementations:
            image = assembled(implementation.image)
            names = {s.name: s.space for s in image.symbols if s.is_global}
            for entries in implementation.entries.values():
                for entry in used(entries):
                    assert names[entry] == "pm"
            p = implementation.image.parameters
            assert {p.key, p.iv, p.length} - {""} <= names.keys()


def test_every_entry_of_an_image_is_in_a_manifest() -> None:
    """A routine that nothing offers would be tested by nothing."""
    named: dict[str, set[str]] = {}
    for cipher in catalogue().ciphers:
        for implementation in cipher.implementations:
            for e in implementation.entries.values():
                named.setdefault(implementation.image.name, set()).update(used(e))
    for image in {i.image for c in catalogue().ciphers for i in c.implementations}:
        labels = {s.name for s in assembled(image).symbols if s.is_global and s.space == "pm"}
        assert labels == named[image.name]


def test_names_are_unique() -> None:
    names = [c.name for c in catalogue().ciphers]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "aes-{bits}-ecb"', "", "algorithm 1: name is missing"),
        ('cipher = "aes"', "", "cipher is missing"),
        ("key_bits = [128, 192, 256]", 'key_bits = ["128"]', "defaults: key_bits must be a list of integers"),
        ("key_bits = [128, 192, 256]", "", "aes-{bits}-ecb: key_bits is missing"),
        ('unit = "block"', 'unit = "blok"', "unknown unit 'blok'; did you mean block?"),
        ('kind = "mac"', 'kind = "mak"', "unknown kind 'mak'; did you mean mac?"),
        ('image = "aes"', 'image = "eas"', "unknown image 'eas'; did you mean aes?"),
        ('image = "aes-gcm"', "image = 7", "aes-{bits}-gcm: image must be of type str, not 7"),
        (CBC, CBC + "partial = 0\n", "aes-{bits}-cbc: partial must be of type bool, not 0"),
        (CBC, CBC + "partiel = false\n", "aes-{bits}-cbc: unknown key 'partiel'; did you mean partial?"),
        ('"cp-asip"', '"cp-asp"', "unknown literature 'cp-asp'; did you mean cp-asip?"),
        (CBC, CBC + 'keys = "encrypted"\n', "unknown keys 'encrypted'; did you mean encrypt?"),
        ('lte = "eea2"', 'lte = "eea9"', "128-eea2: unknown lte 'eea9'; did you mean eea"),
        ('run = "aes{bits}_eea2"', 'ran = "aes{bits}_eea2"', "routines: unknown key 'ran'; did you mean run?"),
        ('run = "aes{bits}_eea2"', 'run = "aes{bit}_eea2"', "routines: 'bit' is no place of a routine's name"),
        ('"aes.s", "aes_ctr.s"', "", "image aes: sources must be a list of strings, not []"),
        ("[image.aes]\n", "[image]\nzuc = 3\n[image.aes]\n", "image zuc must be a table, not 3"),
        ("[image.aes]", "[image.aes", "line 9"),
    ],
)
def test_a_wrong_manifest_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    assert old in TEXT
    path = shutil.copytree(SOURCES / "aes", tmp_path / "aes") / "firmware.toml"
    path.write_text(TEXT.replace(old, new))
    with pytest.raises(FirmwareError) as caught:
        load(path)
    assert str(caught.value).startswith(str(path))
    assert message in str(caught.value)


def test_a_polynomial_that_the_tables_do_not_hold_is_refused(tmp_path: Path) -> None:
    path = shutil.copytree(SOURCES / "crc", tmp_path / "crc") / "firmware.toml"
    path.write_text(path.read_text().replace("width = 24", "width = 64"))
    with pytest.raises(FirmwareError) as caught:
        load(path)
    assert str(caught.value) == f"{path}: algorithm crc-24a: polynomial: a CRC of 64 bits; the tables hold 8 to 32"
