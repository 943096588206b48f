"""Compares the headers of a folder's routines with what the simulator sees, as a program of its own that can be ended.

`python -m lutra.editor.header_run FOLDER` prints JSON: checks as `lutra test --json` has them.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from lutra.firmware import testing
from lutra.firmware.errors import FirmwareError

ONLY = "header of"


def main(folder: str) -> None:
    """Print what is wrong with headers; nothing is where there is nothing to test."""
    try:
        units = testing.find([Path(folder)])
        checks = testing.run(units, testing.Options("iss", only=ONLY)).as_json()["checks"]
    except FirmwareError:
        # Sources that cannot be assembled are reported as such, and a folder without tests is none.
        checks = []
    print(json.dumps([check for check in checks if check["kind"] == "header" and check["state"] == "failed"]))


if __name__ == "__main__":
    main(sys.argv[1])
