"""Checks of option values that other packages make."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from lutra.cli.errors import UsageError
from lutra.firmware.errors import FirmwareError
from lutra.iss.engine import EngineError


@contextlib.contextmanager
def usage_checks(option: str = "") -> Iterator[None]:
    """What the block's checks of option values find is wrong usage, wherever the check is made.

    option: what stands before the text.
    """
    try:
        yield
    except (FirmwareError, EngineError) as error:
        raise UsageError(f"{option}: {error}" if option else str(error)) from error
