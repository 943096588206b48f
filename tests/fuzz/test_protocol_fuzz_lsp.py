"""The language server under the fuzzer, for part of a minute; `make fuzz-lsp` takes an hour."""

from __future__ import annotations

import time

import pytest

from protocol_fuzz.cases import KINDS, case
from protocol_fuzz.process import FindingError, run
from protocol_fuzz.targets import target

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
SECONDS = 25
LEAST = 6


def test_editors_that_change_firmware_at_random_find_no_mistake_in_the_server() -> None:
    server = target("lsp")
    begin = time.monotonic()
    number = 0
    while number < LEAST or time.monotonic() - begin < SECONDS:
        made = case(server, 11, number, (list(KINDS)[number % len(KINDS)],) if number < LEAST else tuple(KINDS))
        try:
            run(server, made)
        except FindingError as finding:
            # In ASCII and without the case: text that no encoding has cannot be reported by a process of pytest-xdist.
            pytest.fail(f"case {number}, {made.kind}: {str(finding)!a}", pytrace=False)
        number += 1
