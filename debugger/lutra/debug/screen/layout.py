"""Positions of the panes for every size of the terminal."""

from __future__ import annotations

from dataclasses import dataclass

# Below this nothing useful fits.
SMALLEST = (80, 24)
# From this width on, disassembly and pipeline have a column of their own.
WIDE = 150
# A source pane of so many lines leaves the stack a place of its own.
SPARE = 34
GAP = 1
BORDER = 1
PROMPT = 2
# Least size of the tabs.
LEAST = 7
# The panes that take turns in one place.
TABS = ("memories", "tables", "contexts", "pipeline", "stack", "stops")
# Their short names while another pane is shown.
SHORT = dict(zip(TABS, ("mem", "tab", "ctx", "pipe", "stack", "stop"), strict=True))


@dataclass(frozen=True)
class Box:
    """A part of the screen, in cells."""

    x: int
    y: int
    width: int
    height: int

    def rows(self, first: int) -> tuple[Box, Box]:
        """The upper rows, and the rest."""
        return (
            Box(self.x, self.y, self.width, first),
            Box(self.x, self.y + first, self.width, self.height - first),
        )

    def columns(self, first: int) -> tuple[Box, Box]:
        """The columns on the left, and the rest after a gap."""
        return (
            Box(self.x, self.y, first, self.height),
            Box(self.x + first + GAP, self.y, self.width - first - GAP, self.height),
        )


def fits(width: int, height: int) -> bool:
    """Whether a terminal is large enough."""
    return width >= SMALLEST[0] and height >= SMALLEST[1]


def arrange(width: int, height: int, tab: str, registers: tuple[int, int], zoomed: str = "") -> dict[str, Box]:
    """The place of every pane that is shown.

    tab: the one of TABS whose turn it is. registers: columns and rows that the registers need. zoomed: the pane that
    has the whole screen, or "".
    """
    status, rest = Box(0, 0, width, height).rows(1)
    body, foot = rest.rows(rest.height - 2 - max(4, min(height // 6, 12)))
    messages, foot = foot.rows(foot.height - 2)
    line, keys = foot.rows(1)
    command = Box(PROMPT, line.y, width - PROMPT, 1)
    places = {"status": status, "messages": messages, "prompt": line, "command": command, "keys": keys}
    if zoomed == "messages":
        return {**places, "messages": Box(0, 1, width, height - 3)}
    if zoomed:
        return {**places, zoomed: body}
    return places | (_wide if width >= WIDE else _narrow)(body, tab, registers)


def _narrow(body: Box, tab: str, registers: tuple[int, int]) -> dict[str, Box]:
    left, right = body.columns(body.width - GAP - min(registers[0], body.width * 11 // 20))
    source, disassembly = left.rows(body.height * 3 // 5)
    upper, lower = right.rows(min(registers[1] + BORDER, body.height - LEAST))
    return {"source": source, "disassembly": disassembly, "registers": upper, tab: lower}


def _wide(body: Box, tab: str, registers: tuple[int, int]) -> dict[str, Box]:
    rest, right = body.columns(body.width - GAP - min(registers[0], body.width // 3))
    left, middle = rest.columns(rest.width * 11 // 20)
    disassembly, pipeline = middle.rows(body.height - min(11, body.height // 3))
    upper, lower = right.rows(min(registers[1] + BORDER, body.height - LEAST))
    places = {"source": left, "disassembly": disassembly, "pipeline": pipeline, "registers": upper}
    if body.height >= SPARE:
        places["source"], places["stack"] = left.rows(body.height * 3 // 4)
    return places | {_tab(tab, places): lower}


def _tab(tab: str, places: dict[str, Box]) -> str:
    """A pane that has a place of its own gives its turn to the first."""
    return TABS[0] if tab in places else tab


def turns(width: int, height: int) -> tuple[str, ...]:
    """The panes that take turns at this size."""
    places = arrange(width, height, TABS[0], (40, 14))
    return tuple(tab for tab in TABS if tab not in places or tab == TABS[0])
