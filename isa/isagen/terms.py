"""The words in which isa/hazards.td says what an access is: selectors of cells, and conditions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from isagen import conditions, selectors
from isagen.conditions import Condition
from isagen.description import Resource
from isagen.model import Isa
from isagen.selectors import Selector


class TermError(ValueError):
    """A word that does not exist or that is used wrongly."""


Values = Callable[[Isa], Iterable[str | int]]


def _ends(isa: Isa) -> Iterator[str]:
    """Functions that are not the default of their end or control block."""
    return (n for n, f in (isa.endpoint_functions | isa.control_functions).items() if f.code)


# Word -> what it means, and what can be said of it.
SELECTORS: dict[str, tuple[type[Selector], Values]] = {
    "named": (selectors.Named, lambda _: ("ra", "rb", "rd")),
    "after": (selectors.After, lambda _: ("rd",)),
    "address": (selectors.Address, lambda _: ("ad", "as")),
    "slot": (selectors.Slot, lambda _: selectors.SLOT_FIELDS),
    "blocks": (selectors.Blocks, lambda _: selectors.SLOT_FIELDS),
    "banks": (selectors.Banks, lambda _: ("s",)),
    "cell": (selectors.Cell, lambda _: range(32)),
}
# Cells that a resource must have for a selector.
WIDTHS: dict[str, Callable[[Isa], int]] = {
    "address": lambda isa: isa.machine["AddressRegs"],
    "slot": lambda isa: isa.machine["AddressRegs"],
    "blocks": lambda isa: 1 + max(b for s in isa.spaces for b in s.blocks),
    "banks": lambda isa: 1 + max(b for s in isa.spaces for b in s.banks),
}
CONDITIONS: dict[str, tuple[type[Condition], Values]] = {
    "ready": (conditions.Ready, lambda _: ("StageX1", "StageX2")),
    "sources": (conditions.Sources, lambda _: ("early", "late")),
    "uses": (conditions.Uses, lambda isa: isa.banks()),
    "does": (conditions.Does, _ends),
    "enters": (conditions.Enters, lambda _: ("W", "GY")),
    "beside": (conditions.Beside, lambda isa: (b.field for b in isa.hash_beside)),
    "moves": (conditions.Moves, lambda isa: (m.record for m in isa.moves if m.code)),
    "clocks": (conditions.Clocks, lambda isa: range(isa.machine["StreamContexts"])),
    "pairs": (conditions.Pairs, lambda isa: (n for n, f in isa.functions.items() if f.kind == "Pairing")),
    "streams": (conditions.Streams, lambda isa: (n for n, f in isa.functions.items() if f.kind == "Stream")),
}


def selector(isa: Isa, resource: Resource, word: str, args: tuple[str | int, ...]) -> Selector:
    """The selector that a record names; TermError where there is none."""
    _check(isa, SELECTORS, word, args)
    if len(args) != 1:
        raise TermError(f"{word} selects by one name or number")
    if word in ("named", "after") and not resource.codes:
        raise TermError(f"({word} {args[0]}): no vector operand names a cell of resource {resource.record}")
    if word in WIDTHS and resource.cells != WIDTHS[word](isa):
        raise TermError(
            f"({word} {args[0]}) selects among {WIDTHS[word](isa)}, resource {resource.record} has {resource.cells}"
        )
    if word == "cell" and int(args[0]) >= resource.cells:
        raise TermError(f"resource {resource.record} has no cell {args[0]}")
    return SELECTORS[word][0](isa, resource, args[0])


def condition(isa: Isa, word: str, args: tuple[str | int, ...]) -> Condition:
    """The condition that a record names; TermError where there is none."""
    _check(isa, CONDITIONS, word, args)
    return CONDITIONS[word][0](isa, args)


def _check(isa: Isa, table: dict[str, tuple[type, Values]], word: str, args: tuple[str | int, ...]) -> None:
    if word not in table:
        raise TermError(f"{word} is none of {', '.join(table)}")
    legal = list(table[word][1](isa))
    for arg in args:
        if arg not in legal:
            raise TermError(f"({word} {arg}): {arg} is none of {', '.join(map(str, legal))}")
    if not args:
        raise TermError(f"{word} needs one of {', '.join(map(str, legal))}")
