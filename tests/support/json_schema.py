"""Checks a document against a JSON schema of draft 7, as far as speedscope's needs it; any other keyword is refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

TYPES: Mapping[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
}
ABOUT = {"title", "$schema", "definitions"}


def faults(document: Any, schema: Mapping[str, Any]) -> list[str]:
    """Violations, with their places."""
    return list(_faults(document, schema, schema, "$"))


def _faults(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str) -> Iterator[str]:
    for keyword, says in schema.items():
        match keyword:
            case "$ref":
                name = says.removeprefix("#/definitions/")
                yield from _faults(value, root["definitions"][name], root, at)
            case "type":
                if not isinstance(value, TYPES[says]):
                    yield f"{at}: not of type {says}"
            case "const":
                if value != says:
                    yield f"{at}: {value!r} is not {says!r}"
            case "enum":
                if value not in says:
                    yield f"{at}: {value!r} is none of {says}"
            case "anyOf":
                if all(list(_faults(value, one, root, at)) for one in says):
                    yield f"{at}: fits no alternative"
            case "required":
                yield from (f"{at}: no {name}" for name in says if not isinstance(value, dict) or name not in value)
            case "properties":
                if isinstance(value, dict):
                    for name, of in says.items():
                        if name in value:
                            yield from _faults(value[name], of, root, f"{at}.{name}")
            case "items":
                if isinstance(value, list):
                    for n, item in enumerate(value):
                        yield from _faults(item, says, root, f"{at}[{n}]")
            case _:
                assert keyword in ABOUT, f"the schema's keyword {keyword} is not known here"
