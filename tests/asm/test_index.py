"""The index of names: columns are followed back through macros, and what it says holds for all firmware."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.asm.link import Analysis, analyse
from lutra.asm.passes.blocks import lines_of
from lutra.asm.passes.sources import Sources
from lutra.asm.reporter import Reporter
from lutra.asm.text.columns import Columns
from lutra.asm.text.index import Index, build
from lutra.firmware.manifest import SOURCES
from support.sampling import sampled


def of(*sources: Path) -> tuple[Analysis, Index, dict[str, list[str]]]:
    """A program, its index, and the lines of its files."""
    files = Sources()
    analysis = analyse(sources, files)
    lines = {file: [line.text for line in lines_of(file, text, None, Reporter())] for file, text in files.texts.items()}
    return analysis, build(analysis, files.texts), lines


MORE = pytest.mark.nightly("thirteen sources of fourteen of the firmware, which use names in the same ways")


@pytest.mark.parametrize("source", sampled(sorted(SOURCES.glob("*/*.s")), 14, MORE), ids=lambda path: path.stem)
def test_every_place_of_a_name_in_the_firmware_has_its_text_or_is_put_together(source: Path) -> None:
    _, index, lines = of(source)
    assert index.uses
    for name, uses in index.uses.items():
        assert any(use.defines for use in uses.values()), name
        for place, use in uses.items():
            assert use.name is name or use.name == name
            text = lines[place.file][place.line - 1][place.column : place.end]
            assert text == name.text or "\\" in text, (name, place, text)


def test_characters_of_a_line_come_from_the_call_the_body_and_the_default(tmp_path: Path) -> None:
    source = tmp_path / "a.s"
    source.write_text(
        "        .macro outer c, row=m0[0]\n        .macro \\c\\()_inner to\n        mov \\to, \\row\n        .endm\n"
        "        .endm\n        outer aes\n        .alias state, v0\n        aes_inner state\n        halt\n"
    )
    analysis, _, _ = of(source)
    columns = Columns()
    line = next(line for line, _ in analysis.units[0].statements if "mov" in line.text)
    assert line.text == "        mov v0, m0[0]"
    placed = [
        (line.text[run.start : run.end], run.source.line, run.source.column, run.literal) for run in columns.runs(line)
    ]
    assert placed == [
        ("        mov ", 3, 0, True),
        ("v0", 8, 18, False),
        (", ", 3, 15, True),
        ("m0[0]", 1, 28, True),
    ]
    assert columns.span(line, 16, 21) == (str(source), 1, 28, 33)


def test_the_number_of_a_repetition_was_written_as_its_counter(tmp_path: Path) -> None:
    source = tmp_path / "a.s"
    source.write_text("        .rept 12\nlabel_\\+: nop\n        .endr\n        jmp label_11\n")
    _, index, _ = of(source)
    name = next(name for name in index.uses if name.text == "label_11")
    assert sorted(place[1:] for place in index.uses[name]) == [(2, 0, 8), (4, 12, 20)]


def test_the_firmware_has_the_same_words_with_an_index_as_without(tmp_path: Path) -> None:
    from lutra.asm import assemble

    source = SOURCES / "aes" / "aes_gcm.s"
    analysis, _, _ = of(source)
    assert analysis.image is not None
    assert analysis.image.program == assemble([source]).program


def test_a_program_that_cannot_be_assembled_has_names_too(tmp_path: Path) -> None:
    source = tmp_path / "a.s"
    source.write_text("start:  xro v0\n        jmp start\n        jmp nowhere\n")
    analysis, index, _ = of(source)
    assert analysis.image is None and len(analysis.diagnostics) == 2
    (name,) = index.uses
    assert len(index.uses[name]) == 2
