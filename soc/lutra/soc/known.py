"""Known answers as messages of the stream: which tests an operation serves, and whether a result is the answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from types import MappingProxyType

from lutra.firmware.ciphers import Catalogue
from lutra.firmware.kat import Test, Vector
from lutra.soc.stream import MISMATCH, OK, ROW, Message, Result

# By image, the firmware's name of the algorithm: operation, and what sets its keys.
_MODES = (("ctr", "ctr"), ("cbc", "cbc-encrypt"), ("cmac", "cmac"), ("gcm", "gcm-encrypt"))
_PACKETS = (("ctr", "ctr"), ("gcm", "gcm-encrypt"))
# 256-NEA5 is counter mode from the block that 3GPP makes of its inputs, whose last four bytes are 0.
_NEA5 = {"aes-256-nea5": ("aes256-ctr", "aes256-set-key")}
SERVED = MappingProxyType(
    {
        "aes": {
            "128-eea2": ("aes128-ctr", "aes128-set-key"),
            "128-eia2": ("aes128-cmac", "aes128-set-key"),
            **_NEA5,
            **{f"aes-{b}-{mode}": (f"aes{b}-{name}", f"aes{b}-set-key") for b in (128, 256) for mode, name in _MODES},
        },
        "aes-packets": {
            "128-eea2": ("aes128-ctr", "aes128-set-key"),
            **_NEA5,
            **{f"aes-{b}-{mode}": (f"aes{b}-{name}", f"aes{b}-set-key") for b in (128, 256) for mode, name in _PACKETS},
        },
        "aes-pdcp": {
            "128-eea2": ("aes128-ctr", "aes128-set-key"),
            **{f"aes-{bits}-ctr": (f"aes{bits}-ctr", f"aes{bits}-set-key") for bits in (128, 256)},
            **dict.fromkeys(("aes-128-cmac", "128-eia2"), ("aes128-cmac", "aes128-set-key")),
            **_NEA5,
            "aes-256-nia5": ("aes256-nia5", "aes256-set-key"),
            "aes-256-nca5": ("aes256-nca5-encrypt", "aes256-set-key"),
        },
        "aes-inverse": {f"aes-{b}-cbc": (f"aes{b}-cbc-decrypt", f"aes{b}-inverse-set-key") for b in (128, 256)},
        "snow3g": {
            "128-eea1": ("snow3g-eea1", "snow3g-set-key"),
            **dict.fromkeys(("128-eia1", "uia2"), ("snow3g-eia1", "snow3g-set-key")),
        },
        "zuc": {"128-eea3": ("zuc-eea3", "zuc-set-key"), "128-eia3": ("zuc-eia3", "zuc-set-key")},
        "zuc256": {
            **{f"zuc-256-{name}": (f"zuc256-{name}", "zuc256-set-key") for name in ("nea6", "nia6")},
            "zuc-256-nca6": ("zuc256-nca6-encrypt", "zuc256-set-key"),
        },
        "snow5g": {
            **{f"snow5g-256-{name}": (f"snow5g-{name}", "snow5g-set-key") for name in ("nea4", "nia4")},
            "snow5g-256-nca4": ("snow5g-nca4-encrypt", "snow5g-set-key"),
        },
        "chacha20": {
            "chacha20": ("chacha20-stream", "chacha20-set-key"),
            "chacha20-poly1305": ("chacha20-poly1305-encrypt", "chacha20-set-key"),
        },
    }
)
# By image and operation, one that does the same with a key in the message.
INLINE = MappingProxyType({("aes", "aes128-ctr"): "aes128-ctr-inline"})
# How names of MACs end.
MACS = ("-cmac", "-eia1", "uia2", "-eia2", "-eia3", "-nia4", "-nia5", "-nia6")
# Bytes of the IV row before and after the nonce, by the end of an AEAD's name. A nonce of 3GPP fills the row.
WHOLE = (b"", b"")
AROUND_NONCE = MappingProxyType(
    {"-gcm": (b"", b"\0\0\0\1"), "-poly1305": (bytes(4), b""), "-nca4": WHOLE, "-nca5": WHOLE, "-nca6": WHOLE}
)


@dataclass(frozen=True)
class Known:
    """A test that operations of an image serve. name: the firmware's, of the algorithm."""

    image: str
    name: str
    test: Vector
    operation: str
    set_key: str

    def key(self, context: int) -> Message:
        """The message that sets the key."""
        return Message(self.set_key, context, key=self.test.key)

    def messages(self, context: int) -> Iterator[Expected]:
        """The messages of the test."""
        test, operation = self.test, self.operation
        if (around := _around_nonce(self.name)) is not None:
            size = test.tag_bits // 8
            text, tag = test.ciphertext[:-size], test.ciphertext[-size:]
            assert isinstance(test.aad, bytes)
            iv = test.iv.join(around)
            if test.result == "valid":
                yield Expected(test, Message(operation, context, iv, test.plaintext, test.aad), text, tag)
            code = OK if test.result == "valid" else MISMATCH
            back = Message(operation.replace("en", "de"), context, iv, text, test.aad, tag)
            yield Expected(test, back, test.plaintext, code=code)
        elif self.name.endswith(MACS):
            # CMAC has no IV: that of 128-EIA2 is in front of the text.
            before = test.iv if operation.endswith("-cmac") else b""
            iv = bytes(ROW) if operation.endswith("-cmac") else test.iv
            yield Expected(test, Message(operation, context, iv, before + test.plaintext), b"", test.ciphertext)
        elif operation.endswith("-decrypt"):
            yield Expected(test, Message(operation, context, test.iv, test.ciphertext), test.plaintext)
        else:
            yield Expected(test, Message(operation, context, test.iv, test.plaintext), test.ciphertext)
            if (self.image, operation) in INLINE:
                inline = Message(INLINE[self.image, operation], 0, test.iv, test.plaintext, key=test.key)
                yield Expected(test, inline, test.ciphertext)


@dataclass(frozen=True)
class Expected:
    """A message of a test, with text, tag and code that must come back."""

    test: Vector
    message: Message
    text: bytes
    tag: bytes = b""
    code: int = OK

    def met(self, result: Result) -> bool:
        """Whether a result is the answer: of a tag as many bytes as it has, of a text as many bits."""
        if self.code == MISMATCH:
            return result.code == self.code
        test, text, found = self.test, self.text, result.text
        if test.bits is not None and test.bits % 8:
            unused = -test.bits % 8
            found = found[:-1] + bytes([found[-1] >> unused << unused])
        if not test.chains and test.stated:
            text = test.expected("encrypt", found)
        return (found, result.tag[: len(self.tag)], result.code) == (text, self.tag, self.code)


def known(image: str, tests: Iterable[Test], catalogue: Catalogue) -> Iterator[Known]:
    """The tests that operations of an image serve, in the directions that it has."""
    way = "decrypt" if image == "aes-inverse" else "encrypt"
    for test in tests:
        if not isinstance(test, Vector) or test.chains or test.padded or test.result == "acceptable":
            continue
        cipher = catalogue.serving(test.algorithm, test.mode, 8 * len(test.key))
        if cipher is None or cipher.name not in SERVED[image] or not _serves(cipher.name, test):
            continue
        if way in test.directions or _around_nonce(cipher.name) is not None:
            yield Known(image, cipher.name, test, *SERVED[image][cipher.name])


def _serves(name: str, test: Vector) -> bool:
    """Whether the operation takes what the test has: nonces of AEADs fill the row, texts of MACs are whole bytes."""
    if (around := _around_nonce(name)) is not None:
        return len(test.iv.join(around)) == ROW
    return test.result == "valid" and not (name.endswith(MACS) and (test.bits or 0) % 8)


def _around_nonce(name: str) -> tuple[bytes, bytes] | None:
    return next((around for end, around in AROUND_NONCE.items() if name.endswith(end)), None)
