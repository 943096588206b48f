"""`lutra pack` of firmware with an image for each direction."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lutra import prove
from lutra.cli import proofs
from lutra.firmware import pack
from lutra.iss import engine as engines
from support import closing
from support.cli import Lutra
from support.closing import CIPHER, Closing


@pytest.fixture
def packs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`one.pack` as it is without the image that decrypts, `two.pack` with it; simulators that close their memories."""
    monkeypatch.setitem(engines._factories, "iss", Closing)
    settings = closing.settings(closing.write(folder / "shut"))
    alone = tuple(replace(c, implementations=(c.default,)) for c in settings.algorithms)
    Path("two.pack").write_bytes(pack.encode(pack.build(settings)))
    Path("one.pack").write_bytes(pack.encode(pack.build(replace(settings, algorithms=alone))))


def test_inspect_names_the_image_that_decrypts(lutra: Lutra, packs: None) -> None:
    text = lutra("pack", "inspect", "two.pack").out
    assert ", format 2\n" in text
    assert f"  {CIPHER}  gcm, image 0, to decrypt image 1, key 128 bits" in text
    assert f"  {CIPHER} decrypt, wrong tag: test-case-4  image 1, " in text
    found = lutra("pack", "inspect", "two.pack", "--json").json
    (algorithm,) = found["algorithms"]
    assert (found["format"], algorithm["image"], algorithm["decryption"]["image"]) == (2, 0, 1)
    old = lutra("pack", "inspect", "one.pack", "--json").json
    assert (old["format"], old["algorithms"][0]["decryption"]) == (1, None)


def test_diff_shows_the_image_that_decrypts(lutra: Lutra, packs: None) -> None:
    text = lutra("pack", "diff", "one.pack", "two.pack").out
    for lines in (
        "format\n  - 1\n  + 2\n",
        "image shut-open\n  + ",
        f"algorithm {CIPHER}: decryption: image\n  + shut-open\n",
        f"algorithm {CIPHER}: decryption: input\n  + m2@0x000, jobs of 4048 bytes\n",
        f"known answer {CIPHER} decrypt, wrong tag: test-case-4: image\n  + shut-open\n",
    ):
        assert lines in text


def test_known_answers_of_both_directions_are_run(lutra: Lutra, packs: None) -> None:
    found = lutra("pack", "test", "two.pack", "--json").json
    images = [answer["image"] for answer in found["answers"]]
    assert (found["failed"], images) == (0, ["shut-open", "shut-open", "shut-plain"])


def test_each_direction_is_proved_of_the_image_that_the_pack_has(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def outcomes(claims: list[prove.Claim], limits: prove.Limits) -> list[prove.Outcome]:
        asked.extend((claim.direction, claim.implementation.image.name) for claim in claims)
        return []

    monkeypatch.setattr(prove, "outcomes", outcomes)
    assert proofs.for_pack(closing.settings(closing.write(folder / "shut")).algorithms) == {}
    assert asked == [("encrypt", "shut-plain"), ("decrypt", "shut-open")]


def test_a_damaged_second_image_is_one_line(lutra: Lutra, packs: None) -> None:
    data = bytearray(Path("two.pack").read_bytes())
    made = pack.decode(bytes(data))
    data[bytes(data).index(made.parts[1]) + 100] ^= 1
    Path("bad.pack").write_bytes(data)
    for command in ("inspect", "test"):
        error = lutra("pack", command, "bad.pack").error
        assert error.endswith("parts[1]: this is not the shut-open that the manifest has the digest of")
