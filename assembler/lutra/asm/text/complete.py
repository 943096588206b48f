"""Complete a line that is being written.

There are no lists here: every existing register, row and name is tried, and offered if the operand's kind packs it
together with the operands before it. So the rules for memory ports hold for offers exactly as for assembled code.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lutra.asm.errors import LineError
from lutra.asm.passes.blocks import HEAD
from lutra.asm.passes.encode import Encoder
from lutra.asm.passes.kinds import KINDS
from lutra.asm.passes.macros import split
from lutra.asm.passes.nodes import Instruction, OperandNode
from lutra.asm.passes.packing import Packer, Packing
from lutra.asm.passes.parse import parse_line, strip_comment
from lutra.asm.passes.scope import Scope
from lutra.isa import Insn, Isa, Operand

# The end of a text that an offer replaces; within the brackets of a row, everything after the bracket.
_WORD = re.compile(r"(?:\\|\.L)?[\w$:]*\Z")
_ROW = re.compile(r"([\w:]+)\s*\[\s*([^\[\]]*)\Z")
_CLOSE = {"[": "]", "{": "}", "(": ")"}


class Place(NamedTuple):
    """A place in a line: the statement's first word, the operand or argument it is in, and the text before it.

    head: empty while the first word itself is being written. operand: text of the operand so far. word: its end, which
    an offer replaces. operands: texts of the operands before.
    """

    head: str
    operands: tuple[str, ...]
    operand: str
    word: str

    @property
    def number(self) -> int:
        """Number of the operand, from 0."""
        return len(self.operands)


class Offer(NamedTuple):
    """A text to offer. kind: register, row, group, pattern, context, symbol or alias."""

    text: str
    kind: str
    detail: str = ""


def place(before: str) -> Place | None:
    """Return the place at the end of the start of a line; None within a comment."""
    if strip_comment(before) != before:
        return None
    head = HEAD.match(before)
    assert head is not None  # it may be empty
    if head[2] is None or head.end() == len(before):
        return Place("", (), "", before[head.end(1) :].lstrip())
    parts = split(before[head.end() :]) or [""]
    operand = parts[-1].lstrip()
    row = _ROW.search(operand)
    found = _WORD.search(operand)
    word = row[2] if row else found[0] if found else ""
    return Place(head[2], tuple(part.strip() for part in parts[:-1]), operand, word)


class Completer:
    """Offers operands of one instruction set."""

    def __init__(self, isa: Isa) -> None:
        self._isa = isa
        self._packer = Packer(isa)
        self._encoder = Encoder(isa)
        self._vectors = list(isa.vector_by_name)
        self._rows = [s for s in isa.spaces if not s.is_program]

    def operands(
        self, at: Place, scope: Scope, pc: int = 0, aliases: Mapping[str, str] | None = None
    ) -> Iterator[Offer]:
        """Return the offers at a place of an instruction's operands.

        pc: address of the instruction, if known. aliases: names of registers.
        """
        insns = [i for i in self._isa.lookup(at.head) if at.number < len(i.operands)]
        trials = [_Trial(self, insn, at, scope, pc, aliases or {}) for insn in insns]
        # If some forms of a mnemonic accept the operands so far, only those count.
        trials = [trial for trial in trials if trial.taken] or trials
        begun = at.operand[: len(at.operand) - len(at.word)]
        seen: set[str] = set()
        for offer, tried in self._offers(at, scope, aliases or {}):
            if offer.text.startswith(at.word) and offer.text not in seen:
                seen.add(offer.text)
                trial = next((t for t in trials if t.fits(begun, tried)), None)
                if trial is not None:
                    yield offer._replace(detail=offer.detail or trial.operand.text)

    def _offers(self, at: Place, scope: Scope, aliases: Mapping[str, str]) -> Iterator[tuple[Offer, str]]:
        """Yield every candidate, with the text to try it with."""
        isa = self._isa
        row_names = {space.name for space in self._rows}
        row = _ROW.search(at.operand)
        if row:
            for register in isa.address_registers:
                for suffix, pattern in isa.pattern_by_suffix.items():
                    yield Offer(register + suffix, "pattern" if suffix else "register", pattern.text), register + suffix
        else:
            for vector in isa.vectors:
                if vector.name:
                    yield Offer(vector.name, "register", vector.text), vector.name
            for register in isa.address_registers:
                yield Offer(register, "register"), register
            contexts = isa.stream_contexts
            for name in (*contexts, ":".join(contexts)):
                yield Offer(name, "context"), name
            for space in self._rows:
                yield Offer(f"{space.name}[", "row", space.text), f"{space.name}[{isa.address_registers[0]}"
            for key in {i.facts.key_blocks: None for i in isa.lookup(at.head) if i.facts.key_blocks}:
                name = ":".join(isa.memory_by_block[block].name for block in key)
                yield Offer(f"{name}[", "row"), f"{name}[{isa.address_registers[0]}"
            for name, found in scope.symbols.items():
                if found.expr is None and found.space in row_names:
                    yield Offer(f"{found.space}[{name}]", "row", f"at {name}"), f"{found.space}[{name}]"
            if at.operand == at.word:
                yield Offer("{", "group"), "{"
        for name, register in aliases.items():
            yield Offer(name, "alias", register), register
        for name in (*scope.symbols, *scope.globals, *scope.predefined):
            yield Offer(name, "symbol"), name

    def pack(self, insn: Insn, nodes: Sequence[OperandNode | None], scope: Scope, pc: int) -> bool:
        """Whether some operands of an instruction fit together; None for an unknown one."""
        packing = Packing(insn, scope, pc)
        try:
            for operand, node in zip(insn.operands, nodes, strict=False):
                if node is not None:
                    KINDS[operand.kind].pack(self._packer, packing, operand, node)
            self._encoder.check_accesses(packing)
        except (LineError, RecursionError):
            return False
        return True

    def endings(self) -> Iterable[str]:
        """Return the offers for the second register in braces."""
        for space in self._rows:
            yield f"{space.name}[{self._isa.address_registers[0]}]"
        yield from self._vectors


class _Trial:
    """Whether texts fit as one operand of one instruction."""

    def __init__(
        self, completer: Completer, insn: Insn, at: Place, scope: Scope, pc: int, aliases: Mapping[str, str]
    ) -> None:
        self._completer = completer
        self._insn = insn
        self._scope = scope
        self._pc = pc
        self._before = [_node(aliases.get(text, text)) for text in at.operands]
        self.taken = completer.pack(insn, self._before, scope, pc)
        if not self.taken:
            # The operands before are wrong in themselves, so only this one counts.
            self._before = [None] * at.number

    @property
    def operand(self) -> Operand:
        """The operand that is tried."""
        return self._insn.operands[len(self._before)]

    def fits(self, begun: str, text: str) -> bool:
        """Whether an operand may begin with one text followed by another."""
        for whole in self._ways(begun + text):
            node = _node(whole)
            if node is not None and self._completer.pack(self._insn, [*self._before, node], self._scope, self._pc):
                return True
        return False

    def _ways(self, text: str) -> Iterator[str]:
        """Return possible ends of an operand."""
        ends = ""
        for char in text:
            if char in _CLOSE:
                ends = _CLOSE[char] + ends
            elif ends and char == ends[0]:
                ends = ends[1:]
        yield text + ends
        if ends.endswith("}") and "," not in text:
            more = list(self._completer.endings())
            for first in more if text.endswith("{") else [""]:
                for second in more:
                    yield f"{text}{ends[:-1]}{first}, {second}}}"


def _node(text: str) -> OperandNode | None:
    """Parse a single operand; None if it is not one, or has parameters of a macro."""
    if "\\" in text:
        return None
    try:
        # Any name serves as the mnemonic.
        body = parse_line(f"x {text}").body
    except LineError:
        return None
    return body.operands[0] if isinstance(body, Instruction) and len(body.operands) == 1 else None
