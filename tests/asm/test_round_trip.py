"""What the assembler writes, the disassembler reads, and back: over all instructions and random words."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lutra.asm import assemble_text, disassemble
from lutra.isa import Insn, Isa, Operand, load

ISA = load()


def rows(isa: Isa, space: str) -> list[str]:
    last = isa.size(isa.space_by_name[space.split(":")[0]]) - isa.machine["VectorBytes"]
    registers = isa.address_registers
    patterns = [f"{space}[{registers[i % len(registers)]}{p.suffix}]" for i, p in enumerate(isa.patterns, 3)]
    return [*patterns, f"{space}[0]", f"{space}[0x10]", f"{space}[{last}]"]


def forms(isa: Isa, insn: Insn, operand: Operand) -> list[str]:
    """Ways to write an operand. Memories of the three slots differ, so that no combination clashes."""
    first = [v.name for v in isa.vectors if v.name and v.source]
    second = [v.name for v in isa.vectors if v.name and v.second_source]
    written = [v.name for v in isa.vectors if v.name and v.destination]
    whitening = isa.vector("WK").name
    memories = [s.name for s in isa.spaces if s.blocks]
    data, store = rows(isa, memories[2]), rows(isa, memories[3])
    tables = [row for s in isa.spaces if s.banks for row in rows(isa, s.name)]
    match operand.kind:
        case "dst":
            return written + store + tables + [f"{{{written[1]}, {row}}}" for row in store]
        case "dst_pair":
            pairs = [("v0", "v1"), ("v4", "v5"), ("v6", "v7")]
            rows_too = [f", {row}" for row in store] if len(operand.fields) > 1 else []
            return [f"{{{a}, {b}{row}}}" for a, b in pairs for row in ("", *rows_too)]
        case "move":
            held = [f"{{hold, {row}}}" for row in data] + ["{hold, ctr++}"]
            return [*held, *(f"{{{row}, v3}}" for row in store), *(f"{{{store[-1]}, v6 ^ {row}}}" for row in data)]
        case "store":
            return store + tables
        case "sum":
            plain = [v for v in second if v != whitening]
            sums = [*first, *(f"{a} ^ {plain[-2]}" for a in first), *(f"{plain[0]} ^ {b}" for b in second)]
            if "ds" in operand.fields:
                sums += data + [f"{plain[1]} ^ {row}" for row in data] + [f"{row} ^ {whitening}" for row in data]
            return [*sums, f"{plain[1]} ^ {plain[2]} ^ {whitening}"]
        case "source":
            names = first if "ra" in operand.fields else second
            return names + (data if len(operand.fields) > 1 else [])
        case "key":
            return rows(isa, ":".join(isa.memory_by_block[b].name for b in insn.facts.key_blocks))
        case "row":
            return data
        case "address":
            return list(isa.address_registers)
        case "contexts":
            return [*isa.stream_contexts, ":".join(isa.stream_contexts)]
        case "context":
            return list(isa.stream_contexts)
        case "choice":
            return [str(c) for c in operand.choices]
        case "loop_end":
            return ["0x100", "0x101", str(operand.high)]  # behind every statement of the test
        case _:
            return [str(operand.low), str(operand.high), str((operand.low + operand.high) // 2)]


def statements(isa: Isa, insn: Insn) -> Iterator[str]:
    """Every form of every operand, the other operands in their first form; then without optional ones."""
    options = [forms(isa, insn, o) for o in insn.operands]
    base = [o[0] for o in options]
    yield f"{insn.mnemonic} {', '.join(base)}"
    yield f"{insn.mnemonic} {', '.join(base[: insn.required])}"
    for i, option in enumerate(options):
        for form in option[1:]:
            yield f"{insn.mnemonic} {', '.join([*base[:i], form, *base[i + 1 :]])}"


@pytest.mark.parametrize("insn", ISA.instructions, ids=lambda i: i.name)
def test_every_form_comes_back_as_the_same_word(insn: Insn) -> None:
    texts = list(statements(ISA, insn))
    image = assemble_text("\n".join(texts))
    assert len(image.program) == len(texts)
    back = [disassemble(word, pc) for pc, word in enumerate(image.program)]
    for text, word, again in zip(texts, image.program, back, strict=True):
        assert word & insn.mask == insn.match, text
        assert not again.startswith(".insn"), text
    assert assemble_text("\n".join(back)).program == image.program


@st.composite
def words(draw: st.DrawFn) -> int:
    """A word that agrees with some instruction's constant bits, with slots and codes that are often legal."""
    insn = draw(st.sampled_from(ISA.instructions))
    word = insn.match
    for place in insn.fields.values():
        top = place.top
        likely = st.sampled_from([v for v in (0, 1, 2, 11, 12, 0x40, 0x44, 0x80, 0x101, top) if v <= top])
        word |= draw(st.one_of(likely, st.integers(0, top))) << place.lsb
    if draw(st.integers(0, 9)) == 0:
        word ^= 1 << draw(st.integers(0, 63))
    return word


@settings(max_examples=1500, deadline=None)
@given(st.one_of(words(), st.integers(0, (1 << 64) - 1)))
def test_random_word_comes_back(word: int) -> None:
    text = disassemble(word)
    assert "\n" not in text
    assert assemble_text(text).program == [word], text


def test_word_that_is_no_instruction_is_raw() -> None:
    assert disassemble(0) == ".insn 0x0000000000000000"
    assert disassemble((1 << 64) - 1) == ".insn 0xffffffffffffffff"


def test_other_encoding_of_an_instruction_says_what_it_does() -> None:
    # ra = wk, rb = v1: the assembler would add wk by its own field.
    assert disassemble(0x2009_1000_0000_0000) == ".insn 0x2009100000000000 // another encoding of: mov v0, wk ^ v1"


def test_targets_are_shown_by_name() -> None:
    image = assemble_text("start: repeat 2, over\n nop\nover: jmp start")
    labels = image.labels("pm")
    assert [disassemble(w, pc, labels) for pc, w in enumerate(image.program)] == ["repeat 2, over", "nop", "jmp start"]
