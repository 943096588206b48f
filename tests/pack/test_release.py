"""A pack whose algorithm another image decrypts: built, and run so that no plaintext leaves before its tag."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lutra.firmware import aead, device, pack
from lutra.firmware.device.session import DeviceSession, process
from lutra.firmware.errors import InputError
from lutra.firmware.manifest import assembled
from lutra.firmware.pack import format as layout
from lutra.firmware.pack import needs
from lutra.firmware.request import Request
from lutra.firmware.session import Session
from lutra.iss import engine as engines
from support import closing, devices
from support.closing import CIPHER, Closing

KEY, NONCE, AAD = bytes(range(16)), bytes(range(12)), b"header"
SIZES = (0, 1, 16, 75, 4048, 4049, 9000)
TEXT = bytes(range(200, 250)) * 200


@pytest.fixture(autouse=True)
def engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every simulator closes its memories."""
    monkeypatch.setitem(engines._factories, "iss", Closing)


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> pack.Settings:
    return closing.settings(closing.write(tmp_path_factory.mktemp("shut") / "shut"))


def one_image(settings: pack.Settings) -> pack.Settings:
    """Return what a pack was made of before it could have the image that decrypts."""
    return replace(settings, algorithms=tuple(replace(c, implementations=(c.default,)) for c in settings.algorithms))


@pytest.fixture
def contents(settings: pack.Settings) -> pack.Contents:
    return pack.contents(pack.decode(pack.encode(pack.build(settings))))


def sealed(size: int, flip: int = 0) -> bytes:
    """Return a message that was encrypted by other firmware. flip: bits that differ in the first byte of its tag."""
    data = bytearray(aead.encrypt("aes-128-gcm", KEY, NONCE, TEXT[:size], AAD))
    data[size] ^= flip
    return bytes(data)


class Eavesdropper(Closing):
    """An engine whose host looks into m3 after every routine, and before the next one. seen: texts found there."""

    def __init__(self, rounds: int = 2) -> None:
        super().__init__(rounds)
        self.seen = 0

    def run(self, entry: int, max_cycles: int | None = None) -> engines.Stop:
        stop = super().run(entry, max_cycles)
        self.seen += TEXT[:64] in self.read("m3", 0, self.size("m3"))
        return stop


def test_a_pack_has_an_image_for_each_direction(contents: pack.Contents, settings: pack.Settings) -> None:
    (algorithm,) = contents.manifest.algorithms
    assert pack.build(settings).format == contents.manifest.format == 2
    assert [part.name for part in contents.manifest.images] == ["shut-plain", "shut-open"]
    assert algorithm.decryption is not None
    assert (algorithm.image, algorithm.decryption.image) == (0, 1)
    assert (algorithm.input.job_bytes, algorithm.decryption.input.job_bytes) == (4096, 4048)
    assert "open" in algorithm.routines["decrypt"] and "open" not in algorithm.routines["encrypt"]
    assert [(answer.name.split(":")[0], answer.image) for answer in contents.answers] == [
        (f"{CIPHER} decrypt", 1),
        (f"{CIPHER} decrypt, wrong tag", 1),
        (f"{CIPHER} encrypt", 0),
    ]


def test_known_answers_of_both_images_come_out(contents: pack.Contents) -> None:
    assert [outcome.error for outcome in pack.run(contents, Closing())] == [""] * 3


def test_a_core_that_does_not_close_its_memories_fails_the_known_answer_with_a_wrong_tag(
    contents: pack.Contents,
) -> None:
    errors = [outcome.error for outcome in pack.run(contents, engines.Simulator(2, wipe=True))]
    assert [bool(error) for error in errors] == [False, True, False]
    assert "wrong answer at m3@0x000: expected 00000000" in errors[1]


def test_firmware_that_gives_plaintext_out_with_a_wrong_tag_makes_no_pack(
    settings: pack.Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(engines._factories, "iss", lambda rounds: engines.Simulator(rounds, wipe=True))
    with pytest.raises(pack.PackError, match="image shut-open gives plaintext out with a wrong tag; its routine"):
        pack.build(settings)


def test_an_image_without_a_known_answer_is_named(contents: pack.Contents) -> None:
    assert pack.unanswered(contents) == ()
    only = replace(contents, answers=contents.answers[1:])
    assert pack.unanswered(only) == (f"{CIPHER} (decryption)",)


def test_the_last_rows_of_input_and_output_are_in_the_map(settings: pack.Settings) -> None:
    """Also of an image without a known answer, whose runs would show them."""
    (cipher,) = settings.algorithms
    chosen = cipher.taken("decrypt")
    regions = {region.space: region for region in needs.regions(assembled(chosen.image), [(cipher, chosen)], [])}
    assert [regions[space].first + regions[space].size for space in ("m2", "m3")] == [4096, 4096]


@pytest.mark.parametrize("size", SIZES)
def test_a_session_decrypts_with_the_other_image(contents: pack.Contents, size: int) -> None:
    engine = Closing()
    session = Session(engine)
    cipher = pack.catalogue(contents, Path("x.pack")).cipher(CIPHER)
    session.set_up(cipher, "encrypt", KEY)
    assert aead.process(session, cipher, "encrypt", NONCE, TEXT[:size], AAD) == sealed(size)
    session.set_up(cipher, "decrypt", KEY)
    assert aead.process(session, cipher, "decrypt", NONCE, sealed(size), AAD) == TEXT[:size]
    with pytest.raises(aead.WrongTagError):
        aead.process(session, cipher, "decrypt", NONCE, sealed(size, flip=1), AAD)
    assert engine.backend.wipes == (size <= 4048)  # of a longer one, no plaintext was in the core
    assert aead.process(session, cipher, "decrypt", NONCE, sealed(size), AAD) == TEXT[:size]


@pytest.mark.parametrize(("images", "seen"), [(1, 1), (2, 0)])
@pytest.mark.parametrize("size", [75, 4048, 4096])
def test_plaintext_is_readable_before_its_tag_with_one_image_only(
    settings: pack.Settings, size: int, images: int, seen: int
) -> None:
    """With a wrong tag; in the core that the host looks into while a session decrypts."""
    built = pack.build(settings if images == 2 else one_image(settings))
    assert built.format == images
    cipher = pack.catalogue(pack.contents(built), Path("x.pack")).cipher(CIPHER)
    engine = Eavesdropper()
    session = Session(engine)
    session.set_up(cipher, "decrypt", KEY)
    with pytest.raises(aead.WrongTagError):
        aead.process(session, cipher, "decrypt", NONCE, sealed(size, flip=0x80), AAD)
    assert engine.seen >= seen and bool(engine.seen) == bool(seen)


@pytest.fixture
def opened(settings: pack.Settings, tmp_path: Path) -> Iterator[device.Device]:
    """A device that runs the pack."""
    with device.opened(devices.create(tmp_path / "dev", slots=64 * 1024)) as dev:
        dev.update(devices.signed(pack.build(settings)))
        yield dev


def test_a_device_loads_the_image_of_the_direction_and_wipes_its_core_after_a_wrong_tag(
    opened: device.Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[int] = []
    load = device.Device.load

    def counted(self: device.Device, image: int) -> None:
        loaded.append(image)
        load(self, image)

    monkeypatch.setattr(device.Device, "load", counted)
    engine = opened.core.engine
    assert isinstance(engine, Closing)
    session = DeviceSession(opened)
    cipher = session.catalogue.cipher(CIPHER)
    there, back = (Request(cipher, way, KEY, NONCE, AAD) for way in ("encrypt", "decrypt"))
    assert process(session, there, TEXT[:100]) == sealed(100)
    assert process(session, back, sealed(100)) == TEXT[:100]
    with pytest.raises(aead.WrongTagError):
        process(session, back, sealed(100, flip=4))
    # After the wipe the loader has put the image into the core again.
    assert (engine.backend.wipes, loaded) == (1, [0, 1, 1])
    assert process(session, back, sealed(100)) == TEXT[:100]
    opened.self_test()


def test_a_device_whose_core_does_not_close_its_memories_refuses_the_pack(
    settings: pack.Settings, tmp_path: Path
) -> None:
    data = devices.signed(pack.build(settings))
    with device.opened(devices.create(tmp_path / "dev", slots=64 * 1024)) as dev:
        dev.core.engine = engines.Simulator(2, wipe=True)
        with pytest.raises(device.LoaderError, match=r"a known answer does not come out of the core \(known answer 1,"):
            dev.update(data)


def test_a_direction_without_routines_is_refused(contents: pack.Contents) -> None:
    (algorithm,) = contents.manifest.algorithms
    without = replace(algorithm, decrypt=(), decryption=None)
    manifest = replace(contents.manifest, algorithms=(without,))
    cipher = pack.catalogue(replace(contents, manifest=manifest), Path("x.pack")).cipher(CIPHER)
    with pytest.raises(InputError, match=f"{CIPHER} cannot decrypt: its firmware has only the other direction"):
        Session(Closing()).set_up(cipher, "decrypt", KEY)


def test_places_of_the_other_image_are_checked(contents: pack.Contents) -> None:
    (algorithm,) = contents.manifest.algorithms
    assert algorithm.decryption is not None
    elsewhere = replace(algorithm.decryption, output=pack.Place("m0", 0))
    manifest = replace(contents.manifest, algorithms=(replace(algorithm, decryption=elsewhere),))
    with pytest.raises(pack.PackError, match=f"x.pack: algorithm {CIPHER} has its input in m2 and its output at m0@"):
        pack.catalogue(replace(contents, manifest=manifest), Path("x.pack"))


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"image": 0}, "expected another image for decryption of algorithm shut-128-gcm than number 0"),
        ({"image": 2}, "expected an image of algorithm shut-128-gcm among the parts, not number 2"),
        ({"key": pack.Place("t9", 0)}, "expected a memory of m0, "),
    ],
)
def test_a_writer_refuses_what_a_reader_would(contents: pack.Contents, change: dict[str, Any], error: str) -> None:
    (algorithm,) = contents.manifest.algorithms
    assert algorithm.decryption is not None
    wrong = replace(algorithm, decryption=replace(algorithm.decryption, **change))
    with pytest.raises(pack.PackError, match=error):
        layout.MANIFEST.write(replace(contents.manifest, algorithms=(wrong,)))
