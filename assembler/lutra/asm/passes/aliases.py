"""Other names for registers: `.alias NAME, REGISTER` says what a register is for in the lines that follow.

The register may be a name itself, `%name`, for which the assembler chooses one (registers/).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from lutra.asm.errors import Given, Line, LineError, Substitution, nearest
from lutra.asm.passes.virtual import is_virtual
from lutra.isa import Isa

_ALIAS = re.compile(r"\s*([A-Za-z_]\w*)\s*,\s*(%?[A-Za-z_]\w*)\s*")
# A string, or (as the group) a whole word that is neither a directive, a local label nor the name after a %.
WORD = re.compile(r'"(?:\\.|[^"\\])*"|(?<![\w.$\\%])([A-Za-z_]\w*)(?![\w$])')


class Aliases:
    """Names of one source file, and their registers."""

    def __init__(self, isa: Isa) -> None:
        self._registers = {*isa.vector_by_name, *isa.address_registers, *isa.stream_contexts} - {""}
        self._instructions = isa.by_mnemonic
        self._register_of: Mapping[str, Given] = {}
        self._any: re.Pattern[str] | None = None  # finds the names as WORD does, in lines without strings

    def define(self, text: str, col: int, end: int, taken: Collection[str]) -> re.Match[str]:
        """Carry out `.alias` with these arguments; the columns are those of the directive. Raises LineError.

        The match has the name as its first group.
        """
        found = _ALIAS.fullmatch(text)
        if found is None:
            raise LineError(".alias takes a name and a register", col, end)
        name, register = found.groups()
        if register not in self._registers and not is_virtual(register):
            raise LineError(f"'{register}' is not a register", col, end, nearest(register, self._registers))
        if name in self._registers or name in self._instructions or name in taken or name in self._register_of:
            raise LineError(f"'{name}' is already defined", col, end)
        # Copy, so that earlier lines keep the aliases that were valid for them.
        self._register_of = {**self._register_of, name: Given(register)}
        self._any = None
        return found

    def put(self, line: Line) -> Line:
        """Return a line with its aliases replaced by registers."""
        return self.made(line, self.replaced(line.text))

    def replaced(self, text: str) -> str:
        """Return a text with its aliases replaced by registers."""
        known = self._register_of
        if not known:
            return text
        if '"' in text:
            return WORD.sub(lambda word: known[word[0]].text if word[0] in known else word[0], text)
        if self._any is None:
            self._any = re.compile(rf"(?<![\w.$\\%])(?:{'|'.join(known)})(?![\w$])")
        return self._any.sub(lambda word: known[word[0]].text, text)

    def made(self, line: Line, text: str) -> Line:
        """Return a line with the text that `replaced` has made of its own."""
        if text == line.text:
            return line
        return Line(text, line.file, line.number, line.origin, Substitution(line, WORD, self._register_of))
