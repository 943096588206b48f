"""The decoder: every word is exactly one instruction, with the control word of its path, or illegal."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import combinations

import z3

from formal.decoder_specification import Word
from formal.hdl import GENERATED, Sources, Unit, unit
from formal.proof import Proof, Refuted, valid
from isagen.description import Insn
from isagen.model import Isa

GROUP = "Decoder"
CONFIGURATIONS = [(rounds, contexts) for rounds in (2, 1) for contexts in (2, 1)]
TOP = "formal_decoder"


@cache
def control_fields() -> list[str]:
    """The fields of the control word, those of slots as `k.en`."""
    text = (GENERATED / "lutra_isa_pkg.sv").read_text()

    def members(struct: str) -> list[tuple[str, str]]:
        end = text.index(f"}} {struct};")
        body = text[text.rindex("struct packed {", 0, end) : end]
        return re.findall(r"^\s+(\S+)(?: \[[^\]]*\])?\s+(\w+);", body, re.M)

    slot = [name for _, name in members("slot_t")]
    return [
        f for kind, name in members("ctl_t") for f in ([f"{name}.{s}" for s in slot] if kind == "slot_t" else [name])
    ]


def wrapper() -> str:
    """A module with a port for every field of the control word, 16 bits each."""
    ports = "".join(f",\n  output logic [15:0] {port_of(f)}" for f in control_fields())
    body = "".join(f"  assign {port_of(f)} = 16'(ctl.{f});\n" for f in control_fields())
    return f"""module {TOP} import lutra_isa_pkg::*; #(
  parameter int unsigned ROUNDS_PER_INSTR = 2,
  parameter int unsigned STREAM_CONTEXTS = 2
) (
  input insn_t insn_i{ports}
);
  ctl_t ctl;
  lutra_decoder #(.ROUNDS_PER_INSTR(ROUNDS_PER_INSTR), .STREAM_CONTEXTS(STREAM_CONTEXTS)) u_decoder (
    .insn_i,
    .ctl_o(ctl)
  );
{body}endmodule
"""


def port_of(field: str) -> str:
    """The wrapper's port for a field of the control word."""
    return field.replace(".", "_") + "_o"


def design(sources: Sources, rounds: int, contexts: int) -> Unit:
    """The decoder in its wrapper, for these parameters."""
    with_wrapper = sources.with_file(f"{TOP}.sv", wrapper())
    return unit(with_wrapper, TOP, ROUNDS_PER_INSTR=rounds, STREAM_CONTEXTS=contexts)


def instruction(sources: Sources, isa: Isa, insn: Insn, rounds: int, contexts: int) -> Refuted | None:
    """Check all words with this opcode."""
    unit_ = design(sources, rounds, contexts)
    word = z3.Concat(z3.BitVecVal(insn.opcode, 8), z3.BitVec("rest", 56))
    spec = Word(isa, insn, word, rounds, contexts)
    legal = z3.And([rule for _, rule in spec.rules()])
    illegal = unit_.value(port_of("illegal"), insn_i=word)
    claims = {"illegal": (illegal == 0) == legal}
    wanted = spec.control()
    for field in control_fields():
        # A slot without an access has no address.
        if field == "illegal" or (field not in wanted and not spec.vector):
            continue
        value = wanted[field]
        condition, value = value if isinstance(value, tuple) else (z3.BoolVal(True), value)
        if not isinstance(value, int):
            value = z3.ZeroExt(16 - value.size(), value)
        found = unit_.value(port_of(field), insn_i=word)
        claims[field] = z3.Implies(z3.And(legal, condition), found == value)
    what = f"{insn.mnemonic} ({insn.record}), ROUNDS_PER_INSTR {rounds}, STREAM_CONTEXTS {contexts}"
    shown = {"word": word, **claims}
    found_ = valid(z3.And(list(claims.values())), what, shown)
    if found_:  # show the word and the fields that are wrong
        wrong = {n: "wrong" for n, v in found_.values.items() if v == "False"}
        found_ = Refuted(what, {"word": found_.values["word"], **wrong})
    return found_


def unassigned(sources: Sources, isa: Isa, rounds: int, contexts: int) -> Refuted | None:
    """Check that unassigned opcodes are illegal."""
    unit_ = design(sources, rounds, contexts)
    word = unit_.inputs["insn_i"]
    free = z3.And([z3.Extract(63, 56, word) != i.opcode for i in isa.insns])
    return valid(unit_.values[port_of("illegal")] == 1, "unassigned opcode", {"word": word}, free)


def overlap(isa: Isa) -> Refuted | None:
    """Check that no word matches the fixed bits of two instructions, and that the opcode distinguishes them."""
    for a, b in combinations(isa.insns, 2):
        if not (a.match ^ b.match) & a.mask & b.mask:
            return Refuted("a word of two instructions", {"one": a.record, "other": b.record})
        if a.opcode == b.opcode:
            return Refuted("an opcode of two instructions", {"one": a.record, "other": b.record})
    return None


def proofs(isa: Isa) -> Iterator[Proof]:
    """The proofs of this group; their names include the parameters."""
    count = len(isa.insns)
    statement = f"the fixed bits of no two of the {count} instructions agree with one word"
    yield Proof(
        "unambiguous", GROUP, statement, f"exhaustive, {count * (count - 1) // 2} pairs", lambda _: overlap(isa)
    )
    for rounds, contexts in CONFIGURATIONS:

        def run(sources: Sources, rounds: int = rounds, contexts: int = contexts) -> Refuted | None:
            found = (instruction(sources, isa, i, rounds, contexts) for i in isa.insns)
            return next((f for f in found if f), None) or unassigned(sources, isa, rounds, contexts)

        yield Proof(
            f"total R={rounds} C={contexts}",
            GROUP,
            "every word is one instruction of the description, with all fields of its control word, or illegal",
            "SMT over all 2^64 words, by opcode",
            run,
        )
