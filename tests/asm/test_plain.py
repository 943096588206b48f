"""The short ways of the assembler give what the long ones give: plain lines, aliases, words made of parts."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from assembly_speed.program import texts
from lutra.asm.errors import Line, LineError
from lutra.asm.link import analyse
from lutra.asm.passes import plain
from lutra.asm.passes.aliases import WORD, Aliases
from lutra.asm.passes.encode import Encoder
from lutra.asm.passes.nodes import Instruction, Statement
from lutra.asm.passes.parse import parse_whole, strip_comment
from lutra.asm.passes.scope import Scope
from lutra.asm.passes.sources import Sources
from lutra.isa import load

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "firmware").glob("*/*.s"))
FOLDERS = ("aes", "aria", "camellia", "chacha20", "snow3g", "sm4", "zuc")
# The longest source of each.
LONGEST = [max((ROOT / "firmware" / name).glob("*.s"), key=lambda file: file.stat().st_size) for name in FOLDERS]
MUTATIONS = 1500
# What a mutation inserts: every character that means something in a line.
MARKS = ", \t[](){}^+-*/%<>=!~?:.;#'\"\\_$v0aAxm"


def lines() -> Iterator[str]:
    """Yield the different lines of the firmware, of the assembler's cases, and of a large program, without comments."""
    files = [*SOURCES, *sorted((ROOT / "firmware").glob("*/*.inc")), *sorted((ROOT / "tests/asm").rglob("*.s"))]
    every = [file.read_text(encoding="utf-8") for file in files] + list(texts(files=2, lines=2000).values())
    yield from dict.fromkeys(strip_comment(line).rstrip() for text in every for line in text.split("\n"))


def whole(text: str) -> Statement | None:
    """Return what the grammar makes of a line; None for an error."""
    try:
        return parse_whole(text)
    except LineError:
        return None


def test_a_plain_line_has_the_tree_that_the_grammar_gives_it() -> None:
    taken = instructions = 0
    for text in lines():
        tree, known = whole(text), plain.statement(text)
        assert known in (None, tree), text
        if tree is not None and isinstance(tree.body, Instruction):
            instructions += 1
            taken += known is not None
    assert taken > 0.9 * instructions > 1000


def test_a_changed_line_is_never_taken_for_another() -> None:
    rng = random.Random(1)
    known = list(lines())
    taken = wrong = 0
    for _ in range(MUTATIONS):
        text = rng.choice(known)
        for _ in range(rng.randint(1, 3)):
            at = rng.randint(0, len(text))
            other = rng.choice(known)
            text = rng.choice(
                (
                    text[:at] + rng.choice(MARKS) + text[at:],
                    text[:at] + text[at + 1 :],
                    text[:at] + other[rng.randint(0, len(other)) :],
                )
            )
        found = plain.statement(text)
        if found is not None:
            taken += 1
            assert found == whole(text), text
        wrong += whole(text) is None
    assert taken > MUTATIONS // 10
    assert wrong > MUTATIONS // 10


@pytest.mark.parametrize(
    "text",
    [
        "foo: bar v0, m1[a + 1], 2",
        ".La = 1",
        ".La: .Lb: nop",
        "xor v0, v0 , {m3[ar1++], v1 ^ m2[ar0]}",
        "nop",
        ".global a, .Lb, c",
        ".word 1, a + 2 * 3 - 1, 0x_1",
        "perm v0, m1[f(1, 2)], ctr++",
        "aesenc2 v0, ctr++ ^ wk, m0 : m1[ 0x10 ]",
    ],
)
def test_such_lines_are_plain(text: str) -> None:
    assert plain.statement(text) == parse_whole(text)


@pytest.mark.parametrize(
    "text",
    ["xor v0,", "xor v0,, v1", "a == 1", "xor{v0}", ".section m1", ".row 00", "x = v0 +", "x = 0x", 'x "a"', "a:= 1"],
)
def test_other_lines_are_left_to_the_grammar(text: str) -> None:
    assert plain.statement(text) is None


@pytest.mark.parametrize("source", LONGEST, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_words_made_of_parts_are_those_of_the_encoder(source: Path) -> None:
    analysis = analyse([source], Sources())
    encoder = Encoder(load())
    for address, item in analysis.owners.items():
        if isinstance(item.body, Instruction):
            assert encoder.encode(item.body, item.unit.scope, address) == analysis.program[address], item.line


def test_most_words_are_made_of_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    left = []

    def encode(self: Encoder, node: Instruction, scope: Scope, pc: int) -> int:
        left.append(pc)
        return 0

    monkeypatch.setattr(Encoder, "encode", encode)
    owners = analyse([ROOT / "firmware/aes/aes.s"], Sources()).owners
    assert 0 < len(left) < len(owners) // 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("xor v0, m1[0x10], m2[0x20]", "one slot cannot access two rows"),
        ("mov m1[ar0++], m1[ar1]", "two accesses to m1"),
        ("mov m1[ar0++], m2[ar0++]", "ar0 is modified twice"),
        ("xor v0, v0, m1[. + 1]", "is not the address of a row"),
    ],
)
def test_operands_that_do_not_go_together_are_refused_each_time(text: str, message: str, tmp_path: Path) -> None:
    source = tmp_path / "a.s"
    source.write_text("\n".join([text] * 3) + "\nhalt\n")
    found = [d for d in analyse([source], Sources()).diagnostics if message in d.message]
    assert [d.line for d in found] == [1, 2, 3]


def test_an_operand_with_the_location_differs_by_address(tmp_path: Path) -> None:
    source = tmp_path / "a.s"
    source.write_text("arset ar0, . + 1\narset ar0, . + 1\nhalt\n")
    analysis = analyse([source], Sources())
    assert len(set(analysis.program[:2])) == 2


def test_a_line_with_an_alias_is_shown_with_the_register_each_time(tmp_path: Path) -> None:
    source = tmp_path / "a.s"
    source.write_text(".alias x, v0\n" + "xor x, x,\nfoo x // twice\n" * 2 + "halt\n")
    found = analyse([source], Sources()).diagnostics
    assert [(d.line, d.source) for d in found] == [(2, "xor v0, v0,"), (3, "foo v0"), (4, "xor v0, v0,"), (5, "foo v0")]


def test_an_alias_changes_the_lines_after_it_only(tmp_path: Path) -> None:
    source = tmp_path / "a.s"
    text = "x = 16\n arset ar0, x\n.alias y, ar1\n arset y, x\n.alias z, ar2\n arset y, x\n arset z, x\nhalt\n"
    source.write_text(text)
    words = analyse([source], Sources()).program
    plain_words = tmp_path / "b.s"
    plain_words.write_text("".join(f"arset ar{n}, 16\n" for n in (0, 1, 1, 2)) + "halt\n")
    assert words == analyse([plain_words], Sources()).program


def test_a_macro_counts_from_its_definition_on(tmp_path: Path) -> None:
    source = tmp_path / "a.s"
    source.write_text("step v0\n.macro step r\n xor \\r, \\r, wk\n.endm\nstep v0\nstep v0\nhalt\n")
    found = analyse([source], Sources())
    assert [(d.line, d.message) for d in found.diagnostics] == [(1, "unknown instruction 'step'")]


def test_aliases_replace_whole_words_only() -> None:
    aliases = Aliases(load())
    names = {"x": "v0", "key": "wk", "x1": "v1", "in": "ar0"}
    for name, register in names.items():
        aliases.define(f" {name}, {register}", 0, 6, ())
    rng = random.Random(1)
    pieces = [*names, "X", "x$", "$x", ".x", "\\x", "xé", "éx", "x1x", '"', '"x"', " ", ",", "m1[", "]", "_", "1"]
    for _ in range(5000):
        text = "".join(rng.choice(pieces) for _ in range(rng.randint(1, 8)))
        expected = WORD.sub(lambda word: names.get(word[0], word[0]), text)
        assert aliases.replaced(text) == expected, text
    line = Line("xor x, x, key", "a.s", 1)
    assert re.findall(r"\w+", aliases.put(line).text) == ["xor", "v0", "v0", "wk"]
