"""The option --weights: how often random programs have each shape, instruction and operand."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lutra.asm.files import read_json
from lutra.cli.errors import CliError, UsageError
from lutra.cli.options import existing
from lutra.firmware.errors import nearest


def file_of(text: str) -> Path | None:
    """Return the file that the option names; None for pairs on the command line."""
    return Path(text) if text and "=" not in text else None


def weights(text: str, known: Mapping[str, float]) -> dict[str, float]:
    """Return the weights of the option, checked. Raises UsageError for pairs and CliError for a file."""
    file = file_of(text)
    wrong = UsageError if file is None else CliError
    found = _pairs(text) if file is None else _document(file)
    if not isinstance(found, dict):
        raise wrong(f"--weights {text}: must be one JSON object of names and numbers")
    if stray := next((name for name in found if name not in known), None):
        raise wrong(f"--weights: no weight {stray!r}{nearest(stray, known)}")
    return {name: _weight(name, value, wrong) for name, value in found.items()}


def _pairs(text: str) -> object:
    pairs = [item.partition("=") for item in text.split(",")]
    return {name.strip(): value for name, _, value in pairs}


def _document(file: Path) -> object:
    try:
        return read_json(existing(file), "a file of weights")
    except ValueError as error:
        raise CliError(f"--weights {file}: is not JSON: {error}") from error


def _weight(name: str, value: object, wrong: type[CliError]) -> float:
    error = wrong(f"--weights: {name} is {value!r}; must be a number, 0 or more")
    try:
        weight = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise error from None
    if not 0 <= weight < float("inf"):
        raise error
    return weight
