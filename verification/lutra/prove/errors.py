"""Why something is not proved."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lutra.firmware.errors import FirmwareError


class Unprovable(Exception):  # noqa: N818 (an outcome)
    """The method does not reach this far: nothing is said about the firmware."""


class Meets(Unprovable):
    """Two addresses may be the same place."""


class Reaches(Unprovable):
    """An address register may reach the end of its window, or not."""


class Exceeded(Exception):  # noqa: N818
    """The proof needs more time or memory than it may have."""


class Refuted(Exception):  # noqa: N818
    """The firmware differs from its specification, or its time depends on a secret."""


class SpecificationError(FirmwareError):
    """A user's specification that does not run; the text is one line with its place."""


@contextmanager
def told(file: Path) -> Iterator[None]:
    """Turn what goes wrong while the specification in `file` runs into an error with its place."""
    try:
        yield
    except (FirmwareError, Refuted, Unprovable):
        raise
    except Exception as error:
        if not file.is_file():
            raise
        frames = traceback.extract_tb(error.__traceback__)
        lines = [frame.lineno for frame in frames if Path(frame.filename) == file]
        line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
        place = f"{file}:{line}" if line else str(file)
        what = error.msg if isinstance(error, SyntaxError) else f"{type(error).__name__}: {error}"
        raise SpecificationError(f"{place}: {what}; docs/how-to/prove-a-cipher.md has an example") from error
