"""`--manifest`: own firmware, which lies anywhere, for every command that takes a cipher."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lutra.firmware.manifest import SOURCES, catalogue
from support.cli import Lutra
from support.outside import KEY, MANIFEST, SOURCE, encrypt, vole

NAME = "vole-128-ecb"
OUTSIDE = Path(__file__).parents[1] / "firmware" / "outside"
TABLES = "vole_tables:\n        halt"


@pytest.fixture
def manifest(folder: Path) -> Path:
    """Below the current folder, which is not that of the sources."""
    return vole(folder / "own" / "vole").relative_to(folder)


def crypt(manifest: Path, *more: object) -> list[object]:
    return ["crypt", "--manifest", manifest, "--cipher", NAME, "--key", KEY.hex(), *more]


@pytest.mark.parametrize("engine", ["iss", "cosim"])
def test_crypt_runs_own_firmware(engine: str, manifest: Path, lutra: Lutra) -> None:
    data = bytes(range(48))
    Path("in").write_bytes(data)
    report = lutra(*crypt(manifest, "--engine", engine, "in", "out", "--json")).json
    assert Path("out").read_bytes() == encrypt(KEY, data)
    assert (report["cipher"], report["unit"], report["units"]) == (NAME, "block", 3)
    assert lutra(*crypt(manifest, "--engine", engine, "--decrypt", "out", "back")).code == 0
    assert Path("back").read_bytes() == data


@pytest.mark.parametrize("engine", ["iss", "cosim"])
def test_kat_runs_own_vectors_and_those_of_installed_firmware(engine: str, manifest: Path, lutra: Lutra) -> None:
    assert lutra("kat", manifest.parent / "vole.json").code == 1
    installed = Path(__file__).parents[1] / "vectors/aes_fips197.json"
    result = lutra("kat", "--manifest", manifest, manifest.parent, installed, "--engine", engine, "--json")
    assert result.code == 0
    assert (result.json["passed"], result.json["skipped"]) == (5, 0)


@pytest.mark.parametrize("name", ["firmware.toml", "vole.s"])
def test_own_firmware_is_not_overwritten(name: str, manifest: Path, lutra: Lutra) -> None:
    file = manifest.parent / name
    before = file.read_bytes()
    Path("in").write_bytes(bytes(16))
    Path("link").symlink_to(file)
    for result in (
        lutra(*crypt(manifest.parent, "in", "link")),
        lutra("kat", "--manifest", manifest, manifest.parent, "--coverage", "link"),
    ):
        assert result.code == 2
        assert result.error.endswith(f"link: is the same file as {file}; give another")
    assert file.read_bytes() == before


def test_kat_takes_the_own_one_of_two_that_compute_the_same(manifest: Path, lutra: Lutra) -> None:
    """The keys that it has; others remain the installed one's."""
    manifest.write_text(MANIFEST.replace('algorithm = "Vole"', 'algorithm = "AES"'))
    vectors = Path(__file__).parents[1] / "vectors/aes_fips197.json"
    keys = [len(test["key"]) for test in json.loads(vectors.read_text())["tests"]]
    report = lutra("kat", "--manifest", manifest, vectors, "--json").json
    assert (report["failed"], report["passed"]) == (keys.count(32), len(keys) - keys.count(32))


@pytest.mark.parametrize("engine", ["iss", "rtl", "cosim"])
def test_bench_measures_all_own_ciphers_without_a_name(engine: str, manifest: Path, lutra: Lutra) -> None:
    (found,) = lutra("bench", "--manifest", manifest, "--engine", engine, "--json").json
    assert (found["cipher"], found["variant"], found["engine"]) == (NAME, "plain", engine)
    assert (found["steady_cycles_per_unit"], found["literature"]) == (1.0, None)


def test_bench_measures_own_and_installed_ciphers_by_name(manifest: Path, lutra: Lutra) -> None:
    names = ["--cipher", NAME, "--cipher", "aes-128-cbc", "--variant", "plain", "--variant", "single-stream"]
    found = lutra("bench", "--manifest", manifest, "--engine", "iss", *names, "--json").json
    assert [(f["cipher"], f["variant"]) for f in found] == [(NAME, "plain"), ("aes-128-cbc", "single-stream")]
    matrix = lutra("bench", "--manifest", manifest, "--switch", "--cipher", NAME, "--cipher", "aes-128-ctr", "--json")
    assert [(s["from"], s["to"]) for s in matrix.json["switches"]] == [(NAME, "aes-128-ctr"), ("aes-128-ctr", NAME)]


@pytest.mark.parametrize("engine", ["iss", "cosim"])
def test_a_stream_cipher_with_large_blocks_and_without_tables_works_throughout(engine: str, lutra: Lutra) -> None:
    """Salsa20: eSTREAM, set 1, vector 0 of 256-bit keys."""
    own = ["--manifest", OUTSIDE / "salsa20"]
    Path("in").write_bytes(bytes(114))
    arguments = ["--cipher", "salsa20", "--key", "80" + "00" * 31, "--iv", "00" * 16, "--engine", engine, "--json"]
    report = lutra("crypt", *own, *arguments, "in", "out").json
    assert Path("out").read_bytes().hex().startswith("e3be8fdd8beca2e3ea8ef9475b29a6e7003951e1097a5c38d23b7a5fad9f6844")
    assert (report["unit"], report["units"], report["setup_cycles"]) == (
        "64-byte block",
        2,
        {"tables": 0, "key_schedule": 0},
    )
    report = lutra("kat", *own, OUTSIDE / "salsa20", "--engine", engine, "--json").json
    assert (report["passed"], report["failed"], report["skipped"]) == (8, 0, 0)
    (found,) = lutra("bench", *own, "--engine", engine, "--json").json
    assert (found["cipher"], found["steady_cycles_per_unit"], found["unit"]) == ("salsa20", 685.0, "64-byte block")
    (found,) = lutra("ciphers", *own, "--json").json
    assert found == {
        "name": "salsa20",
        "kind": "cipher",
        "key_bits": 256,
        "iv_bytes": 16,
        "unit": "64-byte block",
        "unit_bytes": 64,
        "directions": ["encrypt", "decrypt"],
    }
    assert lutra("ciphers", *own).out == "salsa20  cipher, key 256 bits, iv 16 bytes\n"


def test_a_block_of_eight_bytes_is_padded_and_checked_as_such(lutra: Lutra) -> None:
    own = ["--manifest", OUTSIDE / "speck", "--cipher", "speck-128-ecb", "--key", KEY.hex()]
    Path("in").write_bytes(b"ten bytes.")
    assert "takes multiples of 8 bytes, the input has 10; use --pad" in lutra("crypt", *own, "in", "out").error
    assert lutra("crypt", *own, "--pad", "in", "out").code == 0
    assert Path("out").stat().st_size == 16
    assert lutra("crypt", *own, "--pad", "--decrypt", "out", "back").code == 0
    assert Path("back").read_bytes() == b"ten bytes."


def test_lengths_of_own_keys_and_ivs_are_checked(lutra: Lutra) -> None:
    own = ["crypt", "--manifest", OUTSIDE / "salsa20", "--cipher", "salsa20"]
    Path("in").write_bytes(bytes(1))
    error = lutra(*own, "--key", "00" * 16, "--iv", "00" * 16, "in", "out").error
    assert error == "salsa20 needs a key of 32 bytes (64 hex digits), not 16"
    error = lutra(*own, "--key", "00" * 32, "--iv", "00" * 12, "in", "out").error
    assert error == "salsa20 needs an iv of 16 bytes (32 hex digits), not 12"


def test_ciphers_lists_own_names_alone(manifest: Path, lutra: Lutra) -> None:
    assert lutra("ciphers", "--manifest", manifest).out == f"{NAME}  cipher, key 128 bits\n"
    assert [c["name"] for c in lutra("ciphers", "--manifest", manifest, "--json").json] == [NAME]


def test_a_folder_stands_for_its_manifest_and_one_manifest_counts_once(manifest: Path, lutra: Lutra) -> None:
    twice = ["--manifest", manifest.parent, "--manifest", manifest, "--manifest", manifest.absolute()]
    assert lutra("ciphers", *twice).out.count(NAME) == 1


def test_several_manifests_add_up_in_their_order(folder: Path, manifest: Path, lutra: Lutra) -> None:
    other = vole(folder / "other")
    other.write_text(MANIFEST.replace('name = "vole', 'name = "shrew'))
    names = [line.split()[0] for line in lutra("ciphers", "--manifest", other, "--manifest", manifest).out.splitlines()]
    assert names == ["shrew-128-ecb", NAME]


def test_installed_manifests_may_be_named(lutra: Lutra) -> None:
    names = {line.split()[0] for line in lutra("ciphers", "--manifest", SOURCES / "zuc").out.splitlines()}
    assert names == {c.name for c in catalogue().ciphers if c.manifest.parent.name == "zuc"}


def test_a_mac_and_a_crc_of_own_manifests_are_found(folder: Path, lutra: Lutra) -> None:
    (folder / "own").mkdir()
    (folder / "own" / "own.s").write_text('        .include "crc/crc.s"\n')
    (folder / "own" / "firmware.toml").write_text(
        (SOURCES / "crc/firmware.toml").read_text().split("[[algorithm]]")[0].replace("image.crc", "image.own")
        .replace('image = "crc"', 'image = "own"')
        + '[[algorithm]]\nname = "crc-16-umts"\nroutines = { run = "crc" }\n'
        "polynomial = { width = 16, poly = 0x8005, init = 0, refin = false, refout = false, xorout = 0 }\n"
    )  # fmt: skip
    (folder / "digits").write_text("123456789")
    assert lutra("crc", "--manifest", "own", "--algorithm", "crc-16-umts", "digits").out == "fee8\n"
    text = (SOURCES / "aes/firmware.toml").read_text().split("[[algorithm]]")[0].split("[image")[0]
    (folder / "mac").mkdir()
    (folder / "mac" / "mac.s").write_text('        .include "aes/aes_mac.s"\n')
    (folder / "mac" / "firmware.toml").write_text(
        text
        + '[[algorithm]]\nname = "own-{bits}-cmac"\nkind = "mac"\nimplementations = [{ image = "mac", bench = {} }]\n'
    )
    key = ["--key", "2b7e151628aed2a6abf7158809cf4f3c"]
    own = lutra("mac", "--manifest", "mac", "--algorithm", "own-128-cmac", *key, "digits")
    assert own.code == 0
    assert own.out == lutra("mac", "--algorithm", "aes-128-cmac", *key, "digits").out


def test_a_page_of_own_firmware_is_refused(manifest: Path, lutra: Lutra) -> None:
    assert "a page has every row" in lutra("bench", "--manifest", manifest, "--page", "page.md").error


@pytest.mark.parametrize("command", ["ciphers", "bench", "kat none.json"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MANIFEST.replace("[[algorithm]]", "[[algorithm]"), "own/firmware.toml: "),
        (MANIFEST.replace("[[algorithm]]", "[[algorithm]"), "line 3"),
        (MANIFEST.replace("unit =", "unite ="), "vole-{bits}-ecb: unknown key 'unite'; did you mean unit?"),
        (MANIFEST.replace('"vole-{bits}-ecb"', '"aes-128-ecb"'), "algorithm aes-128-ecb is also defined in"),
        (MANIFEST.replace("[128]", "[128, 192]").replace("-{bits}", ""), "algorithm vole-ecb is defined twice"),
        ("a = " + "[" * 100000, "nested too deep"),
        (MANIFEST + '[image.vole]\nsources = ["vale.s"]\n', "image vole: no source own/vale.s"),
    ],
)
def test_a_wrong_manifest_is_one_line(command: str, text: str, message: str, folder: Path, lutra: Lutra) -> None:
    vole(folder / "own").write_text(text)
    assert message in lutra(*command.split(), "--manifest", "own").error


def test_a_name_of_two_manifests_names_both(manifest: Path, folder: Path, lutra: Lutra) -> None:
    other = vole(folder / "other").relative_to(folder)
    error = lutra("ciphers", "--manifest", manifest, "--manifest", other).error
    assert error.startswith(f"{manifest}: algorithm {NAME} is also defined in {other}; give one of them another name")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nowhere", "nowhere: No such file or directory; a manifest is a file firmware.toml, or the folder that has"),
        ("empty", "empty/firmware.toml: No such file or directory"),
        ("latin.toml", "latin.toml: not valid UTF-8: byte 3"),
    ],
)
def test_what_is_no_manifest_is_one_line(path: str, message: str, folder: Path, lutra: Lutra) -> None:
    (folder / "empty").mkdir()
    (folder / "latin.toml").write_bytes(b"# \xe9\n")
    assert lutra("ciphers", "--manifest", path).error.startswith(message)


def test_sources_that_do_not_assemble_are_reported_as_by_asm(manifest: Path, lutra: Lutra) -> None:
    (manifest.parent / "vole.s").write_text(SOURCE.replace("tbl0 ", "tlb0 "))
    Path("in").write_bytes(bytes(16))
    result = lutra(*crypt(manifest, "in", "out"))
    assert result.code == 1
    assert result.err.startswith("own/vole/vole.s:22:9: error: unknown instruction 'tlb0'\n")
    assert not Path("out").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "vole_tables",
            "vole_table",
            "'vole_tables' (routines.tables); did you mean vole_table?; if it has none, ",
        ),
        (" vole128_key,", "", "'vole128_key' (routines.key); it is local: add .global vole128_key"),
        ("vole_length", "vole_size", "no global label 'vole_length' (parameters.length)"),
        (
            TABLES,
            f".section m1\n{TABLES[:-4]}.zero 1\n.section text",
            "has data in m1 at 'vole_tables' (routines.tables)",
        ),
    ],
)
def test_a_label_that_the_image_lacks_is_named(old: str, new: str, message: str, manifest: Path, lutra: Lutra) -> None:
    (manifest.parent / "vole.s").write_text(SOURCE.replace(old, new))
    Path("in").write_bytes(bytes(16))
    error = lutra(*crypt(manifest, "in", "out")).error
    assert error.startswith(f"{manifest}: algorithm {NAME}, encrypt: image vole has ")
    assert message in error


@pytest.mark.parametrize(
    ("routines", "message"),
    [
        ('tables = ""', ""),
        ('run = ""', "needs a label for routines.run, which is empty"),
        ('run = "vole_key"', "has data in m0 at 'vole_key' (routines.run), not a routine"),
    ],
)
def test_only_some_routines_may_be_left_out(routines: str, message: str, manifest: Path, lutra: Lutra) -> None:
    """Without the routine for tables, the image's own table section does."""
    text = MANIFEST.replace(', run = "vole{bits}_ecb"', "") if "run" in routines else MANIFEST
    manifest.write_text(text.replace("routines = { ", f"routines = {{ {routines}, "))
    Path("in").write_bytes(bytes(16))
    result = lutra(*crypt(manifest, "in", "out"))
    if message:
        assert message in result.error
    else:
        assert Path("out").read_bytes() == encrypt(KEY, bytes(16))
