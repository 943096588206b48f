"""Words that a specification keeps.

Outputs of tables mean something else from path to path (`atoms.Atoms`), so a word that a specification has made in one
path, and keeps for another, would be a wrong one there. Everything that it can reach is looked through between paths:
attributes, closures, defaults, caches, globals of its modules.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from types import FunctionType, ModuleType
from typing import Any

from lutra.prove.atoms import CONSTANTS, Bit
from lutra.prove.bits import Bits
from lutra.prove.errors import SpecificationError

OURS, SPECIFICATIONS = "lutra.", "lutra.prove.specifications"
# Objects that have no others, and types of them that may be in a tuple that is looked through once only.
PLAIN = frozenset((int, float, complex, str, bytes, bool, type(None)))


class Kept:
    """The words that a specification has before its first path; no others may be found later, but constants."""

    def __init__(self, *roots: object) -> None:
        self._roots = roots
        self._clean: dict[int, object] = {}  # by identity: objects that never change and have no other words
        self._had: set[frozenset[Any]] = set(CONSTANTS)
        self._had.update(bit for _, word in self._words() for bit in word)

    def check(self) -> None:
        """Raise SpecificationError where there is another word."""
        for holder, word in self._words():
            if not self._had.issuperset(word):
                raise SpecificationError(
                    f"the specification keeps a word that it has made, in {holder}; "
                    "what is needed later belongs in the state that its methods return"
                )
            self._clean[id(word)] = word

    def _words(self) -> Iterator[tuple[str, tuple[Bit, ...]]]:
        """All words that are reached, each with what has it."""
        seen: set[int] = set()
        left: list[tuple[str, object]] = [(type(root).__name__, root) for root in self._roots]
        while left:
            holder, thing = left.pop()
            if id(thing) in seen or id(thing) in self._clean or type(thing) in PLAIN:
                continue
            seen.add(id(thing))
            if isinstance(thing, frozenset):
                yield holder, (thing,)
            elif type(thing) in (tuple, Bits) and thing and all(isinstance(bit, frozenset) for bit in thing):  # type: ignore[attr-defined]
                yield holder, thing  # type: ignore[misc]
            elif type(thing) is tuple and all(id(part) in self._clean or type(part) in PLAIN for part in thing):
                self._clean[id(thing)] = thing
            else:
                left += _parts(holder, thing)


def _parts(holder: str, thing: object) -> Iterable[tuple[str, object]]:
    """Return what an object refers to, each with the name of what has it.

    Lutra itself and the standard library keep no words.
    """
    match thing:
        case ModuleType():
            return [(thing.__name__, vars(thing))] if _is_followed(thing.__name__) else ()
        case FunctionType():
            name, module = thing.__qualname__, thing.__globals__.get("__name__", "")
            parts = thing.__closure__, thing.__defaults__, thing.__kwdefaults__, vars(thing)
            return [*((name, part) for part in parts), *([(module, thing.__globals__)] if _is_followed(module) else ())]
        case type():
            module = thing.__module__
            return [(thing.__name__, part) for part in vars(thing).values()] if _is_followed(module) else ()
    if type(thing) is dict:
        # Its keys may be words, too; loaders and the like may not.
        values = [part for name, part in thing.items() if not (isinstance(name, str) and name.startswith("__"))]
        return ((holder, part) for part in [*thing, *values])
    attributes = getattr(thing, "__dict__", {})
    name = type(thing).__name__
    named = [(f"{name}.{attribute}", part) for attribute, part in attributes.items()]
    return [*named, *((name if named else holder, part) for part in gc.get_referents(thing) if part is not attributes)]


@cache
def _is_followed(module: str) -> bool:
    """Whether a module may be one of a specification."""
    if module.startswith(OURS):
        return module.startswith(SPECIFICATIONS)
    if module.partition(".")[0] in sys.stdlib_module_names:
        return False
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    return "site-packages" not in file and "dist-packages" not in file
