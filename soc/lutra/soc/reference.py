"""Write the reference of registers and memory layouts from the SystemRDL file.

`python -m lutra.soc.reference` writes docs/soc-reference.md; `--check` compares it instead. `make reference` runs it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from systemrdl.node import AddressableNode, AddrmapNode, FieldNode, RegNode

from lutra.soc.generate import RAW, RECORDS, REGISTERS, SOURCE, elaborate

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs/soc-reference.md"


@dataclass(frozen=True)
class Row:
    """A field in the table of its register: place, bits, name, access, value after reset, description."""

    offset: str
    register: str
    bits: str
    field: str
    access: str
    reset: str
    text: str


def _offset(node: AddressableNode) -> str:
    text = f"{node.raw_absolute_address:#06x}" if not node.is_array else f"{_first(node):#06x}"
    return f"{text} + {node.array_stride:#x} i" if node.is_array else text


def _first(node: AddressableNode) -> int:
    """Address of a register outside of the array that holds it."""
    parent = node.parent
    inside = parent.raw_absolute_address if isinstance(parent, AddressableNode) and not parent.is_array else 0
    return inside + node.raw_address_offset


def _meaning(field: FieldNode) -> str:
    register = field.parent
    text = field.get_property("desc") or register.get_property("desc") or register.get_property("name")
    values = field.get_property("encode")
    return f"{text.strip()}: " + ", ".join(f"{m.value} {m.name}" for m in values) if values else text.strip()


def rows(block: AddressableNode) -> Iterator[Row]:
    """The fields of all registers right below a block."""
    for register in block.children(unroll=False):
        if not isinstance(register, RegNode):
            continue
        for field in register.fields():
            bits = f"{field.high}:{field.low}" if field.high != field.low else str(field.low)
            reset = field.get_property("reset")
            yield Row(
                _offset(register),
                register.inst_name,
                bits,
                field.inst_name,
                field.get_property("sw").name,
                "" if reset is None else f"{reset:#x}",
                _meaning(field),
            )


def blocks(top: AddrmapNode) -> Iterator[AddressableNode]:
    """The block itself and the register files in it."""
    yield top
    yield from (c for c in top.children(unroll=False) if not isinstance(c, RegNode) and isinstance(c, AddressableNode))


def page() -> str:
    """The text of the reference."""
    loader = FileSystemLoader(Path(__file__).parent / "templates")
    environment = Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, keep_trailing_newline=True)
    maps = elaborate()
    registers = maps[REGISTERS]
    return environment.get_template("soc-reference.md.j2").render(
        registers=[(_title(b), list(rows(b))) for b in blocks(registers)],
        layouts=[(maps[name], list(rows(maps[name]))) for name in RECORDS],
        raw=list(rows(maps[RAW])),
        status=_statuses(maps),
    )


def _statuses(maps: dict[str, AddrmapNode]) -> list[Any]:
    """The values of a completion's status; each has a value, a name and `rdl_desc`."""
    result = maps["lutra_completion"].get_child_by_name("result")
    assert isinstance(result, RegNode)
    encoded: list[Any] = [f.get_property("encode") for f in result.fields()]
    return next(list(values) for values in encoded if values)


def _title(block: AddressableNode) -> str:
    if not block.is_array:
        return "Global page"
    first, stride = block.raw_address_offset, block.array_stride
    return f"`{block.inst_name}[i]`, from {first:#x}, every {stride:#x} bytes"


def main() -> int:
    """Write the page, or compare it."""
    parser = argparse.ArgumentParser(prog="python -m lutra.soc.reference", description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare the page instead of writing it")
    options = parser.parse_args()
    text = page()
    if not options.check:
        PAGE.write_text(text)
        return 0
    if PAGE.read_text() == text:
        return 0
    print(f"{PAGE.relative_to(ROOT)} is older than {SOURCE.relative_to(ROOT)}: run make reference", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
