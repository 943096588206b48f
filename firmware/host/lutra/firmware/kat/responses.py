"""NIST's response files of AESAVS (CAVP): known answers, multi-block messages and Monte Carlo tests."""

from __future__ import annotations

import re
from typing import Any

from lutra.firmware.errors import FirmwareError

SUFFIX = ".rsp"
HEADER = re.compile(r"^# AESVS (\S+) test data for (\S+)\s*$", re.MULTILINE)
SECTION = re.compile(r"\[(ENCRYPT|DECRYPT)\]")
FIELD = re.compile(r"(\w+)\s*=\s*(.*)")
# Blocks of one Monte Carlo test (AESAVS 6.4).
MONTE_CARLO = {"MCT": {"repeat": 1000}}


def converted(text: str) -> dict[str, Any]:
    """The file in the shared schema. FirmwareError where it is none of AESAVS."""
    header = HEADER.search(text)
    if not header:
        raise FirmwareError("not a response file of AESAVS: no line `# AESVS ... test data for ...`")
    tests: list[dict[str, Any]] = []
    operation = ""
    for line in text.splitlines():
        if section := SECTION.fullmatch(line.strip()):
            operation = section[1].lower()
        elif field := FIELD.fullmatch(line.strip()):
            name, value = field[1].lower(), field[2].strip()
            if name == "count":
                tests.append({"id": f"{operation} {value}", "operation": operation} | MONTE_CARLO.get(header[1], {}))
            elif tests:
                tests[-1][name] = value
    return {"algorithm": "AES", "mode": header[2], "tests": tests}
