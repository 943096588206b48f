"""From the fields of a test, in the shared schema, to a vector.

Each reader returns what its kind of algorithm adds to the fields that all have. FirmwareError where the schema is not
met, without file and test: those are the caller's.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, get_args

from lutra.firmware.ciphers import DIRECTIONS, ROW, Catalogue, Cipher, Direction
from lutra.firmware.composed import composed
from lutra.firmware.crypt import check_padding
from lutra.firmware.errors import FirmwareError, InputError
from lutra.firmware.kat.interleave import interleaved
from lutra.firmware.kat.vectors import Malformed, Result, Test, Unserved, Vector
from lutra.firmware.kinds import Module
from lutra.firmware.lte import FORMS, initial_vector
from lutra.firmware.polynomial import WIDTHS, Polynomial
from lutra.firmware.segments import FirstBlock

# Modes with PKCS#7 padding; PKCS#5 is its name for blocks of 8 bytes, and Java's for all.
PADDED = re.compile(r"(.+)-PKCS[57]")
# Blocks in the chain of a Monte Carlo test (AESAVS 6.4), which the mode `CBC MCT` asks for.
MONTE_CARLO = re.compile(r"(.+?)[ -](?:MCT|Monte Carlo)")
MONTE_CARLO_BLOCKS = 1000
# `iterated_100`: the block after as many encryptions in succession (NESSIE).
ITERATED = re.compile(r"iterated_([1-9][0-9]{0,8})")
# SM4's standard has an example of a million blocks.
MOST_REPEATS = 10**6
MOST_KEYSTREAM = 1 << 24  # bytes
KEYSTREAMS = ("keystream", "keystream_chunks", "keystream_words", "keystream_word_chunks", "keystream_downlink")
# Keystream bits of A5 per direction, downlink first; zeros follow up to whole bytes.
A5_BITS = 114
# Bytes with their bits in the opposite order.
REFLECTED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


class _UnservedError(Exception):
    """No firmware serves the parameters of the test, though it serves algorithm and mode; the text says why."""


def vector(file: str, place: str, head: Mapping[str, Any], test: Any, catalogue: Catalogue) -> Test:
    """Read one test of a file. head: `algorithm` and `mode` of the file. place: used if the test has no id."""
    algorithm, mode = str(head["algorithm"]), str(head.get("mode", ""))
    if not isinstance(test, dict) or not isinstance(test.get("id"), str) or not test["id"]:
        return Malformed(file, place, algorithm, mode, "has no `id`")
    mode = str(test.get("mode", mode))
    if chained := MONTE_CARLO.fullmatch(mode):
        mode, test = chained[1], {"repeat": MONTE_CARLO_BLOCKS, "operation": "encrypt"} | test
    if "rounds" in test:
        mode += f", {_shown(test['rounds'])} rounds"
    if "effective_bits" in test:
        mode += f", {_shown(test['effective_bits'])} effective bits"
    variants = _variants(algorithm, mode, catalogue) if "variant" in test else []
    if variants:
        mode += f", variant {test['variant']}"
    about = {"file": file, "id": test["id"], "algorithm": algorithm, "mode": mode}
    unpadded = PADDED.fullmatch(mode)
    plain = unpadded[1] if unpadded else _particular(algorithm, mode, test, catalogue)
    served = [c for c in catalogue.answering(algorithm, plain) if not unpadded or _pads(c)]
    if not served:
        other = f": another reading of the specification than {' and '.join(variants)}" if variants else ""
        return Unserved(**about, reason=f"no firmware for {algorithm} {mode}".rstrip() + other)
    try:
        result = test.get("result", "valid")
        if result not in get_args(Result):
            raise FirmwareError(f"result is {_shown(result)}; choose from {', '.join(get_args(Result))}")
        # Ciphers that compute the same differ in their key sizes only.
        common = {"mode": plain, "padded": unpadded is not None, "result": result}
        common |= {"iv": _start(served[0], plain, test), "directions": _directions(test, result)}
        if served[0].offset_bytes:
            common |= _first_block(test, result)
        _check_iv(served[0], common["iv"], result)
        return _of_streams(Vector(**(about | common | READERS[served[0].kind.module](test, served[0]))), served)
    except _UnservedError as error:
        return Unserved(**about, reason=str(error))
    except FirmwareError as error:
        return Malformed(**about, reason=str(error))


def _particular(algorithm: str, mode: str, test: dict[str, Any], catalogue: Catalogue) -> str:
    """The mode of tests with tags or nonces of this length, `MAC, 64 bits` or `encrypt, 64-bit nonce`, where a manifest
    names it: an algorithm of its own, which takes no other length."""
    nonce = test.get("nonce")
    names = [f"{mode}, {_shown(test.get('mac_bits'))} bits"]
    names += [f"{mode}, {4 * len(nonce)}-bit nonce"] if isinstance(nonce, str) else []
    return next((name for name in names if (algorithm, name) in catalogue.modes), mode)


def _variants(algorithm: str, mode: str, catalogue: Catalogue) -> list[str]:
    """Variants of a mode that manifests name, `MODE, variant B`: readings of a specification that has several."""
    of_mode = f"{mode}, variant "
    named = (m for c in catalogue.offered for a, m in c.vectors if a == algorithm and m.startswith(of_mode))
    return list(dict.fromkeys(m.removeprefix(of_mode) for m in named))


def _of_streams(vector: Vector, served: Sequence[Cipher]) -> Vector:
    """The vector in each stream of the cipher that takes its key; `_UnservedError` where that cannot be."""
    cipher = next((c for c in served if c.message_key_bits == 8 * len(vector.key)), None)
    if cipher is None or cipher.streams == 1:
        return vector
    if (several := interleaved(vector, cipher)) is None:
        size = 8 * len(vector.plaintext) if vector.bits is None else vector.bits
        whole = f"whole {cipher.unit}s of {cipher.streams} messages"
        raise _UnservedError(f"no firmware for a message of {size} bits, only for {whole}")
    return several


def _pads(cipher: Cipher) -> bool:
    try:
        check_padding(cipher, True)
    except FirmwareError:
        return False
    return cipher.kind.is_plain


def _directions(test: dict[str, Any], result: Result) -> tuple[Direction, ...]:
    """Whether bad input is refused is the receiver's question: without an `operation` it is decrypted only."""
    operation = test.get("operation", "both" if result == "valid" else "decrypt")
    if operation not in (*DIRECTIONS, "both"):
        raise FirmwareError(f"operation is {_shown(operation)}; choose from encrypt, decrypt and both")
    return tuple(d for d in DIRECTIONS if operation in (d, "both"))


def _start(cipher: Cipher, mode: str, test: dict[str, Any]) -> bytes:
    """The iv, or what is made of the fields that the manifest says, of the inputs of a 3GPP algorithm, or of a nonce
    and a block counter."""
    if "iv" in test:
        return _hex(test, "iv")
    if parts := cipher.vector_ivs.get(mode):
        return composed(parts, test)
    if cipher.lte:
        return _lte_vector(cipher.lte, test)
    return _counted_nonce(cipher, test) if cipher.kind.is_plain and "nonce" in test else b""


def _check_iv(cipher: Cipher, iv: bytes, result: Result) -> None:
    """`_UnservedError` where a stream cipher takes IVs of another length than a message that is right has. The IV of a
    mode has one length, and one of another is an error."""
    size = cipher.iv_bytes // cipher.streams
    if cipher.kind.is_plain and not cipher.mode and result == "valid" and len(iv) != size:
        raise _UnservedError(f"no firmware for an iv of {len(iv)} bytes, only of {size}")


def _cipher(test: dict[str, Any], cipher: Cipher) -> dict[str, Any]:
    if any(field in test for field in KEYSTREAMS):
        return _keystream(test, cipher)
    # Bad input may state what goes in only, or its length.
    given = bytes(_number(test, "length", 0)).hex() if test.get("result") == "invalid" else None
    key, plaintext, ciphertext = _key(test, cipher), _hex(test, "plaintext", given), _hex(test, "ciphertext", given)
    return {
        "key": key,
        "plaintext": plaintext,
        "ciphertext": ciphertext,
        "bits": _length_bits(test, len(plaintext)),
        "chains": _chains(test, cipher, plaintext, ciphertext),
    }


def _key(test: dict[str, Any], cipher: Cipher) -> bytes:
    return _hex(test, "key") + (_hex(test, "offset") if cipher.offset_bytes else b"")


def _first_block(test: dict[str, Any], result: Result) -> dict[str, Any]:
    """The IV of integer counter mode; `iv` is the counter that it leads to, and has to be the sum."""
    names = ("block", "segment_bytes", "block_bytes")
    try:
        segment, (block, *sizes) = int.from_bytes(_hex(test, "segment"), "big"), (_integer(test[n]) for n in names)
    except (KeyError, ValueError) as error:
        raise FirmwareError(f"segment, {', '.join(names[:-1])} and {names[-1]} must be valid") from error
    try:
        iv = FirstBlock(segment, block, segment_bytes=sizes[0], block_bytes=sizes[1])
    except InputError as error:
        if result == "valid":
            raise
        return {"refusal": str(error)}
    counter = sum(int.from_bytes(part, "big") for part in (_hex(test, "offset"), iv)) % (1 << 8 * ROW)
    if "iv" in test and _hex(test, "iv") != counter.to_bytes(ROW, "big"):
        raise FirmwareError("iv is not the sum of offset, segment and block")
    return {"iv": iv}


def _length_bits(test: dict[str, Any], size: int) -> int | None:
    bits: Any = test.get("length_bits")
    if bits is not None and (type(bits) is not int or not 8 * size - 8 < bits <= 8 * size):
        raise FirmwareError(f"length_bits is {_shown(bits)}; the text has {size} bytes")
    return bits


def _chains(test: dict[str, Any], cipher: Cipher, plaintext: bytes, ciphertext: bytes) -> tuple[tuple[int, bytes], ...]:
    """Read `repeat`, and the other results of a test that has `iterated_100` and the like."""
    repeat = test.get("repeat", 1)
    if type(repeat) is not int or not 1 <= repeat <= MOST_REPEATS:
        raise FirmwareError(f"repeat is {_shown(repeat)}; must be a number of blocks from 1 to {MOST_REPEATS}")
    stated = [(int(found[1]), _hex(test, name)) for name in test if (found := ITERATED.fullmatch(name))]
    chains = ((repeat, ciphertext), *stated)
    if chains == ((1, ciphertext),):
        return ()
    blocks = (plaintext, *(block for _, block in chains))
    if cipher.unit in ("word", "byte") or any(len(block) != cipher.unit_bytes for block in blocks):
        raise FirmwareError("repeat and iterated results need exactly one block of a block cipher")
    if cipher.iv_bytes and (stated or test.get("operation") not in DIRECTIONS):
        raise FirmwareError("a chain with an iv needs `repeat`, and encrypt or decrypt as `operation`")
    return chains


def _chunks(test: dict[str, Any]) -> list[tuple[Any, dict[str, Any]]]:
    """Offset and `data`; of words of 32 bits the first byte is the most significant one."""
    if "keystream_downlink" in test:
        return [(0, {"data": _both_ways(test)})]
    if "keystream" in test or "keystream_chunks" in test:
        chunks = test.get("keystream_chunks", [{"offset": 0, "data": test.get("keystream")}])
        return [(c["offset"], c) for c in chunks]
    chunks = test.get("keystream_word_chunks", [{"word_offset": 0, "words": test.get("keystream_words")}])
    return [
        (4 * _integer(c["word_offset"]), {"data": "".join(f"{int(word, 16):08x}" for word in c["words"])})
        for c in chunks
    ]


def _both_ways(test: dict[str, Any]) -> str:
    """Keystream of A5 as it comes, hexadecimal: that of the downlink, then that of the uplink."""
    size = -(-A5_BITS // 8)
    unused = 8 * size - A5_BITS
    bits = 0
    for name in ("keystream_downlink", "keystream_uplink"):
        data = _hex(test, name)
        number = int.from_bytes(data, "big")
        if len(data) != size or number % (1 << unused):
            raise FirmwareError(f"`{name}` must be {A5_BITS} bits followed by {unused} zeros")
        bits = bits << A5_BITS | number >> unused
    rest = -2 * A5_BITS % 8
    return f"{bits << rest:0{(2 * A5_BITS + rest) // 4}x}"


def _keystream(test: dict[str, Any], cipher: Cipher) -> dict[str, Any]:
    try:
        pieces = tuple((_integer(offset), _hex(c, "data")) for offset, c in _chunks(test))
        size = max(offset + len(data) for offset, data in pieces)
    except (KeyError, TypeError, ValueError) as error:
        raise FirmwareError("keystream_chunks is not a list of offset and data, or of word_offset and words") from error
    if size > MOST_KEYSTREAM:
        raise FirmwareError(f"keystream_chunks ends at byte {size}; a keystream has at most {MOST_KEYSTREAM}")
    data, stated = bytearray(size), bytearray(size)
    for offset, piece in pieces:
        data[offset : offset + len(piece)] = piece
        stated[offset : offset + len(piece)] = b"\xff" * len(piece)
    bits = 2 * A5_BITS if "keystream_downlink" in test else _length_bits(test, size)
    if bits is not None and bits % 8:
        stated[-1] &= 0xFF << 8 - bits % 8 & 0xFF
    order = REFLECTED if cipher.reflected else None
    return {
        "directions": ("encrypt",),
        "key": _key(test, cipher),
        "plaintext": bytes(size),
        "ciphertext": bytes(data).translate(order),
        "stated": bytes(stated).translate(order),
    }


def _mac(test: dict[str, Any], _: Cipher) -> dict[str, Any]:
    key, tag = _hex(test, "key"), _hex(test, "mac")
    return {
        "directions": ("encrypt",),
        "key": key,
        "plaintext": _hex(test, "message"),
        "ciphertext": tag,
        "bits": _number(test, "length_bits", None),
        "tag_bits": _number(test, "mac_bits", 8 * len(tag)),
    }


def _wrapped(test: dict[str, Any], cipher: Cipher) -> dict[str, Any]:
    given = "" if test.get("result") == "invalid" else None
    texts = {"plaintext": _hex(test, "plaintext", given), "ciphertext": _hex(test, "ciphertext", given)}
    if cipher.kind.wrap and not cipher.kind.wrap.iv:  # draws a random IV if none is given
        texts["iv"] = _hex(test, "iv", given)
    return {"key": _hex(test, "key")} | texts


def _aead(test: dict[str, Any], cipher: Cipher) -> dict[str, Any]:
    mode = cipher.kind.aead
    assert mode is not None
    if mode.tag_first:
        return _siv(test)
    # The tag of a cipher with built-in authentication may be called mac, and associated data is optional.
    prefix = "mac" if mode.built_in and "tag" not in test else "tag"
    key, tag = _hex(test, "key"), _hex(test, prefix)
    nonce = _hex(test, "iv" if "iv" in test and "nonce" not in test else "nonce")
    size, (least, most) = len(nonce), cipher.nonce_bytes
    if mode.built_in and size != least and test.get("result", "valid") == "valid":
        raise _UnservedError(f"no firmware for a nonce of {size} bytes, only of {most}")
    return {
        "key": key,
        "iv": nonce,
        "plaintext": _hex(test, "plaintext", "" if test.get("result") == "invalid" else None),
        "ciphertext": _hex(test, "ciphertext") + tag,
        "aad": _hex(test, "aad", "" if mode.built_in else None),
        "tag_bits": _number(test, f"{prefix}_bits", 8 * len(tag)),
    }


def _checksum(test: dict[str, Any], _: Cipher) -> dict[str, Any]:
    try:
        width, refin, refout = test["width"], test["refin"], test["refout"]
        poly, init, xorout, value = (int(test[field], 16) for field in ("poly", "init", "xorout", "crc"))
        if type(width) is not int or width < 1 or any(number >> width for number in (poly, init, xorout, value)):
            raise ValueError
    except (KeyError, TypeError, ValueError) as error:
        raise FirmwareError("width, poly, init, refin, refout, xorout and crc must be valid") from error
    message = _hex(test, "message")
    if width not in WIDTHS:
        raise _UnservedError(f"no firmware for CRC of {width} bits, only of {WIDTHS[0]} to {WIDTHS[-1]}")
    return {
        "directions": ("encrypt",),
        "key": b"",
        "plaintext": message,
        "ciphertext": value.to_bytes((width + 7) // 8, "big"),
        "polynomial": Polynomial(width, poly, init, bool(refin), bool(refout), xorout),
    }


def _siv(test: dict[str, Any]) -> dict[str, Any]:
    """Associated data is a list of strings, the last of which is a nonce, if there is one (RFC 5297 3); the tag stands
    before the text."""
    given = "" if test.get("result") == "invalid" else None
    listed = test.get("aad", [])
    if not isinstance(listed, list):
        raise FirmwareError("`aad` is not a list of hexadecimal strings")
    associated = [_hex({"aad": string}, "aad") for string in listed]
    nonce = [_hex(test, "nonce")] if "nonce" in test else []
    tag = _hex(test, "tag")
    return {
        "key": _hex(test, "key"),
        "iv": b"",
        "plaintext": _hex(test, "plaintext", given),
        "ciphertext": tag + _hex(test, "ciphertext"),
        "aad": (*associated, *nonce),
        "tag_bits": _number(test, "tag_bits", 8 * len(tag)),
    }


READERS: Mapping[Module, Callable[[dict[str, Any], Cipher], dict[str, Any]]] = {
    "crypt": _cipher,
    "mac": _mac,
    "aead": _aead,
    "wrap": _wrapped,
    "crc": _checksum,
}


def _lte_vector(form: str, test: dict[str, Any]) -> bytes:
    names = FORMS[form].inputs
    try:
        given = {name: test[name] for name in names}
        inputs = {name: int(value, 16) if isinstance(value, str) else _integer(value) for name, value in given.items()}
        return initial_vector(form, **inputs)
    except (KeyError, TypeError, ValueError) as error:
        raise FirmwareError(f"{', '.join(names[:-1])} and {names[-1]} must be valid") from error


def _counted_nonce(cipher: Cipher, test: dict[str, Any]) -> bytes:
    """The first block's counter, little-endian, in what the nonce leaves of the iv, then the nonce (RFC 8439 2.3)."""
    nonce = _hex(test, "nonce")
    size = max(cipher.iv_bytes - len(nonce), 0)
    count = test.get("count", 0)
    try:
        return _integer(count).to_bytes(size, "little") + nonce
    except (OverflowError, ValueError) as error:
        bits = 8 * size
        raise FirmwareError(f"count is {_shown(count)}; must be a number of {bits} bits next to this nonce") from error


def _hex(test: dict[str, Any], field: str, default: str | None = None) -> bytes:
    try:
        return bytes.fromhex(test[field] if default is None else test.get(field, default))
    except KeyError as error:
        raise FirmwareError(f"has no `{field}`") from error
    except (TypeError, ValueError) as error:
        raise FirmwareError(f"`{field}` is not a hexadecimal string") from error


def _integer(value: Any) -> int:
    """The number; ValueError where it is none, or negative."""
    if type(value) is not int or value < 0:
        raise ValueError
    return value


def _number(test: dict[str, Any], field: str, default: Any) -> Any:
    """A field that may be left out."""
    value = test.get(field, default)
    try:
        return value if value is default else _integer(value)
    except ValueError as error:
        raise FirmwareError(f"{field} is {_shown(value)}; must be a number of bits") from error


def _shown(value: Any) -> str:
    """Return a wrong value, shortened to fit on a line."""
    return reprlib.repr(value)
