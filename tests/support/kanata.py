"""A strict reader of pipeline logs, written from the viewer's docs/kanata-log-format.md (version 4) alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


@dataclass
class Stage:
    name: str
    begin: int
    end: int | None = None
    texts: list[str] = field(default_factory=list)


@dataclass
class Logged:
    """An instruction of a log: stages by lane, labels, and when it left."""

    label: str = ""
    tooltip: str = ""
    lanes: dict[int, list[Stage]] = field(default_factory=dict)
    retired: int | None = None
    latest: Stage | None = None


def read(lines: Iterable[str]) -> dict[int, Logged]:
    """The instructions by their numbers; AssertionError where the format is not kept."""
    rows = iter(lines)
    assert next(rows) == "Kanata\t0004"
    found: dict[int, Logged] = {}
    now: int | None = None
    for row in rows:
        command, *columns = row.split("\t")
        if command == "C=":
            assert now is None and len(columns) == 1
            now = int(columns[0])
            continue
        assert now is not None, "an event before the first cycle"
        if command == "C":
            assert int(*columns) > 0
            now += int(columns[0])
            continue
        number = int(columns[0])
        if command == "I":
            assert len(columns) == 3 and number not in found
            found[number] = Logged()
            continue
        one = found[number]
        assert one.retired is None, "an event of an instruction that has left"
        match command:
            case "L":
                _label(one, int(columns[1]), *columns[2:])
            case "S":
                _begin(one, int(columns[1]), columns[2], now)
                assert len(columns) == 3
            case "E":
                stage = one.lanes[int(columns[1])][-1]
                assert stage.name == columns[2] and stage.end is None
                stage.end = now
            case "R":
                assert columns[2] in "01" and len(columns) == 3
                one.retired = now
                for lane in one.lanes.values():
                    lane[-1].end = now if lane[-1].end is None else lane[-1].end
            case _:
                raise AssertionError(f"no command {command}")
    assert all(one.retired is not None for one in found.values())
    return found


def _label(one: Logged, kind: int, text: str) -> None:
    if kind == 0:
        one.label += text
    elif kind == 1:
        one.tooltip += text
    else:
        assert kind == 2 and one.latest is not None
        one.latest.texts.append(text)


def _begin(one: Logged, lane: int, name: str, now: int) -> None:
    stages = one.lanes.setdefault(lane, [])
    if stages and stages[-1].end is None:
        stages[-1].end = now
    one.latest = Stage(name, now)
    stages.append(one.latest)
