"""Report the option values that other packages refuse as wrong usage."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from lutra.cli.errors import UsageError
from lutra.firmware.errors import FirmwareError
from lutra.iss.engine import EngineError


@contextlib.contextmanager
def usage_checks(option: str = "") -> Iterator[None]:
    """Turn the errors that a check of option values raises in the block into UsageError.

    option: prefix of the message.
    """
    try:
        yield
    except (FirmwareError, EngineError) as error:
        raise UsageError(f"{option}: {error}" if option else str(error)) from error
