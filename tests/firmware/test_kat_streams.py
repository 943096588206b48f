"""Vectors of one message through firmware of several streams: each of them has to give the answer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import lutra
from lutra.firmware import kat
from lutra.firmware.ciphers import Catalogue, Cipher
from lutra.firmware.manifest import catalogue
from lutra.firmware.session import OUTPUT, Session
from lutra.iss.engine import Engine
from models import e0, lili2, lili128
from support.examples import CMAC

E0: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors/e0_bluetooth.json").read_text())
A51: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors/a51_briceno.json").read_text())
BITS = "keystream (bits packed most significant first)"
LILI128 = {"algorithm": "LILI-128", "mode": BITS}
LILI2 = {"algorithm": "LILI-II", "mode": BITS}
E0_TEST: dict[str, Any] = E0["tests"][2]
A51_TEST: dict[str, Any] = A51["tests"][0]
KEY, IV = bytes(range(16)), bytes(range(16, 32))


def run(
    folder: Path, head: dict[str, Any], *tests: dict[str, Any], known: Catalogue | None = None, session: Any = None
) -> kat.Report:
    path = folder / "v.json"
    path.write_text(json.dumps(head | {"tests": [{"id": str(n)} | test for n, test in enumerate(tests)]}))
    known = known or catalogue()
    return kat.run(session or Session(lutra.make_engine("iss")), known, kat.read(path, known))


def flipped(text: str, bit: int) -> str:
    """Hexadecimal with another value of a bit, the most significant one of which is the first."""
    return f"{int(text, 16) ^ 1 << 4 * len(text) - 1 - bit:0{len(text)}x}"


def wrong_in(bit: int) -> dict[str, Any]:
    return E0_TEST | {"keystream": flipped(E0_TEST["keystream"], bit)}


# ------------------------------------------------------------------------------------------ all streams


class _OneByteWrong:
    """An engine that gives one byte of the output otherwise."""

    def __init__(self, engine: Engine, wrong: int) -> None:
        self._engine = engine
        self._wrong = wrong

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def read(self, space: str, offset: int, length: int) -> bytes:
        data = bytearray(self._engine.read(space, offset, length))
        if space == OUTPUT and offset <= self._wrong < offset + length:
            data[self._wrong - offset] ^= 1
        return bytes(data)


@pytest.mark.parametrize("stream", [0, 1, 77, 127])
def test_an_answer_that_is_wrong_in_one_stream_fails(stream: int, tmp_path: Path) -> None:
    wrong: Any = _OneByteWrong(lutra.make_engine("iss"), 16 * stream + 3)
    (failure,) = run(tmp_path, E0, E0_TEST, session=Session(wrong)).failures
    first = next(n for n, (a, b) in enumerate(zip(failure.expected, failure.got, strict=True)) if a != b)
    assert first == 16 * stream + 3
    assert len(failure.expected) == 16 * 128


def test_a_failure_shows_the_bytes_that_differ(tmp_path: Path) -> None:
    wrong: Any = _OneByteWrong(lutra.make_engine("iss"), 16 * 77)
    (failure,) = run(tmp_path, E0, E0_TEST, session=Session(wrong)).failures
    assert failure.reason.startswith("expected 9499")
    assert " from byte 1232 on, got 9599" in failure.reason


@pytest.mark.parametrize("bit", [0, 1, 63, 124])
def test_each_stated_bit_counts(bit: int, tmp_path: Path) -> None:
    assert run(tmp_path, E0, wrong_in(bit)).failed == 1


@pytest.mark.parametrize("bit", [125, 127])
def test_bits_after_the_stated_ones_do_not(bit: int, tmp_path: Path) -> None:
    key, address, clock = (bytes.fromhex(E0_TEST[field]) for field in ("key", "address", "clock"))
    right = f"{int(''.join(map(str, e0.keystream(key, address, clock, 128))), 2):032x}"
    whole = {k: v for k, v in E0_TEST.items() if k != "length_bits"}
    assert run(tmp_path, E0, whole | {"keystream": right}).passed == 1
    assert run(tmp_path, E0, whole | {"keystream": flipped(right, bit)}).failed == 1
    assert run(tmp_path, E0, E0_TEST | {"keystream": flipped(right, bit)}).passed == 1


@pytest.mark.parametrize("bits", [120, 129, "125", -1])
def test_a_number_of_bits_that_the_keystream_has_not_is_refused(bits: Any, tmp_path: Path) -> None:
    (failure,) = run(tmp_path, E0, E0_TEST | {"length_bits": bits}).failures
    assert failure.message == f"length_bits is {bits!r}; the text has 16 bytes"


def test_streams_of_a_key_each_take_the_key_of_the_test(tmp_path: Path) -> None:
    right = {"key": KEY.hex(), "keystream": lili128.keystream(KEY, 20).hex()}
    short = {"key": KEY[:8].hex(), "keystream": "00"}
    wrong = right | {"keystream": flipped(right["keystream"], 159)}
    report = run(tmp_path, LILI128, right, short, wrong)
    assert [report.tests[report.outcomes[0].file, str(n)] for n in range(3)] == ["passed", "skipped", "failed"]
    assert list(report.unserved) == [
        ("LILI-128", BITS, f"no firmware for LILI-128 {BITS} with a key of 64 bits, only of 128")
    ]


def naming(name: str, algorithm: str, mode: str) -> Catalogue:
    """An installed algorithm as if its manifest named vectors, and no other."""
    cipher: Cipher = catalogue().cipher(name)
    return Catalogue((replace(cipher, vectors=((algorithm, mode),)),))


# SP 800-38A F.2.1, two blocks.
CBC = {
    "key": "2b7e151628aed2a6abf7158809cf4f3c",
    "iv": "000102030405060708090a0b0c0d0e0f",
    "plaintext": "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
    "ciphertext": "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2",
}


def test_texts_are_those_of_each_stream_in_both_directions(tmp_path: Path) -> None:
    known = naming("aes-128-cbc-x2", "AES", "CBC")
    wrong = CBC | {"ciphertext": flipped(CBC["ciphertext"], 255)}
    report = run(tmp_path, {"algorithm": "AES", "mode": "CBC"}, CBC, wrong, known=known)
    verdicts = [(o.id, o.direction, o.verdict) for o in report.outcomes]
    assert sorted(verdicts) == [
        ("0", "decrypt", "passed"),
        ("0", "encrypt", "passed"),
        ("1", "decrypt", "failed"),
        ("1", "encrypt", "failed"),
    ]


def test_a_text_that_is_not_whole_units_is_skipped_with_the_reason(tmp_path: Path) -> None:
    known = naming("aes-128-cbc-x2", "AES", "CBC")
    cut = CBC | {"plaintext": CBC["plaintext"][:-2], "ciphertext": CBC["ciphertext"][:-2]}
    report = run(tmp_path, {"algorithm": "AES", "mode": "CBC"}, cut, known=known)
    assert [reason for _, _, reason in report.unserved] == [
        "no firmware for a message of 248 bits, only for whole blocks of 2 messages"
    ]


def test_tags_are_those_of_each_stream(tmp_path: Path) -> None:
    known = naming("aes-128-cmac-x2", "AES", "CMAC")
    wrong = CMAC | {"mac": flipped(CMAC["mac"], 127)}
    tests = (CMAC, CMAC | {"mac": CMAC["mac"][:16]}, wrong, wrong | {"result": "invalid"})
    report = run(tmp_path, {"algorithm": "AES", "mode": "CMAC"}, *tests, known=known)
    assert [report.tests[report.outcomes[0].file, str(n)] for n in range(4)] == [
        "passed",
        "passed",
        "failed",
        "rejected",
    ]


# --------------------------------------------------------------------------------- fields of the vectors


@pytest.mark.parametrize(
    ("direction", "bit"), [("downlink", 0), ("downlink", 113), ("uplink", 0), ("uplink", 113)], ids=str
)
def test_keystreams_of_both_directions_count(direction: str, bit: int, tmp_path: Path) -> None:
    field = f"keystream_{direction}"
    assert run(tmp_path, A51, A51_TEST | {field: flipped(A51_TEST[field], bit)}).failed == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"keystream_uplink": "00" * 14}, "`keystream_uplink` must be 114 bits followed by 6 zeros"),
        ({"keystream_downlink": "00" * 14 + "01"}, "`keystream_downlink` must be 114 bits followed by 6 zeros"),
        ({"keystream_uplink": "x"}, "`keystream_uplink` is not a hexadecimal string"),
        ({"frame": "0100000000"}, "`frame` is not a number of 32 bits"),
        ({"frame": "x"}, "`frame` is not a number of 32 bits"),
        ({"frame": -1}, "`frame` is not a number of 32 bits"),
        ({"frame": True}, "`frame` is not a number of 32 bits"),
        ({"frame": None}, "`frame` is not a number of 32 bits"),
    ],
)
def test_a_field_that_is_not_what_it_must_be_is_named(change: dict[str, Any], message: str, tmp_path: Path) -> None:
    (failure,) = run(tmp_path, A51, A51_TEST | change).failures
    assert failure.message == message


@pytest.mark.parametrize("field", ["frame", "keystream_uplink", "key"])
def test_a_field_that_the_iv_or_the_keystream_needs_is_missed(field: str, tmp_path: Path) -> None:
    (failure,) = run(tmp_path, A51, {k: v for k, v in A51_TEST.items() if k != field}).failures
    assert failure.message == f"has no `{field}`"


def test_a_field_of_the_iv_may_be_a_number(tmp_path: Path) -> None:
    assert run(tmp_path, A51, A51_TEST | {"frame": 0x134}).passed == 1
    assert run(tmp_path, A51, A51_TEST | {"frame": 0x135}).failed == 1


def test_an_iv_that_is_stated_is_not_composed(tmp_path: Path) -> None:
    stated = {k: v for k, v in A51_TEST.items() if k != "frame"} | {"iv": "00000134"}
    assert run(tmp_path, A51, stated).passed == 1


# ----------------------------------------------------------------------------------------------- variants


def test_a_variant_that_a_manifest_does_not_name_is_skipped_as_another_reading(tmp_path: Path) -> None:
    b = {"key": KEY.hex(), "iv": IV.hex(), "keystream": lili2.keystream(KEY, IV, 16).hex(), "variant": "B"}
    a = b | {"variant": "A", "keystream": lili2.keystream(KEY, IV, 16, port=True).hex()}
    report = run(tmp_path, LILI2, a, b, a | {"variant": "B"}, b | {"variant": "C"}, b | {"variant": 3})
    assert [report.tests[report.outcomes[0].file, str(n)] for n in range(5)] == [
        "passed",
        "passed",
        "failed",
        "skipped",
        "skipped",
    ]
    other = "another reading of the specification than B and A"
    assert list(report.unserved) == [
        ("LILI-II", f"{BITS}, variant {v}", f"no firmware for LILI-II {BITS}, variant {v}: {other}") for v in ("C", 3)
    ]


def test_a_variant_is_a_remark_where_no_manifest_names_one(tmp_path: Path) -> None:
    assert run(tmp_path, A51, A51_TEST | {"variant": "A"}).passed == 1
