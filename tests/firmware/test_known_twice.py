"""The known answers in firmware that computes twice, other than AES, are those of the standards."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from itertools import pairwise
from types import ModuleType

import pytest

from lutra.prove.bits import Bits, join
from lutra.prove.specifications import aes, aria, camellia, chacha20, sm4
from models import snow3g, zuc
from models.field import multiply
from models.lanes import xor
from support.documents import ROOT
from support.firmware import FIRMWARE

VECTORS = ROOT / "tests" / "vectors"
ONES = (1 << 128) - 1


def rows(file: str, label: str) -> list[int]:
    """Return the rows after a label, as numbers."""
    text = (FIRMWARE / file).read_text()
    found = re.search(rf"^{label}:(.*\n(?:\s+\.row.*\n)*)", text, re.M)
    assert found, label
    return [int(row.replace(" ", ""), 16) for row in re.findall(r'"([\w ]+)"', found[1])]


def rows_at(file: str, section: str) -> list[int]:
    """Return the rows at the end of a section of data."""
    text = re.split(r"\.section text", (FIRMWARE / file).read_text())[0]
    text = next(part for part in text.split(".section ") if part.startswith(section + "\n"))
    return [int(row, 16) for row in re.findall(r'\.row +"(\w{32})"', text.split(".org")[-1])]


def published(name: str, number: int) -> dict[str, str]:
    found: dict[str, str] = json.loads((VECTORS / f"{name}.json").read_text())["tests"][number]
    return found


@pytest.mark.parametrize(
    ("cipher", "model", "vectors", "number"),
    [("snow3g", snow3g, "snow3g_ts35217", 0), ("zuc", zuc, "zuc_ts35223", 2)],
)
def test_a_known_stream_is_that_of_the_test_data(cipher: str, model: ModuleType, vectors: str, number: int) -> None:
    test = published(vectors, number)
    key, iv, first, again = (row.to_bytes(16, "big") for row in rows(f"{cipher}/{cipher}_twice.s", f"{cipher}_known"))
    assert (key.hex(), iv.hex()) == (test["key"], test["iv"])
    begins = test["keystream"] if "keystream" in test else test["keystream_chunks"][0]["data"]  # type: ignore[index]
    assert first.hex().startswith(begins) and first == model.keystream(key, iv, 16)
    key, iv = (bytes(byte ^ 0xFF for byte in value) for value in (key, iv))
    assert again == model.keystream(key, iv, 20)[4:]


def test_constants_of_the_second_context_are_inverted_where_key_and_iv_enter() -> None:
    first, again = rows("zuc/memory.inc", "zuc_d"), rows("zuc/zuc_twice.s", "zuc_not_d")
    assert [a ^ b for a, b in zip(first, again, strict=True)] == [int("7f8000ff" * 4, 16)] * 4
    for name in ("8", "12"):
        (lanes,) = rows("snow3g/memory.inc", f"snow3g_iv_{name}")
        taken = bytes(0 if lane & 0x80 else 0xFF for lane in lanes.to_bytes(16, "big"))
        assert rows("snow3g/snow3g_twice.s", f"snow3g_not_{name}") == [int.from_bytes(taken, "big")]


def test_a_known_hash_is_of_the_s_box_with_its_rows_as_factors() -> None:
    box = bytes(entry.value for entry in aes.SBOX.entries)
    sbox = [box[at : at + 16] for at in range(0, 256, 16)]
    made = bytes(16)
    for factor, text in pairwise(sbox):
        made = multiply(xor(made, text), factor)
    found, last = rows("aes/aes_gcm_twice.s", "known_hash")
    assert found == int.from_bytes(made, "big")
    inverted = multiply(xor(made, last.to_bytes(16, "big")), sbox[14])
    assert int.from_bytes(inverted, "big") == found ^ ONES


@pytest.mark.parametrize(("way", "offsets", "apart"), [(0, range(8), 8), (1, (0, 1, 2, 3, 8, 9, 10, 11), 4)])
def test_known_sums_are_of_entries_in_lanes_that_computations_share(
    way: int, offsets: Sequence[int], apart: int
) -> None:
    box = bytes(entry.value for entry in aes.SBOX.entries)
    inverse = bytes(box.index(value) for value in range(256))
    table, other = ((box, inverse), (inverse, box))[way]
    # Both computations use lanes that are so far apart; each entry is looked at in one of the two.
    assert all((lane % 16 in offsets) != ((lane + apart) % 16 in offsets) for lane in range(16))
    made = bytes(16)
    for at in (16 * row + offset for offset in offsets for row in range(16)):
        made = xor(made, bytes(table[table[other[(at + lane) % 256]]] for lane in range(16)))
    assert rows("aes/twice_tables.inc", "known_sums")[way] == int.from_bytes(made, "big")


@pytest.mark.parametrize(
    ("cipher", "file", "vectors"),
    [("aria", "aria/twice.inc", "aria_rfc5794"), ("camellia", "camellia/twice.inc", "camellia_rfc3713")],
)
def test_a_known_key_and_block_are_the_example_of_the_rfc(cipher: str, file: str, vectors: str) -> None:
    test = published(vectors, 0)
    found = [rows(file, f"{cipher}_known_{what}") for what in ("key", "text", "code")]
    assert [f"{row:032x}" for (row,) in found] == [test[what] for what in ("key", "plaintext", "ciphertext")]


def test_known_blocks_of_aria_are_six_rounds_of_the_rfc() -> None:
    c = [Bits.number(rows("aria/memory.inc", f"aria_c{i}")[0], 128) for i in (1, 2, 3)]
    assert [c.value for c in c] == aria._C
    assert rows("aria/twice.inc", "aria_known_keys") == [c[0].value]
    assert rows_at("aria/twice.inc", "m1") == [c[1].value]
    keys = [c[0], *[c[0], c[1]] * 3]
    made = [aria.Cipher._rounds(text, keys) ^ ~text for text in (c[2], ~c[2])]
    assert rows("aria/twice.inc", "aria_known_blocks") == [block.value for block in made]


def test_known_blocks_of_camellia_are_six_rounds_of_the_rfc() -> None:
    key0, key1 = rows("camellia/twice.inc", "camellia_known_rows"), rows_at("camellia/twice.inc", "m1")
    sigma = [Bits.number(value, 64) for value in camellia._SIGMA]
    assert key0[:2] == [join(sigma[:2]).value, join(sigma[4:]).value]
    assert key1[:2] == [join(sigma[2:4]).value, join(sigma[:2]).value]
    for key in (key0, key1):
        assert key[2:] == [row ^ ONES for row in key[:2]]
    (text,) = rows("camellia/twice.inc", "camellia_known_text")
    made = []
    for begin, entering in ((0, text), (2, text ^ ONES)):
        d1, d2 = (Bits.number(entering, 128) ^ Bits.number(key0[0], 128)).parts(64)
        for i in (begin, begin + 1, begin):
            (k0, low0), (k1, low1) = (Bits.number(key[i], 128).parts(64) for key in (key0, key1))
            if i == begin + 1:
                d1, d2 = camellia.fl(d1, low0), camellia.fl_inverse(d2, low1)
            d2 = d2 ^ camellia.f(d1, k0)
            d1 = d1 ^ camellia.f(d2, k1)
        made.append(join((d2, d1)).value ^ join((low0, low1)).value ^ entering ^ ONES)
    assert rows("camellia/twice.inc", "camellia_known_blocks") == made


def test_known_layers_of_camellia_show_each_bit_of_a_key() -> None:
    key0, key1 = rows("camellia/twice.inc", "camellia_known_rows"), rows_at("camellia/twice.inc", "m1")
    found = rows("camellia/twice.inc", "camellia_known_fl")
    for row, (d1, d2, made) in zip((1, 3), (found[:3], found[3:]), strict=True):
        low0, low1 = (Bits.number(key[row], 128)[64:] for key in (key0, key1))
        both = Bits.number(d1 >> 64, 64), Bits.number(d2 >> 64, 64)
        zeros = Bits.number(0, 64), Bits.number(0, 64)

        def layer(k0: Bits, k1: Bits, of: tuple[Bits, Bits] = both) -> int:
            return (camellia.fl(of[0], k0) ^ camellia.fl_inverse(of[1], k1)).value

        assert layer(low0, low1) << 64 | layer(low0, low1, zeros) == made
        for bit in range(64):
            changed = Bits.number(1 << bit, 64)
            assert made >> 64 not in (layer(low0 ^ changed, low1), layer(low0, low1 ^ changed))


def test_known_blocks_of_sm4_are_four_rounds_of_the_standard() -> None:
    (fk,) = rows("sm4/memory.inc", "sm4_fk")
    text = Bits.number(fk, 128)
    assert text == join(Bits.number(value, 32) for value in sm4._FK)
    assert f'sm4_known_bytes, "{fk:032x}"' in (FIRMWARE / "sm4" / "sm4_twice.s").read_text()
    made = [sm4.Cipher._rounds(block, text.parts(32)) ^ ~block for block in (text, ~text)]
    assert rows("sm4/sm4_twice.s", "sm4_known_blocks") == [block.value for block in made]


def test_a_known_key_of_sm4_is_the_example_of_the_standard() -> None:
    (key,) = rows("sm4/sm4_twice.s", "sm4_known_key")
    assert f"{key:032x}" == published("sm4_gbt32907", 0)["key"]
    made = Bits.number(0, 32)
    for word in sm4.expand(Bits.number(key, 128))[4:8]:
        made = made.rotated(1) ^ word
    assert rows("sm4/sm4_twice.s", "sm4_known_schedule") == [join([made] * 4).value]


def chacha20_rounds(before: list[Bits]) -> list[list[Bits]]:
    """Four rounds (RFC 8439 2.3), and the sum with the state before them: rows of words."""
    x = list(before)
    for _ in range(2):
        for turn in range(2):
            for i in range(4):
                chacha20._quarter(x, i, *(4 * row + (i + turn * row) % 4 for row in (1, 2, 3)))
    sums = [word + first for word, first in zip(x, before, strict=True)]
    return [sums[i : i + 4] for i in range(0, 16, 4)]


def test_known_blocks_of_chacha20_are_four_rounds_of_the_example_of_the_rfc() -> None:
    file, test = "chacha20/chacha20_twice.s", published("chacha20_rfc8439", 3)
    example = b"expand 32-byte k" + bytes.fromhex(test["key"] + f"{int(test['count']):02x}000000" + test["nonce"])
    state = [chacha20.swapped(word) for word in Bits.of(example).parts(32)]
    ivs, blocks = rows(file, "chacha20_known_iv"), rows(file, "chacha20_known_blocks")
    states = {"known": state, "inverse": [~word for word in state]}
    for (name, words), iv, block in zip(states.items(), ivs, blocks, strict=True):
        first, *key, last = (join(words[i : i + 4]) for i in range(0, 16, 4))
        assert rows(file, f"chacha20_{name}_sigma") == [first.value]
        assert rows(file, f"chacha20_{name}_words") == [row.value for row in key]
        assert iv == join(map(chacha20.swapped, last.parts(32))).value
        made = Bits.number(0, 128)
        for i, row in enumerate(chacha20_rounds(words)):
            text = first if i % 2 == 0 else ~first
            taken = join(map(chacha20.swapped, row)) ^ text
            if i < 3:  # their bytes are turned around again, halves of words in the first one alone
                turn = 16 if name == "known" else 0
                taken = join(chacha20.swapped(word.rotated(turn)) for word in taken.parts(32)) ^ ~text
            made = made.rotated(1) ^ taken
        assert made.value == block
