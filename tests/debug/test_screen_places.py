"""Where the panes are, at every size, in every colour, and without a terminal."""

from __future__ import annotations

import subprocess
import sys
from itertools import combinations
from pathlib import Path

import pytest

from lutra.debug import DebugError
from lutra.debug.screen import colors, layout, terminal
from support.screens import opened, screen

SIZES = [(80, 24), (100, 30), (149, 40), (150, 40), (200, 60), (300, 90)]


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("tab", layout.TABS)
@pytest.mark.parametrize("zoomed", ["", "source", "messages"])
def test_panes_lie_beside_each_other_within_the_terminal(width: int, height: int, tab: str, zoomed: str) -> None:
    places = layout.arrange(width, height, tab, (42, 15), zoomed)
    prompt = places.pop("prompt")
    assert prompt.y == height - 2
    for name, box in places.items():
        assert box.x >= 0 and box.y >= 0 and box.x + box.width <= width and box.y + box.height <= height, name
        assert box.width >= 30 and box.height >= (1 if name in ("status", "command", "keys") else 4), name
    for (name, one), (other, two) in combinations(places.items(), 2):
        apart = (
            one.x + one.width <= two.x
            or two.x + two.width <= one.x
            or one.y + one.height <= two.y
            or two.y + two.height <= one.y
        )
        assert apart, (name, other)


@pytest.mark.asyncio
async def test_a_resize_gives_panes_of_their_own_to_a_wide_terminal(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        narrow = {"source", "disassembly", "registers", "memories", "messages"}
        assert shown.shown == narrow
        await shown.pilot.resize_terminal(200, 60)
        await shown.settle()
        assert shown.shown == narrow | {"pipeline", "stack"}
        await shown.press("escape", "7")
        assert shown.app.focused is shown.pane("pipeline")
        await shown.pilot.resize_terminal(100, 30)
        await shown.settle()
        assert shown.shown == narrow - {"memories"} | {"pipeline"}


@pytest.mark.asyncio
async def test_the_smallest_terminal_shows_vectors_to_their_last_digit(tmp_path: Path) -> None:
    async with screen(opened(tmp_path), *layout.SMALLEST) as shown:
        await shown.press("f8", "f8")
        rows = ["".join(segment.text for segment in strip) for strip in shown.app.screen._compositor.render_strips()]
        assert any("v0  *00010203 04050607 08090a0b 0c0d0e0f" in row for row in rows)


@pytest.mark.asyncio
async def test_a_terminal_that_becomes_too_small_says_so_and_comes_back(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.pilot.resize_terminal(60, 20)
        await shown.settle()
        assert shown.shown == set()
        assert [shown.app.small.display] == [True]  # in a list: it changes, which a type checker does not see
        await shown.pilot.resize_terminal(100, 30)
        await shown.settle()
        assert "source" in shown.shown
        assert [shown.app.small.display] == [False]
        await shown.command("step")
        assert shown.session.inspect.where().time == 1


@pytest.mark.asyncio
async def test_every_pane_is_reached_by_its_number_and_by_f6_and_takes_the_screen(tmp_path: Path) -> None:
    async with screen(opened(tmp_path)) as shown:
        await shown.press("escape")
        for number, name in enumerate([*shown.app.panes][:-1], 1):
            await shown.press(str(number))
            assert shown.app.focused is shown.pane(name)
            assert name in shown.shown
            await shown.press("z")
            assert shown.shown == {name, "messages"}
            await shown.press("z")
        await shown.press("0")
        assert shown.app.focused is shown.app.messages
        for name in shown.app.panes:
            await shown.press("f6")
            assert shown.app.focused is shown.pane(name)
        await shown.press("shift+f6")
        assert shown.app.focused is shown.pane("stops")


@pytest.mark.asyncio
async def test_no_colour_is_sent_where_no_color_is_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with screen(opened(tmp_path)) as shown:
        await shown.press("f8", "f9", "escape", "3", "t")
        for strip in shown.app.screen._compositor.render_strips():
            for segment in strip:
                style = segment.style
                assert style is None or all(c is None or c.is_default for c in (style.color, style.bgcolor)), segment


@pytest.mark.asyncio
async def test_dark_and_light(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("COLORFGBG", "0;15")
    async with screen(opened(tmp_path)) as shown:
        assert shown.app.theme == colors.LIGHT.name
        await shown.press("escape", "t")
        assert shown.app.theme == colors.DARK.name


def test_roles_have_a_style_in_every_theme() -> None:
    dark, light, plain = (colors.styles(theme.name) for theme in colors.themes())
    assert dark.keys() == light.keys() == plain.keys()
    assert all(style.color is None and style.bgcolor is None for style in plain.values())


def _terminal(monkeypatch: pytest.MonkeyPatch, there: bool, size: tuple[int, int], term: str = "xterm") -> None:
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: there, raising=False)
    monkeypatch.setenv("TERM", term)
    monkeypatch.setenv("COLUMNS", str(size[0]))
    monkeypatch.setenv("LINES", str(size[1]))


@pytest.mark.parametrize(
    ("there", "size", "term", "says"),
    [
        (False, (100, 30), "xterm", "the screen needs a terminal; "),
        (True, (100, 30), "dumb", "TERM is 'dumb'"),
        (True, (79, 30), "xterm", "the terminal has 79 x 30; the debugger needs 80 x 24"),
        (True, (100, 23), "xterm", "the terminal has 100 x 23"),
    ],
)
def test_where_there_is_no_screen_one_line_says_why(
    monkeypatch: pytest.MonkeyPatch, there: bool, size: tuple[int, int], term: str, says: str
) -> None:
    _terminal(monkeypatch, there, size, term)
    with pytest.raises(DebugError) as raised:
        terminal.check()
    assert says in str(raised.value)
    assert "--plain" in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_screen_does_not_go_to_the_file_of_standard_error(monkeypatch: pytest.MonkeyPatch) -> None:
    _terminal(monkeypatch, True, (100, 30))
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    with pytest.raises(DebugError, match=r"drawn on standard error, which must be a terminal too; .*--plain"):
        terminal.check()


def test_a_terminal_that_is_large_enough_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    _terminal(monkeypatch, True, (80, 24))
    terminal.check()


def test_only_the_screen_imports_textual() -> None:
    modules = "lutra.cli.main, lutra.cli.debug, lutra.debug.console, lutra.debug.screen"
    code = f"import sys, {modules}; print('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"
