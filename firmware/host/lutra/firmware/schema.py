"""Convert the tables of TOML and JSON files to typed records, with errors of one line."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, Meta, Struct

from lutra.firmware.errors import FirmwareError, nearest

T = TypeVar("T")
# The range of address registers; whether it fits into the memories is checked later, when their contents are known.
MOST_BYTES = (1 << 16) - 1
Bytes = Annotated[int, Meta(ge=0, le=MOST_BYTES)]
SomeBytes = Annotated[int, Meta(ge=1, le=MOST_BYTES)]
Bits = Annotated[int, Meta(ge=0, le=8 * MOST_BYTES, multiple_of=8)]
SomeBits = Annotated[int, Meta(ge=8, le=8 * MOST_BYTES, multiple_of=8)]
# Neither infinite nor not a number.
Positive = Annotated[float, Meta(gt=0, le=1.7976931348623157e308)]
Strings = Annotated[tuple[str, ...], Meta(min_length=1)]
WORDS = {bool: "true or false", int: "an integer", float: "a number", str: "a string"}
# What msgspec says of a wrong document: the fault, and the path to it, whose steps are keys, indices, and `[...]` for
# an entry of a table with free keys.
FAULT = r"(?s)(.*?)(?: - at `\$((?:\.\w+|\[\d+\]|\[\.\.\.\])*)`)?"
STEP = r"\.(\w+)|\[(\d+|\.\.\.)\]"
UNKNOWN = r"(?s)Object contains unknown field `(.*)`"
MISSING = r"Object missing required field `(.*)`"
# Keys that name a table in a list of them.
NAMES = ("name", "entry", "design")


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """A table with these keys and no others."""


def convert(where: str, table: Any, record: type[T]) -> T:
    """The table as a record; FirmwareError where a key is missing, unknown, of another type or out of its range."""
    try:
        return msgspec.convert(table, record)
    except msgspec.ValidationError as error:
        raise FirmwareError(_message(where, table, record, str(error))) from error


@functools.cache
def optional(record: type[Struct], *needed: str) -> type[Struct]:
    """The record of a table in which any key but these may be left out."""
    keys = [(f.name, f.type) if f.name in needed else (f.name, f.type, UNSET) for f in msgspec.structs.fields(record)]
    return msgspec.defstruct(record.__name__, keys, frozen=True, kw_only=True, forbid_unknown_fields=True)


def keys(record: type[Struct]) -> dict[str, Any]:
    """Return the keys of a record and their types."""
    return {field.name: field.type for field in msgspec.structs.fields(record)}


def needed(record: type[Struct]) -> tuple[str, ...]:
    """Return the keys of a record that cannot be left out."""
    return tuple(field.name for field in msgspec.structs.fields(record) if field.required)


def described(kind: Any) -> str:
    """Describe the values of a type in words."""
    *words, last = (word for part in _parts(kind) for word in _words(part))
    return f"{', '.join(words)} or {last}" if words else last


def one_of(where: str, what: str, name: Any, known: Iterable[str]) -> str:
    """The name; FirmwareError with the nearest where it is not known."""
    if name not in known:
        raise FirmwareError(f"{where}: unknown {what} {name!r}{nearest(str(name), known)}")
    return str(name)


def _message(where: str, table: Any, record: Any, text: str) -> str:
    """Say what is wrong, where, and what would be right."""
    found = re.fullmatch(FAULT, text)
    assert found is not None
    where, key, value, kind = _follow(where, table, record, found[2] or "")
    place = f"{where}: {key}" if key else where
    if unknown := re.fullmatch(UNKNOWN, found[1]):
        return f"{place}: unknown key {unknown[1]!r}{nearest(unknown[1], keys(_bare(kind)[0]))}"
    if missing := re.fullmatch(MISSING, found[1]):
        return f"{place}: {missing[1]} is missing"
    if isinstance(value, str) and (names := _names(kind)):
        return f"{where}: unknown {key} {value!r}{nearest(value, names)}"
    return f"{place} must be {described(kind)}, not {value!r}"


def _follow(where: str, table: Any, record: Any, path: str) -> tuple[str, str, Any, Any]:
    """The place, the key in it, its value and the type of that where a path leads; a list of plain values is one."""
    key, value, kind = "", table, record
    for name, index in re.findall(STEP, path):
        if name:
            where, key = f"{where}: {key}" if key else where, name
            value, kind = value[name], keys(_bare(kind)[0])[name]
            continue
        item = _item(kind)
        is_table = described(item) == "a table"
        if not _is_list(kind):
            at = label = next(k for k, v in value.items() if not _fits(v, item))
        elif is_table:
            at = int(index)
            label = next((value[at][k] for k in NAMES if isinstance(value[at], dict) and k in value[at]), at + 1)
        else:
            break
        where, key = (f"{where}: {key} {label}", "") if is_table else (f"{where}: {key}" if key else where, label)
        value, kind = value[at], item
    return where, key, value, kind


def _fits(value: Any, kind: Any) -> bool:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError:
        return False
    return True


def _parts(kind: Any) -> list[Any]:
    """The types that a type is a union of; a key that is left out has no value to describe."""
    parts = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return [part for part in parts if part is not NoneType]


def _bare(kind: Any) -> tuple[Any, Meta | None]:
    """A type without its bounds, and these."""
    part = _parts(kind)[0]
    return get_args(part)[:2] if get_origin(part) is Annotated else (part, None)


def _names(kind: Any) -> list[str]:
    """Names among the values of a type."""
    return [name for part in _parts(kind) if get_origin(part) is Literal for name in get_args(part)]


def _item(kind: Any) -> Any:
    """The type of the items of a list, or of the values of a table with free keys."""
    base = _bare(kind)[0]
    return get_args(base)[0 if _is_list(kind) else 1]


def _is_list(kind: Any) -> bool:
    return get_origin(_bare(kind)[0]) in (tuple, list)


def _words(kind: Any) -> list[str]:
    """Describe a type that is not a union: its names, or one phrase."""
    base, bounds = _bare(kind)
    if _is_list(kind):
        one = described(_item(kind))
        return ["a list of " + (one if _names(_item(kind)) else re.sub(r"^an? (\w+)", r"\1s", one))]
    if base is int and bounds is not None:
        steps = f" in steps of {bounds.multiple_of}" if bounds.multiple_of else ""
        return [f"an integer from {bounds.ge} to {bounds.le}{steps}"]
    if base is float and bounds is not None:
        return ["a number above 0"]
    return _names(kind) or [WORDS.get(base, "a table")]
