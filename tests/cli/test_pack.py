"""`lutra pack` from a key to a signed pack, and what it refuses."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from lutra.firmware import pack
from support import small_pack
from support.cli import Lutra


@pytest.fixture
def files(folder: Path) -> Path:
    """The small pack, its roots and keys in the current folder."""
    small_pack.write_files(folder)
    return folder


def test_from_new_keys_to_a_pack_that_verifies(lutra: Lutra, otter: None) -> None:
    assert lutra("pack", "key", "a", "b", "release").code == 0
    assert stat.S_IMODE(Path("a.pem").stat().st_mode) == 0o600
    create = ["pack", "root", "create", "--root-key", "a.pub", "--root-key", "b.pub", "--root-threshold", "2"]
    assert lutra(*create, "--pack-key", "release.pub", "-o", "v.roots").code == 0
    show = lutra("pack", "root", "show", "v.roots")
    assert (show.code, "not valid: byte" in show.out) == (1, True)
    for name in ("a", "b"):
        assert lutra("pack", "root", "sign", "v.roots", "--key", f"{name}.pem").code == 0
    assert lutra("pack", "root", "show", "v.roots", "--json").json["roots"][0]["wrong"] is None
    built = lutra("pack", "build", "otter", "--version", "1.0.0", "-o", "o.pack")
    assert "otter 1.0.0: 1 algorithm in 1 image, 2 known answers" in built.out
    assert lutra("pack", "verify", "o.pack", "--roots", "v.roots").error.endswith("it is not signed")
    assert lutra("pack", "sign", "o.pack", "--roots", "v.roots", "--key", "release.pem", "-o", "s.pack").code == 0
    assert lutra("pack", "verify", "s.pack", "--roots", "v.roots").out.endswith(": good\n")
    report = lutra("pack", "test", "s.pack", "--json").json
    assert (report["failed"], len(report["answers"])) == (0, 2)


def test_a_key_is_never_overwritten(lutra: Lutra, files: Path) -> None:
    before = Path("pack.pem").read_bytes()
    assert "already exists" in lutra("pack", "key", "new", "pack").error
    assert Path("pack.pem").read_bytes() == before
    assert not Path("new.pem").exists()
    assert lutra("pack", "key", "twice", "twice").code == 1
    assert not Path("twice.pem").exists()


def test_a_root_follows_one_that_is_signed(lutra: Lutra, files: Path) -> None:
    assert lutra("pack", "root", "rotate", "vendor.roots", "--add-pack-key", "root.pub").code == 0
    again = lutra("pack", "root", "rotate", "vendor.roots", "--remove-pack-key", "pack.pub")
    assert again.code == 1
    assert again.error.startswith("vendor.roots: byte ")
    assert again.error.endswith(
        "; the last root must be valid before the next one: sign it with `lutra pack root sign`"
    )


def test_the_digest_of_the_root_stands_for_the_roots(lutra: Lutra, files: Path) -> None:
    (root,) = lutra("pack", "root", "show", "vendor.roots", "--json").json["roots"]
    assert lutra("pack", "verify", "small.pack", "--root-digest", root["digest"]).code == 0
    assert "none has the digest" in lutra("pack", "verify", "small.pack", "--root-digest", "00" * 32).error


def test_inspect_shows_what_there_is(lutra: Lutra, files: Path) -> None:
    text = lutra("pack", "inspect", "small.pack").out
    assert "rounds 1, 3 program words, 1 memory row, 0 stream contexts" in text
    assert text.startswith("mole 1.0.0, counter 0, signed by ")
    assert "xor  cipher, image 0, key 128 bits, iv 0 bytes, 1.000 cycles per 16 bytes" in text
    found = lutra("pack", "inspect", "small.pack", "--json").json
    assert (found["name"], found["version"], found["isa"]) == ("mole", "1.0.0", "0.1")
    assert [step["step"] for step in found["answers"][0]["steps"]] == ["write", "write", "run", "compare"]
    assert found["signatures"] == [{"key": small_pack.role("pack").keys[0].hex(), "right": True}]
    assert found["parts"][0]["map"][0] == {"space": "m1", "first": 0, "size": 16}


def test_diff_ends_as_diff_does(lutra: Lutra, files: Path) -> None:
    same = lutra("pack", "diff", "small.pack", "small.pack")
    assert (same.code, same.out) == (0, "no difference\n")
    Path("next.pack").write_bytes(pack.encode(small_pack.small(pack.PackVersion(1, 1, 0))))
    other = lutra("pack", "diff", "small.pack", "next.pack")
    assert (other.code, other.out) == (1, "version\n  - 1.0.0\n  + 1.1.0\n")
    changed = lutra("pack", "diff", "small.pack", "next.pack", "--json")
    assert json.loads(changed.out)["changes"] == [{"what": "version", "before": "1.0.0", "after": "1.1.0"}]


def test_diff_shows_instructions_cycles_and_answers(lutra: Lutra, otter: None) -> None:
    assert lutra("pack", "build", "otter", "--version", "1.0.0", "-o", "a.pack").code == 0
    source = Path("otter/otter.s")
    first = source.read_text().index("        halt")
    source.write_text(source.read_text()[:first] + "        nop\n" + source.read_text()[first:])
    assert lutra("pack", "build", "otter", "--version", "1.0.1", "-o", "b.pack").code == 0
    text = lutra("pack", "diff", "a.pack", "b.pack").out
    assert "image otter: instructions from" in text and "  + nop" in text
    assert "cycles" in text
    assert "algorithm otter-128-ctr" in text


@pytest.mark.parametrize(
    ("line", "code", "text"),
    [
        ("verify small.pack", 2, "give either --roots or --root-digest"),
        ("verify small.pack --root-digest 00", 2, "--root-digest has 2 hexadecimal digits; it takes 64"),
        ("verify pack.pem --roots vendor.roots", 1, "pack.pem: byte 0x0: expected an array, found a negative integer"),
        ("verify small.pack --roots small.pack", 1, "small.pack: byte 0x1: [0]: expected an array, found a text"),
        ("sign small.pack --roots vendor.roots --key root.pem", 1, "is not a pack key of root 1, the last one"),
        ("sign small.pack --roots vendor.roots --key pack.pub", 1, "pack.pub: is a public key; signing needs"),
        ("sign small.pack --roots vendor.roots --key vendor.roots", 1, "vendor.roots: is not a private key"),
        ("sign small.pack --roots vendor.roots --key pack.pem -o vendor.roots", 2, "is the same file as vendor.roots"),
        ("build . -o x.pack --version 1.0.0", 1, "firmware.toml: No such file"),
        ("build . -o x.pack --key pack.pem", 2, "--key needs --roots"),
        ("build . -o x.pack --roots vendor.roots", 2, "--roots needs --key; give both, or neither and sign later"),
        ("root sign vendor.roots --key pack.pem", 1, "is not a root key of the last root"),
        ("root rotate vendor.roots --remove-pack-key root.pub", 1, "root.pub is not a pack key of the last root"),
        ("root rotate vendor.roots --remove-pack-key pack.pub", 1, "a root has 1 to 8 pack keys, not 0"),
        ("key new.pem", 2, "NAME new.pem: stands for two files, .pem and .pub; give it without suffix"),
        ("key .", 2, "NAME .: stands for two files"),
        ("key none/new", 1, "none/new.pem: the folder does not exist"),
        ("root rotate vendor.roots", 1, "vendor.roots: the next root would equal the last one"),
        (
            "root rotate vendor.roots --remove-pack-key pack.pub --add-pack-key pack.pub",
            1,
            "the next root would equal the last one; add or remove a key, or change a threshold",
        ),
        ("root create --root-key root.pub --pack-key pack.pub -o vendor.roots", 1, "vendor.roots: already exists"),
        ("root create --root-key none.pub --pack-key pack.pub -o x", 1, "none.pub: no such file"),
        ("inspect none.pack", 1, "none.pack: no such file"),
    ],
)
def test_what_is_wrong_is_one_line(line: str, code: int, text: str, lutra: Lutra, files: Path) -> None:
    before = {path: path.read_bytes() for path in files.iterdir()}
    found = lutra("pack", *line.split())
    assert found.code == code
    assert text in found.error and "\n" not in found.error
    assert {path: path.read_bytes() for path in files.iterdir()} == before


def test_a_wrong_known_answer_is_told(lutra: Lutra, files: Path) -> None:
    made = small_pack.small()
    answers = made.parts[1].replace(
        bytes(a ^ b for a, b in zip(small_pack.KEY, small_pack.TEXT, strict=True)), bytes(16)
    )
    Path("wrong.pack").write_bytes(pack.encode(small_pack.with_parts(made, made.parts[0], answers)))
    found = lutra("pack", "test", "wrong.pack")
    assert found.code == 1
    assert "xor  FAILED: step 3: wrong answer at m3@0x000" in found.out
    assert found.out.endswith("0 passed, 1 failed (iss, rounds 2)\n")


def test_a_pack_for_two_rounds_does_not_run_on_one(lutra: Lutra, files: Path) -> None:
    made = small_pack.with_manifest(small_pack.small(), core=pack.Core(2, 3, 1, 0))
    Path("two.pack").write_bytes(pack.encode(made))
    assert (
        "needs a core with 2 rounds per instruction; --rounds is 1"
        in lutra("pack", "test", "two.pack", "--rounds", "1").error
    )
