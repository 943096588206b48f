"""Reads the generated `tables.json`, the only reader of that file: the records of `lutra.isa.records`.

The environment variable LUTRA_ISA_TABLES names another file than that of `lutra.isa.generated`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from lutra.isa.generated import generated
from lutra.isa.records.instruction_set import Isa

Reader = Callable[[Any], Any]


class IsaTablesError(Exception):
    """The tables cannot be read; the text says which file and what to do."""


def parse(text: str) -> Isa:
    """The instruction set from the text of `tables.json`. Raises IsaTablesError."""
    try:
        data = json.loads(text)
        data.pop("generated")
        isa: Isa = _reader(Isa)(data)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise IsaTablesError(
            f"not the generated ISA tables of this version ({type(error).__name__}: {error})"
        ) from error
    return isa


@cache
def load() -> Isa:
    """The installed instruction set, read once. Raises IsaTablesError."""
    named = os.environ.get("LUTRA_ISA_TABLES")
    place = Path(named) if named else generated("tables.json")
    try:
        text = place.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise IsaTablesError(f"{place}: cannot be read: {error}; build first, or set LUTRA_ISA_TABLES") from error
    try:
        return parse(text)
    except IsaTablesError as error:
        raise IsaTablesError(f"{place}: {error}") from error


@cache
def _reader(kind: Any) -> Reader:
    """Return a reader that converts a JSON value to the type `kind`, or raises TypeError or ValueError.

    Made once for each type: every command reads the tables, forty thousand values, when it starts.
    """
    args = get_args(kind)
    if is_dataclass(kind):
        readers = {name: _reader(member) for name, member in get_type_hints(kind).items()}
        return lambda data: kind(**{name: readers[name](value) for name, value in data.items()})  # type: ignore[operator]
    if get_origin(kind) is tuple and args[-1] is Ellipsis:
        item = _reader(args[0])
        return lambda data: tuple(map(item, data))
    if get_origin(kind) is tuple:
        items = tuple(map(_reader, args))
        return lambda data: tuple(read(value) for read, value in zip(items, data, strict=True))
    if get_origin(kind) is Mapping:
        of_name = _reader(args[1])
        return lambda data: {name: of_name(value) for name, value in data.items()}
    if issubclass(kind, tuple):
        return lambda data: kind(*data)

    def plain(data: Any) -> Any:
        if isinstance(data, kind):
            return data
        raise TypeError(f"{data!r} where {kind.__name__} is expected")

    return plain
