"""Requirements of an image on a core, derived from its instructions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lutra.asm import Image
from lutra.firmware.session import ROW
from lutra.isa import least_rounds, load, needs


@dataclass(frozen=True)
class Needs:
    """Extensions by name, the least ROUNDS_PER_INSTR, stream contexts (0 where none is used), and memory.

    rows: of each data memory up to the image's last constant or parameter; what a job takes comes on top.
    """

    extensions: tuple[str, ...]
    rounds: int
    contexts: int
    program_words: int
    rows: Mapping[str, int]


def of_image(image: Image) -> Needs:
    """Return the requirements of a program: those of its instructions, registers and optional operands."""
    isa = load()
    words = [(insn, word) for word in image.program if (insn := isa.decode(word)) is not None]
    named = {insn.get(word, s.field) for insn, word in words for s in insn.facts.sources if s.field in insn.fields}
    named |= {insn.get(word, "rd") for insn, word in words if "rd" in insn.fields}
    registers = [isa.vector_by_code[code] for code in named if code in isa.vector_by_code]
    optional = [
        o for insn, word in words for o in insn.operands if o.optional and any(insn.get(word, f) for f in o.fields)
    ]
    contexts = [insn.get(word, "c").bit_length() for insn, word in words if "c" in insn.fields]
    contexts += [insn.get(word, "o") + 1 for insn, word in words if "o" in insn.fields]
    return Needs(
        needs(isa, [insn for insn, _ in words], [*registers, *optional]),
        least_rounds(insn for insn, _ in words),
        max(contexts, default=0),
        len(image.program),
        {space: -(-max(at + len(data) for at, data in parts) // ROW) for space, parts in image.memory.items() if parts},
    )
