"""An algorithm that encrypts only, by `directions` of its manifest, in every command that takes a cipher."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lutra.firmware import pack
from lutra.firmware.errors import FirmwareError
from lutra.firmware.manifest import load
from lutra.iss.engine import make as make_engine
from support.cli import Lutra
from support.outside import KEY, MANIFEST, encrypt, vole

NAME = "vole-128-ecb"
ONE_WAY = MANIFEST.replace("key_bits = [128]\n", 'key_bits = [128]\ndirections = ["encrypt"]\n')


@pytest.fixture
def manifest(folder: Path) -> Path:
    path = vole(folder / "vole")
    path.write_text(ONE_WAY)
    (path.parent / "vole.json").rename(path.parent / "vole.vectors.json")
    return path


def test_its_routines_are_those_of_encryption(manifest: Path) -> None:
    (cipher,) = load(manifest)
    assert set(cipher.default.entries) == {"encrypt"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('["encrypt"]', '["decrypt"]', "vole-{bits}-ecb: directions must include encrypt"),
        ('["encrypt"]', "[]", "directions must be a list of encrypt or decrypt, not []"),
        ('["encrypt"]', '["both"]', "directions must be a list of encrypt or decrypt, not ['both']"),
        ("plain", "plain-decrypt", "bench: plain-decrypt decrypts, which directions leaves out"),
        ('unit = "block"', 'unit = "block"\nkind = "mac"', "kind mac has only one direction: leave out directions"),
    ],
)
def test_wrong_directions_are_refused(old: str, new: str, message: str, manifest: Path) -> None:
    manifest.write_text(ONE_WAY.replace(old, new))
    with pytest.raises(FirmwareError) as caught:
        load(manifest)
    assert message in str(caught.value)


def test_it_is_listed_encrypts_and_refuses_to_decrypt(manifest: Path, lutra: Lutra) -> None:
    assert lutra("ciphers", "--manifest", manifest).out == f"{NAME}  cipher, key 128 bits, encryption only\n"
    (listed,) = lutra("ciphers", "--manifest", manifest, "--json").json
    assert listed["directions"] == ["encrypt"]
    Path("in").write_bytes(bytes(range(32)))
    crypt = ["crypt", "--manifest", manifest, "--cipher", NAME, "--key", KEY.hex(), "in", "out"]
    assert lutra(*crypt).code == 0
    assert Path("out").read_bytes() == encrypt(KEY, bytes(range(32)))
    Path("out").unlink()
    refused = lutra(*crypt, "--decrypt")
    assert refused.code == 2
    assert refused.error.endswith(f"{NAME} cannot decrypt: its firmware has only the other direction")
    assert not Path("out").exists()


def test_its_vectors_run_in_one_direction(manifest: Path, lutra: Lutra) -> None:
    file = manifest.parent / "vole.vectors.json"
    data = json.loads(file.read_text())
    assert lutra("test", manifest.parent, "--engine", "iss", "--runs", "2", "-k", "vectors").code == 0
    data["tests"] += [test | {"id": "back", "operation": "decrypt"} for test in data["tests"]]
    file.write_text(json.dumps(data))
    found = lutra("kat", "--manifest", manifest, file).out.splitlines()
    assert found[-2:] == [
        "skipped: no firmware that decrypts Vole ECB, only such that encrypts (1)",
        "1 passed, 0 failed, 1 skipped",
    ]


@pytest.mark.parametrize("command", ["bench", "profile"])
def test_it_is_measured(command: str, manifest: Path, lutra: Lutra) -> None:
    found = lutra(command, "--manifest", manifest, "--cipher", NAME, "--engine", "iss", "--json")
    assert found.code == 0


def test_a_pack_has_its_encryption(manifest: Path) -> None:
    built = pack.contents(pack.decode(pack.encode(pack.build(pack.read_settings(manifest.parent, version="1.0.0")))))
    assert [o.good for o in pack.run(built, make_engine("iss"))] == [True]
    (cipher,) = pack.catalogue(built, manifest).ciphers
    assert set(cipher.default.entries) == {"encrypt"}
