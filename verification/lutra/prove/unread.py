"""Vector registers that a pass writes before it reads them.

The next pass does not read what these hold, so how it depends on the pass need not be found.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lutra.isa.paths import PATHS
from lutra.prove.words import Word

VECTORS = range(8)


@dataclass
class Unread:
    """Registers that a pass has read, and those that it had written first."""

    _read: set[int] = field(default_factory=set)
    _written: set[int] = field(default_factory=set)

    def execute(self, word: Word) -> None:
        """Go on with a word."""
        if not word.insn.vector:
            return
        facts, names = word.insn.facts, PATHS[word.insn.name].__code__.co_names
        uses = {word["ra"] if "a" in names else -1, word["rb"] if "b" in names else -1}
        if facts.third or facts.move:
            uses.add(word["rc"])
        self._read |= uses - self._written
        if facts.destination:
            self._written |= {word["rd"], word["rd"] + (facts.destination == "pair")}

    @property
    def registers(self) -> frozenset[int]:
        """Those that it does not read, as far as it has been executed."""
        return frozenset(self._written.intersection(VECTORS) - self._read)
