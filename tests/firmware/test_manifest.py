"""Manifests: the installed ones fit their images, and a wrong one is refused with its place."""

from __future__ import annotations

import re
import shutil
import tomllib
from pathlib import Path

import pytest

import lutra
from lutra.firmware import bench
from lutra.firmware.ciphers import Cipher, Entries
from lutra.firmware.crypt import check_padding
from lutra.firmware.errors import FirmwareError
from lutra.firmware.literature import Document
from lutra.firmware.manifest import SOURCES, assembled, catalogue, load
from lutra.firmware.schema import convert
from lutra.firmware.session import Session
from support.outside import ECHO

TEXT = (SOURCES / "aes" / "firmware.toml").read_text()
CBC = 'name = "aes-{bits}-cbc"\n'
DECRYPT = 'image = "{}"\ndirections = ["decrypt"]'
FIRST = 'image = "aes-gcm"\n'
CRC8 = "{ width = 8, poly = 7, init = 0, refin = false, refout = false, xorout = 0 }"


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


def test_every_published_figure_is_of_a_cipher() -> None:
    """Every figure is shown somewhere."""
    manifests = [path for pattern in ("*", "withdrawn/*") for path in SOURCES.glob(f"{pattern}/firmware.toml")]
    entries = [entry for path in manifests for entry in tomllib.loads(path.read_text())["algorithm"]]
    names = {c.base_name for path in manifests for c in load(path)} | {entry["name"] for entry in entries}
    literature = tomllib.loads((SOURCES / "literature.toml").read_text())
    assert {name for figure in literature["figure"] for name in figure.get("algorithms", ())} <= names
    shown = {
        (case.literature.source, case.literature.cycles_per_unit)
        for path in manifests
        for c in load(path)
        for i in c.implementations
        for case in i.bench
        if case.literature
    }
    for processor in literature["processors"].values():
        assert {(processor["source"], cycles) for cycles in processor["cycles_per_unit"].values()} <= shown


@pytest.mark.parametrize(
    ("figure", "message"),
    [
        ({}, "literature.toml: snow2-{bits}: cycles_per_unit is missing"),
        ({"design": 2}, "design must be a string, not 2"),
        ({"bits_per_cycle": 0}, "bits_per_cycle must be a number above 0, not 0"),
        ({"bits_per_cycle": float("nan")}, "bits_per_cycle must be a number above 0, not nan"),
        ({"cycles_per_unit": "2"}, "cycles_per_unit must be a number above 0, not '2'"),
        ({"bits_per_cycles": 2}, "unknown key 'bits_per_cycles'; did you mean bits_per_cycle?"),
        ({"bits_per_cycle": 2, "paper": "stoats"}, "unknown paper 'stoats'; did you mean stoat?"),
    ],
)
def test_a_wrong_figure_of_a_design_is_refused(
    figure: dict[str, object], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    literature = {
        "processors": {"cp-asip": {"source": "", "cycles_per_unit": {}}},
        "papers": {"stoat": "2019"},
        "figure": [{"paper": "stoat", "work": "x", "design": "Stoat", "algorithms": ["snow2-{bits}"], **figure}],
    }
    with pytest.raises(FirmwareError, match=re.escape(message)):
        document = convert("literature.toml", literature, Document)
        monkeypatch.setattr("lutra.firmware.literature.document", lambda: document)
        load(SOURCES / "snow3g" / "firmware.toml")


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
        ('image = "aes-gcm"', 'image = "lynx-8"', "image 'lynx-8'; there is neither lynx_8.s nor [image.lynx-8]"),
        ('image = "aes-gcm"', "image = 7", "aes-{bits}-gcm: implementations 1: image must be a string, not 7"),
        ('image = "aes-gcm"', DECRYPT.format("aes-gcm"), "fused encrypts, which directions leaves out"),
        (FIRST, f'{FIRST}directions = ["encrypt"]\nbench = {{}} #', "aes-gcm is the first, which has all directions"),
        ('image = "aes-mac-twice"', DECRYPT.format("aes-mac-twice"), "directions decrypt, which the algorithm lacks"),
        (CBC, CBC + "partial = 0\n", "aes-{bits}-cbc: partial must be true or false, not 0"),
        (CBC, CBC + "partiel = false\n", "aes-{bits}-cbc: unknown key 'partiel'; did you mean partial?"),
        ('"cp-asip"', '"cp-asp"', "unknown literature 'cp-asp'; did you mean cp-asip?"),
        (CBC, CBC + 'keys = "encrypted"\n', "unknown keys 'encrypted'; did you mean encrypt?"),
        ('lte = "eea2"', 'lte = "eea9"', "128-eea2: unknown lte 'eea9'; did you mean eea"),
        ('run = "aes{bits}_eea2"', 'ran = "aes{bits}_eea2"', "routines: unknown key 'ran'; did you mean run?"),
        ('run = "aes{bits}_eea2"', 'run = "aes{bit}_eea2"', "routines: 'bit' is not a placeholder of a routine's name"),
        ('"aes.s", "aes_ctr.s"', "", "image aes: sources must be a list of strings, not []"),
        ("[image.aes]\n", "[image]\nzuc = 3\n[image.aes]\n", "image zuc must be a table, not 3"),
        ("[image.aes]", "[image.aes", "line 9"),
        ("[defaults]\n", '[defaults]\nkind = "crc"\n', "kind crc needs a polynomial, and only kind crc may have one"),
        (CBC, CBC + f"polynomial = {CRC8}\n", "kind crc needs a polynomial, and only kind crc may have one"),
        ('unit = "block"', "unit = 0", "unit must be block, word, byte or an integer from 1 to 65535, not 0"),
        ('unit = "block"', "unit = 1.5", "unit must be block, word, byte or an integer from 1 to 65535, not 1.5"),
        ('unit = "block"', "unit = true", "unit must be block, word, byte or an integer from 1 to 65535, not True"),
        ('unit = "block"', "unit = 4097", "one unit has 4097 bytes, a job of image aes has 4096 bytes at most"),
        ('unit = "block"', "unit = 8", "GCM has blocks of 16 bytes: unit must be block"),
        ("[128, 192, 256]", "[128, 100]", "a list of integers from 0 to 524280 in steps of 8, not [128, 100]"),
        (CBC, CBC + "iv_bytes = -1\n", "iv_bytes must be unit or an integer from 0 to 65535, not -1"),
        ("tag_bits = 32", "tag_bits = 0", "tag_bits must be an integer from 8 to 524280 in steps of 8, not 0"),
        ("[image.aes]\n", "[image.aes]\noffset = 4096\n", "offset and job_bytes, 4096 and 1, go beyond the 4096 of a"),
        ("[image.aes]\n", "[image.aes]\noffset = 16\njob_bytes = 4081\n", "offset and job_bytes, 16 and 4081, go"),
        ("[image.aes]\n", "[image.aes]\njob_bytes = 15\n", "a job of image aes has 15 bytes at most"),
        ('"aes-{bits}-cbc"', '"aes cbc"', "a name contains only letters, digits, - and {bits}, not 'aes cbc'"),
        (
            '"aes-{bits}-cbc"',
            '"aes-{bits}-cbc-x512"',
            "one unit of each of 512 streams has 8192 bytes, a job of image aes",
        ),
        ('cipher = "aes"', 'cipher = "aes"\nisa = "one"', "isa must be a version such as "),
        ('cipher = "aes"', 'cipher = "aes"\nisa = "0.999"', "is for instruction set 0.999, but this Lutra has "),
        ('cipher = "aes"', 'cipher = "aes"\nisa = "9.0"', "is for instruction set 9.0, but this Lutra has "),
        ('{ single-stream = "" }', "{ single-stream = 5.0 }", "bench: single-stream must be a string, not 5.0"),
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


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('unit = "block"', 'unit = "block"\ntag_bits = 136', "kind aead allows tags of 32 to 128 bits, not 136"),
        ('unit = "block"', 'unit = "block"\ntag_bits = 24', "kind aead allows tags of 32 to 128 bits, not 24"),
        ('unit = "block"', 'unit = "block"\npartial = false', "kind aead takes one message of any length, or several"),
    ],
)
def test_an_aead_that_the_host_cannot_serve_is_refused(old: str, new: str, message: str, tmp_path: Path) -> None:
    path = shutil.copytree(SOURCES / "ascon", tmp_path / "ascon") / "firmware.toml"
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
    with pytest.raises(FirmwareError) as caught:
        load(path)
    assert message in str(caught.value)


def test_a_polynomial_that_the_tables_do_not_hold_is_refused(tmp_path: Path) -> None:
    path = shutil.copytree(SOURCES / "crc", tmp_path / "crc") / "firmware.toml"
    path.write_text(path.read_text().replace("width = 24", "width = 64"))
    with pytest.raises(FirmwareError) as caught:
        load(path)
    assert str(caught.value) == f"{path}: algorithm crc-24a: polynomial: width must be an integer from 1 to 32, not 64"


def echo(folder: Path, unit: int | str, key: int, iv: int, more: str = "") -> Cipher:
    """A cipher that gives back key, IV and length, from row 0, 16-byte aligned."""
    (folder / "echo.s").write_text(ECHO.format(key=key, iv=iv))
    value = f'"{unit}"' if isinstance(unit, str) else unit
    (folder / "firmware.toml").write_text(
        f'cipher = "echo"\n[[algorithm]]\nname = "echo"\nunit = {value}\nkey_bits = [{8 * key}]\niv_bytes = {iv}\n'
        f'routines = {{ tables = "", key = "", run = "echo" }}\n{more}'
    )
    (cipher,) = load(folder / "firmware.toml")
    return cipher


@pytest.mark.parametrize(("key", "iv"), [(1, 1), (5, 0), (10, 8), (16, 12), (32, 24), (64, 16), (100, 40), (512, 300)])
def test_keys_and_ivs_may_have_any_number_of_bytes(key: int, iv: int, tmp_path: Path) -> None:
    cipher, session = echo(tmp_path, "byte", key, iv), Session(lutra.make_engine("iss"))
    key_bytes, iv_bytes = (bytes(n % 255 + 1 for n in range(size)) for size in (key, iv))
    session.set_up(cipher, "encrypt", key_bytes, iv_bytes)
    found = session.job(bytes(1024))
    assert found[:key] == key_bytes
    begin = -(-key // 16) * 16
    assert found[begin : begin + iv] == iv_bytes
    with pytest.raises(FirmwareError, match=f"needs a key of {key} bytes"):
        session.set_up(cipher, "encrypt", key_bytes + b"\0", iv_bytes)


def test_a_value_of_a_wrong_type_is_told_before_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "firmware.toml").write_text("cipher = 3\n")
    with pytest.raises(FirmwareError, match="cipher must be a string, not 3"):
        load(tmp_path / "firmware.toml")


@pytest.mark.parametrize("unit", ["byte", "word", "block", 1, 3, 4, 8, 12, 16, 24, 64, 100, 1024])
@pytest.mark.parametrize("size", [1024, 1031, 1040])
def test_lengths_count_units_and_the_bytes_after_them(unit: int | str, size: int, tmp_path: Path) -> None:
    cipher, session = echo(tmp_path, unit, 16, 16), Session(lutra.make_engine("iss"))
    session.set_up(cipher, "encrypt", bytes(16), bytes(16))
    row = session.job(bytes(size))[32:48]
    lanes = [int.from_bytes(row[at : at + 2], "big") for at in range(0, 16, 2)]
    unit_bytes = {"byte": 1, "word": 4, "block": 16}[unit] if isinstance(unit, str) else unit
    assert lanes == [0, 0, 0, 0, size // unit_bytes, 0, size % unit_bytes, size // unit_bytes]
    assert session.job_bytes == 4096 - 4096 % unit_bytes


@pytest.mark.parametrize(
    ("unit", "text"),
    [(16, "block"), ("block", "block"), (4, "word"), (1, "byte"), (8, "8-byte block"), (64, "64-byte block")],
)
def test_a_unit_is_called_by_its_size(unit: int | str, text: str, tmp_path: Path) -> None:
    assert echo(tmp_path, unit, 16, 0).unit == text


def otter(folder: Path, algorithm: str) -> Cipher:
    """An algorithm of a manifest as it is read; it has no firmware."""
    (folder / "otter.s").write_text("")
    (folder / "firmware.toml").write_text(
        'cipher = "otter"\n[defaults]\nkey_bits = [128]\nvectors = { algorithm = "Otter" }\n'
        f"[[algorithm]]\n{algorithm}\n"
    )
    (cipher,) = load(folder / "firmware.toml")
    return cipher


@pytest.mark.parametrize(
    ("mode", "unit", "iv_bytes"),
    [("cbc", 8, 8), ("cbc", 16, 16), ("cfb", 8, 8), ("ofb", 8, 8), ("ctr", 8, 8), ("cbc-x2", 8, 16), ("ecb", 8, 0)],
)
def test_the_iv_of_a_mode_is_a_block(mode: str, unit: int, iv_bytes: int, tmp_path: Path) -> None:
    assert otter(tmp_path, f'name = "otter-{mode}"\nunit = {unit}').iv_bytes == iv_bytes


@pytest.mark.parametrize(("stated", "iv_bytes"), [("12", 12), ("0", 0), ('"unit"', 64)])
def test_an_iv_that_is_stated_is_not_that_of_the_mode(stated: str, iv_bytes: int, tmp_path: Path) -> None:
    assert otter(tmp_path, f'name = "otter-ctr"\nunit = 64\niv_bytes = {stated}').iv_bytes == iv_bytes


@pytest.mark.parametrize(("unit", "mode"), [("8", "CFB64"), ('"block"', "CFB128"), ("24", "CFB192")])
def test_vectors_of_cfb_are_those_of_its_blocks(unit: str, mode: str, tmp_path: Path) -> None:
    assert otter(tmp_path, f'name = "otter-cfb"\nunit = {unit}').vectors == (("Otter", mode),)


STREAMS = 'name = "otter-{bits}-x4"\nunit = "block"\niv_bytes = 64\n'


def test_vectors_of_several_streams_are_those_of_the_algorithm_only(tmp_path: Path) -> None:
    """Those in the defaults are of its relatives with one message."""
    assert otter(tmp_path, STREAMS).vectors == ()
    own = 'vectors = { algorithm = "Otter", modes = ["keystream of {bits} bits"] }'
    assert otter(tmp_path, STREAMS + own).vectors == (("Otter", "keystream of 128 bits"),)


@pytest.mark.parametrize(
    ("streams", "parts", "each"),
    [("-x4", 4, 128), ("-x4", 1, 128), ("", 1, 128), ("", 4, 512), ("-xts-x2", 2, 256), ("-xts-x2", 4, 256)],
)
def test_a_message_has_the_key_of_all_or_its_own(streams: str, parts: int, each: int, tmp_path: Path) -> None:
    name = f'name = "otter-{{bits}}{streams}"\nunit = "block"\nkey_parts = {parts}'
    assert otter(tmp_path, name).message_key_bits == each


def test_modes_with_an_iv_of_fields_need_not_be_named_again(tmp_path: Path) -> None:
    fields = 'iv = { OFB = ["frame:32", "0x1f:96"] }'
    alone = otter(tmp_path, f'{STREAMS}vectors = {{ algorithm = "Otter", {fields} }}')
    assert alone.vectors == (("Otter", "OFB"),)
    assert [(p.field, p.number, p.bits) for p in alone.vector_ivs["OFB"]] == [("frame", 0, 32), ("", 0x1F, 96)]
    more = otter(tmp_path, f'{STREAMS}vectors = {{ algorithm = "Otter", modes = ["CTR"], {fields} }}')
    assert more.vectors == (("Otter", "CTR"), ("Otter", "OFB"))
    named = 'iv = { "CFB{unit_bits} of {bits}" = ["iv:128"] }'
    other = otter(tmp_path, f'{STREAMS}vectors = {{ algorithm = "Otter", {named} }}')
    assert other.vectors == (("Otter", "CFB128 of 128"),)
    assert list(other.vector_ivs) == ["CFB128 of 128"]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (
            'kind = "aead"\nvectors = { algorithm = "Otter" }',
            "are for kinds cipher and mac, not aead: leave out vectors",
        ),
        ('vectors = { algorithm = "Otter", iv = 7 }', "vectors: iv must be a table, not 7"),
        ('vectors = { algorithm = "Otter", iv = { OFB = 7 } }', "vectors: iv: OFB must be a list of strings, not 7"),
        (
            'vectors = { algorithm = "Otter", iv = { OFB = ["frame"] } }',
            "vectors: iv: OFB: 'frame' is not a field or number with its bits; write frame:32 or 0x0f:8",
        ),
        (
            'vectors = { algorithm = "Otter", iv = { OFB = ["0x1f:4", "frame:124"] } }',
            "vectors: iv: OFB: '0x1f:4' is not a field or number with its bits; write frame:32 or 0x0f:8",
        ),
        (
            'vectors = { algorithm = "Otter", iv = { OFB = ["frame:32"] } }',
            "vectors: iv: OFB: these have 32 bits, and the IV of a message 128; numbers such as 0x0:8 may fill it",
        ),
        ('vectors = { algorithm = "Otter", reflected = 1 }', "vectors: reflected must be true or false, not 1"),
    ],
)
def test_wrong_vectors_of_several_streams_are_refused(more: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FirmwareError) as caught:
        otter(tmp_path, STREAMS + more)
    assert str(caught.value).startswith(f"{tmp_path / 'firmware.toml'}: algorithm otter-{{bits}}-x4: vectors")
    assert message in str(caught.value)


def test_units_that_are_not_whole_are_refused_by_their_size(tmp_path: Path) -> None:
    cipher, session = echo(tmp_path, 12, 16, 0, "partial = false\n"), Session(lutra.make_engine("iss"))
    session.set_up(cipher, "encrypt", bytes(16))
    with pytest.raises(FirmwareError, match="echo works on whole 12-byte blocks, not on 104 bits"):
        session.job(bytes(13))


def test_padding_counts_in_one_byte(tmp_path: Path) -> None:
    check_padding(echo(tmp_path, 255, 16, 0, "partial = false\n"), True)
    with pytest.raises(FirmwareError, match="PKCS#7 pads at most 255 bytes, echo has a 256-byte block"):
        check_padding(echo(tmp_path, 256, 16, 0, "partial = false\n"), True)


@pytest.mark.parametrize(("row", "after"), [("key", "echo_iv"), ("iv", "echo_length")])
@pytest.mark.parametrize("room", [0, 16])
def test_a_parameter_does_not_overwrite_what_comes_after_it(room: int, row: str, after: str, tmp_path: Path) -> None:
    cipher = echo(tmp_path, 16, 32, 32)
    source = tmp_path / "echo.s"
    source.write_text(source.read_text().replace(f"echo_{row}:\n        .zero   32", f"echo_{row}:\n.zero {room}"))
    with pytest.raises(FirmwareError) as caught:
        Session(lutra.make_engine("iss")).set_up(cipher, "encrypt", bytes(32), bytes(32))
    assert str(caught.value) == (
        f"{tmp_path}/firmware.toml: algorithm echo, encrypt: image echo has {room} bytes at 'echo_{row}' "
        f"(parameters.{row}), up to '{after}'; it needs 32"
    )


@pytest.mark.parametrize(
    ("place", "where"),
    [
        (".section text\necho_iv: .insn 0, 0", "pm"),
        (".section t0\necho_iv: .zero 16", "t0"),
        ("echo_iv = 16", "no memory"),
    ],
)
def test_a_parameter_is_in_a_data_memory(place: str, where: str, tmp_path: Path) -> None:
    cipher = echo(tmp_path, 16, 16, 16)
    source = tmp_path / "echo.s"
    source.write_text(
        source.read_text().replace("echo_iv:\n        .zero   16", "").replace("ar0, echo_key", "ar0, 0") + place + "\n"
    )
    with pytest.raises(FirmwareError) as caught:
        Session(lutra.make_engine("iss")).set_up(cipher, "encrypt", bytes(16), bytes(16))
    assert str(caught.value).endswith(
        f"image echo has 'echo_iv' (parameters.iv) in {where}; a parameter is in one of m0, m1, m2, m3"
    )


def test_a_parameter_at_the_end_of_a_memory_needs_its_room(tmp_path: Path) -> None:
    cipher = echo(tmp_path, 16, 16, 16)
    source = tmp_path / "echo.s"
    source.write_text(source.read_text().replace("echo_length:\n        .zero   16", ".org 4088\necho_length:"))
    with pytest.raises(FirmwareError) as caught:
        Session(lutra.make_engine("iss")).set_up(cipher, "encrypt", bytes(16), bytes(16))
    assert str(caught.value).endswith(
        "image echo has 8 bytes at 'echo_length' (parameters.length), up to the end of the memory; it needs 16"
    )


def test_a_job_of_one_unit_has_its_own_cycles_as_steady_ones(tmp_path: Path) -> None:
    (found,) = bench.measure([echo(tmp_path, 4096, 16, 16)], "iss")
    assert (found.units, found.steady) == (1, found.all_in)
