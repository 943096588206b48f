"""A device refuses by an error with its place, and its memories stay as before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from lutra.firmware import device, pack
from lutra.firmware._loader import Result
from lutra.firmware.pack import format as layout
from lutra.isa import Version
from lutra.iss import engine as engines
from lutra.iss.engine import Engine, Simulator, Stop
from lutra.rtl import RtlEngine
from support.devices import aes, create, key, memories, otter, role, roots, signed, unsigned


def changed(version: str = "1.2.0", **members: object) -> bytes:
    """A newer pack whose manifest says something else, and is signed."""
    made = unsigned(version, 2)
    manifest = replace(pack.manifest_of(made), **members)  # type: ignore[arg-type]  # any members of a manifest
    return signed(replace(made, manifest=layout.MANIFEST.write(manifest)))


def core(**members: int) -> bytes:
    return changed(core=replace(pack.manifest_of(unsigned("1.2.0", 2)).core, **members))


def foreign() -> bytes:
    """Signed by untrusted keys."""
    other = pack.roots.sign(pack.roots.create(role([7]), role([10])), key(7))
    return signed(unsigned("1.2.0", 2), other, [10])


def with_parts_of(version: str) -> bytes:
    """Manifest and signatures of one pack, parts of another one."""
    made, other = pack.decode(otter("1.2.0", 2)), pack.decode(aes())
    return pack.encode(replace(made, parts=(other.parts[0], *made.parts[1:])))


def flipped(at: int) -> bytes:
    data = bytearray(otter("1.2.0", 2))
    data[at] ^= 0x01
    return bytes(data)


def signature_flipped() -> bytes:
    made = pack.decode(otter("1.2.0", 2))
    (signature,) = made.signatures
    wrong = bytes([signature.signature[0] ^ 1]) + signature.signature[1:]
    return pack.encode(replace(made, signatures=(replace(signature, signature=wrong),)))


def unsigned_by_its_root() -> bytes:
    made = pack.decode(otter("1.2.0", 2, roots(2)))
    return pack.encode(replace(made, roots=(made.roots[0], replace(made.roots[1], by_previous=()))))


REFUSED: dict[str, tuple[Callable[[], bytes], Result]] = {
    "a key that nobody trusts": (foreign, Result.ROOT_UNKNOWN),
    "a wrong signature": (signature_flipped, Result.SIGNATURE),
    "no signature at all": (lambda: pack.encode(unsigned("1.2.0", 2)), Result.UNSIGNED),
    "a threshold not reached": (
        lambda: pack.encode(replace(pack.decode(otter("1.2.0", 2)), signatures=())),
        Result.THRESHOLD,
    ),
    "a root that the one before has not signed": (unsigned_by_its_root, Result.ROOT_SIGNATURE),
    "a root left out": (
        lambda: pack.encode(replace(pack.decode(otter("1.2.0", 2, roots(3))), roots=(roots(3)[0], roots(3)[2]))),
        Result.ROOT_VERSION,
    ),
    "the same version": (lambda: otter("1.1.0", 2), Result.VERSION),
    "an older version": (lambda: otter("1.0.9", 2), Result.VERSION),
    "a lower counter": (lambda: otter("2.0.0", 1), Result.COUNTER),
    "another instruction set": (lambda: changed(isa=Version(1, 0)), Result.ISA),
    "a later instruction set": (lambda: changed(isa=Version(0, 9)), Result.ISA),
    "more rounds": (lambda: core(rounds=2), Result.CONFIGURATION),
    "more program memory": (lambda: core(program_words=4096), Result.CONFIGURATION),
    "more contexts": (lambda: core(contexts=3), Result.CONFIGURATION),
    "parts of another pack": (lambda: with_parts_of("1.0.0"), Result.DIGEST),
    "a flipped bit in the last part": (lambda: flipped(-1), Result.DIGEST),
    "its end cut off": (lambda: otter("1.2.0", 2)[:-1], Result.TRUNCATED),
    "nothing at all": (lambda: b"", Result.TRUNCATED),
    "bytes after its end": (lambda: otter("1.2.0", 2) + b"\0", Result.TRAILING),
    "another format": (lambda: flipped(12), Result.FORMAT),
    "another first byte": (lambda: flipped(0), Result.FORMAT),
}


@pytest.fixture
def narrow(tmp_path: Path) -> Path:
    """A device with ROUNDS_PER_INSTR = 1 that runs version 1.1.0 with counter 2."""
    folder = create(tmp_path / "narrow", rounds=1)
    with device.opened(folder) as opened:
        opened.update(otter("1.1.0", 2))
    return folder


@pytest.mark.parametrize("why", REFUSED)
def test_a_pack_is_refused_and_the_device_is_as_before(why: str, narrow: Path) -> None:
    make, result = REFUSED[why]
    data, before = make(), memories(narrow)
    with device.opened(narrow) as opened:
        with pytest.raises(device.LoaderError) as refusal:
            opened.update(data, "x.pack")
        assert refusal.value.error.result is result, refusal.value
        assert str(refusal.value).startswith("x.pack: ") and "; " in str(refusal.value)
        assert opened.status().running == 0
    assert memories(narrow) == before


def test_a_pack_larger_than_a_slot_is_refused(dev: Path) -> None:
    before = memories(dev)
    with device.opened(dev) as opened, pytest.raises(device.LoaderError, match="larger than a slot"):
        opened.update(aes("1.0.0", 2))
    assert memories(dev) == before


def test_a_place_is_said_where_it_is_in_the_pack(dev: Path) -> None:
    cut = otter("1.2.0", 2)[:-1]
    with device.opened(dev) as opened, pytest.raises(device.LoaderError) as refusal:
        opened.update(cut)
    at = refusal.value.error.offset
    assert f"(byte {at})" in str(refusal.value)
    assert 0 < at <= len(cut)


class Faulty(Engine):
    """A core that computes wrongly where it stores its results."""

    def read(self, space: str, offset: int, length: int) -> bytes:
        data = super().read(space, offset, length)
        return bytes([data[0] ^ 1]) + data[1:] if space == "m3" else data


class Wrong(Faulty, Simulator):
    """The simulator with this fault."""


class WrongRtl(Faulty, RtlEngine):
    """The Verilated core with it, where the simulator computes rightly."""


class Slow(Simulator):
    """A core that takes a cycle more than promised."""

    def run(self, entry: int, max_cycles: int | None = None) -> Stop:
        stop = super().run(entry, max_cycles)
        return replace(stop, cycles=stop.cycles + 1)


class Trapping(Simulator):
    """A core that knows no instruction."""

    def write(self, space: str, offset: int, data: bytes) -> None:
        super().write(space, offset, bytes(len(data)) if space == "pm" else data)


class Endless(Simulator):
    """A core that never halts."""

    def run(self, entry: int, max_cycles: int | None = None) -> Stop:
        return replace(super().run(entry, max_cycles), state="running")


@pytest.mark.parametrize(
    ("kind", "result"),
    [
        (Wrong, Result.ANSWER),
        (WrongRtl, Result.ANSWER),
        (Slow, Result.CYCLES),
        (Endless, Result.CYCLES),
        (Trapping, Result.STOPPED),
    ],
)
def test_known_answers_that_fail_on_this_core_only_keep_a_pack_out(
    kind: type[Engine], result: Result, dev: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(engines._factories, "faulty", kind)
    fuses = memories(dev)[1]
    with device.opened(dev, "faulty") as opened:
        with pytest.raises(device.LoaderError, match=r"\(known answer \d+, step \d+\)") as refusal:
            opened.update(otter("1.2.0", 5))
        assert refusal.value.error.result is result
    assert memories(dev)[1] == fuses
    with device.opened(dev) as opened:
        status = opened.boot()
        assert status.info[status.running or 0].version == (1, 1, 0)
        assert opened.update(otter("1.2.0", 5)).counter == 5


def test_a_trial_whose_known_answers_fail_goes_back_by_itself(dev: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engines._factories, "faulty", Wrong)
    with device.opened(dev) as opened:
        opened.apply(otter("1.2.0", 5))
    with device.opened(dev, "faulty") as opened:
        status = opened.boot()
    assert (status.info[status.running or 0].version, status.counter) == ((1, 1, 0), 2)


def test_an_update_says_that_its_trial_has_failed(dev: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(engines._factories, "faulty", Wrong)

    def fail_from_now_on(step: str) -> None:
        if step.startswith("written"):
            opened.core.engine.__class__ = Wrong

    with device.opened(dev) as opened, pytest.raises(device.DeviceError, match="x: the trial boot failed"):
        opened.update(otter("1.2.0", 5), "x", tell=fail_from_now_on)
    with device.opened(dev) as opened:
        assert opened.status().info[opened.status().running or 0].version == (1, 1, 0)
