"""A device that runs the small cipher."""

from __future__ import annotations

from pathlib import Path

import pytest

from lutra.firmware import device
from support.devices import create, otter


@pytest.fixture
def dev(tmp_path: Path) -> Path:
    """Its folder: version 1.1.0 with counter 2 is confirmed, the other slot is empty."""
    folder = create(tmp_path / "dev")
    with device.opened(folder) as opened:
        opened.update(otter("1.1.0", 2))
    return folder
