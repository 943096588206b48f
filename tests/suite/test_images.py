"""Images that the tests keep are those that the assembler makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.firmware import manifest
from lutra.firmware.ciphers import ImageSource
from support import images


@pytest.fixture
def source() -> ImageSource:
    return manifest.catalogue().named("aes-128-ctr", "cipher").default.image


@pytest.fixture
def empty(source: ImageSource, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for images, after the catalogue has taken what it needs."""
    monkeypatch.setattr(images, "KEPT", tmp_path / "kept")
    return tmp_path / "kept"


def test_a_kept_image_is_the_one_that_was_assembled(
    source: ImageSource, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = images.assembled(source, "no-all")
    assert len(list(empty.glob("*/*"))) == 1
    monkeypatch.setattr(images, "ASSEMBLE", lambda *_: pytest.fail("it is assembled again"))
    assert images.assembled(source, "no-all") == first == manifest.assembled(source)


def test_a_change_of_a_source_makes_all_images_anew(
    source: ImageSource, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    images.assembled(source, "no-all")
    monkeypatch.setattr(images, "state", lambda: "another")
    images.assembled(source, "no-all")
    (kept,) = empty.glob("*/*")
    assert kept.parent.name == "another"
