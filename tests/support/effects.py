"""What an instruction wrote, by its record."""

from __future__ import annotations

from collections.abc import Iterator

import lutra
from lutra.isa import load
from lutra.iss.retire import Record


def written(record: Record) -> set[str]:
    """Registers that an instruction wrote."""
    isa, fields = load(), record.fields
    registers = {isa.address_registers[n] for n in fields.get("ar_value", {})}
    registers |= {isa.stream_contexts[n] for n in fields.get("context_state", {})}
    registers |= {name for name in ("ctr", "hold") if f"{name}_en" in fields}
    registers |= {isa.vector_by_code[fields["rd"]].name} if "rd_en" in fields else set()
    registers |= {isa.vector_by_code[fields["rd"] + 1].name} if "partner_en" in fields else set()
    return registers


def stores(record: Record, image: lutra.Image) -> Iterator[tuple[str, str]]:
    """Space and label of what an instruction stored."""
    isa, fields = load(), record.fields
    if "store_en" not in fields:
        return
    space = next(s.name for s in isa.spaces if s.code == fields["store_space"])
    before = ((at, name) for at, name in image.labels(space).items() if at <= fields["store_address"])
    yield space, max(before, default=(0, ""))[1]
