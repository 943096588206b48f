"""Authenticated encryption on the core's routines: GCM (SP 800-38D) and CCM (SP 800-38C), as firmware/common/aead.inc
has them, SIV (RFC 5297), as firmware/common/siv.inc has it, and ciphers that authenticate by themselves, kind `aead`,
such as firmware/ascon/ascon.s.

The tag follows the ciphertext; of SIV it stands before. Whether it is right the core says; no plaintext leaves this
module before, and none of GCM and CCM leaves a core that can close its memories (docs/faults.md). Of several
interleaved messages nonces and tags stand one after the other, and associated data is interleaved as text is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path

from lutra.firmware import crypt
from lutra.firmware.ciphers import Cipher, Direction
from lutra.firmware.errors import FirmwareError, InputError
from lutra.firmware.kinds import Aead, KindName
from lutra.firmware.manifest import known
from lutra.firmware.request import Associated, Request
from lutra.firmware.session import ROW, Session
from lutra.iss.engine import EngineName, make

LEAST_TAG = 32  # in bits, where the mode does not say
GCM_BLOCKS = (1 << 32) - 2  # of a message (SP 800-38D 5.2.1.1)


class WrongTagError(InputError):
    """Authentication has failed; nothing of the plaintext is released."""

    def __init__(self, name: str) -> None:
        super().__init__(
            f"{name}: the tag does not fit: key, nonce or associated data are wrong, or the data is damaged"
        )


def encrypt(
    name: str,
    key: bytes,
    nonce: bytes,
    data: bytes,
    aad: Associated = b"",
    tag_bits: int = 128,
    engine: EngineName = "iss",
    manifest: Path | str | None = None,
) -> bytes:
    """Ciphertext and tag by the cipher of a name (`aes-128-gcm`).

    manifest: of own firmware, or its folder. FirmwareError on a wrong length.
    """
    return _alone(Request(known(manifest).cipher(name), "encrypt", key, nonce, aad, tag_bits=tag_bits), data, engine)


def decrypt(
    name: str,
    key: bytes,
    nonce: bytes,
    data: bytes,
    aad: Associated = b"",
    tag_bits: int = 128,
    engine: EngineName = "iss",
    manifest: Path | str | None = None,
) -> bytes:
    """The inverse of `encrypt`; WrongTagError where authentication fails."""
    return _alone(Request(known(manifest).cipher(name), "decrypt", key, nonce, aad, tag_bits=tag_bits), data, engine)


def _alone(request: Request, data: bytes, engine: EngineName) -> bytes:
    """A message on a session of its own."""
    check(request.cipher, request.iv, request.tag_length)
    return answer(Session(make(engine)), request, data)


def answer(session: Session, request: Request, data: bytes) -> bytes:
    """The result of a whole message."""
    r = request
    session.set_up(r.cipher, r.direction, r.key, implementation=r.implementation)
    return process(session, r.cipher, r.direction, r.iv, data, r.aad, r.tag_length)


def check(cipher: Cipher, nonce: bytes, tag_bits: int, aad: Associated = b"") -> None:
    """Raise FirmwareError if it is not an AEAD mode, InputError if it refuses nonce, tag or associated data like
    that."""
    mode = cipher.kind.aead
    if mode is None:
        raise FirmwareError(f"{cipher.name} does not authenticate; leave out --aad and --tag-bits")
    least, most = cipher.nonce_bytes
    if nonce and not most:
        raise InputError(f"{cipher.name} takes its nonce as the last --aad; leave out --iv")
    if not least <= len(nonce) <= most:
        got = f"not of {len(nonce)}" if nonce else "give --iv"
        span = f"{least} to {most}" if least < most else str(most)
        raise InputError(f"{cipher.name} needs a nonce of {span} bytes, {got}")
    legal = legal_tags(cipher, mode)
    if tag_bits not in legal:
        raise InputError(f"tag of {tag_bits} bits; {cipher.name} allows {', '.join(map(str, legal))}")
    if strings(aad) and not cipher.associated:
        raise InputError(f"{cipher.name} does not take associated data; leave out --aad")
    if len(strings(aad)) > mode.strings:
        most_strings = f"at most {mode.strings} strings" if mode.strings > 1 else "one string"
        raise InputError(f"{cipher.name} takes {most_strings} of associated data, not {len(aad)}")


def legal_tags(cipher: Cipher, mode: Aead) -> Sequence[int]:
    """Bits that a tag may have."""
    if any("text" in entries.others for entries in cipher.default.entries.values()):
        return (cipher.tag_bits,)  # the counter begins with all of it
    return mode.tags or range(LEAST_TAG, cipher.tag_bits + 1, 8)


def strings(aad: Associated) -> tuple[bytes, ...]:
    """Return the strings of associated data; none if it is empty."""
    if isinstance(aad, tuple):
        return aad
    return (aad,) if aad else ()


def process(
    session: Session,
    cipher: Cipher,
    direction: Direction,
    nonce: bytes,
    data: bytes,
    aad: Associated = b"",
    tag_bits: int = 128,
    progress: Callable[[int], None] = lambda _: None,
) -> bytes:
    """A message on a session that is set up for cipher and direction; `data` of a decryption has the tag at its end, of
    SIV at its beginning."""
    check(cipher, nonce, tag_bits, aad)
    mode = cipher.kind.aead
    assert mode is not None
    tag_bytes = cipher.streams * tag_bits // 8
    text, given = data, b""
    if direction == "decrypt":
        if len(data) < tag_bytes:
            raise InputError(f"the input has {len(data)} bytes, less than a tag of {tag_bytes}")
        text, given = data[: len(data) - tag_bytes], data[len(data) - tag_bytes :]
        if mode.tag_first:
            given, text = data[:tag_bytes], data[tag_bytes:]
    if mode.tag_first:
        return _siv(session, cipher, direction, text, given, strings(aad), progress)
    begun = partial(
        BEGIN[cipher.kind.name], session, nonce, len(text), b"".join(strings(aad)), given or bytes(tag_bytes)
    )
    lengths = begun()
    if direction == "decrypt" and session.opens:
        if len(text) <= session.job_bytes:
            return _opened(session, cipher, text, lengths, given, progress)
        for at in range(0, len(text), session.job_bytes):
            session.call("hash", text[at : at + session.job_bytes])
        _verify(session, cipher, lengths, given)
        lengths = begun()
    if direction == "decrypt":
        result = _text(session, text, progress)
        _verify(session, cipher, lengths, given)
        return result
    tag_rows = cipher.streams * ROW
    if "text" in cipher.default.entries["encrypt"].others:
        for at in range(0, len(text), session.job_bytes):
            session.call("text", text[at : at + session.job_bytes])
        tag = session.call("finish", lengths, tag_rows)
        return _text(session, text, progress) + tag
    result = _text(session, text, progress)
    tags = _parts(session.call("finish", lengths, tag_rows), cipher.streams)
    return result + b"".join(tag[: tag_bits // 8] for tag in tags)


def _parts(data: bytes, streams: int) -> list[bytes]:
    """Return the tag of each message."""
    size = len(data) // streams
    return [data[at : at + size] for at in range(0, len(data), size)]


def _rows(data: bytes, streams: int) -> bytes:
    """The same, in rows of each."""
    return b"".join(part.ljust(ROW, b"\0") for part in _parts(data, streams))


def _text(session: Session, text: bytes, progress: Callable[[int], None]) -> bytes:
    """All jobs of text."""
    result = bytearray()
    for at in range(0, len(text), session.job_bytes):
        result += session.job(text[at : at + session.job_bytes])
        progress(len(result))
    return bytes(result)


def _opened(
    session: Session, cipher: Cipher, text: bytes, lengths: bytes, given: bytes, progress: Callable[[int], None]
) -> bytes:
    """Return the plaintext of a message that is one job, as the core gives it out. WrongTagError where it does not."""
    result = session.open(text, _to_compare(cipher, lengths, given))
    if result is None:
        raise WrongTagError(cipher.name)
    progress(len(text))
    return result


def _to_compare(cipher: Cipher, lengths: bytes, given: bytes) -> bytes:
    """The input of `finish` of a decryption: lengths, tags, and ones in their bits."""
    return lengths + _rows(given, cipher.streams) + _rows(b"\xff" * len(given), cipher.streams)


def _verify(session: Session, cipher: Cipher, lengths: bytes, given: bytes) -> None:
    """WrongTagError where the core finds that the tag is not right."""
    verdict = session.call("finish", _to_compare(cipher, lengths, given), ROW)
    if verdict != b"\xff" * ROW:
        raise WrongTagError(cipher.name)


def _absorb(session: Session, data: bytes) -> None:
    for at in range(0, len(data), session.job_bytes):
        session.call("absorb", data[at : at + session.job_bytes])


def _begin_gcm(session: Session, nonce: bytes, size: int, aad: bytes, tag: bytes) -> bytes:
    """Process J0 and associated data; return the block of the lengths."""
    if -(-size // ROW) > GCM_BLOCKS:
        raise InputError(f"GCM takes at most {GCM_BLOCKS} blocks in a message")
    if len(nonce) == 12:
        session.call("begin", nonce + (1).to_bytes(4, "big"))
    else:
        session.call("begin", bytes(ROW))
        _absorb(session, nonce)
        session.call("begin_hashed", (8 * len(nonce)).to_bytes(ROW, "big"))
    _absorb(session, aad)
    return _lengths(aad, size)


def _lengths(aad: bytes, size: int) -> bytes:
    """Both in bits, as GCM's hash ends with them."""
    return (8 * len(aad)).to_bytes(8, "big") + (8 * size).to_bytes(8, "big")


def _begin_ccm(session: Session, nonce: bytes, size: int, aad: bytes, tag: bytes) -> bytes:
    """Ctr0, and B0 with the associated data as SP 800-38C A.2 formats them; no lengths follow, so an empty block."""
    q = 15 - len(nonce)
    if size >= 1 << (8 * q):
        raise InputError(f"with a nonce of {len(nonce)} bytes CCM takes less than {1 << (8 * q)} bytes, not {size}")
    flags = (64 if aad else 0) | (len(tag) - 2) // 2 << 3 | (q - 1)
    blocks = bytes([flags]) + nonce + size.to_bytes(q, "big")
    if aad:
        blocks += _aad_length(len(aad)) + aad
        blocks += bytes(-len(blocks) % ROW)
    session.call("begin", bytes([q - 1]) + nonce + bytes(q))
    _absorb(session, blocks)
    return bytes(ROW)


def _aad_length(size: int) -> bytes:
    """SP 800-38C A.2.2."""
    if size < 0xFF00:
        return size.to_bytes(2, "big")
    return b"\xff\xfe" + size.to_bytes(4, "big") if size < 1 << 32 else b"\xff\xff" + size.to_bytes(8, "big")


def _begin_own(session: Session, nonce: bytes, size: int, aad: bytes, tag: bytes) -> bytes:
    """Nonce, then associated data; of each of several messages the same number of rows."""
    streams = session.streams
    tag_bits = (8 * len(tag) // streams).to_bytes(ROW, "big")
    session.call("begin", _rows(nonce, streams) + tag_bits * streams + _rows(tag, streams))
    _absorb_string(session, aad)
    return _lengths(_parts(aad, streams)[0] if aad else b"", size // streams) * streams


def _absorb_string(session: Session, string: bytes) -> None:
    """The last job, perhaps an empty one, has a routine of its own."""
    last = max(len(string) - 1, 0) // session.job_bytes * session.job_bytes
    _absorb(session, string[:last])
    session.call("absorb_last", string[last:])


def _siv(
    session: Session,
    cipher: Cipher,
    direction: Direction,
    text: bytes,
    given: bytes,
    associated: tuple[bytes, ...],
    progress: Callable[[int], None],
) -> bytes:
    """Encryption reads the text twice, since its counter begins with the tag (RFC 5297 2.6 and 2.7)."""
    session.call("begin", given or bytes(ROW))
    for string in associated:
        _absorb_string(session, string)
    result = bytearray()
    for piece, last in crypt.jobs(BytesIO(text), session.job_bytes, ROW):
        if direction == "encrypt":
            session.call("text_last" if last else "text", piece)
            continue
        result += session.call("text_last", piece, len(piece), counted=True) if last else session.job(piece)
        progress(len(result))
    if direction == "encrypt":
        return session.call("finish", bytes(ROW), ROW) + _text(session, text, progress)
    _verify(session, cipher, bytes(ROW), given)
    return bytes(result)


# Nonce and associated data by kind, and the tag, of encryption zeros of its length; returns the first row of `finish`.
BEGIN: Mapping[KindName, Callable[[Session, bytes, int, bytes, bytes], bytes]] = {
    "gcm": _begin_gcm,
    "ccm": _begin_ccm,
    "aead": _begin_own,
}
