"""Known answers as jobs of the fixed-function cores: what the host does around a core, and what has to come."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fixed_function.bench import Bench, Job, block_setup, stream_setup
from fixed_function.cores import HERE, ROOT, all_files
from lutra.firmware import kat
from lutra.firmware.ciphers import Direction
from lutra.firmware.kat import Vector
from lutra.firmware.manifest import catalogue
from lutra.firmware.polynomial import Polynomial

BLOCK_CIPHERS = {"AES": "aes", "AES-128": "aes", "ARIA": "aria", "Camellia": "camellia"}
STREAM_CIPHERS = {"SNOW 3G": "snow3g", "ZUC-128": "zuc", "ZUC-128 (v1.5/v1.6)": "zuc"}
COUNTED = ("CTR", "128-EEA2")
BLOCK_MODES = ("ECB", "ECB KAT", *COUNTED)
STREAM_MODES = ("keystream", "UEA2 (f8)", "128-EEA1", "128-EEA3")
LANES = {"camellia": 2}
# Sources of the benches.
MADE_FROM = (HERE, ROOT / "rtl", *all_files())
OWN = Path(__file__).parents[1] / "vectors"
SHARED = Path(os.environ.get("LUTRA_VECTORS", Path(__file__).parents[3] / "shared" / "vectors"))


@cache
def vectors() -> tuple[Vector, ...]:
    """All that state an answer for the cores, from here and from LUTRA_VECTORS, read as for firmware."""
    folders = [OWN, *(SHARED / name for name in ("aes", "aria", "camellia", "snow3g", "zuc", "crc"))]
    paths = kat.files(folder for folder in folders if folder.is_dir())
    tests = [test for path in paths for test in kat.read(path, catalogue())]
    return tuple(t for t in tests if isinstance(t, Vector) and t.result == "valid" and not t.padded)


@dataclass(frozen=True)
class Question:
    """A job, and what makes the answer of its results: it has to be `expected`."""

    name: str
    job: Job
    answer: Callable[[tuple[int, ...]], bytes]
    expected: bytes


def failures(bench: Bench, questions: Sequence[Question]) -> list[str]:
    """Names of those whose answer is another."""
    answers = bench.run([q.job for q in questions])
    return [q.name for q, a in zip(questions, answers, strict=True) if q.answer(a.results) != q.expected]


def blocks(data: bytes, size: int = 16) -> tuple[int, ...]:
    return tuple(int.from_bytes(data[i : i + size].ljust(size, b"\0")) for i in range(0, len(data), size))


def of_block_ciphers(name: str) -> Iterator[Question]:
    """ECB in either direction, and counter mode, whose counters and sums are the host's."""
    for v in vectors():
        if BLOCK_CIPHERS.get(v.algorithm) != name or v.mode not in BLOCK_MODES or v.chains:
            continue
        if v.mode in COUNTED:
            count = -(-len(v.plaintext) // 16)
            start = int.from_bytes(v.iv)
            counters = b"".join(((start + i) % 2**128).to_bytes(16) for i in range(count))
            yield _blocks(name, v, "encrypt", counters, v.ciphertext, v.plaintext)
            continue
        for direction in v.directions:
            given, expected = v.plaintext, v.ciphertext
            if direction == "decrypt":
                given, expected = expected, given
            yield _blocks(name, v, direction, given, expected)


def _blocks(name: str, v: Vector, direction: Direction, data: bytes, expected: bytes, added: bytes = b"") -> Question:
    size = 16 * LANES.get(name, 1)

    def answer(results: tuple[int, ...]) -> bytes:
        out = b"".join(_unlaned(r.to_bytes(size)) for r in results)[: len(expected)]
        return _masked(bytes(a ^ b for a, b in zip(out, added, strict=True)) if added else out, v.bits)

    job = Job(name, block_setup(v.key, direction == "decrypt"), _lanes(data, size))
    return Question(f"{v.file} {v.id} {direction}", job, answer, expected)


def _lanes(data: bytes, size: int) -> tuple[int, ...]:
    """Beats; the first block is in the low half."""
    if size == 16:
        return blocks(data)
    return blocks(
        b"".join(data[i + 16 : i + 32].ljust(16, b"\0") + data[i : i + 16] for i in range(0, len(data), 32)), 32
    )


def _masked(data: bytes, bits: int | None) -> bytes:
    if bits is None or not bits % 8:
        return data
    return data[:-1] + bytes([data[-1] & 0xFF << -bits % 8 & 0xFF])


def of_stream_ciphers(name: str) -> Iterator[Question]:
    for v in vectors():
        if STREAM_CIPHERS.get(v.algorithm) != name or v.mode not in STREAM_MODES:
            continue

        def answer(results: tuple[int, ...], v: Vector = v) -> bytes:
            out = b"".join(r.to_bytes(4) for r in results)[: len(v.plaintext)]
            # Zeros where the source does not state a keystream, as in its bytes.
            stated = v.stated or b"\xff" * len(out)
            return _masked(bytes(a & b for a, b in zip(out, stated, strict=True)), v.bits)

        # The algorithms around SNOW 3G number the words of a key from its end (TS 35.215 3.4).
        words = [v.key[i : i + 4] for i in (0, 4, 8, 12)]
        key = b"".join(reversed(words)) if name == "snow3g" and v.mode != "keystream" else v.key
        job = Job(name, stream_setup(key, v.iv), blocks(v.plaintext, 4))
        yield Question(f"{v.file} {v.id}", job, answer, v.ciphertext)


def of_crcs() -> Iterator[Question]:
    for v in vectors():
        if v.polynomial is None:
            continue
        yield Question(
            f"{v.file} {v.id}", crc_job(v.polynomial, v.plaintext), _crc(v.polynomial, len(v.ciphertext)), v.ciphertext
        )


def crc_job(p: Polynomial, message: bytes) -> Job:
    """Polynomial and register at the top; of a reflected CRC the value, and what is added to it, at the bottom."""
    top = 32 - p.width
    setup = p.refin << 97 | p.refout << 96 | p.poly << top + 64 | p.init << top + 32
    setup |= p.xorout << (0 if p.refout else top)
    whole = [message[i : i + 8] for i in range(0, len(message), 8)] or [b""]
    beats = [
        (at == len(whole) - 1) << 68 | len(b) << 64 | int.from_bytes(b.ljust(8, b"\0")) for at, b in enumerate(whole)
    ]
    return Job("crc", setup, tuple(beats), 1)


def _crc(p: Polynomial, size: int) -> Callable[[tuple[int, ...]], bytes]:
    return lambda results: (results[0] >> (0 if p.refout else 32 - p.width)).to_bytes(size)


def gcm_vectors(every: int) -> list[Vector]:
    """Every so-many-th one of all block ciphers."""
    return [v for v in vectors() if v.mode == "GCM" and v.algorithm in BLOCK_CIPHERS][::every]


def gcm_failures(bench: Bench, every: int) -> list[str]:
    """Tests of GCM that fail, with cores of a block cipher and of GHASH as SP 800-38D 7 has them."""
    chosen = gcm_vectors(every)
    hashed = bench.run([_gcm_cipher(v, bytes(16)) for v in chosen])
    keys = [_first(a.results[0]) for a in hashed]
    starts = bench.run([_nonce(v, h) for v, h in zip(chosen, keys, strict=True) if len(v.iv) != 12])
    long_starts = iter(starts)
    j0 = [int.from_bytes(v.iv + b"\0\0\0\1") if len(v.iv) == 12 else next(long_starts).results[-1] for v in chosen]
    pads = bench.run([_gcm_cipher(v, _counters(v, j)) for v, j in zip(chosen, j0, strict=True)])
    tags = bench.run([_tag(v, h) for v, h in zip(chosen, keys, strict=True)])
    failed = []
    for v, pad, tag in zip(chosen, pads, tags, strict=True):
        size = 16 * LANES.get(BLOCK_CIPHERS[v.algorithm], 1)
        stream = b"".join(_unlaned(r.to_bytes(size)) for r in pad.results)
        text = bytes(a ^ b for a, b in zip(v.plaintext, stream[16:], strict=False))
        mac = (tag.results[-1] ^ int.from_bytes(stream[:16])).to_bytes(16)[: v.tag_bits // 8]
        if text + mac != v.ciphertext:
            failed.append(f"{v.file} {v.id}")
    return failed


def _unlaned(beat: bytes) -> bytes:
    return beat if len(beat) == 16 else beat[16:] + beat[:16]


def _first(beat: int) -> int:
    return beat % 2**128


def _gcm_cipher(v: Vector, data: bytes) -> Job:
    name = BLOCK_CIPHERS[v.algorithm]
    return Job(name, block_setup(v.key), _lanes(data, 16 * LANES.get(name, 1)))


def _counters(v: Vector, j0: int) -> bytes:
    count = 1 + -(-len(v.plaintext) // 16)
    return b"".join((j0 >> 32 << 32 | (j0 + i) % 2**32).to_bytes(16) for i in range(count))


def _nonce(v: Vector, h: int) -> Job:
    return Job("ghash", h, (*blocks(v.iv), 8 * len(v.iv)))


def _tag(v: Vector, h: int) -> Job:
    text = v.ciphertext[: len(v.plaintext)]
    assert isinstance(v.aad, bytes)
    return Job("ghash", h, (*blocks(v.aad), *blocks(text), 8 * len(v.aad) << 64 | 8 * len(text)))
