"""Explain what the configuration of this build lacks, for the assembler and the command line."""

from __future__ import annotations

from collections.abc import Iterable

from lutra.isa.records.instruction import Insn, Operand
from lutra.isa.records.instruction_set import Isa
from lutra.isa.records.machine import Configuration, VectorName


def extension(isa: Isa, record: str) -> str:
    """The name of an extension."""
    return next(e.name for e in isa.extensions if e.record == record)


def needs(isa: Isa, insns: Iterable[Insn], parts: Iterable[VectorName | Operand] = ()) -> tuple[str, ...]:
    """The extensions of instructions, and of registers and operands, in the order of the description."""
    records = {e for i in insns for e in (i.extension, *i.also)} | {p.extension for p in parts}
    return tuple(e.name for e in isa.extensions if e.record in records)


def least_rounds(insns: Iterable[Insn]) -> int:
    """The least ROUNDS_PER_INSTR of a core that has all of these instructions."""
    return 2 if any(insn.facts.two_rounds for insn in insns) else 1


def predefined(isa: Isa) -> dict[str, int]:
    """The names that every program knows: rows of a context, parts of immediates, what the configuration has."""
    chosen = isa.configuration
    sizes = {"core_rounds": chosen.rounds[-1], "core_contexts": chosen.contexts}
    has = {f"has_{e.name}": int(e.name in chosen.extensions) for e in isa.extensions}
    named = {r.name: r.code for r in (*isa.stream_rows, *isa.hash_beside, *isa.words_parts)}
    return named | sizes | has


def missing(isa: Isa, mnemonic: str) -> tuple[str, str] | None:
    """Return why the configuration lacks an instruction, and which ones have it; None for an unknown instruction."""
    insn = next((i for i in isa.absent if i.mnemonic == mnemonic), None)
    if insn is None:
        return None
    chosen, needed = isa.configuration, [extension(isa, e) for e in (insn.extension, *insn.also)]
    lacking = next((name for name in needed if name not in chosen.extensions), None)
    if lacking is None:
        why = f"'{mnemonic}' needs two rounds per instruction; configuration {chosen.name} has one"
    else:
        why = f"'{mnemonic}' is of extension {lacking}, which configuration {chosen.name} does not have"
    having = (c for c in isa.configurations if {*needed} <= {*c.extensions})
    return why, _who(c for c in having if c.has_rounds(insn.facts.two_rounds))


def missing_register(isa: Isa, name: str) -> tuple[str, str] | None:
    """The same for a vector operand that a configuration can lack."""
    found = isa.vector_by_name.get(name)
    if found is None or (of := extension(isa, found.extension)) in isa.configuration.extensions:
        return None
    why = f"{name} is of extension {of}, which configuration {isa.configuration.name} does not have"
    return why, _who(c for c in isa.configurations if of in c.extensions)


def missing_context(isa: Isa, names: Iterable[str]) -> tuple[str, str] | None:
    """The same for stream contexts."""
    count = isa.configuration.contexts
    absent = next((n for n in names if n in isa.stream_contexts[count:]), None)
    if absent is None:
        return None
    plural = "s" if count != 1 else ""
    why = f"configuration {isa.configuration.name} has {count} stream context{plural}, so no {absent}"
    return why, _who(c for c in isa.configurations if isa.stream_contexts.index(absent) < c.contexts)


def _who(having: Iterable[Configuration]) -> str:
    names = ", ".join(c.name for c in having)
    return f"configurations that have it: {names}" if names else "no configuration of isa/configurations/ has it"
