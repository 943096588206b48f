"""The language server under the fuzzer; `make fuzz-lsp` takes an hour."""

from __future__ import annotations

import pytest

from protocol_fuzz.cases import KINDS, case
from protocol_fuzz.process import FindingError, run
from protocol_fuzz.targets import target

pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
# One of each kind first, then any.
CASES = 8


def test_editors_that_change_firmware_at_random_find_no_mistake_in_the_server() -> None:
    server = target("lsp")
    kinds = list(KINDS)
    for number in range(CASES):
        made = case(server, 11, number, (kinds[number],) if number < len(kinds) else tuple(kinds))
        try:
            run(server, made)
        except FindingError as finding:
            # In ASCII and without the case: text that no encoding has cannot be reported by a process of pytest-xdist.
            pytest.fail(f"case {number}, {made.kind}: {str(finding)!a}", pytrace=False)
