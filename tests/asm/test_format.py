"""Formatting: what is assembled stays the same, bit for bit; comments stay; the style is that of the firmware."""

from __future__ import annotations

import random
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lutra.asm import AsmError, Image, assemble, assemble_text
from lutra.asm.passes.parse import TEXT_OR_COMMENT
from lutra.asm.text.format import format_range, format_text
from lutra.firmware.manifest import assembled
from support.firmware import EVERYTHING

ROOT = Path(__file__).parents[2]
FIRMWARE = ROOT / "firmware"
SOURCES = sorted(p for p in FIRMWARE.rglob("*") if p.suffix in (".s", ".inc"))
CASES = sorted((ROOT / "tests/asm/cases").glob("*/*.s"))
DOCUMENTS = sorted([ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *FIRMWARE.rglob("*.md")])
BLOCKS = [
    pytest.param(block, id=f"{path.relative_to(ROOT)}-{number}")
    for path in DOCUMENTS
    for number, block in enumerate(re.findall(r"^```asm\n(.*?)^```", path.read_text(), re.DOTALL | re.MULTILINE))
]


def meaning(text: str, name: str = "a.s") -> object:
    """Result of assembling a text; if it fails, the messages, whose columns are the layout's."""
    try:
        image = assemble_text(text, name, warnings=["no-all"])
    except AsmError as error:
        return sorted(d.message for d in error.diagnostics)
    return image.program, image.memory, image.symbols, image.entry


def comments(text: str) -> list[str]:
    """The comments of a text, without the blanks at the ends of their lines."""
    found = (m[0] for m in TEXT_OR_COMMENT.finditer(text) if m[0].startswith(("//", ";", "/*")))
    return [re.sub(r"[ \t\r\f]+(?=\n|$)", "", comment).rstrip("\n") for comment in found]


def solid(text: str) -> str:
    """All but the blanks."""
    return re.sub(r"[ \t\r\n\f]", "", text)


def check(text: str, name: str = "a.s") -> str:
    """The formatted text, after all that holds for any text."""
    formatted = format_text(text)
    assert format_text(formatted) == formatted
    assert solid(formatted) == solid(text.removeprefix("\ufeff"))
    assert comments(formatted) == comments(text)
    assert meaning(formatted, name) == meaning(text, name)
    return formatted


# ------------------------------------------------------------------------------ the firmware


def unkempt(text: str, source: random.Random) -> str:
    """A text with other blanks where the layout has some: before and after words, between lines, at their ends."""

    def other(found: re.Match[str]) -> str:
        return source.choice((" ", "  ", "\t", "   "))

    lines = []
    for line in text.split("\n"):
        code = line.split("//")[0]
        if code.strip() and "=" not in code.split('"')[0]:
            head = re.match(r"\s*(?:[\w.\\@()]+:\s*)*[\w.\\@()]*", code)
            assert head is not None
            start = source.choice(("", " ", "\t")) + re.sub(r"(?<=\S)\s+", other, head[0].lstrip())
            rest = re.sub(r"^\s+", other, code[head.end() :])
            rest = rest if '"' in rest else re.sub(r"(?<=,) (?=[\w\\])", lambda _: source.choice(("", " ")), rest)
            comment = line[len(code) :]
            # Near the column that its comment is in.
            line = start + rest.rstrip() if not comment else (start + rest.rstrip()).ljust(len(code)) + comment
            line = line if "\t" not in line.strip() or not comment else line.replace("\t", " ")
        lines.append(line + source.choice(("", "", " ", "\t")))
        if not line.strip():
            lines += [""] * source.choice((0, 0, 1, 3))
    return "\n".join(lines) + "\n" * source.choice((0, 1, 2))


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(FIRMWARE)))
def test_firmware_is_formatted(path: Path) -> None:
    text = path.read_text()
    assert format_text(text) == text


ALL_IMAGES = pytest.mark.nightly("all images of the firmware; one of twelve shows a fault of the layout")


@pytest.mark.parametrize("every", [12, pytest.param(1, marks=ALL_IMAGES)])
def test_images_of_the_firmware_are_the_same_after_formatting(tmp_path: Path, every: int) -> None:
    """From sources with other blanks, included files among them."""
    source = random.Random(1)
    neat = tmp_path / "neat"
    shutil.copytree(FIRMWARE, neat, ignore=shutil.ignore_patterns("host", "*.md"))
    sources = [path for path in SOURCES if "host" not in path.parts]
    for path in sources:
        text = unkempt(path.read_text(), source)
        assert text != path.read_text()
        formatted = format_text(text)
        assert comments(formatted) == comments(path.read_text())
        (neat / path.relative_to(FIRMWARE)).write_text(formatted)
    images = {part.image.name: part.image for c in EVERYTHING.ciphers for part in c.implementations}
    for image in list(images.values())[::every]:
        moved = [neat / path.relative_to(FIRMWARE) for path in (*image.sources, *image.include_dirs)]
        again = assemble(moved[: len(image.sources)], moved[len(image.sources) :], warnings=["no-all"])
        assert all_of(again) == all_of(assembled(image)), image.name


def all_of(image: Image) -> tuple[object, ...]:
    symbols = {(s.name, s.space, s.value, s.is_global) for s in image.symbols}
    return image.program, image.memory, symbols, image.entry


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(FIRMWARE)))
def test_layout_of_the_firmware_comes_back(path: Path) -> None:
    text = path.read_text()
    for seed in range(1):
        messy = unkempt(text, random.Random(seed))
        # The arguments of macros and the columns of tables are the author's.
        wanted, found = (re.sub(r"(?<=,) +", "", t) for t in (text, format_text(messy)))
        assert re.sub(r" +//", " //", found) == re.sub(r" +//", " //", wanted)


@pytest.mark.parametrize("block", BLOCKS)
def test_blocks_of_the_documents_keep_their_meaning_and_are_formatted(block: str) -> None:
    assert check(block) == block


@pytest.mark.parametrize("path", CASES, ids=lambda p: p.stem)
def test_cases_of_the_assembler_keep_their_meaning(path: Path) -> None:
    check(path.read_text(), str(path))


# ------------------------------------------------------------------------------ made programs

BLANK = st.sampled_from(["", " ", "  ", "\t", " \t "])
GAP = st.sampled_from([" ", "  ", "\t", "   "])
COMMENT = st.sampled_from(
    [
        "",
        "// it's one",
        "; another // here",
        "/* in one line */",
        '// "quoted',
        "/**/",
        "// /* no block",
        "/* a */ // b",
    ]
)
NUMBER = st.sampled_from(
    ["1", "0x1f", "count", "(count + 2) * 3", "1 ? 2 : 3", "f(1,2)", "table[1 ]", "'a'", "','", "';'"]
)
STRING = st.sampled_from(['"a  b"', '"//"', '"; x"', '"/* */"', '"\\""', '"a,b"', '"it\'s"', '"\\\\"'])
REGISTER = st.sampled_from(["v0", "v1", "alias1"])


@st.composite
def statements(draw: st.DrawFn, inside: bool = False) -> str:
    """A statement with blanks wherever they may be; `inside`: of a macro with the parameters a and b."""
    one = draw(NUMBER) if not inside else draw(st.one_of(NUMBER, st.just("\\a")))
    comma = f"{draw(BLANK)},{draw(BLANK)}"
    gap = draw(GAP)
    made = [
        f"nop{draw(BLANK)}",
        f"mov{gap}{draw(REGISTER)}{comma}{draw(REGISTER)}{draw(BLANK)}^{draw(BLANK)}m2[ar0++]",
        f"xor{gap}{{v0{comma}m3[ar1 += s]}}{comma}v1{comma}v2",
        f"arset{gap}ar0{comma}{one}",
        f".insn{gap}{one}{comma}{one}",
        f".if{gap}{one}",
        f".else{draw(BLANK)}",
        ".endif",
    ]
    data = [
        f".byte{gap}{one}{comma}{one}",
        f".ascii{draw(BLANK)}{draw(STRING)}{comma}{draw(STRING)}",
        f".row{gap}000102030405060708090a0b0c0d0e0f{comma}00000000000000000000000000000000",
        f".fill{gap}3{comma}{one}",
    ]
    calls = [
        f"m{gap}{one}{comma}{draw(STRING)}",
        f"m{gap}b{draw(BLANK)}={draw(BLANK)}{draw(STRING)}{comma}a={one}",
        f"m{gap}(1,  2){comma}{draw(STRING)}",
    ]
    section = draw(st.sampled_from([".section text", ".section m0", ".section\tt0.*"]))
    chosen = [made, data, [section]] if inside else [made, data, [section], calls, calls]
    return draw(st.sampled_from(draw(st.sampled_from(chosen))))


@st.composite
def lines(draw: st.DrawFn, inside: bool = False) -> str:
    """A line: labels, a statement, a comment."""
    number = draw(st.integers(0, 999_999))
    label = draw(st.sampled_from(["", "", "", f"l{number}{draw(BLANK)}:", f".L_x{number}:"]))
    if inside and label:
        label = f".L_x{number}\\@{draw(BLANK)}:"
    body = draw(st.one_of(statements(inside), st.just("")))
    return f"{draw(BLANK)}{label}{draw(BLANK)}{body}{draw(BLANK)}{draw(COMMENT)}{draw(BLANK)}"


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A program; most assemble."""
    body = draw(st.lists(lines(inside=True), max_size=4))
    text = [
        f"count{draw(BLANK)}={draw(BLANK)}4",
        f"longer_count{draw(BLANK)}={draw(BLANK)}count{draw(GAP)}+ 1 // {draw(BLANK)}kept",
        f"{draw(BLANK)}.alias{draw(GAP)}alias1{draw(BLANK)},{draw(BLANK)}v2",
        f".function{draw(GAP)}f(x,{draw(BLANK)}y) ={draw(GAP)}x + y",
        f".array table{draw(BLANK)}= 1,{draw(BLANK)}2, 3",
        f".macro{draw(GAP)}m{draw(GAP)}a{draw(BLANK)},{draw(BLANK)}b",
        *body,
        f".section m1{draw(BLANK)}",
        f"\t.ascii{draw(GAP)}\\b{draw(BLANK)}",
        ".section text",
        ".endm",
        *draw(st.lists(lines(), max_size=8)),
        draw(st.sampled_from(["", "/* over", "/* of\n   several  \n// lines */ nop"])),
        draw(st.sampled_from([" halt", ".rept 2\n nop ;x\n.byte \\+\n.endr"])),
    ]
    return draw(st.sampled_from(["\n", "\n\n\n", "\r\n"])).join(text)


@settings(max_examples=150, deadline=None)
@given(programs())
def test_made_programs_keep_their_meaning(text: str) -> None:
    # The assembler is given files, whose line ends it unifies.
    check(text.replace("\r\n", "\n"))
    assert format_text(text) == format_text(text.replace("\r\n", "\n"))


PIECES = [*"abv0:=,.\\@+()\"'/*; \t\n\r\f\v\u00a0\u20ac#[]{}", ".macro ", "nop ", "m2[ar0++]", "/*", "*/", "//"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_any_text_keeps_all_but_its_blanks(text: str) -> None:
    check(text)


# ------------------------------------------------------------------------------ the style


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("nop", "        nop\n"),
        ("mov v0,v1", "        mov     v0, v1\n"),
        ("key : .row 00", "key:    .row    00\n"),
        ("a: b:nop", "a:      b:      nop\n"),
        ("a_long_label: nop", "a_long_label:   nop\n"),
        ("        nop\n  loop:", "        nop\nloop:\n"),
        ("a=1", "a       = 1\n"),
        ("a=1\nlonger_name = 2\n\nb=3", "a           = 1\nlonger_name = 2\n\nb       = 3\n"),
        ("nop // x", "        nop                             // x\n"),
        ("nop" + " " * 42 + "// x", "        nop                                     // x\n"),
        ("nop ; x\nmov v0, m2[ar0++] ^ wk ^ v2 ^ v3 // y",
         "        nop                                     ; x\n"
         "        mov     v0, m2[ar0++] ^ wk ^ v2 ^ v3    // y\n"),
        ('nop ; x\n.ascii "123456789012345678901234567890" // y',
         "        nop                             ; x\n"
         '        .ascii  "123456789012345678901234567890" // y\n'),
        ("// x\n  // y\n" + " " * 39 + "// z", "// x\n        // y\n" + " " * 40 + "// z\n"),
        ("\n\nnop\n\n\n\nnop\n\n", "        nop\n\n        nop\n"),
        (".macro m a,b = 1\n.endm", "        .macro  m a, b = 1\n        .endm\n"),
        (".byte 1,  2,10", "        .byte   1,  2, 10\n"),
        ("m  1,\"a  b\",(c ,d)", "        m       1, \"a  b\", (c ,d)\n"),
        (".L_x\\@: \\op  \\a,\\b", ".L_x\\@: \\op     \\a, \\b\n"),
        ("\ufeffnop\r\n", "        nop\n"),
        ("", ""),
        ("\n \n", ""),
    ],
)  # fmt: skip
def test_layout_is_the_style(text: str, formatted: str) -> None:
    assert format_text(text) == formatted


@pytest.mark.parametrize(
    "line",
    ['.ascii  "open', "mov v0,'", "?? what,  now", " .nothing  1,2", "  a =", "/* x */   nop", "nop /* x */  nop"],
)
def test_line_that_cannot_be_taken_apart_stays(line: str) -> None:
    assert format_text(f"nop\n{line} \nnop") == f"        nop\n{line}\n        nop\n"


def test_block_comment_of_several_lines_stays() -> None:
    text = "        nop                             /* one\n  two\n\n     three */   nop\n"
    assert format_text(text) == text


def test_range_changes_no_other_line() -> None:
    text = "nop\nmov v0,v1\n\n\nnop // x\n"
    assert format_range(text, 2, 4) == "nop\n        mov     v0, v1\n\n\nnop // x\n"
    assert format_range(text.replace("\n", "\r\n"), 2, 4) == format_range(text, 2, 4).replace("\n", "\r\n")
    assert format_range(text, 5, 9) == "nop\nmov v0,v1\n\n\n        nop                             // x\n"


@settings(max_examples=60, deadline=None)
@given(programs(), st.data())
def test_any_range_keeps_the_meaning(text: str, data: st.DataObject) -> None:
    text = text.replace("\r\n", "\n")
    count = text.count("\n") + 1
    first = data.draw(st.integers(1, count))
    last = data.draw(st.integers(first, count))
    formatted = format_range(text, first, last)
    old, new = text.split("\n"), formatted.split("\n")
    assert (old[: first - 1], old[last:]) == (new[: first - 1], new[last:])
    assert len(old) == len(new)
    assert meaning(formatted) == meaning(text)
