"""The stream's firmware of AES on the bench: descriptors of its operations, and what `cryptography` says they give."""

from __future__ import annotations

from typing import Any

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from lutra.soc.operations import load
from soc.bench.device import Descriptor, Device

KEY = bytes(range(16))
IV = bytes(range(16, 32))
NONCE = bytes(range(12))
# Around what a device is to write.
GUARD = b"\xa5"
AES = load("aes")


def number(name: str) -> int:
    return AES.operations[name].number


def ctr(text: bytes, key: bytes = KEY, iv: bytes = IV) -> bytes:
    return Cipher(algorithms.AES(key), modes.CTR(iv)).encryptor().update(text)


def gcm(text: bytes, aad: bytes, key: bytes = KEY, nonce: bytes = NONCE) -> bytes:
    """Ciphertext and tag."""
    return AESGCM(key).encrypt(nonce, text, aad)


def text_of(length: int) -> bytes:
    return bytes((7 * i + (i >> 8)) & 0xFF for i in range(length))


async def start(dut: Any, keys: bool = True, **options: Any) -> Device:
    """The device with the firmware, and with KEY in context 3 of ring 0 under generation 7."""
    device = await Device.start(dut, **options)
    await device.load(AES.image, AES.stream_reset, AES.registers())
    if keys:
        assert (await device.one(set_key())).status == 0
    return device


def set_key(key: bytes = KEY, context: int = 3, generation: int = 7, **options: Any) -> Descriptor:
    return Descriptor(
        number(f"aes{8 * len(key)}-set-key" if key else "aes128-set-key"),
        length=len(key),
        context=context,
        generation=generation,
        inline=True,
        tail=key.ljust(32, b"\0"),
        **options,
    )


def encrypt(device: Device, text: bytes, at: int = 0, to: int = 0, **options: Any) -> Descriptor:
    """Counter mode. at, to: alignment of source and destination."""
    place = device.place(GUARD * (len(text) + 64), to)
    return Descriptor(
        **{
            "operation": number("aes128-ctr"),
            "source": device.place(text, at),
            "destination": place + 16,
            "length": len(text),
            "iv": IV,
            "context": 3,
            "generation": 7,
            **options,
        },
    )


def seal(
    device: Device, text: bytes, aad: bytes, at: int = 0, to: int = 0, tag: int = 16, **options: Any
) -> Descriptor:
    """GCM; the tag follows the text."""
    return encrypt(
        device,
        text,
        at,
        to,
        **{
            "operation": number("aes128-gcm-encrypt"),
            "iv": NONCE + b"\0\0\0\1",
            "aad": len(aad),
            "aad_address": device.place(aad, at),
            "tag": tag,
            **options,
        },
    )


def opened(device: Device, sealed: bytes, aad: bytes, at: int = 0, to: int = 0, **options: Any) -> Descriptor:
    """GCM the other way: the tag is the last 16 bytes of the source."""
    return seal(
        device,
        sealed,
        aad,
        at,
        to,
        **{"operation": number("aes128-gcm-decrypt"), "length": len(sealed) - 16, **options},
    )


def written(device: Device, message: Descriptor, length: int) -> bytes:
    """Read the destination; nothing around it has changed."""
    found = device.ram.read(message.destination - 16, length + 32)
    assert found[:16] == GUARD * 16, "bytes before the destination were written"
    assert found[-16:] == GUARD * 16, "bytes after the destination were written"
    return bytes(found[16:-16])


def untouched(device: Device, message: Descriptor) -> bool:
    return bool(device.ram.read(message.destination - 16, 48) == GUARD * 48)
