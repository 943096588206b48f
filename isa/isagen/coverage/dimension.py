"""Dimensions of coverpoints: those with labels of their own. The others are made from the description (`view`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

ABSENT = "-"
Bin = tuple[str, ...]

SLOTS = {"key": "ks", "data": "ds", "store": "ss"}


@dataclass(frozen=True)
class Dimension:
    """One side of a cross. enum: the collector knows the labels by name."""

    name: str
    labels: Bin
    enum: bool = False

    @cached_property
    def places(self) -> dict[str, int]:
        """The place of each label."""
        return {label: place for place, label in enumerate(self.labels)}

    def called(self, name: str) -> Dimension:
        """Return a dimension with the same labels, for a cross that has both."""
        return replace(self, name=name)


def numbered(name: str, numbers: Iterable[int]) -> Dimension:
    """Make a dimension of numbers."""
    return Dimension(name, tuple(map(str, numbers)))


WHITENING = Dimension("whitening", (ABSENT, "wk"))
SLOT = Dimension("slot", tuple(SLOTS), enum=True)
WINDOW = Dimension("window", ("inside", "at_end", "beyond"), enum=True)
CARRY = Dimension("carry", ("none", "carry"), enum=True)
SLOT_PAIR = Dimension("slots", ("key_data", "key_store", "data_store"), enum=True)
MODIFIER = Dimension("modifier", ("neither", "first", "second"), enum=True)
VECTOR_ROLE = Dimension("vector_role", ("a", "b", "destination", "partner", "moved", "third"), enum=True)
ADDRESS_ROLE = Dimension("address_role", (*SLOTS, "source", "destination"), enum=True)
GAP = Dimension("gap", ("next", "later"), enum=True)
OPERAND = Dimension("operand", ("a", "b"), enum=True)
RESULT = Dimension("result", ("result", "partner"), enum=True)
COUNT = Dimension("count", ("zero", "one", "two", "many"), enum=True)
BODY = Dimension("body", ("one", "two", "more"), enum=True)
END = Dimension("end", ("elsewhere", "goes_back", "leaves"), enum=True)
TAKEN = Dimension("taken", ("taken", "not_taken"), enum=True)
PLACE = Dimension("place", ("elsewhere", "loop_end"), enum=True)
NESTING = Dimension("nesting", ("at_end", "same_end", "before_body"), enum=True)
REPORTED = Dimension("reported", ("nesting", "overflow"), enum=True)
EFFECT = Dimension("effect", ("notify", "wait", "resume", "halt", "trap"), enum=True)
INSIDE = Dimension("inside", ("nothing", "loop", "call", "loop_call"))
EVENT = Dimension("event", ("start", "reset", "wipe", "escalate"), enum=True)
BY = Dimension("by", ("operand", "move"), enum=True)
WRAPS = Dimension("wraps", ("none", "carry", "wraps"), enum=True)
FLAG = Dimension("flag", ("clear", "set"), enum=True)
