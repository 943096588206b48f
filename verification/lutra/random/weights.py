"""Numbers that shape random programs: weights that a campaign may set, and sizes.

Weights are a plain mapping from a name to a number; a name that is absent has no weight. Names:

    mode:NAME           a directed mode
    insn:MNEMONIC       an instruction; block:NAME, does:FUNCTION and kind:NAME all those with that block or function on
                        their path, or that kind of operand
    source:NAME         a register as a source, `row` for a memory row
    destination:NAME    a register, `row`, `both` or `none`
    pattern:SUFFIX      how a slot is addressed, `row` for a fixed row; space:NAME what it reads or writes
    move:RECORD         what a move next to the path does
    shape:NAME          the structures of a program (`shapes`)
    trap:NAME           the trap that a program of mode traps ends in
    role:NAME           what a free address register may do in a loop
    address:NAME        the values that address registers are set to
    chance:NAME         a decision; these numbers are probabilities, as are `near`, `row` and `whitening`
"""

from __future__ import annotations

from collections.abc import Mapping

from lutra.isa import Isa
from lutra.random.pickers import tags

Weights = Mapping[str, float]

# Decisions: how likely each is, and what it says.
CHANCES = {
    "near": (0.4, "a source or moved register is one of the NEAR written last"),
    "row": (0.5, "a row takes part where it need not: on the path, next to a moved store, as the result of a pair"),
    "whitening": (0.3, "the whitening key is added where it can be"),
    # loops
    "chance:few_turns": (0.3, "a loop runs FEW_TURNS times at most, not as often as its budget allows"),
    "chance:turns": (0.95, "the number that counts a loop is not zero"),
    "chance:turns_ar": (0.9, "an address register that is set to count a loop is not zero"),
    "chance:held": (0.6, "step and window of an address register stay as they are in a loop"),
    "chance:ring": (0.6, "a register whose window is a circular buffer goes round in it in a loop"),
    "chance:ring_inside": (0.8, "a register that goes round in a loop does so in the loop within, too"),
    "chance:rising": (0.5, "a register that drifts in a loop rises"),
    "chance:aligned": (0.7, "a register that drifts in a loop does so by whole rows"),
    # branches and addresses out of a lane
    "chance:tested_free": (0.5, "a branch tests a register that it may set before"),
    "chance:one_bit": (0.7, "a branch sets the register that it tests to zero or to a number with one bit"),
    "chance:mask": (0.7, "an address out of a lane is masked, not shifted"),
    "chance:mask_rows": (0.5, "such a mask clears the bytes within a row, too"),
    # address registers
    "chance:falling": (0.15, "a step is negative"),
    "chance:ring_made": (0.5, "a window is a circular buffer that the steps meet"),
    "chance:ring_rises": (0.5, "the steps of such a buffer rise where both ways fit"),
    "chance:ring_missed": (0.2, "the end of such a buffer is one byte off"),
    "chance:window_bytes": (0.2, "another window has any length, not whole rows"),
    "chance:window_here": (0.7, "another window begins at the address that the register has"),
    # pairs of accesses
    "chance:any_distance": (0.2, "a pair has any distance up to the critical one and one more"),
    "chance:quiet": (0.6, "nothing between the accesses of a pair waits: of all instructions there, then of each"),
    # ends
    "chance:halt_outside": (0.5, "a start halts outside all loops and calls"),
    "chance:last_word": (0.5, "a fetch trap goes on after the last word of the program memory, where it can"),
    "chance:at_once": (0.6, "an access out of range traps at once, not after turns of a loop"),
    "chance:call_chain": (0.75, "a chain of calls overflows the call stack, not a subroutine that calls itself"),
    # words without structure
    "chance:general": (0.3, "a source is a general register"),
}

# What a free address register may do in a loop that gives it no other role.
ROLES = {
    "role:drift": (0.5, "it moves by a little in each turn, where it is within the memories"),
    "role:fixed": (0.3, "it keeps its value"),
    "role:free": (0.2, "anything; nothing is known of it"),
}

# Values that address registers are set to.
ADDRESSES = {
    "address:row": (0.7, "a row of the memories"),
    "address:byte": (0.24, "any byte of the memories"),
    "address:last": (0.04, "the last legal row, or a few bytes before it"),
    "address:wraps": (0.02, "close to where an address wraps"),
}

# Other weights that are not 1.
OTHERS = {
    "mode:words": (0.5, "half as often as another mode"),
    "does:AuSet": (3.0, "address registers drift out of range and have to be set again"),
    "does:SqWait": (0.2, "every wait costs the host a resume"),
    "source:row": (3.0, "a row is one source of many, but the only one with an address"),
    "destination:row": (3.0, "the result is stored, and in no register"),
    "destination:both": (2.0, "the result is stored, and in a register"),
    "destination:none": (0.01, "the result is lost"),
    "pattern:row": (4.0, "a fixed row"),
}
# Weight of a table as a space.
TABLE_SPACE = 0.3
# Factor on control instructions in words without structure.
UNSTRUCTURED_CONTROL = 1 / 3

# Sizes of a program. Instructions that a program retires at most, about; pieces of its main part, words of each.
RETIRED = 24_000
PIECES = (2, 10)
PIECE = 40
# Subroutines, words and retired instructions of each; address registers that they may change; waits of the main part.
SUBROUTINES = (0, 4)
SUBROUTINE_WORDS = (1, 20)
SUBROUTINE_RETIRED = (1, 60)
SCRATCH = 2
WAITS = 3
# Starts after the first; address registers that each sets, at least; words, and instructions that each retires, about.
AGAIN = (1, 3)
AGAIN_SETS = 2
AGAIN_WORDS = (4, 24)
AGAIN_RETIRED = 300
# One in so many starts after the first ends in a trap.
AGAIN_PER_TRAP = 2
# About one in so many rows of a memory ends in ones: the row, its half, or its quarter.
ROWS_PER_ONES = 8
ONES = (1, 2, 4)

# Plain instructions that fill in: less than FILLERS; the higher FILLERS_SKEW, the more often none.
FILLERS = 5
FILLERS_SKEW = 3
# Written registers that count as written just now.
NEAR = 6
# Few turns of a loop. Words of a branch's other side; its part of the budget, as one of so many.
FEW_TURNS = 3
BRANCH = 8
BRANCH_BUDGET = 8

# Numbers that are added to address registers: these times 1 or, two out of three times, a row.
ADDEND = (-8, 8)
ADDEND_OF_ROWS = (False, True, True)
# Steps: these times 1 or, three out of four times, a row.
STEP = (0, 6)
STEP_OF_ROWS = (False, True, True, True)
# Rows or bytes of a window, and its direction.
WINDOW = (1, 12)
WINDOW_SIGNS = (1, 1, -1)
# Rows of a step that goes round in a circular buffer, and steps that it takes.
RING_STEP = (1, 4)
RING_STEPS = (1, 6)

# Distances of a pair, from the least one without a stall; each is as frequent as it is here.
AROUND = (-1, -1, 0, 0, 0, 1)
# A count that a loop may have by chance.
CHANCE_TURNS = 64

# Counts of loops that a trap or halt leaves open; of those that nest wrongly, outer and inner.
OPEN_TURNS = (1, 9)
NESTED_OUTER = (1, 3)
NESTED_INNER = (0, 3)
# Turns before the access that traps, and turns that the loop would have had left.
TURNS_BEFORE_TRAP = (1, 20)
TURNS_AFTER_TRAP = (1, 5)
# Addresses out of range of which the row's first byte is still legal, as often as one that wraps or any other.
STRADDLES = 3
# Instructions drawn by weight before one is drawn that fits.
TRIES = 50

# How likely bits of a stream context are flipped while a start runs, in a core that looks for faults; in another only
# if a campaign says so. Faults of such a start, their cycles, how many flip one bit, and how many of those of a word
# with a copy flip the copy.
FAULT, FAULT_CHANCE = "chance:fault", 0.5
FAULTS = (1, 3)
FAULT_CYCLES = (8, RETIRED)
ONE_BIT = 0.8
SHADOWS = 0.2

# Words without structure: their number; starts, as a trap ends a start early, and cycles of each; one illegal in so
# many; words that a transfer skips; bits of counts and addresses (one of both), and of steps and windows.
LENGTH = 120
STARTS = 12
CYCLES = 3000
WORDS_PER_ILLEGAL = 2000
SKIPPED = (1, 12)
NUMBER_BITS = (3, 11)
STEP_BITS = 6


def tuned() -> dict[str, float]:
    """Return the weights that are named above."""
    return {name: value for table in (CHANCES, ROLES, ADDRESSES, OTHERS) for name, (value, _) in table.items()}


def of_isa(isa: Isa) -> dict[str, float]:
    """Return a weight for everything in the ISA that can be chosen: 1, but for tables."""
    found: dict[str, float] = {}
    for insn in isa.instructions:
        found |= dict.fromkeys(tags(insn), 1.0)
    for vector in isa.vectors:
        if vector.source:
            found[f"source:{vector.name or 'row'}"] = 1.0
        if vector.destination and vector.name:
            found[f"destination:{vector.name}"] = 1.0
    found |= {f"pattern:{p.suffix}": 1.0 for p in isa.patterns}
    found |= {f"space:{s.name}": 1.0 if s.blocks else TABLE_SPACE for s in isa.spaces if not s.is_program}
    found |= {f"move:{m.record}": 1.0 for m in isa.moves}
    found |= {f"trap:{t.name}": 1.0 for t in isa.traps if not t.by_fault}
    found[FAULT] = FAULT_CHANCE if isa.configuration.shadow_words else 0.0
    return found
