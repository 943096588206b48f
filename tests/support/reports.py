"""One report of a test from a worker of pytest-xdist, where it has three and says when it begins and ends.

Twenty thousand tests of a few milliseconds each take about as long to be told of as to run.
"""

from __future__ import annotations

import pytest
from _pytest.runner import runtestprotocol


class Reports:
    """Leaves out set-ups and teardowns that have passed, but for the seconds that `Times` has counted in them."""

    def pytest_runtest_protocol(self, item: pytest.Item, nextitem: pytest.Item | None) -> bool:
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        told = [report for report in reports if report.when == "call" or not report.passed]
        spent = [
            (f"{name} {report.when}", value)
            for report in reports
            if report not in told
            for name, value in report.user_properties
        ]
        told[0].user_properties = [*told[0].user_properties, *spent]
        for report in told:
            item.ihook.pytest_runtest_logreport(report=report)
        return True
