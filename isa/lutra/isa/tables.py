"""Reads the generated `tables.json`, the only reader of that file: the records of `lutra.isa.records`.

The environment variable LUTRA_ISA_TABLES names another file than that of `lutra.isa.generated`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from lutra.isa.generated import generated
from lutra.isa.records import Isa


class IsaTablesError(Exception):
    """The tables cannot be read; the text says which file and what to do."""


def parse(text: str) -> Isa:
    """The instruction set from the text of `tables.json`. Raises IsaTablesError."""
    try:
        data = json.loads(text)
        data.pop("generated")
        isa: Isa = _value(Isa, data)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise IsaTablesError(
            f"not the generated ISA tables of this version ({type(error).__name__}: {error})"
        ) from error
    return isa


@lru_cache(maxsize=1)
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


@lru_cache
def _members(record: type) -> Mapping[str, Any]:
    """Name -> type of a record's members."""
    return get_type_hints(record)


def _value(kind: Any, data: Any) -> Any:
    """A value of the type `kind` from what JSON made of it. Raises TypeError or ValueError where it is none."""
    args = get_args(kind)
    if is_dataclass(kind):
        members = _members(kind)  # type: ignore[arg-type]  # a class, which is_dataclass does not say
        values = {name: _value(members[name], value) for name, value in data.items()}
        return kind(**values)  # type: ignore[operator]
    if get_origin(kind) is tuple:
        kinds = args[:1] * len(data) if args[-1] is Ellipsis else args
        return tuple(_value(k, v) for k, v in zip(kinds, data, strict=True))
    if get_origin(kind) is Mapping:
        return {name: _value(args[1], value) for name, value in data.items()}
    if issubclass(kind, tuple):
        return kind(*data)
    if not isinstance(data, kind):
        raise TypeError(f"{data!r} where {kind.__name__} is expected")
    return data
