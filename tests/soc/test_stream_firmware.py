"""The images of the stream: assembled without warnings, described, and constant in time; the manifest's errors."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

import lutra
from lutra.asm import assemble
from lutra.asm.analysis.headers import Headers
from lutra.firmware.errors import FirmwareError
from lutra.firmware.testing import header_checks
from lutra.soc import operations
from lutra.soc.operations import FIRMWARE, MANIFEST, Firmware, Operation
from lutra.soc.stream import OK, ROW, SAVED_KEY_BYTES, Message, Stream
from support.stream import FILL, J0, AesBench, ChaChaBench, InverseBench, LteBench

IMAGES = operations.manifest()
OPERATIONS = [(image, operation) for image, source in IMAGES.items() for operation in source.operation]
HEADERS = Headers.of_files(sorted((*FIRMWARE.glob("*.s"), *FIRMWARE.glob("*.inc"))))
# Bytes of associated data and text: whole blocks, a partial one, more than a chunk; packets.
LENGTHS = (
    *((0, 64), (13, 37), (16, 0), (40, 5 * ROW), (0, 15 * ROW + 3)),
    *((8, 20), (8, 64), (8, 33), (0, 33), (0, 64), (8, 50), (8, 17), (0, 1)),
)
CHUNK_ROWS = 6
# What a record shows of the hash unit next to its vectors.
REGISTERS = ("hash_digit", "hash_upper")

every = pytest.mark.parametrize(("image", "operation"), [pytest.param(*one, id=one[1].name) for one in OPERATIONS])


@pytest.mark.parametrize("image", IMAGES)
def test_an_image_is_assembled_without_warnings(image: str) -> None:
    sources = [MANIFEST.parent / file for file in IMAGES[image].sources]
    assert assemble(sources).warnings == ()


@every
def test_a_routine_of_the_stream_has_a_header(image: str, operation: Operation) -> None:
    header = HEADERS.of(operation.label)
    assert header is not None
    assert header_checks.form(header) == []
    assert header.missing() == ["Cycles"]
    assert header_checks.time(header, operation.label) == []


def test_every_header_in_the_stream_is_of_a_routine() -> None:
    labels = {operation.label for _, operation in OPERATIONS} | {operations.STREAM_RESET}
    assert header_checks.unused(HEADERS, labels) == []


@pytest.fixture
def short_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    """The loops over jobs end after two, not after 65535."""

    def load(name: str) -> Firmware:
        sources = [FIRMWARE / file for file in IMAGES[name].sources]
        image = assemble(sources, defines={"jobs": 2}, warnings=("no-all",))
        return Firmware(name, image, {operation.name: operation for operation in IMAGES[name].operation})

    monkeypatch.setattr(operations, "load", load)


@pytest.mark.usefixtures("short_loops")
def test_a_loop_over_jobs_begins_again_after_its_last_turn() -> None:
    aes, aes256, inverse, chacha = AesBench(128), AesBench(256), InverseBench(256), ChaChaBench()
    for bits in (128, 256):
        packets = AesBench(bits, image="aes-packets")
        sizes = (*range(9, 90, 9), *range(100, 8, -11))
        packets.check([packets.ctr(size) for size in sizes])
        packets.check([packets.gcm_encrypt(size, size % 9) for size in sizes])
        packets.check([packets.gcm_decrypt(size, 8, tag_bytes=16) for size in sizes])
    for bench in (aes, aes256):
        for case in (bench.ctr, bench.gcm_encrypt, bench.gcm_decrypt, bench.cmac):
            bench.check([case(size) for size in range(9, 90, 9)])
        bench.check([bench.cbc_encrypt(blocks) for blocks in range(5)])
        bench.check([bench.cmac(size) for size in range(90, 270, 30)])
        gcm = AesBench(bits, image="aes-gcm")
        gcm.check([gcm.gcm_verify(size, size % 9, wrong=size % 2 > 0) for size in sizes])
    pdcp = AesBench(256, image="aes-pdcp")
    pdcp.check([pdcp.nia5(size) for size in range(9, 90, 9)])
    aes.check([aes.ctr_inline(size) for size in range(9, 90, 9)])
    inverse.check([inverse.cbc_decrypt(blocks) for blocks in range(5)])
    for case in (chacha.encrypt, chacha.seal, chacha.open):
        chacha.check([case(size) for size in range(9, 90, 9)])
    for lte in map(LteBench, LteBench.ALGORITHMS):
        lte.check([lte.eea(size) for size in range(9, 90, 9)])
        lte.check([lte.eia(size) for size in range(9, 90, 9)])


# ---------------------------------------------------------------------------------------- constant time


@every
def test_time_and_addresses_of_jobs_do_not_depend_on_secrets(image: str, operation: Operation) -> None:
    """Keys, IVs, texts and associated data; of a tag that is checked, only whether it is right."""
    traces = [trace(image, operation, seed) for seed in range(4)]
    assert len(traces[0]) > 50
    assert all(other == traces[0] for other in traces[1:])


def trace(image: str, operation: Operation, seed: int) -> list[Any]:
    """The effects of every instruction, without the contents of vectors and of the hash unit."""
    source = random.Random(seed)
    firmware = operations.load(image)
    # A saved key is in one chunk.
    chunk_rows = SAVED_KEY_BYTES // ROW if operation.has("key_rows") else CHUNK_ROWS
    stream = Stream(lutra.make_engine("iss"), firmware, chunk_rows, FILL)
    setters = [o for o in firmware.operations.values() if o.has("sets_key") and not o.has("key_rows")]
    sets_key = next(o for o in setters if o.key_class == operation.key_class)
    key = 2 * ROW if sets_key.name.startswith(("aes256", "snow5g", "zuc256")) else ROW

    def secret(size: int) -> bytes:
        return bytes(size) if seed == 0 else source.randbytes(size)

    stream.run([Message(sets_key.name, key=secret(key))])
    seen: list[Any] = []
    step = stream.engine.step

    def seeing() -> Any:
        record = step()
        if record is not None:
            public = {name: value for name, value in record.fields.items() if name not in REGISTERS}
            seen.append({name: value for name, value in public.items() if not has_bytes(value)})
        return record

    stream.engine.step = seeing  # type: ignore[method-assign]
    if operation.has("sets_key"):
        key = SAVED_KEY_BYTES if operation.has("key_rows") else key
        stream.run([Message(operation.name, context, key=secret(key)) for context in range(3)])
        return seen
    messages = []
    for aad, text in LENGTHS:
        size = text // ROW * ROW if operation.has("whole_blocks") else text
        size = SAVED_KEY_BYTES if operation.has("key_rows") else size
        given = secret(aad) if operation.has("takes_aad") else b""
        inline = secret(key) if operation.has("inline_key") else b""
        iv = secret(ROW - len(J0)) + J0
        messages.append(Message(operation.name, 0, iv, secret(size), given, key=inline))
    if operation.has("checks_tag"):
        messages = sealed(stream, operation, messages)
        seen.clear()
    assert all(result.code == OK for result in stream.run(messages))
    return seen


def sealed(stream: Stream, operation: Operation, messages: list[Message]) -> list[Message]:
    """The messages with their tags, made by the operation that goes the other way."""
    other = operation.name.replace("decrypt", "encrypt").replace("verify", "encrypt")
    made = stream.run([Message(other, m.context, m.iv, m.text, m.aad) for m in messages])
    pairs = zip(messages, made, strict=True)
    return [Message(operation.name, m.context, m.iv, r.text, m.aad, r.tag) for m, r in pairs]


def has_bytes(value: Any) -> bool:
    return isinstance(value, bytes) or (isinstance(value, dict) and any(map(has_bytes, value.values())))


# --------------------------------------------------------------------------------------------- manifest


def test_registers_have_entries_flags_and_classes() -> None:
    firmware = operations.load("aes")
    operation = firmware.operations["aes128-gcm-encrypt"]
    value = firmware.registers()[operation.number]
    assert value & 0xFFFF == firmware.image.symbol("aes128_gcm_encrypt").value
    assert value >> 16 == 1 << 8 | 0b1110  # class 1; uses_key, takes_aad, makes_tag
    assert firmware.stream_reset == firmware.image.symbol("stream_reset").value


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ('flags = ["set_key"]', "unknown flag 'set_key'; choose from checks_tag"),
        ("number = 16", "number"),
        ('name = "second"\nnumber = 1', "two operations 1; give one another name or number"),
    ],
)
def test_a_wrong_manifest_of_operations_is_an_error(tmp_path: Path, change: str, message: str) -> None:
    fields = {"number": "2", "name": '"first"', "flags": "[]", "class": "1"}
    for line in change.splitlines():
        name, _, value = line.partition(" = ")
        fields[name] = value
    entry = "\n".join(f"{name} = {value}" for name, value in fields.items())
    first = '[[one.operation]]\nnumber = 1\nname = "other"\nflags = []\nclass = 1\n'
    path = tmp_path / "operations.toml"
    path.write_text(f'[one]\nsources = ["one.s"]\n{first}[[one.operation]]\n{entry}\n')
    with pytest.raises(FirmwareError, match=message):
        operations.manifest(path)


def test_an_image_and_a_routine_have_to_exist(tmp_path: Path) -> None:
    with pytest.raises(FirmwareError, match="no image 'des'; choose from aes"):
        operations.load("des")
    path = tmp_path / "operations.toml"
    path.write_text('[one]\nsources = ["one.s"]\n[[one.operation]]\nnumber = 1\nname = "a-b"\nflags = []\nclass = 1\n')
    (tmp_path / "one.s").write_text("        .global stream_reset\nstream_reset: halt\n")
    with pytest.raises(FirmwareError, match="the image has no global label 'a_b'"):
        operations.load("one", path)
