"""Other names for registers: `.alias NAME, REGISTER` says what a register is for in the lines that follow."""

from __future__ import annotations

import re
from collections.abc import Collection

from lutra.asm.errors import LineError, nearest
from lutra.isa import Isa

_ALIAS = re.compile(r"\s*([A-Za-z_]\w*)\s*,\s*([A-Za-z_]\w*)\s*")
# A string, or a whole word that is neither a directive nor a local label.
_WORD = re.compile(r'"(?:\\.|[^"\\])*"|(?<![\w.$\\])[A-Za-z_]\w*(?![\w$])')


class Aliases:
    """Names of one source file, and their registers."""

    def __init__(self, isa: Isa) -> None:
        self._registers = {*isa.vector_by_name, *isa.address_registers, *isa.stream_contexts} - {""}
        self._instructions = isa.by_mnemonic
        self._register_of: dict[str, str] = {}

    def define(self, text: str, col: int, end: int, taken: Collection[str]) -> None:
        """Carry out `.alias` with these arguments; the columns are those of the directive. Raises LineError."""
        found = _ALIAS.fullmatch(text)
        if found is None:
            raise LineError(".alias takes a name and a register", col, end)
        name, register = found.groups()
        if register not in self._registers:
            raise LineError(f"'{register}' is not a register", col, end, nearest(register, self._registers))
        if name in self._registers or name in self._instructions or name in taken or name in self._register_of:
            raise LineError(f"'{name}' has a meaning already", col, end)
        self._register_of[name] = register

    def put(self, text: str) -> str:
        """A line with the registers in place of their aliases."""
        if not self._register_of:
            return text
        return _WORD.sub(lambda word: self._register_of.get(word[0], word[0]), text)
