"""Some of many alike in `make test`, the others in the nightly part."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from _pytest.mark.structures import ParameterSet


def sampled(values: Iterable[Any], every: int, others: pytest.MarkDecorator) -> list[ParameterSet]:
    """Each `every`th of the values as it is, from the first; those between them with the mark `others`."""
    return [pytest.param(value, marks=[others] * (n % every > 0)) for n, value in enumerate(values)]
