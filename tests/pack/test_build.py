"""Packs of real firmware: built twice the same, with known answers that come out again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import lutra
from lutra.firmware import new, pack
from lutra.firmware.ciphers import Cipher
from lutra.firmware.manifest import catalogue
from lutra.firmware.manifest import catalogue_with as manifest_catalogue
from lutra.firmware.needs import of_image
from lutra.firmware.session import Session
from lutra.isa import load
from support.documents import ROOT
from support.sampling import sampled

# Those of the standards; a collection next to the checkout has them of every cipher.
COLLECTION = Path(os.environ.get("LUTRA_VECTORS", ROOT / "../shared/vectors"))
STANDARDS = ROOT / "tests/vectors"
# Vectors, of which a pack has some, are of one message: not those of what serves many at once only.
# Those of Leviathan are longer than a known answer may be, for most of its key sizes.
FOLDERS = sorted({c.manifest.parent for c in catalogue().ciphers if c.streams == 1 and "leviathan" not in c.name})


# Folders of the collection that are not called as the firmware.
ALSO = {"snow3g": ("snow3g", "snow2"), "zuc256": ("zuc",)}


def settings(folder: Path) -> pack.Settings:
    """Build from a folder of installed firmware, with all vectors that there are."""
    folders = [COLLECTION / name for name in ALSO.get(folder.name, (folder.name,))]
    given = [path for each in folders for path in sorted(each.glob("*.json"))]
    return pack.read_settings(folder, version="1.0.0", vectors=[STANDARDS, *given])


def has_vectors(folder: Path) -> bool:
    """For some, the project has no examples from the standards."""
    return COLLECTION.is_dir() or any(STANDARDS.glob(f"{folder.name}_*.json"))


MORE = pytest.mark.nightly("packs of five folders of six, which are built in the same way")


@pytest.fixture(scope="module", params=sampled(FOLDERS, 6, MORE), ids=lambda folder: folder.name)
def built(request: pytest.FixtureRequest) -> pack.Pack:
    """A pack of each installed cipher."""
    if not has_vectors(request.param):
        pytest.skip("no vectors of this cipher next to the checkout")
    return pack.build(settings(request.param))


def test_installed_ciphers_pass_their_own_known_answers_on_each_core_that_is_enough(built: pack.Pack) -> None:
    """In no more cycles than the pack promises: the simulator counts as the core does, so a promise needs no margin."""
    contents = pack.contents(pack.decode(pack.encode(built)))
    made = [pack.run(contents, lutra.make_engine("iss", n)) for n in range(contents.manifest.core.rounds, 3)]
    assert made[0]
    assert all(o.good for outcomes in made for o in outcomes)
    for same in zip(*made, strict=True):
        assert max(o.cycles for o in same) <= same[0].promised


def test_a_sample_is_the_same_in_lock_step(built: pack.Pack) -> None:
    contents = pack.contents(built)
    sample = pack.Contents(contents.manifest, contents.images, contents.answers[:: max(1, len(contents.answers) // 2)])
    outcomes = pack.run(sample, lutra.make_engine("cosim"))
    assert not [o for o in outcomes if not o.good]


UNKNOWN = {"vectors", "implementations", "manifest", "openssl", "any_bits", "distinct_keys", "associated", "mode"}
UNKNOWN |= {"hardware", "keys", "vector_ivs", "reflected", "offset_bytes"}


def test_algorithms_are_those_of_the_manifest(built: pack.Pack) -> None:
    contents = pack.contents(built)
    of_pack = pack.catalogue(contents, Path("x.pack"))
    assert [c.name for c in of_pack.ciphers] == sorted(c.name for c in of_pack.ciphers)
    for cipher in of_pack.ciphers:
        same = catalogue().cipher(cipher.name)
        for field in fields(Cipher):
            # A device knows nothing of these: its messages are of whole bytes, its keys not compared, it is on no page.
            if field.name not in UNKNOWN:
                assert getattr(cipher, field.name) == getattr(same, field.name)
        assert cipher.default.entries.keys() == same.default.entries.keys()
        assert "baseline" not in cipher.default.image.name


def _message(cipher: Cipher) -> bytes:
    key, iv = bytes(range(cipher.key_bits // 8)), bytes(range(cipher.iv_bytes))
    session = Session(lutra.make_engine("iss"))
    session.set_up(cipher, "encrypt", key, iv)
    size = None if cipher.kind.is_plain else 16
    return session.job(bytes(range(16)) * (3 * cipher.streams), size=size)


def test_a_session_gives_the_same_with_the_pack_as_with_the_sources(built: pack.Pack) -> None:
    for cipher in pack.catalogue(pack.contents(built), Path("x.pack")).ciphers:
        if not cipher.is_aead:  # their job has no meaning without what comes before it
            assert _message(cipher) == _message(catalogue().cipher(cipher.name)), cipher.name


def test_nothing_lies_outside_of_the_map(built: pack.Pack) -> None:
    """A device sees what the map says: a job and a key schedule write nowhere else."""
    contents = pack.contents(built)
    for answer in contents.answers:
        part = contents.manifest.parts[answer.image]
        regions = {region.space: range(region.first, region.first + region.size) for region in part.map}
        engine = lutra.make_engine("iss")
        pack.run(pack.Contents(contents.manifest, contents.images, (answer,)), engine)
        for space in load().spaces:
            if len(space.blocks) + len(space.banks) == 1:
                data = engine.read(space.name, 0, engine.size(space.name))
                inside = regions.get(space.name, range(0))
                assert not (data[: inside.start] + data[inside.stop :]).strip(b"\0"), space.name


def test_what_core_is_needed_is_what_the_instructions_use() -> None:
    texts = ("aesenc2 v0, v0, m0:m1[0]\nhalt", "halt")
    assert [of_image(lutra.assemble_text(text)).rounds for text in texts] == [2, 1]
    found = {
        folder.name: pack.contents(pack.build(settings(folder))).manifest.core
        for folder in FOLDERS
        if has_vectors(folder) and folder.name in ("aes", "zuc")
    }
    assert (found["aes"].rounds, found["aes"].contexts) == (2, 0)
    assert found.get("zuc", pack.Core(1, 0, 0, 2)).contexts == 2


@pytest.fixture
def otter(tmp_path: Path) -> Path:
    """The folder of own firmware that `lutra new` makes, with a table [pack]."""
    folder = tmp_path / "otter"
    new.make("otter", tmp_path)
    manifest = folder / "firmware.toml"
    manifest.write_text(manifest.read_text() + '\n[pack]\nversion = "1.2.3"\ncounter = 4\n')
    return folder


def test_own_firmware_with_vectors_beside_it_needs_a_version_only(otter: Path) -> None:
    contents = pack.contents(pack.build(pack.read_settings(otter)))
    manifest = contents.manifest
    assert (manifest.name, str(manifest.version), manifest.counter) == ("otter", "1.2.3", 4)
    assert [a.name for a in manifest.algorithms] == ["otter-128-ctr"]
    assert len(contents.answers) == 2


def test_what_is_given_stands_for_what_the_manifest_says(otter: Path) -> None:
    made = pack.build(pack.read_settings(otter, name="x", version="2.0.0", counter=5, answers=1))
    manifest = pack.manifest_of(made)
    assert (manifest.name, str(manifest.version), manifest.counter) == ("x", "2.0.0", 5)


def test_the_same_inputs_make_the_same_bytes(otter: Path, tmp_path: Path) -> None:
    """In another folder, from another one, with other hashes of Python."""
    copy = tmp_path / "elsewhere" / "copy"
    shutil.copytree(otter, copy)
    code = (
        "import sys; from pathlib import Path; from lutra.firmware import pack; "
        "sys.stdout.buffer.write(pack.encode(pack.build(pack.read_settings(Path(sys.argv[1])))))"
    )
    made = [
        subprocess.run(
            [sys.executable, "-c", code, str(folder)],
            cwd=cwd,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for folder, cwd, seed in ((otter, tmp_path, "0"), (copy, copy, "4711"), (Path("copy"), copy.parent, "random"))
    ]
    assert made[0]
    assert made == [made[0]] * 3


def mole(folder: Path, more: str = "") -> Path:
    """Firmware that is of another author: XOR of blocks of 16 bytes with the key."""
    folder.mkdir()
    routines = """
        .section m1
        .global mole_key, mole_length
mole_key:
        .zero   16
mole_length:
        .zero   16
        .section text
        .global mole128_encrypt, mole128_decrypt
mole128_decrypt:
        nop
mole128_encrypt:
        mov     v0, m1[mole_key]
        xor     m3[0], v0, m2[0]
        halt
"""
    (folder / "mole.s").write_text(routines)
    algorithm = 'name = "mole-{bits}-ecb"\nunit = "block"\nkey_bits = [128]\nvectors = { algorithm = "Mole" }\n'
    algorithm += 'routines = { tables = "", key = "", run = "mole{bits}_{direction}" }\n'
    head = 'cipher = "mole"\nimage = { mole = { job_bytes = 16 } }\n'
    (folder / "firmware.toml").write_text(f"{head}[[algorithm]]\n{algorithm}{more}")
    test = {"id": "1", "key": "01" * 16, "plaintext": "02" * 16, "ciphertext": "03" * 16}
    document = {"algorithm": "Mole", "mode": "ECB", "tests": [test]}
    (folder / "mole.vectors.json").write_text(json.dumps(document))
    return folder


def test_a_pack_of_several_firmwares_has_the_algorithms_and_images_of_all(otter: Path, tmp_path: Path) -> None:
    """Folders, manifests and installed ciphers, each with its own vectors and those that are named."""
    chosen = [otter, mole(tmp_path / "mole") / "firmware.toml", Path("sm4-128-ctr"), Path("sm4-128-ecb")]
    settings = pack.read_settings(chosen, version="1.0.0", vectors=[STANDARDS / "sm4_gbt32907.json"])
    contents = pack.contents(pack.build(settings))
    manifest = contents.manifest
    assert (manifest.name, manifest.counter) == ("otter-mole-sm4", 4)
    assert [a.name for a in manifest.algorithms] == ["mole-128-ecb", "otter-128-ctr", "sm4-128-ctr", "sm4-128-ecb"]
    assert [part.name for part in manifest.images] == ["otter", "mole", "sm4"]
    assert pack.unanswered(contents) == ("sm4-128-ctr",)
    assert all(outcome.good for outcome in pack.run(contents, lutra.make_engine("cosim")))
    session = Session(lutra.make_engine("iss"))
    for cipher in pack.catalogue(contents, Path("x.pack")).ciphers * 2:  # another image each time
        key, iv = bytes(range(16)), bytes(cipher.iv_bytes)
        session.set_up(cipher, "encrypt", key, iv)
        known = manifest_catalogue([otter, tmp_path / "mole"]).cipher(cipher.name)
        other = Session(lutra.make_engine("iss"))
        other.set_up(known, "encrypt", key, iv)
        assert session.job(bytes(16)) == other.job(bytes(16)), cipher.name


def test_one_firmware_that_is_named_twice_is_there_once(otter: Path) -> None:
    settings = pack.read_settings([otter, otter / "firmware.toml"])
    assert (settings.name, len(settings.algorithms)) == ("otter", 1)


def test_all_modes_of_an_installed_cipher_have_its_name() -> None:
    settings = pack.read_settings([Path("sm4"), Path("sm4-128-ctr")], version="1.0.0")
    assert {c.name for c in settings.algorithms} == {
        c.name for c in catalogue().ciphers if c.manifest.parent.name == "sm4"
    }


def test_a_firmware_says_what_a_pack_of_several_has_of_it(otter: Path, tmp_path: Path) -> None:
    more = mole(
        tmp_path / "mole", '[pack]\nname = "x"\nversion = "9.9.9"\ncounter = 7\nalgorithms = ["mole-128-ecb"]\n'
    )
    with pytest.raises(pack.PackError, match=r"the pack has no version; give --version 1.0.0$"):
        pack.read_settings([otter, more])
    settings = pack.read_settings([otter, more], version="2.0.0")
    assert (settings.name, settings.counter, len(settings.algorithms)) == ("otter-mole", 7, 2)
    settings = pack.read_settings([otter, more], name="radio", version="2.0.0", algorithms=["mole-128-ecb"])
    assert (settings.name, [c.name for c in settings.algorithms]) == ("radio", ["mole-128-ecb"])


def test_what_does_not_fit_a_pack_is_told_before_anything_is_built() -> None:
    chosen = [Path(name) for name in ("aes", "sm4", "camellia", "aria")]
    with pytest.raises(pack.PackError, match=r"\d+ images do not fit, a pack has 23; choose .* by --algorithm"):
        pack.build(pack.read_settings(chosen, name="all", version="1.0.0"))


@pytest.mark.parametrize(("name", "error"), [("aes-128-gmc", "did you mean aes-128-gcm"), ("nothing", "name a folder")])
def test_what_is_neither_a_folder_nor_an_installed_cipher_is_told(name: str, error: str) -> None:
    with pytest.raises(pack.PackError, match=f"{name}: no such file or folder, nor an installed cipher; {error}"):
        pack.read_settings([Path(name)], version="1.0.0")


def test_a_vector_that_fails_ends_the_build(otter: Path) -> None:
    (vectors,) = otter.glob("*.vectors.json")
    text = vectors.read_text()
    at = text.index('"ciphertext": "') + len('"ciphertext": "')
    vectors.write_text(text[:at] + ("0" if text[at] != "0" else "1") + text[at + 1 :])
    with pytest.raises(pack.PackError, match=r": expected .*, got .*passes its vectors"):
        pack.build(pack.read_settings(otter))


def test_without_vectors_there_is_no_pack(otter: Path) -> None:
    for file in otter.glob("*.vectors.json"):
        file.unlink()
    with pytest.raises(pack.PackError, match=r"no known answer for otter; .*write vectors next to the sources"):
        pack.build(pack.read_settings(otter))


@pytest.mark.parametrize(
    ("given", "error"),
    [
        ({"version": "1.2"}, "a version must be three numbers"),
        ({"version": "1.2.65536"}, "each number must be at most 65535"),
        ({"algorithms": ["otter-128-ctx"]}, "did you mean otter-128-ctr"),
        ({"algorithms": ["aes-128-ctr"]}, "unknown cipher 'aes-128-ctr'"),
    ],
)
def test_settings_that_are_wrong_are_one_line(otter: Path, given: dict[str, object], error: str) -> None:
    with pytest.raises(pack.PackError, match=error) as found:
        pack.read_settings(otter, **given)  # type: ignore[arg-type]
    assert "\n" not in str(found.value)


def test_a_version_is_needed(otter: Path) -> None:
    manifest = otter / "firmware.toml"
    manifest.write_text(manifest.read_text().replace('version = "1.2.3"\n', ""))
    with pytest.raises(pack.PackError, match="the pack has no version; give --version"):
        pack.read_settings(otter)
