"""Each mistake in a pack has its own error, and the device is as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from support.loader import Board
from support.packs import (
    FIRST_ROOT,
    INPUT,
    OUTPUT,
    PACK_KEY,
    PROGRAM,
    ROOT_KEY,
    TABLE,
    TOY_XOR,
    Key,
    Pack,
    Raw,
    Root,
    algorithm,
    digest,
    encode,
    signatures,
    signed_roots,
    toy_word,
)

STRANGER = Key("stranger")
TWO = sorted([PACK_KEY, Key("pack 2")], key=lambda key: key.public)
TOY = toy_word(TOY_XOR)


def with_envelope(change: Callable[[list[Any]], object], pack: Pack | None = None) -> bytes:
    """A pack whose envelope is changed after it was signed."""
    items = (pack or Pack()).envelope()
    change(items)
    return encode(items)


def with_manifest(change: Callable[[list[Any]], object], pack: Pack | None = None) -> bytes:
    """A pack whose manifest was changed before it was signed."""
    pack = pack or Pack()
    items = pack.manifest()
    change(items)
    return encode(pack.envelope(encode(items)))


def with_part_entry(n: int, field: int, value: Any) -> bytes:
    """One field of one entry of a part."""
    return with_manifest(lambda items: items[5][n].__setitem__(field, value))


def with_root(change: Callable[[list[Any]], object]) -> tuple[bytes, bytes]:
    """A pack with a root of changed items, and that root's digest."""
    items: list[Any] = [
        "lutra-root",
        1,
        [1, [ROOT_KEY.public]],
        [1, [PACK_KEY.public]],
    ]
    change(items)
    root = encode(items)

    def put(envelope: list[Any]) -> None:
        envelope[2] = [[root, [], signatures([ROOT_KEY], [ROOT_KEY], b"lutra root v1", root)]]

    return with_envelope(put), digest(root)


def image(*segments: Any, regions: Any = None) -> bytes:
    """A pack with these segments."""
    return Pack(images=[list(segments)], maps=[regions or [[4, 0, 4096], [PROGRAM, 0, 8192]]]).bytes


def answer(*steps: Any, name: str = "xor", part: Any = 0) -> bytes:
    """A pack with these steps."""
    return Pack(answers=[[name, part, list(steps)]]).bytes


def algorithms(*rows: Any) -> bytes:
    return Pack(algorithms=list(rows)).bytes


GOOD = Pack().bytes
COMPARE = [2, 3, 0, OUTPUT]
WRITE = [0, 2, 0, INPUT]
RUN = [1, 0, 5]

REFUSED: dict[str, tuple[str, bytes]] = {
    # The envelope.
    "an empty file": ("TRUNCATED", b""),
    "a file of text": ("ENCODING", b"Lutra\n"),
    "no array": ("ENCODING", encode("lutra-pack")),
    "an envelope of another length": ("FORMAT", encode(Pack().envelope()[:5])),
    "another magic": ("FORMAT", with_envelope(lambda items: items.__setitem__(0, "lutra-pick"))),
    "a shorter magic": ("FORMAT", with_envelope(lambda items: items.__setitem__(0, "lutra-pac"))),
    "a longer magic": ("FORMAT", with_envelope(lambda items: items.__setitem__(0, "lutra-pack2"))),
    "format 0": ("FORMAT", Pack(format=0).bytes),
    "a later format": ("FORMAT", Pack(format=3).bytes),
    "nine roots": ("BOUNDS", with_envelope(lambda items: items.__setitem__(2, items[2] * 9))),
    "a root of two items": ("BOUNDS", with_envelope(lambda items: items[2][0].pop())),
    "a root of 4096 bytes": ("BOUNDS", with_envelope(lambda items: items[2][0].__setitem__(0, bytes(4096)))),
    "a first root with a root before": (
        "BOUNDS",
        with_envelope(lambda items: items[2][0].__setitem__(1, items[2][0][2])),
    ),
    "nine signatures": (
        "BOUNDS",
        with_envelope(lambda items: items.__setitem__(4, [[n, bytes(64)] for n in range(9)])),
    ),
    "a signature of 63 bytes": ("BOUNDS", with_envelope(lambda items: items[4].__setitem__(0, [0, bytes(63)]))),
    "the same signature twice": ("ORDER", with_envelope(lambda items: items.__setitem__(4, items[4] * 2))),
    "signatures in another order": (
        "ORDER",
        with_envelope(lambda items: items[4].reverse(), Pack(roots=[Root(1, [ROOT_KEY], TWO)], signers=TWO)),
    ),
    "a manifest of 65536 bytes": ("BOUNDS", with_envelope(lambda items: items.__setitem__(3, bytes(65536)))),
    "no parts": ("BOUNDS", with_envelope(lambda items: items.__setitem__(5, []))),
    "17 parts": ("BOUNDS", with_envelope(lambda items: items.__setitem__(5, [b"x"] * 17))),
    "text instead of a part": ("ENCODING", with_envelope(lambda items: items[5].__setitem__(0, "x"))),
    "one byte more": ("TRAILING", GOOD + b"\0"),
    "twice the pack": ("TRAILING", GOOD + GOOD),
    "one byte less": ("TRUNCATED", GOOD[:-1]),
    "half the pack": ("TRUNCATED", GOOD[: len(GOOD) // 2]),
    "a part beyond the end": ("TRUNCATED", GOOD.replace(encode(Pack().parts()[1]), encode(bytes(4000))[:100])),
    "256 arrays in one another": ("ENCODING", b"\x81" * 256 + b"\0"),
    "deep nesting within a pack": ("BOUNDS", with_envelope(lambda items: items.__setitem__(4, Raw(b"\x81" * 999)))),
    # Roots and signatures.
    "no roots": ("UNSIGNED", Pack(roots=[]).bytes),
    "roots of somebody else": ("ROOT_UNKNOWN", Pack(roots=[Root(1, [STRANGER], [STRANGER])], signers=[STRANGER]).bytes),
    "a second root with a gap": ("ROOT_VERSION", Pack(roots=[FIRST_ROOT, Root(3, [ROOT_KEY], [PACK_KEY])]).bytes),
    "a second root not signed by the first": (
        "ROOT_SIGNATURE",
        with_envelope(lambda items: items[2][1].__setitem__(1, []), Pack(roots=[FIRST_ROOT, Root(2, [ROOT_KEY], TWO)])),
    ),
    "a second root not signed by itself": (
        "ROOT_SIGNATURE",
        with_envelope(lambda items: items[2][1].__setitem__(2, []), Pack(roots=[FIRST_ROOT, Root(2, [ROOT_KEY], TWO)])),
    ),
    "a second root signed by a stranger": (
        "ROOT_SIGNATURE",
        with_envelope(
            lambda items: items[2].__setitem__(
                1, signed_roots([Root(1, [STRANGER], [STRANGER]), Root(2, [STRANGER], [STRANGER])])[1]
            ),
            Pack(roots=[FIRST_ROOT, Root(2, [STRANGER], [STRANGER])], signers=[STRANGER]),
        ),
    ),
    "a wrong signature": ("SIGNATURE", with_envelope(lambda items: items[4][0].__setitem__(1, bytes(64)))),
    "a signature by a key that the root does not have": (
        "SIGNATURE",
        with_envelope(lambda items: items[4][0].__setitem__(0, 1)),
    ),
    "two signatures, the first wrong": (
        "SIGNATURE",
        with_envelope(lambda items: items.__setitem__(4, [[0, bytes(64)], [1, bytes(64)]])),
    ),
    "the manifest of another pack": (
        "SIGNATURE",
        with_envelope(lambda items: items.__setitem__(3, encode(Pack(counter=9).manifest()))),
    ),
    "a manifest signed as a root": (
        "SIGNATURE",
        with_envelope(
            lambda items: items.__setitem__(4, signatures([PACK_KEY], [PACK_KEY], b"lutra root v1", items[3]))
        ),
    ),
    "no signature": ("THRESHOLD", Pack(signers=[]).bytes),
    # The manifest.
    "a manifest of six items": ("BOUNDS", with_manifest(lambda items: items.pop())),
    "a manifest with more after it": ("TRAILING", encode(Pack().envelope(encode(Pack().manifest()) + b"\0"))),
    "a manifest that ends early": ("TRUNCATED", encode(Pack().envelope(encode(Pack().manifest())[:-1]))),
    "an empty manifest": ("TRUNCATED", encode(Pack().envelope(b""))),
    "an empty name": ("BOUNDS", Pack(name="").bytes),
    "a name of 65 characters": ("BOUNDS", Pack(name="x" * 65).bytes),
    "a name with a line feed": ("ENCODING", Pack(name="toy\n").bytes),
    "a name with a DEL": ("ENCODING", Pack(name="toy\x7f").bytes),
    "a version of two numbers": ("BOUNDS", with_manifest(lambda items: items.__setitem__(1, [1, 0]))),
    "a version of 65536": ("BOUNDS", Pack(version=(65536, 0, 0)).bytes),
    "a counter of 256": ("BOUNDS", Pack(counter=256).bytes),
    "a number of 2^32": (
        "ENCODING",
        with_manifest(lambda items: items.__setitem__(2, Raw(b"\x1b" + (1 << 32).to_bytes(8, "big")))),
    ),
    "a negative number": ("ENCODING", with_manifest(lambda items: items.__setitem__(2, Raw(b"\x20")))),
    "a core of no rounds": ("BOUNDS", Pack(core=(0, 1, 1, 1)).bytes),
    "a core of three rounds": ("BOUNDS", Pack(core=(3, 1, 1, 1)).bytes),
    "no image": ("BOUNDS", with_manifest(lambda items: items.__setitem__(5, items[5][1:]))),
    "no answers": ("BOUNDS", with_part_entry(1, 0, 0)),
    "answers first": ("BOUNDS", with_part_entry(0, 0, 1)),
    "fewer entries than parts": (
        "DIGEST",
        with_envelope(lambda items: items[5].append(b"x")),
    ),
    "a part of size 0": ("BOUNDS", with_part_entry(0, 2, 0)),
    "a part of another size": ("DIGEST", with_part_entry(0, 2, 1)),
    "a part of another digest": ("DIGEST", with_part_entry(1, 3, bytes(32))),
    "a digest of 31 bytes": ("BOUNDS", with_part_entry(1, 3, bytes(31))),
    "a part without a name": ("BOUNDS", with_part_entry(0, 1, "")),
    "the part of another pack": (
        "DIGEST",
        with_envelope(lambda items: items.__setitem__(5, Pack(images=[[[4, 0, bytes(16)]]]).envelope()[5])),
    ),
    "a map of answers": ("BOUNDS", with_part_entry(1, 4, [[4, 0, 16]])),
    "a map of a space twice": ("ORDER", with_part_entry(0, 4, [[4, 0, 16], [4, 16, 16]])),
    "a map of both banks": ("BOUNDS", with_part_entry(0, 4, [[6, 0, 16]])),
    "a map of no bytes": ("BOUNDS", with_part_entry(0, 4, [[4, 0, 0]])),
    "a map beyond the memory": ("BOUNDS", with_part_entry(0, 4, [[4, 0, 4097], [PROGRAM, 0, 8]])),
    "a map whose end wraps": ("BOUNDS", with_part_entry(0, 4, [[4, 0xFFFFFFF0, 32], [PROGRAM, 0, 8]])),
    "two algorithms, the first wrong": ("BOUNDS", algorithms(algorithm("a", streams=0), algorithm("b"))),
    "two routines, the first wrong": ("BOUNDS", algorithms(algorithm(encrypt=[["a", 65536], ["b", 0]]))),
    "an algorithm of 18 items": ("BOUNDS", algorithms(algorithm()[:-1])),
    "the same algorithm twice": ("ORDER", algorithms(algorithm(), algorithm())),
    "algorithms in another order": ("ORDER", algorithms(algorithm("b"), algorithm("a"))),
    "an algorithm before one that it continues": ("ORDER", algorithms(algorithm("ab"), algorithm("a"))),
    "129 algorithms": ("BOUNDS", algorithms(*(algorithm(f"a{n:03}") for n in range(129)))),
    "an algorithm of no image": ("BOUNDS", algorithms(algorithm(image=1))),
    "units of no bytes": ("BOUNDS", algorithms(algorithm(unit_bytes=0))),
    "no streams": ("BOUNDS", algorithms(algorithm(streams=0))),
    "a number instead of false": ("ENCODING", algorithms(algorithm(partial=0))),
    "null instead of false": ("ENCODING", algorithms(algorithm(partial=Raw(b"\xf6")))),
    "a kind of 17 characters": ("BOUNDS", algorithms(algorithm(kind="k" * 17))),
    "an LTE name of 17 characters": ("BOUNDS", algorithms(algorithm(lte="k" * 17))),
    "half a place": ("BOUNDS", algorithms(algorithm(key=[0]))),
    "a key beyond the memory": ("BOUNDS", algorithms(algorithm(key=[0, 4096]))),
    "an IV in both banks": ("BOUNDS", algorithms(algorithm(iv=[6, 0]))),
    "an output beyond 16 bits": ("BOUNDS", algorithms(algorithm(output=[3, 65536]))),
    "a routine beyond the program memory": ("BOUNDS", algorithms(algorithm(encrypt=[["job", 1024]]))),
    "a routine twice": ("ORDER", algorithms(algorithm(decrypt=[["job", 0], ["job", 0]]))),
    "a routine without a role": ("BOUNDS", algorithms(algorithm(decrypt=[["", 0]]))),
    "half a polynomial": ("BOUNDS", algorithms(algorithm(polynomial=[16, 4129, 0]))),
    "a proof without a digest": ("BOUNDS", algorithms(algorithm(proof=[b""]))),
    "a proof with two digests": ("BOUNDS", algorithms(algorithm(proof=[bytes(32), bytes(32)]))),
    # Fit for the device.
    "a later instruction set": ("ISA", Pack(isa=(0, 2)).bytes),
    "another instruction set": ("ISA", Pack(isa=(1, 0)).bytes),
    "more program memory": ("CONFIGURATION", Pack(core=(1, 1025, 1, 1)).bytes),
    "more data memory": ("CONFIGURATION", Pack(core=(1, 1, 257, 1)).bytes),
    "more contexts": ("CONFIGURATION", Pack(core=(1, 1, 1, 3)).bytes),
    "a pack larger than a slot": (
        "SIZE",
        Pack(answers=[["a", 0, [[0, 2, 0, bytes(4096)], COMPARE]]]).bytes,
    ),
    # Images and answers.
    "no segments": ("BOUNDS", image()),
    "a segment of no bytes": ("BOUNDS", image([4, 0, b""])),
    "a segment in both banks": ("BOUNDS", image([6, 0, TABLE])),
    "a segment beyond the memory": ("BOUNDS", image([4, 4081, TABLE])),
    "a segment whose end wraps": ("BOUNDS", image([4, 0xFFFFFFF8, TABLE])),
    "a segment outside of the map": ("BOUNDS", image([4, 0, TABLE], regions=[[4, 0, 15], [5, 0, 99]])),
    "a segment before the map": ("BOUNDS", image([4, 0, TABLE], regions=[[4, 1, 99]])),
    "a segment across the map's end": ("BOUNDS", image([4, 8, TABLE], regions=[[4, 0, 20]])),
    "segments in another order": ("ORDER", image([PROGRAM, 0, TOY], [4, 0, TABLE])),
    "segments that overlap": ("ORDER", image([4, 0, TABLE], [4, 15, TABLE])),
    "half a word": ("BOUNDS", image([PROGRAM, 0, TOY[:4]])),
    "a word at half an address": ("BOUNDS", image([PROGRAM, 4, TOY])),
    "an image with more after it": (
        "TRAILING",
        Pack(images=[Raw(encode([[4, 0, TABLE]]) + b"\0")]).bytes,
    ),
    "no known answers": ("BOUNDS", Pack(answers=[]).bytes),
    "two answers, the first wrong": ("BOUNDS", Pack(answers=[["", 0, [COMPARE]], ["a", 0, [COMPARE]]]).bytes),
    "65 known answers": ("BOUNDS", Pack(answers=[["a", 0, [[2, 0, 0, b"\0"]]]] * 65).bytes),
    "an answer without a name": ("BOUNDS", answer(COMPARE, name="")),
    "an answer of no image": ("BOUNDS", answer(COMPARE, part=1)),
    "an answer without steps": ("BOUNDS", answer()),
    "an answer that compares nothing": ("BOUNDS", answer(WRITE, RUN)),
    "a run with bytes": ("BOUNDS", answer([1, 0, 5, b"x"], COMPARE)),
    "a write without bytes": ("BOUNDS", answer([0, 2, 0], COMPARE)),
    "a step of kind 3": ("BOUNDS", answer([3, 2, 0, b"x"], COMPARE)),
    "a run beyond the program memory": ("BOUNDS", answer([1, 1024, 5], COMPARE)),
    "a write beyond the memory": ("BOUNDS", answer([0, 2, 4095, b"xy"], COMPARE)),
    "a write in both banks": ("BOUNDS", answer([0, 6, 0, b"x"], COMPARE)),
    "answers with more after them": (
        "TRAILING",
        Pack(answers=Raw(encode([["a", 0, [COMPARE]]]) + b"\0")).bytes,
    ),
}


@pytest.mark.parametrize(("result", "pack"), REFUSED.values(), ids=REFUSED)
def test_pack_is_refused_and_the_device_is_as_it_was(board: Board, result: str, pack: bytes) -> None:
    board.install(Pack(name="other").bytes)
    before = board.everything
    assert board.check(pack) == result
    assert board.apply(pack) == result
    assert board.everything == before


def test_pack_without_a_fault_is_accepted(board: Board) -> None:
    assert board.check(GOOD) == "OK"


def root_with(change: Callable[[list[Any]], object]) -> tuple[bytes, bytes]:
    return with_root(change)


ROOTS: dict[str, tuple[str, tuple[bytes, bytes]]] = {
    "no fault": ("OK", root_with(lambda items: None)),
    "three items": ("BOUNDS", root_with(lambda items: items.pop())),
    "another magic": ("FORMAT", root_with(lambda items: items.__setitem__(0, "lutra-boot"))),
    "version 0": ("BOUNDS", root_with(lambda items: items.__setitem__(1, 0))),
    "version 9": ("BOUNDS", root_with(lambda items: items.__setitem__(1, 9))),
    "version 2 first": ("ROOT_VERSION", root_with(lambda items: items.__setitem__(1, 2))),
    "threshold 0": ("BOUNDS", root_with(lambda items: items[3].__setitem__(0, 0))),
    "threshold above the number of keys": ("BOUNDS", root_with(lambda items: items[3].__setitem__(0, 2))),
    "no keys": ("BOUNDS", root_with(lambda items: items[3].__setitem__(1, []))),
    "nine keys": (
        "BOUNDS",
        root_with(lambda items: items[3].__setitem__(1, [bytes([n] * 32) for n in range(9)])),
    ),
    "a key of 33 bytes": ("BOUNDS", root_with(lambda items: items[3].__setitem__(1, [bytes(33)]))),
    "the same key twice": ("ORDER", root_with(lambda items: items[3].__setitem__(1, [PACK_KEY.public] * 2))),
    "bytes after it": ("TRAILING", root_with(lambda items: items.__setitem__(3, Raw(encode(items[3]) + b"\0")))),
    "threshold of its own keys not reached": (
        "ROOT_SIGNATURE",
        root_with(lambda items: items.__setitem__(2, [2, sorted([ROOT_KEY.public, PACK_KEY.public])])),
    ),
}


@pytest.mark.parametrize(("result", "made"), ROOTS.values(), ids=ROOTS)
def test_trusted_root_follows_the_schema(board: Board, result: str, made: tuple[bytes, bytes]) -> None:
    pack, root = made
    board.burn_root(0, root)
    assert board.check(pack) == result


def test_threshold_of_pack_keys_must_be_reached(board: Board) -> None:
    root = Root(1, [ROOT_KEY], TWO, pack_threshold=2)
    board.burn_root(0, root.digest)
    assert board.check(Pack(roots=[root], signers=TWO[:1]).bytes) == "THRESHOLD"
    assert board.check(Pack(roots=[root], signers=TWO).bytes) == "OK"


def test_more_rounds_than_the_core_has_are_refused(board: Board) -> None:
    board.memory.device.core.rounds = 1
    assert board.check(Pack(core=(2, 1, 1, 1)).bytes) == "CONFIGURATION"
    assert board.check(Pack(core=(1, 1, 1, 1)).bytes) == "OK"


def test_device_without_a_root_trusts_nobody(board: Board) -> None:
    board.burn_root(0, bytes(32), mark=0)
    assert board.check(GOOD) == "ROOT_UNKNOWN"
