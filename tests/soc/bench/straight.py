"""One message after another, with the firmware of the stream, against `cryptography`."""

from __future__ import annotations

from typing import Any

import cocotb
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from device import STATUS, Descriptor, Device

from lutra.soc.operations import load

KEY = bytes(range(16))
IV = bytes(range(16, 32))
AES = load("aes")


def number(name: str) -> int:
    return AES.operations[name].number


def ctr(key: bytes, iv: bytes, text: bytes) -> bytes:
    return Cipher(algorithms.AES(key), modes.CTR(iv)).encryptor().update(text)


async def with_aes(dut: Any, **options: Any) -> Device:
    device = await Device.start(dut, **options)
    await device.load(AES.image, AES.stream_reset, AES.registers())
    return device


def set_key(key: bytes = KEY, context: int = 3, generation: int = 7) -> Descriptor:
    name = f"aes{8 * len(key)}-set-key"
    tail = key.ljust(32, b"\0")
    return Descriptor(
        number(name), length=len(key), context=context, generation=generation, inline=True, tail=tail
    )


def encrypt(device: Device, text: bytes, offset_in: int = 0, offset_out: int = 0, **options: Any) -> Descriptor:
    return Descriptor(
        number("aes128-ctr"),
        source=device.place(text, offset_in),
        destination=device.place(b"\xa5" * (len(text) + 1), offset_out),
        length=len(text),
        iv=IV,
        context=options.pop("context", 3),
        generation=options.pop("generation", 7),
        **options,
    )


@cocotb.test(timeout_time=2, timeout_unit="ms")
async def test_one_message(dut: Any) -> None:
    device = await with_aes(dut)
    text = bytes(range(64))
    assert (await device.one(set_key())).status == STATUS["ok"]
    message = encrypt(device, text)
    completion = await device.one(message)
    assert completion.status == STATUS["ok"]
    assert completion.bytes == 64
    assert device.ram.read(message.destination, 65) == ctr(KEY, IV, text) + b"\xa5"
