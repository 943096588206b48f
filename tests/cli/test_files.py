"""Files that a command line names: which may be the same, and how much is read."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lutra.asm.files import read_json, read_toml
from lutra.cli.errors import UsageError
from lutra.cli.files import distinct, read_bounded


def test_files_that_differ_are_taken() -> None:
    Path("in").write_bytes(b"")
    distinct({"IN": Path("in"), "--aad": None, "--key": Path("in")}, {"OUT": Path("out"), "--trace": Path("new")})


@pytest.mark.parametrize("name", ["in", "./in", "link", "hard", "folder/../in", "there/in"])
def test_an_output_that_is_an_input_is_refused_whatever_it_is_called(name: str) -> None:
    Path("in").write_bytes(b"kept")
    Path("folder").mkdir()
    Path("link").symlink_to("in")
    Path("there").symlink_to(".")
    Path("hard").hardlink_to("in")
    with pytest.raises(UsageError, match=r"^--trace .*: is the same file as IN; give another$"):
        distinct({"IN": Path("in")}, {"OUT": Path("out"), "--trace": Path(name)})


@pytest.mark.parametrize(("one", "two"), [("new", "./new"), ("new", "there/new"), ("dangling", "new"), ("-", "-")])
def test_two_outputs_of_one_file_are_refused_even_before_it_exists(one: str, two: str) -> None:
    Path("there").symlink_to(".")
    Path("dangling").symlink_to("new")
    with pytest.raises(UsageError, match="--listing"):
        distinct({}, {"-o": Path(one), "--listing": Path(two)})


def test_a_device_takes_any_number_of_outputs() -> None:
    null = Path("/dev/null")
    distinct({"IN": null}, {"-o": null, "--listing": null})


def test_standard_input_and_standard_output_are_two() -> None:
    distinct({"IN": Path("-")}, {"OUT": Path("-")})


def test_a_file_of_the_limit_is_read_and_a_longer_one_is_not() -> None:
    Path("in").write_bytes(bytes(4096))
    assert read_bounded(Path("in"), 4096, "m2") == bytes(4096)
    with pytest.raises(OSError, match="has more than 4095 bytes, the limit for m2"):
        read_bounded(Path("in"), 4095, "m2")


def test_a_device_without_end_is_read_up_to_the_limit() -> None:
    with pytest.raises(OSError, match="more than 4096 bytes"):
        read_bounded(Path("/dev/zero"), 4096, "m2")


def test_a_pipe_is_read_to_its_end() -> None:
    reading, writing = os.pipe()
    os.write(writing, b"abc")
    os.close(writing)
    assert read_bounded(Path(f"/dev/fd/{reading}"), 4096, "m2") == b"abc"
    os.close(reading)


@pytest.mark.parametrize(("read", "text"), [(read_json, "[" * 100_000), (read_toml, "a=" + "[" * 100_000)])
def test_a_document_nested_without_end_is_an_error_of_one_line(read: object, text: str) -> None:
    Path("deep").write_text(text)
    with pytest.raises(ValueError, match=r"^nested too deeply$"):
        read(Path("deep"), "a document")  # type: ignore[operator]
