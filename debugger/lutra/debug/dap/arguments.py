"""The arguments of a request, each read with the type that it must have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

# Values that an error lists.
_SHOWN = 60
_MISSING = object()


class RequestError(Exception):
    """A request that cannot be served: one line that says why. short: the protocol's word for it, or ""."""

    def __init__(self, text: str, short: str = "") -> None:
        super().__init__(text)
        self.short = short


class Arguments:
    """An object of a message. path: how errors name it."""

    def __init__(self, values: Mapping[str, Any], path: str = "") -> None:
        self.values, self._path = values, path

    def text(self, name: str, default: str | None = None) -> str:
        """Read a string; required if there is no default."""
        return _text(f"{self._path}{name}", self._typed(name, str, "a string", default))

    def number(self, name: str, default: int | None = None, low: int = 0, high: int = 1 << 31) -> int:
        """Read a whole number from low to high; required if there is no default."""
        value = self._typed(name, int, "a whole number", default)
        if not low <= value <= high:
            raise RequestError(f"{self._path}{name} is {_shown(value)}; it must be from {low} to {high}")
        return int(value)

    def flag(self, name: str, default: bool = False) -> bool:
        """true or false."""
        return bool(self._typed(name, bool, "true or false", default))

    def texts(self, name: str) -> list[str]:
        """A list of strings, empty where it is not there."""
        values = self._list(name)
        if stray := [value for value in values if not isinstance(value, str)]:
            raise RequestError(f"{self._path}{name} has {_shown(stray[0])}, which is not a string")
        return [_text(f"{self._path}{name}", value) for value in values]

    def one(self, name: str) -> Arguments:
        """An object, empty where it is not there."""
        return Arguments(self._typed(name, dict, "an object", {}), f"{self._path}{name}.")

    def many(self, name: str) -> list[Arguments]:
        """A list of objects, empty where it is not there."""
        values = self._list(name)
        if stray := [value for value in values if not isinstance(value, dict)]:
            raise RequestError(f"{self._path}{name} has {_shown(stray[0])}, which is not an object")
        return [Arguments(value, f"{self._path}{name}[{at}].") for at, value in enumerate(values)]

    def _list(self, name: str) -> list[Any]:
        return list(self._typed(name, list, "a list", []))

    def _typed(self, name: str, kind: type, what: str, default: Any) -> Any:
        value = self.values.get(name, _MISSING)
        if value is _MISSING or value is None:
            if default is None:
                raise RequestError(f"{self._path}{name} is missing; it is {what}")
            return default
        # In JSON, true is not a number, though it is in Python.
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise RequestError(f"{self._path}{name} is {_shown(value)}; it must be {what}")
        return value


def _text(name: str, value: str) -> str:
    """A string that can be the name of a file: without NUL and halves of surrogate pairs."""
    if "\0" in value or any("\ud800" <= c <= "\udfff" for c in value):
        raise RequestError(f"{name} is {_shown(value)}; it must be text")
    return value


def _shown(value: object) -> str:
    """The beginning of a value, in one line. A number of any size."""
    text = hex(value) if isinstance(value, int) and not isinstance(value, bool) else ascii(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."
