"""A screen of Textual as SVG, made from its cells: the same bytes for the same screen, and no font from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from xml.sax.saxutils import escape

from rich.color import Color
from rich.style import Style
from rich.terminal_theme import DEFAULT_TERMINAL_THEME
from textual.app import App

# Of a cell, in units of the picture.
WIDTH, HEIGHT, SIZE = 8.4, 18, 14
MARGIN = 8
FONT = "'DejaVu Sans Mono', 'Cascadia Mono', Menlo, Consolas, 'Liberation Mono', monospace"

Cell = tuple[str, Style]


def picture(app: App[None], title: str) -> str:
    """The screen that an app shows now. title: what the picture is, for readers who do not see it."""
    rows = [list(_cells(row)) for row in _rows(app)]
    background = rows[0][0][1].bgcolor
    width = 2 * MARGIN + WIDTH * app.size.width
    height = 2 * MARGIN + HEIGHT * app.size.height
    body = [line for number, row in enumerate(rows) for line in (*_boxes(row, number), *_texts(row, number))]
    base = _color(app.screen.rich_style.bgcolor or background, "#000000")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" role="img">',
            f"<title>{escape(title)}</title>",
            f'<rect width="{width:g}" height="{height:g}" rx="6" fill="{base}"/>',
            f'<g font-family="{FONT}" font-size="{SIZE}" xml:space="preserve">',
            *body,
            "</g>",
            "</svg>",
            "",
        ]
    )


def _rows(app: App[None]) -> Iterator[list[tuple[str, Style]]]:
    """Each line of the screen, with the screens below a page."""
    update = app.screen._compositor.render_strips()
    for strip in update:
        yield [(segment.text, segment.style or Style.null()) for segment in strip]


def _cells(row: list[tuple[str, Style]]) -> Iterator[Cell]:
    for text, style in row:
        foreground, background = style.color, style.bgcolor
        if style.reverse:
            style = style + Style.from_color(background, foreground)
        for letter in text:
            yield letter, style


def _runs(row: list[Cell]) -> Iterator[tuple[int, str, Style]]:
    """Cells of one style that follow each other: column, text, style."""
    column = 0
    for style, cells in groupby(row, key=lambda cell: cell[1]):
        text = "".join(letter for letter, _ in cells)
        yield column, text, style
        column += len(text)


def _boxes(row: list[Cell], number: int) -> Iterator[str]:
    """The backgrounds."""
    column = 0
    for color, cells in groupby(row, key=lambda cell: _color(cell[1].bgcolor, "")):
        width = len(list(cells))
        if color:
            x, y = MARGIN + WIDTH * column, MARGIN + HEIGHT * number
            yield f'<rect x="{x:g}" y="{y:g}" width="{WIDTH * width:g}" height="{HEIGHT}" fill="{color}"/>'
        column += width


def _texts(row: list[Cell], number: int) -> Iterator[str]:
    """The words, each where its cells are: what is between words is blank whatever the font."""
    y = MARGIN + HEIGHT * number + 13.5
    for first, text, style in _runs(row):
        weight = ' font-weight="bold"' if style.bold else ""
        fill = _color(style.color, "#808080")
        column = first
        for blank, letters in groupby(text, key=str.isspace):
            word = "".join(letters)
            if not blank:
                x, length = MARGIN + WIDTH * column, WIDTH * len(word)
                yield (f'<text x="{x:g}" y="{y:g}" textLength="{length:g}" fill="{fill}"{weight}>{escape(word)}</text>')
            column += len(word)


def _color(color: Color | None, other: str) -> str:
    if color is None or color.is_default:
        return other
    return color.get_truecolor(DEFAULT_TERMINAL_THEME).hex
