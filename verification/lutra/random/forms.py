"""Instructions as the generator sees them: where fields lie and what they take, all from the ISA tables."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Generic, TypeVar

from lutra.isa import Insn, Isa

T = TypeVar("T")

# Fields that hold a number; h and g say what the hash unit does next to the path.
NUMBERS = ("n", "e", "h", "g")


class WeightsError(Exception):
    """Weights that leave no choice."""


class Picker(Generic[T]):
    """A weighted choice, made from a number in [0, 1)."""

    def __init__(self, weighted: Iterable[tuple[T, float]]) -> None:
        kept = [(item, weight) for item, weight in weighted if weight > 0]
        if not kept:
            raise WeightsError("all that could be chosen somewhere has the weight 0")
        self.items: Sequence[T] = [item for item, _ in kept]
        self._sums = list(accumulate(weight for _, weight in kept))
        self._total = self._sums[-1]

    def __call__(self, point: float) -> T:
        return self.items[bisect(self._sums, point * self._total, 0, len(self._sums) - 1)]


@dataclass(frozen=True)
class Form:
    """A vector instruction: bit positions of its fields, -1 where it has none, and what they take.

    keys: mask of the blocks that the key slot reads. sources: (place, a row may be named, second source) for each.
    data: who takes the data slot's row: a source, the path or a move. stores: it must. third: rc is a register that
    enters the path. numbers: (place, legal contents, name) for each.
    """

    insn: Insn
    match: int
    keys: int
    ks: int
    sources: tuple[tuple[int, bool, bool], ...]
    w: int
    db: int
    ds: int
    data: str
    rd: int
    pair: bool
    sb: int
    ss: int
    stores: bool
    mv: int
    rc: int
    third: bool
    numbers: tuple[tuple[int, Sequence[int], str], ...]
    ad: int
    as_: int
    contexts: int
    context: int


def form(isa: Isa, insn: Insn) -> Form:
    """The form of a vector instruction."""
    at = {name: place.lsb for name, place in insn.fields.items()}
    facts = insn.facts
    return Form(
        insn=insn,
        match=insn.match,
        keys=sum(1 << b for b in facts.key_blocks),
        ks=at.get("ks", -1),
        sources=tuple((at[s.field], s.row, s.field == "rb") for s in facts.sources),
        w=at.get("w", -1),
        db=at.get("db", -1),
        ds=at.get("ds", -1),
        data=facts.data,
        rd=at.get("rd", -1),
        pair=facts.destination == "pair",
        sb=at.get("sb", -1),
        ss=at.get("ss", -1),
        stores=facts.store == "must",
        mv=at.get("mv", -1),
        rc=at.get("rc", -1),
        third=facts.third,
        numbers=tuple((at[c.field], c.codes, c.field) for c in facts.contents if c.field in NUMBERS),
        ad=at.get("ad", -1),
        as_=at.get("as", -1),
        contexts=at.get("c", -1),
        context=at.get("o", -1),
    )


def tags(insn: Insn) -> list[str]:
    """Names for an instruction in weights: mnemonic, blocks and functions on its path, kinds of its operands."""
    return [
        f"insn:{insn.mnemonic}",
        *(f"block:{step.block}" for step in insn.path),
        *(f"does:{function}" for function in dict.fromkeys(step.function for step in insn.path)),
        *(f"kind:{kind}" for kind in dict.fromkeys(o.kind for o in insn.operands)),
    ]


def weight_of(insn: Insn, weights: Mapping[str, float]) -> float:
    """Product of the weights of all that an instruction is."""
    product = 1.0
    for tag in tags(insn):
        product *= weights[tag]
    return product


def picker_of(names: Iterable[tuple[T, str]], weights: Mapping[str, float]) -> Picker[T]:
    """A picker of items by the weights of their names."""
    return Picker((item, weights[name]) for item, name in names)


def instructions(isa: Isa, wanted: Callable[[Insn], bool], weights: Mapping[str, float]) -> Picker[Insn]:
    """A picker among the instructions that are wanted."""
    return Picker((i, weight_of(i, weights)) for i in isa.instructions if wanted(i))
