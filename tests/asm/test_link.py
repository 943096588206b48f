"""Several source files: each has its own names, `.global` ones are shared, contents follow one another."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.asm import AsmError, assemble


def write(folder: Path, **sources: str) -> list[Path]:
    paths = [folder / f"{name}.s" for name in sources]
    for path, text in zip(paths, sources.values(), strict=True):
        path.write_text(text)
    return paths


def errors(sources: list[Path], **options: object) -> list[str]:
    with pytest.raises(AsmError) as caught:
        assemble(sources, **options)  # type: ignore[arg-type]
    return [f"{Path(d.file).name}:{d.line}: {d.message} | {d.hint}" for d in caught.value.diagnostics]


def test_sections_follow_each_other(tmp_path: Path) -> None:
    a = "nop\n.section m0\n.byte 1\n.section t0.*\n.byte 7"
    b = ".section m0\nmine: .byte 2\n.text\nhere: arset ar0, mine\n jmp here\n.section t0.*\n.byte 8"
    image = assemble(write(tmp_path, a=a, b=b))
    assert [f"{w:016x}" for w in image.program] == ["0100000000000000", "1000004000000000", "0600000000040000"]
    # Data of an object begin at a row.
    assert image.memory["m0"] == [(0, b"\1"), (16, b"\2")]
    assert image.memory["t0"] == [(0, b"\7" * 16 + b"\10" * 16)]
    assert image.symbol("mine").value == 16
    assert image.lines[1] == (str(tmp_path / "b.s"), 4)


def test_global_names_are_shared_in_both_directions(tmp_path: Path) -> None:
    a = ".global main, helper\nmain: call helper\n halt\n.entry main"
    b = ".global helper, main, limit\n.equ limit, 5\nhelper: jmp main"
    c = "arset ar0, limit"
    image = assemble(write(tmp_path, b=b, a=a, c=c))
    assert image.entry == 1
    assert image.program[1] & 0xFFFF << 18 == 0
    assert image.program[3] == 0x1000001400000000
    assert image.symbol("helper").is_global


def test_a_global_expression_has_the_names_of_its_own_file(tmp_path: Path) -> None:
    a = "arset ar0, size\nn = 7\narset ar1, n"
    b = ".global size\nn = 5\nsize = chain0\n" + "".join(f"chain{i} = chain{i + 1}\n" for i in range(60))
    image = assemble(write(tmp_path, a=a, b=f"{b}chain60 = 2 * n"))
    assert image.program == assemble(write(tmp_path, c="arset ar0, 10\narset ar1, 7")).program


def test_local_names_do_not_meet(tmp_path: Path) -> None:
    image = assemble(write(tmp_path, a="x: .L1: jmp x", b="x: .L1: jmp .L1"))
    assert [s.value for s in image.symbols if s.name == "x"] == [0, 1]
    assert image.program == [0x0600000000000000, 0x0600000000040000]


def test_undefined_and_duplicate_names_are_reported_with_places(tmp_path: Path) -> None:
    a = ".global f\nf: jmp secret\n jmp nowhere"
    b = "nop\nsecret:\n .global f\nf: nop\n.entry f"
    c = ".entry c\nc:"
    found = errors(write(tmp_path, a=a, b=b, c=c))
    names = [tmp_path / n for n in ("a.s", "b.s")]
    assert found == [
        f"b.s:3: global symbol 'f' is defined twice | first defined in {names[0]}:2",
        f"a.s:2: undefined symbol 'secret' | {names[1]} defines it, but not as .global",
        "a.s:3: undefined symbol 'nowhere' | ",
        f"c.s:1: .entry is given twice | the first is in {names[1]}:5",
    ]


def test_defines_are_known_to_every_file(tmp_path: Path) -> None:
    text = ".if N > 2\n arset ar0, N\n.endif"
    sources = write(tmp_path, a=text, b=text)
    assert assemble(sources, defines={"N": 4}).program == assemble(sources, defines={"N": "2 + 2"}).program
    assert errors(sources, defines={"N": "4 +"})[0].startswith("<command line>:1: expected an expression")
    assert errors(sources, defines={"1N": 4})[0].startswith("<command line>:1: '1N' is not a name")


def test_include_folders_are_searched_after_the_own_folder(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    for folder, number in ((first, 1), (second, 2)):
        folder.mkdir()
        (folder / "value.inc").write_text(f".equ value, {number}")
    sources = write(tmp_path, a='.include "value.inc"\n arset ar0, value')
    assert assemble(sources, [second, first]).program == [0x1000000800000000]
    (tmp_path / "value.inc").write_text(".equ value, 3")
    assert assemble(sources, [second, first]).program == [0x1000000C00000000]


def test_sources_that_cannot_be_read_are_all_named(tmp_path: Path) -> None:
    (tmp_path / "latin.s").write_bytes(b"nop\n// \xe9")
    found = errors([tmp_path / "nothing.s", tmp_path / "latin.s", tmp_path])
    assert found[0] == "nothing.s:0: cannot be read: No such file or directory | "
    assert found[1] == "latin.s:2: byte 0xe9 is not valid UTF-8 | save the file in UTF-8"
    assert "cannot be read" in found[2]


def test_program_memory_can_be_deeper(tmp_path: Path) -> None:
    sources = write(tmp_path, a=".org 1024\nnop")
    assert errors(sources) == ["a.s:2: section text is full: this would end at 1025 | program memory holds 1024 words"]
    assert len(assemble(sources, program_words=2048).program) == 1025
