"""The retirement record of isa/retire.td: its fields, and what must hold of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from isagen.records import Store

Json = dict[str, Any]
FILE = "retire.td"

# {field} or {field+1} within the text of an effect; {} is the name of a mask's register.
PLACE = re.compile(r"\{(\w*)(?:\+(\d+))?\}")
# The class of records whose names are shown, or the register file.
CODES = {"trap_name": "Trap", "vector_name": "VectorName", "space_name": "Space"}
FILES = {"address_register_name": "AddressRegister"}


@dataclass(frozen=True)
class RegisterFile:
    """Registers that have a number: as many as `count`, named by prefix and number."""

    record: str
    prefix: str
    count: int
    text: str

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"{self.prefix}{n}" for n in range(self.count))


@dataclass(frozen=True)
class RetireField:
    """A field of the record. width: bits of one value. count: values, more than one under a mask.

    shown: how a value is written. effect and template: of a field that enables others, the name and the text of what
    it enables. over: of a mask, the registers that its bits stand for.
    """

    name: str
    shown: str
    width: int
    count: int
    enables: tuple[str, ...]
    text: str
    effect: str
    template: str
    over: RegisterFile | None
    loc: str


@dataclass(frozen=True)
class Record:
    """The whole record; fields in the order of the description."""

    fields: tuple[RetireField, ...]
    stores: tuple[Store, ...]

    def __getitem__(self, name: str) -> RetireField:
        return next(f for f in self.fields if f.name == name)

    @property
    def enables(self) -> tuple[RetireField, ...]:
        return tuple(f for f in self.fields if f.effect)

    def enabled_by(self, enable: RetireField) -> tuple[RetireField, ...]:
        return tuple(f for f in self.fields if enable.name in f.enables)


def register_files(data: Json) -> dict[str, RegisterFile]:
    """Every register file by its record."""
    names = data["!instanceof"].get("RegisterFile", [])
    return {n: RegisterFile(n, data[n]["Prefix"], data[n]["Count"], data[n]["Text"]) for n in names}


def read(data: Json) -> Record:
    """The record from llvm-tblgen's JSON."""
    files = register_files(data)
    rows = [data[n] for n in data["!instanceof"].get("RetireField", [])]
    rows.sort(key=lambda row: place(row, FILE))
    masks = {r["Name"]: files[r["Over"]["def"]] for r in rows if "Over" in r}
    return Record(tuple(_field(data, r, masks) for r in rows), tuple(_stores(data)))


def _stores(data: Json) -> Iterator[Store]:
    """Yield the stores, those with an address first."""
    of = data["!instanceof"]
    for r in (data[n] for n in of.get("RetireStore", [])):
        yield Store(r["Enable"], space=r["Space"], address=r["Address"], lanes=r["Lanes"], rows="", code=0)
    for r in (data[n] for n in of.get("RetireScatter", [])):
        code = data[r["Into"]["def"]]["Code"]
        yield Store(r["Enable"], space="", address="", lanes="", rows=r["Rows"], code=code)


def place(row: Json, home: str) -> tuple[bool, str, int]:
    """The order of the source, additions in other files than `home` last."""
    file, line = str(row["!locs"][-1]).rsplit(":", 1)
    return file != home, file, int(line)


def code_width(data: Json, shown: str) -> int:
    """Bits of the codes that are shown as names."""
    if shown in FILES:
        return (register_files(data)[FILES[shown]].count - 1).bit_length()
    return max(int(data[n]["Code"]) for n in data["!instanceof"][CODES[shown]]).bit_length()


def _field(data: Json, r: Json, masks: dict[str, RegisterFile]) -> RetireField:
    kind = data[r["Holds"]["def"]]
    template = str(r.get("Shown", ""))
    over = masks.get(r["Name"])
    return RetireField(
        name=r["Name"],
        shown=kind["Shown"],
        width=kind["Width"] or code_width(data, kind["Shown"]),
        count=next((masks[e].count for e in r["Enables"] if e in masks), 1),
        enables=tuple(r["Enables"]),
        text=r["Text"],
        effect=str(r["Effect"]) if over else re.split(r"\W", template)[0],
        template=template,
        over=over,
        loc=str(r["!locs"][-1]),
    )


def check(record: Record) -> Iterator[str]:
    """Yield errors in the record, one per line."""
    names = [f.name for f in record.fields]
    effects = [f.effect for f in record.enables]
    for f in record.fields:
        said = f"{f.loc}: {f.name}: "
        if names.count(f.name) > 1:
            yield said + "two fields have this name"
        if f.effect and effects.count(f.effect) > 1:
            yield said + f"two effects are called {f.effect}"
        for name in f.enables:
            if name not in names or not record[name].effect:
                yield said + f"{name} is not an enable"
            elif record[name].over and len(f.enables) > 1:
                yield said + "a field under a mask cannot have another enable"
        if f.enables and f.effect:
            yield said + "an enable cannot have enables"
        if f.effect:
            yield from (said + text for text in _template(record, f))
    for store in record.stores:
        if store.enable not in names or not record[store.enable].effect:
            yield f"{FILE}: a store is enabled by {store.enable}, which is not an enable"
            continue
        for name in store.places:
            if name not in {f.name for f in record.enabled_by(record[store.enable])}:
                yield f"{record[store.enable].loc}: {store.enable}: its store names {name}, which it does not enable"


def _template(record: Record, enable: RetireField) -> Iterator[str]:
    """The text of an effect names all that it enables, so that two records that differ read differently."""
    used = {name for name, _ in PLACE.findall(enable.template)} - {"", enable.name}
    enabled = {f.name for f in record.enabled_by(enable)}
    for name in sorted(enabled - used):
        yield f"its text does not show {name}"
    for name in sorted(used - enabled):
        # The register after rd is shown with the partner's value.
        if not any(f.name == name for f in record.fields):
            yield f"its text shows {name}, which is not a field"
    if bool(enable.over) != ("{}" in enable.template):
        yield "the text of a mask, and of nothing else, shows its register as {}"
    if enable.width > 1 and not enable.over and enable.name not in {n for n, _ in PLACE.findall(enable.template)}:
        yield "its text does not show its own value"
