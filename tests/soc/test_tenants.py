"""A tenant that has left: nothing of it is in the memories of keys, in registers, or in memory that is not its own."""

from __future__ import annotations

from collections.abc import Iterator

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from lutra.soc.devices import Maker
from lutra.soc.operations import load
from support.soc import BUFFERS, LAYOUT, MEMORY_BYTES, Bench

# The second ring with its buffers, which its window has.
TENANT, TENANT_END = 0x10000, 0x18000
SOURCE, DESTINATION = TENANT + 0x2000, TENANT + 0x4000
KEY = bytes(range(0x80, 0xA0))
NONCE = bytes(range(0xB0, 0xBC))
TEXT = bytes(range(0xC0, 0x100)) * 10
CONTEXTS = LAYOUT.axi.fields["capabilities.contexts"].reset
CONTEXT_ROWS = 8


def _bench(maker: Maker) -> tuple[Bench, dict[str, int]]:
    bench = Bench.make(maker)
    firmware = load("aes")
    table = {
        operation.label: {"class": operation.key_class} | dict.fromkeys(operation.flags, 1)
        for operation in sorted(firmware.operations.values(), key=lambda o: o.number)
    }
    numbers = bench.load(firmware.image, table)
    bench.rings[1].set_window(TENANT, TENANT_END)
    for ring in bench.rings:
        ring.enable()
    return bench, numbers


def _secrets(sealed: bytes) -> Iterator[bytes]:
    """Pieces of what the tenant had, each of half a row."""
    for whole in (KEY, TEXT, sealed):
        yield from (whole[at : at + 8] for at in range(0, len(whole) - 7, 8))


def _words(bench: Bench) -> Iterator[int]:
    """All registers that can be read."""
    yield from (bench.device.read(offset) for offset in LAYOUT.axi.registers.values())


def test_nothing_of_a_tenant_is_left(maker: Maker) -> None:
    bench, numbers = _bench(maker)
    host, tenant = bench.rings
    handle = {"context": 7, "generation": 3}
    setting = {"operation": numbers["aes256_set_key"], "inline_payload": 1} | handle
    sealing = {"operation": numbers["aes256_gcm_encrypt"], "source": SOURCE, "tag": 16, "iv": NONCE + b"\0\0\0\1"}
    sealing |= {"destination": DESTINATION, "bytes": len(TEXT)} | handle
    bench.put(SOURCE, TEXT)
    assert tenant.do(**setting, key=KEY, bytes=len(KEY)).status == "ok"
    assert tenant.do(**sealing).status == "ok"
    sealed = AESGCM(KEY).encrypt(NONCE, TEXT, b"")
    assert bench.memory[DESTINATION : DESTINATION + len(sealed)] == sealed
    # While it is there: the keys are, and no other ring reaches them or their context.
    assert any(host.raw_read("m0", CONTEXT_ROWS * 7, CONTEXT_ROWS))
    elsewhere = {"source": BUFFERS, "destination": BUFFERS + 0x1000}
    assert host.do(**sealing | elsewhere).status == "bad_key"
    assert host.do(**setting, key=bytes(32), bytes=32).status == "bad_key"
    # Nor does it reach what is theirs.
    assert tenant.do(**sealing | {"source": BUFFERS}).status == "bad_address"

    assert tenant.do(**setting, bytes=0).status == "ok"
    tenant.disable()
    secrets = set(_secrets(sealed))
    for space in ("m0", "m1"):
        assert not any(host.raw_read(space, CONTEXT_ROWS * 7, CONTEXT_ROWS))
        contexts = host.raw_read(space, 0, CONTEXT_ROWS * CONTEXTS)  # the others as after power-on
        assert not any(secret in contexts for secret in secrets)
    halves = {secret[at : at + 4] for secret in secrets for at in (0, 4)}
    assert not halves & {word.to_bytes(4, order) for word in _words(bench) for order in ("little", "big")}
    for first, end in ((0, TENANT), (TENANT_END, MEMORY_BYTES)):
        assert not any(secret in bench.memory[first:end] for secret in secrets)
    # The next one sets the context, and the handle of the one before is stale.
    assert host.do(**setting | {"generation": 4}, key=bytes(32), bytes=32).status == "ok"
    assert host.do(**sealing | elsewhere).status == "bad_key"
    tenant.enable()
    assert tenant.do(**sealing).status == "bad_key"
