"""docs/interfaces.md and its picture are those of the recorded figures."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lutra.soc import page
from lutra.soc.figures import Figures, model, slower
from lutra.soc.study import FIGURES, measurements, recorded

DOCUMENT = json.loads(FIGURES.read_text())


def test_the_tables_are_those_of_the_figures() -> None:
    text = page.PAGE.read_text()
    assert page.filled(text, DOCUMENT) == text, "run: ./lutra --with python -m lutra.soc.study --page"


def test_a_table_that_nobody_writes_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown"):
        page.filled("<!-- table: unknown -->\n<!-- end -->\n", DOCUMENT)


def test_the_picture_of_the_study_is_that_of_its_figures(tmp_path: Path) -> None:
    made = tmp_path / "made.svg"
    subprocess.run([sys.executable, page.PICTURE, made], check=True, timeout=300)
    assert page.PAGE.with_suffix(".svg").read_text() == made.read_text()


def test_every_case_of_the_study_has_figures() -> None:
    assert [m.name() for m in measurements()] == list(recorded(DOCUMENT))


def test_every_message_but_one_is_faster_by_the_core_than_on_the_host() -> None:
    """The page names the exception."""
    assert slower(Figures(DOCUMENT)) == {("ibex", "salsa20-256", "bus", 32, 64)}


def test_longer_messages_cost_what_shorter_ones_say() -> None:
    """The figures above 8192 bytes are computed; two series were measured up to 65536."""
    figures = Figures(DOCUMENT)
    long = [series for series in figures.series() if 65536 in series.sizes]
    assert len(long) == 2
    for series in long:
        short = figures.one(series.host, series.subject, series.way, series.delay)
        assert 65536 not in short.sizes
        for size in (16384, 65536):
            assert series.cycles(size) == pytest.approx(short.cycles(size), rel=0.01)


def test_the_model_is_within_ten_percent_where_core_and_host_alternate() -> None:
    figures = Figures(DOCUMENT)
    for series in page.modelled(figures):
        found = model(figures, series)
        assert series.rate(4096) == pytest.approx(found.alternately, rel=0.1), series
        assert series.rate(4096) <= found.least
