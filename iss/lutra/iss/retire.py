"""Retirement records as text: the lines of a trace, and the report of a divergence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lutra.asm import Image, disassemble
from lutra.isa import Isa, load


@dataclass(frozen=True)
class Record:
    """One retired instruction; `raw` has a key for every effect that happened (iss/src/retire_dict.hpp)."""

    raw: dict[str, Any]

    @property
    def cycle(self) -> int:
        return int(self.raw["cycle"])

    @property
    def pc(self) -> int:
        return int(self.raw["pc"])

    @property
    def insn(self) -> int:
        return int(self.raw["insn"])

    def effects(self) -> list[str]:
        """Every effect in a few words, as `v0=0011..`."""
        isa = load()
        return [f"{key}{text}" for key in self.raw if key not in _PLACE for text in [_effect(isa, key, self.raw[key])]]

    def line(self, labels: Mapping[int, str] | None = None) -> str:
        """cycle, pc, instruction, effects; `labels` is `Image.labels("pm")`, for targets by name."""
        text = disassemble(self.insn, pc=self.pc, symbols=labels)
        return f"{self.cycle:>8}  {self.pc:04x}  {text:<48} {' '.join(self.effects())}".rstrip()


_PLACE = ("cycle", "pc", "insn")


def _name(rows: Any, code: int) -> str:
    return next((r.name for r in rows if r.code == code), f"?{code}")


def _effect(isa: Isa, key: str, value: Any) -> str:
    """Text behind an effect's key."""
    if key == "trap":
        return f"={_name(isa.traps, value)}"
    if key in ("rd", "partner"):
        return f":{_name(isa.vectors, value[0])}={value[1].hex()}"
    if key == "store":
        space, address, lanes, data = value
        mask = "" if lanes == 0xFFFF else f"/{lanes:04x}"
        return f":{_name(isa.spaces, space)}[{address:#06x}]{mask}={data.hex()}"
    if key in ("key", "data"):
        return f"@{value:#06x}"
    if key in ("ctr", "hold"):
        return f"={value.hex()}"
    if key == "contexts":
        names = isa.stream_contexts
        return ":" + ",".join(f"{names[n]}=" + "/".join(v.hex() for v in values) for n, values in value.items())
    if key == "ar":
        return ":" + ",".join(f"ar{n}={v:#06x}" for n, v in value.items())
    if isinstance(value, tuple):
        return "=" + ",".join(f"{v:#x}" for v in value)
    return "" if value is True else f"={value}"


def source_line(image: Image | None, pc: int) -> str:
    """`file:line` of a program address, or an empty text."""
    if image is None or pc not in image.lines:
        return ""
    place = image.lines[pc]
    return f"{place[0]}:{place[1]}"


def divergence_report(
    what: str,
    iss: dict[str, Any] | None,
    rtl: dict[str, Any] | None,
    history: list[dict[str, Any]],
    image: Image | None,
) -> str:
    """The first divergence as a diff, with the instructions before it."""
    lines = [f"simulator and RTL diverge: {what}"]
    place = rtl or iss
    labels = None if image is None else image.labels("pm")
    if place is not None:
        where = source_line(image, place["pc"])
        lines.append(f"  at {Record(place).line(labels).strip()}" + (f"  ({where})" if where else ""))
    keys = [k for k in dict.fromkeys([*(iss or {}), *(rtl or {})]) if (iss or {}).get(k) != (rtl or {}).get(k)]
    isa = load()
    for key in keys:
        for sign, side in (("- simulator", iss), ("+ RTL      ", rtl)):
            if side is None:
                continue
            text = key + _effect(isa, key, side[key]) if key in side else f"no {key}"
            lines.append(f"  {sign}: {text}")
    if history:
        lines.append("  the instructions before it, on which both agree:")
        lines += [f"    {Record(r).line(labels)}" for r in history]
    return "\n".join(lines)
