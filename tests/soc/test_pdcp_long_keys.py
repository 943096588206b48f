"""PDCP with the 256-bit algorithms of 3GPP: blocks of the published vectors, models as peer, MAC-I that is wrong."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import CTR

from lutra.cli.main import main
from lutra.soc.packets import pcap, pdcp
from lutra.soc.packets.errors import PacketError
from lutra.soc.packets.jobs import Cores, Job
from lutra.soc.packets.pcap import RAW, USER, Capture, Frame
from lutra.soc.packets.pdcp import Bearer
from models import snow_v, sst, zuc256
from models.lanes import xor
from support.fixed_function import SHARED

FOLDERS = {4: "snow5g", 5: "aes", 6: "zuc"}
KEY, AUTH_KEY = bytes(range(32)), bytes(range(32, 64))
each = pytest.mark.parametrize("number", FOLDERS)


def vectors(kind: str, number: int) -> Iterator[tuple[dict[str, Any], bytes]]:
    """Tests whose block PDCP can have, as the 48 bits before COUNT are 0, and the nonce of a job that leads to it."""
    path = SHARED / FOLDERS[number] / f"256_{kind}{number}.json"
    if not path.is_file():
        pytest.skip(f"{path} is not there; LUTRA_VECTORS names the folder of all vectors")
    for test in json.loads(path.read_text())["tests"]:
        block = bytes.fromhex(test["iv"])
        if not any(block[2:8]):
            yield test, block[8:12] + bytes([block[1] >> 1, block[1] & 1])


def keystream(number: int, key: bytes, block: bytes, size: int) -> bytes:
    if number == 5:
        return Cipher(AES(key), CTR(block[:12] + bytes(4))).encryptor().update(bytes(size))
    return (snow_v.keystream_5g if number == 4 else zuc256.keystream_3gpp)(key, block, size)


def masks(number: int, key: bytes, block: bytes) -> bytes:
    """H, Q and P. AES has them from counters of their own."""
    return keystream(number, key, bytes([block[0] | (number == 5)]) + block[1:], 48)


def peer_block(first: int, count: int, bearer: int, direction: int) -> bytes:
    fields = (first, 8), (0, 2), (bearer, 5), (direction, 1), (0, 48), (count, 32), (0, 32)
    return int("".join(f"{value:0{bits}b}" for value, bits in fields), 2).to_bytes(16)


def peer_nia(number: int, data: bytes, count: int, bearer: int, direction: int) -> bytes:
    return sst.tag(masks(number, AUTH_KEY, peer_block(32, count, bearer, direction)), data, b"")[:4]


def peer_nea(number: int, data: bytes, count: int, bearer: int, direction: int) -> bytes:
    return xor(keystream(number, KEY, peer_block(0, count, bearer, direction), len(data)), data)


def peer_nca(number: int, head: bytes, data: bytes, count: int, bearer: int, direction: int) -> bytes:
    block = peer_block(36, count, bearer, direction)
    at = 0 if number == 5 else 48
    ciphertext = xor(keystream(number, KEY, block, at + len(data))[at:], data)
    return ciphertext + sst.tag(masks(number, KEY, block), head, ciphertext)[:4]


def run(job: Job) -> bytes | None:
    (result,) = Cores(1).run([job])
    return result


@each
def test_blocks_are_those_of_the_published_vectors(number: int) -> None:
    found = 0
    for kind, name in (("nea", ""), ("nia", "mac_bits"), ("nca", "tag_bits")):
        for test, nonce in vectors(kind, number):
            block = pdcp.long_vector(nonce, test.get(name, 0), combined=kind == "nca")
            assert block.hex() == test["iv"], test["id"]
            found += 1
    assert found > 7


@each
def test_data_are_encrypted_as_in_the_published_vectors(number: int) -> None:
    for test, nonce in vectors("nea", number):
        count, bearer, direction = int.from_bytes(nonce[:4]), nonce[4], nonce[5]
        one = Bearer(12, bearer, direction, number, key=bytes.fromhex(test["key"]))
        _, job = one.seal(one.header(count) + bytes.fromhex(test["plaintext"]), count)
        assert (run(job) or b"").hex() == test["ciphertext"], test["id"]


@each
def test_a_model_seals_the_same_pdus(number: int) -> None:
    """Integrity then encryption, the combined mode, and a byte of SDAP in the clear."""
    draw = random.Random(number)
    for size, clear in ((0, 0), (1, 1), (15, 0), (77, 1)):
        count, bearer, direction = draw.randrange(1 << 32), draw.randrange(32), draw.randrange(2)
        data, inputs = draw.randbytes(size + clear), (count, bearer, direction)
        split = Bearer(18, bearer, direction, number, number, KEY, AUTH_KEY, clear)
        joint = Bearer(18, bearer, direction, number, key=KEY, clear=clear, combined=True)
        plain = split.header(count) + data
        start, rest = plain[: 3 + clear], plain[3 + clear :]
        want = start + peer_nea(number, rest + peer_nia(number, plain, *inputs), *inputs)
        sealed = start + peer_nca(number, start, rest, *inputs)
        for one, pdu in ((split, want), (joint, sealed)):
            head, job = one.seal(plain, count)
            assert head + (run(job) or b"") == pdu
            head, job = one.open(pdu, count)
            assert head + (run(job) or b"") == plain


@pytest.mark.parametrize("combined", [False, True])
@each
def test_a_pdu_that_was_changed_is_never_received(number: int, combined: bool) -> None:
    keys = (KEY, b"") if combined else (KEY, AUTH_KEY)
    one = Bearer(12, 5, 1, number, None if combined else number, *keys, combined=combined)
    head, job = pdcp.Sender(one).seal(b"otters")
    pdu = head + (run(job) or b"")
    assert len(pdu) == len(head) + len(b"otters") + pdcp.MAC_BYTES
    for at in (2, len(pdu) - 1):
        receiver = pdcp.Receiver(one)
        received = receiver.open(pdu[:at] + bytes([pdu[at] ^ 1]) + pdu[at + 1 :])
        with pytest.raises(PacketError, match="MAC-I mismatch"):
            receiver.accept(received, run(received.job))
    receiver = pdcp.Receiver(one)
    with pytest.raises(PacketError, match="which is too short"):
        receiver.open(pdu[: len(head) + pdcp.MAC_BYTES - 1])
    received = receiver.open(pdu)
    assert receiver.accept(received, run(received.job)) == b"otters"


@pytest.mark.parametrize(
    ("options", "size"),
    [("--cipher nea6 --integrity nia4", 64), ("--cipher nca4", 32), ("--cipher nea2 --integrity nia5", 48)],
)
def test_the_command_has_them(options: str, size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    packet = b"E\0\0\x22" + bytes(30)
    Path("plain.pcap").write_bytes(pcap.write(Capture(RAW), [Frame(packet, 0)]))
    arguments = ["--protocol", "pdcp", "--bearer", "3", "--direction", "1", "--count", "00000007", *options.split()]
    arguments += ["--key", bytes(range(size)).hex()]
    assert main(["packets", "plain.pcap", "sealed.pcap", *arguments]) == 0
    capture, frames = pcap.parse(Path("sealed.pcap").read_bytes(), "sealed.pcap")
    assert capture.link == USER and len(frames[0].data) == 2 + len(packet) + pdcp.MAC_BYTES
    if options == "--cipher nca4":
        head = b"\x80\x07"
        assert frames[0].data == head + peer_nca(4, head, packet, 7, 3, 1)
    assert main(["packets", "sealed.pcap", "again.pcap", *arguments, "--decrypt"]) == 0
    assert [frame.data for frame in pcap.parse(Path("again.pcap").read_bytes(), "again.pcap")[1]] == [packet]
