"""The checksum of an image: what it covers, and that tools may lay the file out anew."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from lutra.asm import ElfError, Image, assemble_text, read_elf
from lutra.asm.formats.checksum import digest
from lutra.asm.formats.elf import elf_bytes, image_of

SOURCE = """
        .section m0
key:    .row    000102030405060708090a0b0c0d0e0f
        .section text
        .global main
main:   mov     v0, m0[key]
        halt
"""
# Next to llvm-tblgen-19 in the package that the generator needs.
OBJCOPY = "llvm-objcopy-19"


@pytest.fixture
def image() -> Image:
    return image_of(elf_bytes(assemble_text(SOURCE, "first.s")))


@pytest.mark.parametrize(
    "change",
    [
        lambda i: {"entry": 1},
        lambda i: {"program": [i.program[0] ^ 1, *i.program[1:]]},
        lambda i: {"program": [*i.program, 0]},
        lambda i: {"memory": i.memory | {"m0": [(16, i.memory["m0"][0][1])]}},
        lambda i: {"memory": i.memory | {"m0": []}},
        lambda i: {"memory": i.memory | {"m0": [], "m1": i.memory["m0"]}},
        lambda i: {"symbols": i.symbols[1:]},
        lambda i: {"symbols": tuple(replace(s, value=s.value + 1) for s in i.symbols)},
        lambda i: {"lines": {0: ("first.s", 2)}},
    ],
)  # fmt: skip
def test_every_part_of_an_image_changes_its_checksum(image: Image, change) -> None:  # type: ignore[no-untyped-def]
    assert digest(replace(image, **change(image))) != digest(image)


@pytest.mark.parametrize("section", [".m0", ".debug_line", ".text", ".note.lutra"])
def test_a_section_whose_name_is_damaged_is_refused(section: str) -> None:
    """Memory would be zero, or symbols and lines missing, without a word."""
    data = elf_bytes(assemble_text(SOURCE, "first.s"))
    name = section.encode()
    assert data.count(name + b"\0") == 1
    with pytest.raises(ElfError):
        image_of(data.replace(name + b"\0", name[:-1] + b"9\0"))


def test_a_section_that_no_memory_takes_is_named() -> None:
    data = elf_bytes(assemble_text(SOURCE, "first.s"))
    with pytest.raises(ElfError, match=r"section .m9 is loadable, but there is no memory of that name"):
        image_of(data.replace(b".m0\0", b".m9\0"))


class TestObjcopy:
    """LLVM's tool copies images of a machine that it does not know."""

    def copy(self, folder: Path, *options: str) -> Path:
        made, copied = folder / "made.elf", folder / "copied.elf"
        made.write_bytes(elf_bytes(assemble_text(SOURCE, "first.s")))
        subprocess.run([OBJCOPY, *options, made, copied], check=True, capture_output=True)
        return copied

    def test_a_copy_is_the_same_image(self, tmp_path: Path, image: Image) -> None:
        assert read_elf(self.copy(tmp_path)) == image

    @pytest.mark.parametrize("option", ["--strip-all", "--remove-section=.note.lutra"])
    def test_an_image_without_a_checksum_is_refused_with_the_remedy(self, option: str, tmp_path: Path) -> None:
        with pytest.raises(ElfError, match=r"has no checksum: .*; assemble it again"):
            read_elf(self.copy(tmp_path, option))

    @pytest.mark.parametrize("option", ["--strip-debug", "--strip-symbol=key", "--set-start=8"])
    def test_an_image_that_was_edited_is_refused_with_the_remedy(self, option: str, tmp_path: Path) -> None:
        with pytest.raises(ElfError, match=r"is damaged: checksum mismatch; assemble it again"):
            read_elf(self.copy(tmp_path, option))
