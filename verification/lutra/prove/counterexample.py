"""Concrete messages on which the simulator and a specification differ."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lutra.firmware import crypt, mac, wrap
from lutra.firmware.ciphers import Cipher, Direction, Implementation
from lutra.firmware.errors import FirmwareError
from lutra.firmware.kinds import SEMIBLOCK
from lutra.firmware.request import Request
from lutra.firmware.session import Session
from lutra.iss import engine as engines
from lutra.prove import messages
from lutra.prove.bits import Bits, join
from lutra.prove.goal import Specification
from lutra.prove.jobs import Job, Mac, Stealing, begun
from lutra.prove.places import State
from lutra.prove.sections import Message
from lutra.prove.specifications.wrap import Unwrap, Wrap, opened
from lutra.prove.specifications.wrap import sealed as wrapped

ROW = 16
# Lengths in units, with bytes of a last one; the longest fills many entries of each table.
LENGTHS = ((1, 0), (0, 1), (2, 0), (3, 5), (4, 0), (5, 3), (8, 0), (13, 7), (40, 0))
TRIES = 3
# More keys, with one unit each: a key schedule looks up few entries of a table. Then the longest job, if it has no more
# units than this, and of a MAC a message of three jobs, the last one with so many units.
KEYS = 24
MOST_UNITS = 300
MORE_UNITS = 5


@dataclass(frozen=True)
class Counterexample:
    """A message; got is empty where the firmware does not come to an end, expected where a tag is wrong.

    iv: also a nonce. aad: associated data. tag_bytes: of authenticated encryption.
    """

    key: bytes
    iv: bytes
    data: bytes
    expected: bytes
    got: bytes
    stopped: str = ""
    aad: bytes = b""
    tag_bytes: int = 0

    @property
    def row(self) -> int:
        """The first row of the result that differs."""
        rows = range(0, max(len(self.expected), 1), ROW)
        return next((at // ROW for at in rows if self.expected[at : at + ROW] != self.got[at : at + ROW]), 0)

    @property
    def summary(self) -> str:
        """How the firmware fails, without the message."""
        return self.stopped or f"row {self.row} of the result is wrong"

    def __str__(self) -> str:
        lines = [f"key {self.key.hex()}", f"iv {self.iv.hex()}"] if self.iv else [f"key {self.key.hex()}"]
        lines += [f"associated data {self.aad.hex()}"] if self.aad else []
        lines.append(f"input {self.data.hex()}")
        if self.stopped:
            return "\n".join([*lines, self.stopped])
        at = slice(ROW * self.row, ROW * self.row + ROW)
        return "\n".join([*lines, f"row {self.row}: {self.got[at].hex()}, not {self.expected[at].hex()}"])

    def as_json(self) -> dict[str, Any]:
        """For `--json`."""
        texts = {name: getattr(self, name).hex() for name in ("key", "iv", "aad", "data", "expected", "got")}
        return {**texts, "row": self.row, "stopped": self.stopped}


def search(
    cipher: Cipher,
    direction: Direction,
    implementation: Implementation,
    spec: Specification,
    encryption: Specification | None = None,
) -> Counterexample | None:
    """Try random messages of several lengths, always the same ones. encryption: to make those that have a tag."""
    rng = random.Random(cipher.name)
    session = Session(engines.make("iss"), max_cycles=1_000_000)
    if cipher.is_aead:
        request = Request(cipher, direction, b"", implementation=implementation)
        return next(_messages_with_tags(session, request, spec, encryption or spec, rng), None)
    if cipher.kind.wrap is not None:
        request = Request(cipher, direction, b"", implementation=implementation)
        return next(_keys(session, request, spec, encryption or spec, rng), None)
    chained = cipher.kind.chained and not cipher.iv_bytes
    for key, iv, data in _messages(rng, spec, implementation.image.job_bytes, chained=chained):
        before = b"" if chained else iv
        request = Request(cipher, direction, key, before, implementation=implementation)
        expected = evaluate(spec, key, iv, data)
        if cipher.kind.chained:
            expected = expected[: cipher.streams * cipher.tag_bits // 8]
        try:
            got, stopped = _answer(session, request, data), ""
        except FirmwareError as error:
            got, stopped = b"", str(error)
            session.forget()
        if got != expected:
            return Counterexample(key, iv, data, expected, got, stopped)
    return None


def _messages_with_tags(
    session: Session, request: Request, spec: Specification, encryption: Specification, rng: random.Random
) -> Iterator[Counterexample]:
    for _ in range(TRIES):
        key = rng.randbytes(spec.key_bits // 8)
        sealing = encryption.job(Bits.of(key))
        assert isinstance(sealing, Message)
        of = messages.messages(request.cipher, request.direction == "decrypt", sealing, key, rng)
        for sealed, got, stopped in messages.differing(session, request, of):
            about = key, sealed.nonce, sealed.data, sealed.expected, got, stopped
            yield Counterexample(*about, aad=sealed.aad, tag_bytes=sealed.tag_bytes)


# Bytes of keys that are wrapped by one key, and how many keys wrap one of the first length.
WRAPPED = (16, 3, 40, 17)
WRAPS = 6


def _keys(
    session: Session, request: Request, spec: Specification, encryption: Specification, rng: random.Random
) -> Iterator[Counterexample]:
    """Yield keys that are wrapped, or unwrapped, to something else; also damaged ones, which have to be refused."""
    cipher, unwraps = request.cipher, request.direction == "decrypt"
    padded = wrap.of(cipher).padded
    for n in range(WRAPS):
        key = rng.randbytes(spec.key_bits // 8)
        seal, open_ = encryption.job(Bits.of(key)), spec.job(Bits.of(key))
        assert isinstance(seal, Wrap)
        for size in WRAPPED[: 1 if n else None]:
            if not padded and size % SEMIBLOCK:
                continue
            data = rng.randbytes(size)
            expected = wrapped(seal, data, padded)
            if unwraps:
                assert isinstance(open_, Unwrap)
                at = rng.randrange(8 * len(expected))
                damaged = (int.from_bytes(expected, "big") ^ 1 << at).to_bytes(len(expected), "big")
                tried = [(expected, data), (damaged, opened(open_, damaged) or b"")]
            else:
                tried = [(data, expected)]
            for given, right in tried:
                about = Request(cipher, request.direction, key, implementation=request.implementation)
                got, stopped = _unwrapped(session, about, given)
                if got != right or stopped:
                    yield Counterexample(key, b"", given, right, got, stopped)


def _unwrapped(session: Session, request: Request, data: bytes) -> tuple[bytes, str]:
    """The key as it is wrapped or unwrapped, nothing if it is refused, and an error of the simulator."""
    try:
        return wrap.answer(session, request, data), ""
    except FirmwareError as error:
        if not isinstance(error, wrap.WrongKeyError):
            session.forget()
            return b"", str(error)
        return b"", ""


def _answer(session: Session, request: Request, data: bytes) -> bytes:
    """The result of a message, a tag, or the register of a CRC."""
    if request.cipher.kind.module == "mac":
        return mac.answer(session, request, data)
    if request.cipher.kind.module == "crypt":
        return crypt.answer(session, request, data)
    session.set_up(request.cipher, request.direction, request.key, request.iv, request.implementation)
    session.job(data, size=0)
    return session.state(len(REGISTER))


# Bytes of the register of a CRC.
REGISTER = range(4)


def _job(spec: Specification, key: Bits) -> Job:
    job = spec.job(key)
    assert not isinstance(job, Message | Wrap | Unwrap)
    return job


def _messages(
    rng: random.Random, spec: Specification, job_bytes: int, *, chained: bool
) -> Iterator[tuple[bytes, bytes, bytes]]:
    """chained: they begin with a chaining value, which is zero."""
    job = _job(spec, Bits.number(0, spec.key_bits))
    unit, steals = job.unit_bytes, isinstance(job, Stealing)
    most = job_bytes // unit
    longest = [((most, 0),)] if most <= MOST_UNITS else []
    longest += [((2 * most + MORE_UNITS, 0),)] if isinstance(job, Mac) else []
    for lengths in [LENGTHS] * TRIES + [((1, 0),)] * (KEYS if spec.key_bits else 0) + longest:
        key = rng.randbytes(spec.key_bits // 8)
        iv = bytes(spec.iv_bytes) if chained else rng.randbytes(spec.iv_bytes)
        for units, rest in lengths:
            if units or (spec.partial and not steals):
                row = iv.ljust(ROW, b"\0") if spec.register else iv
                yield key, row, rng.randbytes(unit * units + (rest % unit if spec.partial else 0))


def evaluate(spec: Specification, key: bytes, iv: bytes, data: bytes, bits: int | None = None) -> bytes:
    """The result of a message by its specification: the output, a tag, or the state that is left.

    bits: of the data, if not all count; only for tags, and for modes that steal.
    """
    job = _job(spec, Bits.of(key))
    state, out, size = begun(job, job.begin(Bits.of(iv))), b"", job.unit_bytes
    count = 8 * len(data) if bits is None else bits
    whole = len(data) // size
    if isinstance(job, Mac):
        whole = max(count - 1, 0) // (8 * size)
    if isinstance(job, Stealing):
        whole -= 1 if count % (8 * size) or (job.always and whole == 1) else 2 * job.always
    for at in range(0, whole * size, size):
        state, result = job.step(state, Bits.of(data[at : at + size]))
        out += result.to_bytes()
    rest = data[whole * size :]
    if isinstance(job, Stealing) and rest:
        return out + _stolen(job, state, rest, count - 8 * whole * size)
    unit = Bits.of(rest.ljust(size, b"\0"))
    if isinstance(job, Mac):
        return job.tag(state, unit, count - 8 * whole * size).to_bytes()
    if not job.outputs:
        return join(state.values()).to_bytes()
    return out + (job.last(state, unit, len(rest)).to_bytes()[: len(rest)] if rest else b"")


def _stolen(job: Stealing, state: State, rest: bytes, bits: int) -> bytes:
    """The output of the last units of a message that steals."""
    unit = 8 * job.unit_bytes
    if bits == unit:
        return job.step(state, Bits.of(rest))[1].to_bytes()
    output = job.tail(state, Bits.of(rest.ljust(2 * job.unit_bytes, b"\0")), bits - unit)
    return join((output, Bits.number(0, -len(output) % 8))).to_bytes()
