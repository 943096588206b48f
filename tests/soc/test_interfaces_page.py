"""docs/interfaces.md and its picture are those of the recorded figures."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lutra.soc import page, ring_page
from lutra.soc.figures import Figures, model, slower
from lutra.soc.ring import PAIR_SIZES
from lutra.soc.study import FIGURES, digest, main, measurements, recorded

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


@pytest.mark.parametrize("current", [True, False])
def test_a_row_that_was_measured_with_other_sources_is_found(
    current: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "ibex rows bus2"
    measurement = next(m for m in measurements() if m.name() == name)
    figures = tmp_path / "figures.json"
    figures.write_text(json.dumps({"moves": [{"name": name, "digest": digest(measurement) if current else "old"}]}))
    assert main(["--check", "--only", name, "--figures", str(figures)]) == (0 if current else 1)
    assert (name in capsys.readouterr().out) is not current


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


def test_the_ring_is_within_ten_percent_of_the_model() -> None:
    """The page names the exceptions, all of the ciphers that the core has two messages of at a time."""
    off = set()
    for series in Figures(DOCUMENT).rings():
        for (size, keys), batch in series.batches.items():
            assert batch.core > 0
            if abs(series.steady(size, keys) / series.model(size, keys).least - 1) > 0.1:
                off.add((series.subject, size, keys, series.memory > 0))
    pairs = "snow3g", "zuc-128"
    assert off <= {(name, size, "kept", slow) for name in pairs for size in (736, 896, 1500) for slow in (False, True)}


# Bytes per cycle that are asked of the ring on Ibex.
@pytest.mark.parametrize("memory", [0, 30, 100])
@pytest.mark.parametrize(
    ("subject", "size", "keys", "least"),
    [
        ("aes-128-ctr", 4096, "kept", 3.0),
        ("aes-128-gcm", 4096, "kept", 2.9),
        ("aes-128-ctr", 64, "kept", 1.5),
        ("aes-128-ctr", 64, "cached", 1.5),
        ("aes-128-ctr", 64, "new", 1.0),
    ],
)
def test_the_ring_is_as_fast_as_is_asked(memory: int, subject: str, size: int, keys: str, least: float) -> None:
    assert Figures(DOCUMENT).ring("ibex", subject, memory).steady(size, keys) >= least


@pytest.mark.parametrize(("memory", "least"), [(0, 5), (30, 5), (100, 4.5)])
@pytest.mark.parametrize("subject", ["snow3g", "zuc-128"])
def test_two_messages_in_the_core_are_five_bytes_per_cycle(subject: str, memory: int, least: float) -> None:
    rates = [Figures(DOCUMENT).ring("ibex", subject, memory).steady(size) for size in PAIR_SIZES]
    assert round(max(rates), 2) >= least


def test_the_ring_breaks_even_with_software_in_one_block() -> None:
    figures = Figures(DOCUMENT)
    for series in figures.rings():
        soft = figures.one(series.host, series.subject, "soft")
        assert ring_page.faster_from(series, soft.cycles) == 16, series


def test_the_ring_moves_seven_times_what_programmed_io_does() -> None:
    """With the same round trip it is fifteen times; the firmware of ChaCha20 is too slow for either."""
    figures = Figures(DOCUMENT)
    for series in ring_page.nearest(figures):
        if series.subject != "chacha20":
            for way, least in ((ring_page.NEAR, 7), (ring_page.SAME, 15)):
                assert series.steady(4096) >= least * figures.one(series.host, series.subject, *way).rate(4096), series
