"""Retirement records as text: the lines of a trace, and the report of a divergence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lutra.asm import Image, disassemble

# A record as the bindings give it: its fields, and the texts of its effects.
Raw = tuple[dict[str, Any], list[str]]


@dataclass(frozen=True)
class Record:
    """One retired instruction.

    fields: the fields of isa/retire.td that apply, by name; vectors are 16 bytes, codes those of the ISA tables, and a
    field under a mask is a dictionary by register number. texts: every effect in a few words, as `rd:v0=0011..`.
    """

    fields: dict[str, Any]
    texts: list[str]

    @property
    def cycle(self) -> int:
        return int(self.fields["cycle"])

    @property
    def pc(self) -> int:
        return int(self.fields["pc"])

    @property
    def insn(self) -> int:
        return int(self.fields["insn"])

    def effects(self) -> list[str]:
        """Every effect in a few words, as `rd:v0=0011..`."""
        return list(self.texts)

    def line(self, labels: Mapping[int, str] | None = None) -> str:
        """cycle, pc, instruction, effects; `labels` is `Image.labels("pm")`, for targets by name."""
        text = disassemble(self.insn, pc=self.pc, symbols=labels)
        return f"{self.cycle:>8}  {self.pc:04x}  {text:<48} {' '.join(self.texts)}".rstrip()


def source_line(image: Image | None, pc: int) -> str:
    """`file:line` of a program address, or an empty text."""
    if image is None or pc not in image.lines:
        return ""
    place = image.lines[pc]
    return f"{place[0]}:{place[1]}"


def divergence_report(
    what: str, at: Raw | None, differences: Sequence[str], history: Sequence[Raw], image: Image | None
) -> str:
    """The first divergence: where, the effects that differ, and the instructions before it."""
    lines = [f"simulator and RTL diverge: {what}"]
    labels = None if image is None else image.labels("pm")
    if at is not None:
        record = Record(*at)
        where = source_line(image, record.pc)
        lines.append(f"  at {record.line(labels).strip()}" + (f"  ({where})" if where else ""))
    lines += [f"  {line}" for line in differences]
    if history:
        lines.append("  the instructions before it, on which both agree:")
        lines += [f"    {Record(*raw).line(labels)}" for raw in history]
    return "\n".join(lines)
