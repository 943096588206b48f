"""Commands whose options are the fields of a frozen dataclass, which commands can share by inheritance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, fields
from inspect import Parameter, Signature
from typing import Any, TypeVar, get_type_hints

Request = TypeVar("Request")


def takes(request: type[Request]) -> Callable[[Callable[[Request], None]], Callable[..., None]]:
    """Declare the options of a command by a dataclass: Typer sees its fields, the command gets one object."""
    hints = get_type_hints(request, include_extras=True)
    parameters = [
        Parameter(
            field.name,
            Parameter.KEYWORD_ONLY,
            default=Parameter.empty if field.default is MISSING else field.default,
            annotation=hints[field.name],
        )
        for field in fields(request)  # type: ignore[arg-type]
    ]

    def declared(command: Callable[[Request], None]) -> Callable[..., None]:
        def parsed(**options: Any) -> None:
            command(request(**options))

        parsed.__doc__ = command.__doc__
        parsed.__annotations__ = {**hints, "return": None}
        parsed.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        return parsed

    return declared
