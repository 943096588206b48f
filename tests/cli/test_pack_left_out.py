"""Packs of firmware that is for a larger core in part: without the images that the configuration cannot run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lutra.firmware import crypt, kat, pack
from lutra.firmware.manifest import catalogue_with
from lutra.firmware.session import Session
from lutra.isa import load
from lutra.iss.engine import make
from support.cli import Lutra

# A one-time pad of blocks of 16 bytes, for any core, and for one that closes its memories meanwhile.
SOURCE = """
        .section m1
        .global mole_key, mole_length
mole_key:
        .zero   16
mole_length:
        .zero   16
        .section text
        .global mole
mole:   {begin}
        mov     v0, m1[mole_key]
        xor     m3[0], v0, m2[0]
        {end}
        halt
"""
HEAD = """
cipher = "mole"
image = { plain = { job_bytes = 16 }, closed = { job_bytes = 16 } }
"""
ALGORITHM = """
[[algorithm]]
name = "mole-{{bits}}-{mode}"
kind = "cipher"
unit = "block"
key_bits = [128]
partial = false
iv_bytes = 0
vectors = {{ algorithm = "Mole", modes = ["{mode}"] }}
routines = {{ tables = "", key = "", run = "mole" }}
implementations = [{images}]
"""
KEY, TEXT = bytes([1] * 16), bytes([2] * 16)
WHY = "'close' is of extension close, which configuration {} does not have"

pytestmark = pytest.mark.skipif("close" in load().configuration.extensions, reason="this core closes its memories")


def mole(folder: Path, **images: str) -> Path:
    """The firmware with these images of each mode, and vectors of all."""
    folder.mkdir()
    (folder / "plain.s").write_text(SOURCE.format(begin="nop", end="nop"))
    (folder / "closed.s").write_text(SOURCE.format(begin="close", end="cmp v0, v0\n        open"))
    text = HEAD
    for mode, names in images.items():
        text += ALGORITHM.format(mode=mode, images=", ".join(f'{{ image = "{name}" }}' for name in names.split()))
        test = {"id": mode, "key": KEY.hex(), "plaintext": TEXT.hex(), "ciphertext": "03" * 16}
        document = {"algorithm": "Mole", "mode": mode, "tests": [test]}
        (folder / f"{mode}.vectors.json").write_text(json.dumps(document))
    (folder / "firmware.toml").write_text(text)
    return folder


def test_a_pack_has_the_first_image_that_the_core_can_run(tmp_path: Path) -> None:
    settings = pack.read_settings(mole(tmp_path / "mole", one="closed plain", two="plain closed"), version="1.0.0")
    why = WHY.format(load().configuration.name)
    assert settings.left_out == (pack.LeftOut("mole-128-one", "closed", why, "plain"),)
    contents = pack.contents(pack.build(settings))
    assert [part.name for part in contents.manifest.images] == ["plain"]
    assert [a.name for a in contents.manifest.algorithms] == ["mole-128-one", "mole-128-two"]
    assert all(outcome.good for outcome in pack.run(contents, make("iss")))


def test_an_algorithm_that_the_core_cannot_run_is_left_out_and_told(lutra: Lutra, tmp_path: Path) -> None:
    folder = str(mole(tmp_path / "mole", one="closed", two="plain", three="closed"))
    build = ("pack", "build", folder, "--version", "1.0.0", "-o", "m.pack")
    first, second = lutra(*build).out.splitlines()
    why = WHY.format(load().configuration.name)
    assert first.startswith("mole 1.0.0: 1 algorithm in 1 image, 2 known answers, ")
    assert second == f"nothing instead of closed for mole-128-one, mole-128-three: {why}"
    found = lutra(*build, "--json").json
    assert [a["name"] for a in found["algorithms"]] == ["mole-128-two"]
    assert found["left_out"] == [
        {"algorithm": f"mole-128-{name}", "image": "closed", "why": why, "instead": ""} for name in ("one", "three")
    ]
    assert lutra("pack", "test", "m.pack").code == 0


def test_a_pack_without_anything_is_not_built(lutra: Lutra, tmp_path: Path) -> None:
    folder = mole(tmp_path / "mole", one="closed")
    refused = lutra("pack", "build", str(folder), "--version", "1.0.0", "-o", "m.pack")
    why = WHY.format(load().configuration.name)
    assert refused.code == 1
    assert refused.error == f"{folder}/firmware.toml: nothing is left for a pack: mole-128-one: {why}"
    assert not Path("m.pack").exists()


def test_own_firmware_runs_by_the_image_that_the_core_has(lutra: Lutra, tmp_path: Path) -> None:
    """The assembler says why where nothing of it runs."""
    folder = mole(tmp_path / "mole", one="closed plain", two="closed")
    assert crypt.encrypt("mole-128-one", KEY, TEXT, manifest=folder) == bytes([3] * 16)
    known = catalogue_with([folder])
    assert [[i.image.name for i in c.implementations] for c in known.listed] == [["plain"], ["closed"]]
    assert kat.run(Session(make("iss")), known, kat.read(folder / "one.vectors.json", known)).passed == 1
    options = ("--manifest", str(folder), "--key", KEY.hex())
    (tmp_path / "m.in").write_bytes(TEXT)
    refused = lutra("crypt", "--cipher", "mole-128-two", *options, str(tmp_path / "m.in"), "m.out")
    assert refused.code == 1
    assert WHY.format(load().configuration.name) in refused.err
