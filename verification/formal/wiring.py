"""Both halves of the datapath, as they are wired, are the blocks of every instruction's path in their order.

Functions are parallel to the chain, and choices among them rely on what no instruction does (`Way` records). So the
decoder's control word drives the datapath, and the value that leaves a half is compared with the specifications of the
path's functions, applied in sequence as in the simulator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import z3

from formal.functions import immediates
from formal.hdl import Sources, Unit, unit
from formal.proof import Proof, Refuted, same_polynomials, valid
from formal.specification import FUNCTIONS, POLYNOMIAL, Bits, Specification, constant, lanes_carried_out, rotate_third
from isagen.description import Insn, Step
from isagen.model import Isa

GROUP = "Wiring"
# Half -> side operand -> the stage's register or input that has it; others are computed from these.
SIDES = {
    1: {"B": "x1_b_q", "K0": "x1_k0_q", "K1": "x1_k1_q", "D": "x1_d_q", "GY": "x1_gy_i", "C": "x2_c_i"},
    2: {"A": "x2_ab_q", "B": "x2_ab_q", "K1": "x2_k1_q", "D": "x2_d_q", "KL": "x2_low_q", "C": "x2_c_i"},
}
# The functions that compute side operands, and those already done in an earlier stage.
MADE: dict[str, Callable[..., Bits]] = {
    "lanes_carried_out": lanes_carried_out,
    "high_twice": lambda row: z3.Concat(*[z3.Extract(127, 64, row)] * 2),
    "onto": lambda x, key: x ^ key,
    "rotate_third": rotate_third,
}
EARLIER = ("low_halves",)
# Claims of these proofs about the other forwarded forms of a result.
FORWARDED = {
    (1, 2): "; so is x1_fast where the result is ready then",
    (2, 2): "; so is x2_core ^ x2_side, but for a join, which is not forwarded",
}
# Forwarding that the interlock prevents (hazard joined): these pairings take the halves apart.
JOINED = ("PairJoin",)
TABLES = {"T0": "t0_i", "T1": "t1_i"}


class Half:
    """A half's stage: its inputs and outputs. With one round both halves are the first's stage."""

    def __init__(self, sources: Sources, half: int, rounds: int) -> None:
        self.half, self.stage, self.rounds = half, half if rounds == 2 else 1, rounds
        self.design: Unit = unit(sources, "lutra_datapath", ROUNDS_PER_INSTR=rounds)
        self.decoder: Unit = unit(sources, "lutra_decoder", ROUNDS_PER_INSTR=rounds)

    def signal(self, name: str) -> Bits:
        """An input or register of the datapath, wherever it is declared."""
        found = next(n for n in self.design.inputs if n.split(".")[-1] == name)
        return self.design.inputs[found]

    def side(self, isa: Isa, insn: Insn, name: str, n: int | None) -> Bits:
        """A side operand of an instruction with this immediate."""
        side, stage = isa.sides[name], SIDES[self.stage]
        args = [self.signal(f"x{self.stage}_x_q")] if side.half else []
        args += [self.signal(stage[name])] if name in stage else []
        if not side.made or side.made in EARLIER:
            return args[0]
        args += [self.side(isa, insn, of, n) for of in side.of if isa.sides[of].field != "n"]
        known = [n or 0] * any(isa.sides[of].field == "n" for of in side.of) + [insn.moves_right] * side.directed
        return MADE[side.made](*args, *known)

    def wanted(self, isa: Isa, insn: Insn, n: int | None) -> tuple[Bits, Bits | None]:
        """The value that leaves the half, and its partner if a block makes one."""
        value, partner, n = self.signal(f"x{self.stage}_x_q"), None, insn.number or n
        for step in self.steps(isa, insn):
            block = isa.blocks[step.block]
            if block.kind == "Lookup":
                value = self.signal(TABLES[step.block])
            elif block.kind == "Stream":
                value = self.signal("x1_stream_i")
            else:
                function = isa.functions[step.function]
                sides = [next((s for s in step.sides if s in port), None) for port in (block.port_y, block.port_z)]
                operands = [self.side(isa, insn, s, n) if s else constant(0, 128) for s in sides[: function.sides]]
                pair = [self.side(isa, insn, block.partner[0], n)] if block.partner else []
                known = [n] if function.immediate else []
                result = specification(isa, step).function(value, *pair, *operands, *known)
                value, partner = result if isinstance(result, tuple) else (result, partner)
        return value, partner

    def steps(self, isa: Isa, insn: Insn) -> list[Step]:
        """The part of the path in this half."""
        return [s for s in insn.path if s.block in isa.blocks and isa.blocks[s.block].half == self.half]

    def found(self, isa: Isa, insn: Insn, n: int | None) -> Mapping[str, Bits]:
        """Output of the stage, also as forwarded, for any word of the instruction with this immediate."""
        word = _word(insn, n)
        control = {f"x{self.stage}_ctl_i": self.decoder.value("ctl_o", insn_i=word)}
        out = {name: self.design.value(f"x{self.stage}_{name}", **control) for name in ("result", "partner")}
        # The forwarded value is the result in other forms.
        if self.stage == 2:
            if isa.facts[insn.record].pairing in JOINED:
                return out
            core, side = (self.design.value(f"x2_{name}", **control) for name in ("core", "side"))
            out["core and side"] = z3.simplify(core ^ side)
        elif self.rounds == 2 and not isa.facts[insn.record].x2_ready:
            out["fast"] = self.design.value("x1_fast", **control)
        return out


def _word(insn: Insn, n: int | None) -> Bits:
    """The instruction's word; open bits are arbitrary, except for the immediate."""
    free = z3.BitVec("word", 64)
    mask, match = insn.mask, insn.match
    field = insn.field("n")
    if field is not None and n is not None:
        mask |= ((1 << field.width) - 1) << field.lsb
        match |= n << field.lsb
    return z3.simplify(free & constant(~mask & (1 << 64) - 1, 64) | constant(match, 64))


def specification(isa: Isa, step: Step) -> Specification:
    """The function of a step."""
    return FUNCTIONS[isa.functions[step.function].symbol]


def check(sources: Sources, isa: Isa, half: int, rounds: int) -> Refuted | None:
    """Check every instruction that exists with these rounds, in one half."""
    stage = Half(sources, half, rounds)
    for insn in isa.insns:
        steps = stage.steps(isa, insn)
        if not isa.is_vector(insn) or (rounds == 1 and (isa.facts[insn.record].two_rounds or not steps)):
            continue
        logic = [s for s in steps if isa.blocks[s.block].kind not in ("Lookup", "Stream")]
        exact = all(specification(isa, s).method == POLYNOMIAL for s in logic)
        numbered = insn.field("n") and any(
            isa.functions[s.function].immediate or any("N" in isa.sides[side].of for side in s.sides) for s in logic
        )
        for n in immediates([insn]) if numbered else [None]:
            found, wanted = stage.found(isa, insn, n), stage.wanted(isa, insn, n)
            for name, design in found.items():
                value = wanted[1] if name == "partner" else wanted[0]
                if value is None:
                    continue
                what = f"{insn.mnemonic} ({insn.record}), {name} of half {half}" + ("" if n is None else f", n = {n}")
                if exact:
                    wrong = same_polynomials(design, value, what, {})
                else:
                    wrong = valid(design == value, what, {"design": design, "specification": value})
                if wrong:
                    return wrong
    return None


def proofs(isa: Isa) -> Iterator[Proof]:
    """One proof per half; with one round, the second half's blocks are the first's."""
    names = {1: "first half", 2: "second half"}
    for rounds in (2, 1):
        for half, name in names.items():

            def run(sources: Sources, half: int = half, rounds: int = rounds) -> Refuted | None:
                return check(sources, isa, half, rounds)

            yield Proof(
                f"{name} R={rounds}",
                GROUP,
                f"for every word of every instruction, what leaves the {name} is its path's functions in their order"
                + FORWARDED.get((half, rounds), ""),
                f"{POLYNOMIAL}, SMT for sums and permute, by instruction and immediate",
                run,
            )
