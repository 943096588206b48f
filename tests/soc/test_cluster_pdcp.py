"""PDUs of PDCP on a cluster, in place and with keys of their own; they are those of `lutra packets`."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from lutra.firmware.lte import initial_vector
from lutra.soc import operations
from lutra.soc.cluster.host import Flow, Packet
from lutra.soc.packets.jobs import Cores
from lutra.soc.packets.pdcp import MAC_BYTES, Bearer, key_bytes, long_vector
from support.cluster import CORES, Make

# By number of NEA and NIA: image, and operations that set keys, make the MAC and encrypt.
PDCP = {
    1: ("snow3g", "snow3g-set-key", "snow3g-eia1", "snow3g-eea1"),
    2: ("aes-pdcp", "aes128-set-key", "aes128-cmac", "aes128-ctr"),
    3: ("zuc", "zuc-set-key", "zuc-eia3", "zuc-eea3"),
    4: ("snow5g", "snow5g-set-key", "snow5g-nia4", "snow5g-nea4"),
    5: ("aes-pdcp", "aes256-set-key", "aes256-nia5", "aes256-ctr"),
    6: ("zuc256", "zuc256-set-key", "zuc256-nia6", "zuc256-nea6"),
}


def pdcp_vectors(number: int, count: int, one: Bearer) -> tuple[bytes, bytes, bytes]:
    """Bytes in front of the message for its MAC, and the IV of the MAC and of encryption."""
    if number > 3:
        nonce = count.to_bytes(4) + bytes([one.bearer, one.direction])
        return b"", long_vector(nonce, 8 * MAC_BYTES), long_vector(nonce)
    inputs = {"count": count, "bearer": one.bearer, "direction": one.direction}
    nia, nea = initial_vector(f"eia{number}", **inputs), initial_vector(f"eea{number}", **inputs)
    return (nia, bytes(16), nea) if number == 2 else (b"", nia, nea)


@pytest.mark.parametrize("number", PDCP)
def test_a_pdu_is_a_mac_and_then_its_encryption(cluster: Make, number: int) -> None:
    """In place, of bearers with keys of their own; PDUs are those of `lutra packets`."""
    draw = random.Random(number)
    name, set_key, nia, nea = PDCP[number]
    firmware = operations.load(name)
    host = cluster(30, images=dict.fromkeys(CORES, firmware))
    keys = [draw.randbytes(key_bytes(number)) for _ in range(8)]
    bearers = [Bearer(12, n, n % 2, number, number, keys[2 * n + 1], keys[2 * n]) for n in range(4)]
    for flow, key in enumerate(keys):
        host.set_flow(Flow(flow), firmware, set_key, key)
    macs, texts, wanted = [], [], []
    for cookie in range(20):
        n, count = draw.randrange(4), draw.randrange(1 << 32)
        one = bearers[n]
        plain = one.header(count) + draw.randbytes(draw.choice((1, 40, 77, 1500)))
        before, mac_iv, iv = pdcp_vectors(number, count, one)
        at = host.place(before + plain + b"\xff" * 16, draw.randrange(16))
        pdu = at + len(before)
        end, text = pdu + len(plain), pdu + one.header_bytes
        first = Packet(firmware.operations[nia].number, Flow(2 * n), at, end, end - at, mac_iv, tag_bytes=MAC_BYTES)
        second = Packet(firmware.operations[nea].number, Flow(2 * n + 1), text, text, end + MAC_BYTES - text, iv)
        macs.append(replace(first, group=host.groups[name], cookie=cookie))
        texts.append(replace(second, group=host.groups[name], cookie=cookie))
        head, job = one.seal(plain, count)
        (sealed,) = Cores(1).run([job])
        wanted.append((pdu, head + (sealed or b"") + b"\xff" * (16 - MAC_BYTES)))
    for packets in (macs, texts):
        assert {done.status for done in host.run(packets)} == {"ok"}
    assert all(host.memory[pdu : pdu + len(whole)] == whole for pdu, whole in wanted)


# By number of NCA: image, operation that sets keys, the AEAD without its direction.
COMBINED = {
    4: ("snow5g", "snow5g-set-key", "snow5g-nca4"),
    5: ("aes-pdcp", "aes256-set-key", "aes256-nca5"),
    6: ("zuc256", "zuc256-set-key", "zuc256-nca6"),
}


@pytest.mark.parametrize("number", COMBINED)
def test_a_pdu_of_nca_is_one_packet(cluster: Make, number: int) -> None:
    """Sealed in place, then opened in place but for one whose MAC-I has changed."""
    draw = random.Random(number)
    name, set_key, nca = COMBINED[number]
    firmware = operations.load(name)
    host = cluster(30, images=dict.fromkeys(CORES, firmware))
    bearers = [Bearer(12, n, n % 2, number, key=draw.randbytes(32), combined=True) for n in range(4)]
    for n, one in enumerate(bearers):
        host.set_flow(Flow(n), firmware, set_key, one.key)
    packets, plains, pdus = [], [], []
    for cookie in range(20):
        n, count = draw.randrange(4), draw.randrange(1 << 32)
        one = bearers[n]
        plain = one.header(count) + draw.randbytes(draw.choice((1, 40, 77, 1500)))
        at = host.place(plain + b"\xff" * 16, draw.randrange(16))
        text = at + one.header_bytes
        iv = long_vector(count.to_bytes(4) + bytes([one.bearer, one.direction]), 8 * MAC_BYTES, combined=True)
        packet = Packet(firmware.operations[f"{nca}-encrypt"].number, Flow(n), text, text, len(plain) - 2, iv)
        header = replace(packet, aad=at, aad_bytes=one.header_bytes, tag_bytes=MAC_BYTES, cookie=cookie)
        packets.append(replace(header, group=host.groups[name]))
        plains.append((at, plain))
        head, job = one.seal(plain, count)
        (sealed,) = Cores(1).run([job])
        pdus.append((at, head + (sealed or b"") + b"\xff" * (16 - MAC_BYTES)))
    assert {done.status for done in host.run(packets)} == {"ok"}
    assert all(host.memory[at : at + len(pdu)] == pdu for at, pdu in pdus)
    at, pdu = pdus[7]
    host.memory[at + len(pdu) - 13] ^= 1  # the last byte of MAC-I
    opens = firmware.operations[f"{nca}-decrypt"].number
    done = host.run([replace(packet, operation=opens) for packet in packets])
    assert [one.status for one in done] == ["tag_mismatch" if n == 7 else "ok" for n in range(20)]
    for n, (at, plain) in enumerate(plains):
        wanted = pdu[: len(plain)] if n == 7 else plain
        assert host.memory[at : at + len(plain)] == wanted
