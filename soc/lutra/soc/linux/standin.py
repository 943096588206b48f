"""A device without a core: it takes descriptors as `lutra_axi` does, and `cryptography` does the work.

The kernel module can be developed on it before there is firmware, and it can be told to fail in ways in which a device
should not. It knows what the module uses: ring 0, and no raw operation but to accept it.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from lutra.soc.maps import load
from lutra.soc.stream import CHUNK_ROWS

Fault = Literal["none", "cipher", "tag", "stuck", "dead"]
# Operations by name, with the flags and the class of their keys.
OPERATIONS: dict[str, tuple[set[str], int]] = {
    f"aes{bits}-{name}": (flags, bits // 128)
    for bits in (128, 256)
    for name, flags in {
        "set-key": {"sets_key"},
        "ctr": {"uses_key"},
        "cbc-encrypt": {"uses_key", "whole_blocks"},
        "cbc-decrypt": {"uses_key", "whole_blocks"},
        "gcm-encrypt": {"uses_key", "takes_aad", "makes_tag"},
        "gcm-decrypt": {"uses_key", "takes_aad", "checks_tag"},
    }.items()
}
ADDRESS_BITS = 40
CONTEXTS = 24


def table() -> dict[str, int]:
    """Return words of the table of operations: the entry is the index."""
    fields = load().axi.fields
    words = {}
    for index, (name, (flags, kind)) in enumerate(OPERATIONS.items()):
        word = index << fields["operation[0].entry"].low | kind << fields["operation[0].class"].low
        words[name] = word | sum(fields[f"operation[0].{flag}"].mask for flag in flags)
    return words


@dataclass(frozen=True)
class Message:
    """A descriptor's fields, and its bytes."""

    fields: Mapping[str, int]
    key: bytes
    iv: bytes
    aad: bytes
    text: bytes
    tag: bytes


def _stream(mode: Callable[[bytes], modes.CTR | modes.CBC], decrypt: bool) -> Callable[[Message], bytes]:
    def run(m: Message) -> bytes:
        cipher = Cipher(algorithms.AES(m.key), mode(m.iv))
        context = cipher.decryptor() if decrypt else cipher.encryptor()
        return context.update(m.text) + context.finalize()

    return run


def _seal(m: Message) -> bytes:
    encryptor = Cipher(algorithms.AES(m.key), modes.GCM(m.iv[:12])).encryptor()
    encryptor.authenticate_additional_data(m.aad)
    text = encryptor.update(m.text) + encryptor.finalize()
    return text + encryptor.tag[: m.fields["extra.tag"]]


def _open(m: Message) -> bytes:
    mode = modes.GCM(m.iv[:12], m.tag, min_tag_length=4)
    decryptor = Cipher(algorithms.AES(m.key), mode).decryptor()
    decryptor.authenticate_additional_data(m.aad)
    return decryptor.update(m.text) + decryptor.finalize()


ROUTINES: Mapping[str, Callable[[Message], bytes]] = {
    "ctr": _stream(modes.CTR, False),
    "cbc-encrypt": _stream(modes.CBC, False),
    "cbc-decrypt": _stream(modes.CBC, True),
    "gcm-encrypt": _seal,
    "gcm-decrypt": _open,
}


@dataclass
class Standin:
    """The device. fault: `cipher` and `tag` flip a bit of what it writes; `stuck` completes nothing, and `dead` does
    not answer an abort either."""

    memory: mmap.mmap
    fault: Fault = "none"
    _words: dict[int, int] = field(default_factory=dict)
    _keys: dict[tuple[int, int], bytes] = field(default_factory=dict)
    _head: int = 0

    def __post_init__(self) -> None:
        self._layout = load()
        self._axi = self._layout.axi
        for f in self._axi.fields.values():
            self._words[f.offset] = self._words.get(f.offset, 0) | f.reset << f.low
        capabilities = {"rings": 2, "contexts": CONTEXTS, "bus": 3, "address_bits": ADDRESS_BITS}
        for name, value in {**capabilities, "chunk_rows": CHUNK_ROWS}.items():
            self._set(f"capabilities.{name}", value)
        self._set("ring[0].state.idle", self.fault != "dead")

    def _get(self, path: str) -> int:
        f = self._axi.fields[path]
        return f.of(self._words[f.offset])

    def _set(self, path: str, value: int) -> None:
        f = self._axi.fields[path]
        self._words[f.offset] = self._words[f.offset] & ~f.mask | value << f.low & f.mask

    def read(self, offset: int) -> int:
        return self._words.get(offset, 0)

    def write(self, offset: int, value: int) -> None:
        enabled = self._get("ring[0].control.enable")
        word = self._words[offset]
        for f in self._axi.fields.values():
            if f.offset == offset and f.access == "rw":
                word = word & ~f.mask | value & f.mask
            elif f.offset == offset and f.access == "woclr":
                word &= ~(value & f.mask)
        self._words[offset] = word
        if self._get("ring[0].control.enable") > enabled:
            self._head = 0
            self._set("ring[0].head.head", 0)

    @property
    def interrupts(self) -> int:
        return int(
            any(
                self._get(f"ring[0].interrupt.{cause}") and self._get(f"ring[0].interrupt_enable.{cause}")
                for cause in ("completed", "stopped")
            )
        )

    @property
    def idle(self) -> bool:
        enabled = self._get("control.enable") and self._get("ring[0].control.enable")
        return not enabled or self.fault in ("stuck", "dead") or self._head == self._get("ring[0].tail.tail")

    def run(self, _: int) -> int:
        while not self.idle:
            self._one()
        return 0

    def _pair(self, path: str) -> int:
        return self._get(f"ring[0].{path}_low.value") | self._get(f"ring[0].{path}_high.value") << 32

    def _one(self) -> None:
        layout, log2 = self._layout, self._get("ring[0].size.log2")
        index = self._head & (1 << log2) - 1
        at = self._pair("descriptors") + index * layout.descriptor.bytes
        raw = self.memory[at : at + layout.descriptor.bytes]
        fields = layout.descriptor.unpack(raw)
        status, written = self._do(fields, raw)
        completion = layout.completion.pack(
            {
                "cookie.value": fields["cookie.value"],
                "result.status": layout.status[status],
                "result.phase": ~(self._head >> log2) & 1,
                "bytes.value": written,
            }
        )
        at = self._pair("completions") + index * layout.completion.bytes
        self.memory[at : at + len(completion)] = completion
        self._head = self._head + 1 & 0xFFFF
        self._set("ring[0].head.head", self._head)
        self._set("ring[0].interrupt.completed", 1)

    def _do(self, fields: Mapping[str, int], raw: bytes) -> tuple[str, int]:
        operation = fields["control.operation"]
        if operation in self._layout.raw.values():
            return "ok", 0
        if operation >= self._get("operations.count"):
            return "bad_operation", 0
        kind = self._get(f"operation[{operation}].class")
        handle = fields["control.context"], fields["control.generation"]
        length = fields["length.bytes"]
        if self._get(f"operation[{operation}].sets_key"):
            self._keys = {other: key for other, key in self._keys.items() if other[0] != handle[0]}
            if length:
                start = self._layout.descriptor.offset("destination_low")
                self._keys[handle] = bytes([kind]) + raw[start : start + length]
            return "ok", 0
        key = self._keys.get(handle, b"\0")
        if key[0] != kind:
            return "bad_key", 0
        checks = self._get(f"operation[{operation}].checks_tag")
        tag = fields["extra.tag"] if checks else 0
        source = self._read(fields, "source", fields["control.gather"], length + tag)
        iv = self._layout.descriptor.offset("iv[0]")
        aad = self._read(fields, "aad", 0, fields["extra.aad"])
        message = Message(fields, key[1:], raw[iv : iv + 16], aad, source[:length], source[length:])
        name = list(OPERATIONS)[self._get(f"operation[{operation}].entry")].partition("-")[2]
        try:
            output = bytearray(ROUTINES[name](message))
        except InvalidTag:
            return "tag_mismatch", 0
        if output and self.fault in ("cipher", "tag"):
            output[0 if self.fault == "cipher" else -1] ^= self.fault == "cipher" or name == "gcm-encrypt"
        self._write(fields, bytes(output))
        return "ok", len(output)

    def _pieces(self, fields: Mapping[str, int], which: str, listed: int, length: int) -> list[tuple[int, int]]:
        address = fields[f"{which}_low.value"] | fields[f"{which}_high.value"] << 32
        if not listed:
            return [(address, length)]
        pieces = []
        element = self._layout.element
        while True:
            e = element.unpack(self.memory[address : address + element.bytes])
            size = min(e["length.bytes"], length)
            pieces.append((e["address_low.value"] | e["address_high.value"] << 32, size))
            length -= size
            address += element.bytes
            if e["flags.last"]:
                return pieces

    def _read(self, fields: Mapping[str, int], which: str, listed: int, length: int) -> bytes:
        return b"".join(self.memory[a : a + n] for a, n in self._pieces(fields, which, listed, length))

    def _write(self, fields: Mapping[str, int], output: bytes) -> None:
        for address, length in self._pieces(fields, "destination", fields["control.scatter"], len(output)):
            self.memory[address : address + length] = output[:length]
            output = output[length:]
