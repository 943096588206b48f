"""Timing by OpenSTA: the worst path to every register, and from which register or SRAM it comes.

Typical corner, the library's wire load, no clock tree, no routing. Resets are not paths; the core's ports are not
timed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ppa.design import Design
from ppa.tools import Tools, opensta

MOST_PATHS = 20000
REGISTERS = "-from [all_registers -clock_pins] -to [all_registers -data_pins]"
# Between the ports of a module alone.
CLASSES = {
    "reg_reg": REGISTERS,
    "in_reg": "-from [all_inputs] -to [all_registers -data_pins]",
    "reg_out": "-from [all_registers -clock_pins] -to [all_outputs]",
    "in_out": "-from [all_inputs] -to [all_outputs]",
}
_NUMBER = r"(-?[\d.]+)"
_STEP = re.compile(rf"\s*{_NUMBER}\s+{_NUMBER} [\^v] (\S+)/(\S+) \((\S+)\)")
_SETUP = re.compile(rf"\s*{_NUMBER}\s+{_NUMBER}\s+library setup time")
_ARRIVAL = re.compile(rf"\s*{_NUMBER}\s+data arrival time")


@dataclass(frozen=True)
class Arc:
    """A path. start, end: the net of the register's output by its hierarchical name, the SRAM, or the port.

    modules: those of start and end, by the files that declare the registers; empty for a port.
    """

    start: str
    end: str
    ns: float
    cells: tuple[str, ...]
    modules: tuple[str, str] = ("", "")


def _paths(text: str) -> Iterator[Arc]:
    start = end = ""
    arrival, setup, cells = 0.0, 0.0, list[str]()
    for line in text.splitlines():
        if line.startswith("Startpoint: "):
            start, end, setup, cells, arrival = line.split()[1], "", 0.0, [], -1.0
        elif line.startswith("Endpoint: "):
            end = line.split()[1]
        elif found := _STEP.match(line):
            cells.append(found[5])
        elif found := _SETUP.match(line):
            setup = -float(found[1])
        elif (found := _ARRIVAL.match(line)) and arrival < 0:
            arrival = float(found[1])
        elif "slack" in line and end:
            yield Arc(start, end, round(arrival + setup, 4), tuple(cells))
            end = ""


def _nets(net: Path) -> dict[str, str]:
    """The net at the output of every flip-flop."""
    names, cell = {}, ""
    for line in net.read_text().splitlines():
        if found := re.match(r"\s+DFF\w+ (\S+) \($", line):
            cell = found[1]
        elif cell and (found := re.match(r"\s+\.Q\((.+?) *\)", line)):
            names[cell] = found[1]
        elif line.strip() == ");":
            cell = ""
    return names


def _sources(registers: Path) -> dict[str, str]:
    """The file, without its suffix, that declares the register at a net."""
    names, file = {}, ""
    for line in registers.read_text().splitlines():
        if found := re.match(r'\s*attribute \\src "([^":|]+):', line):
            file = Path(found[1]).stem
        elif found := re.match(r"\s*connect \\Q (\S+)( \[\d+\])?$", line):
            names[_plain(found[1] + (found[2] or ""))] = file
        elif line.strip() == "end":
            file = ""
    return names


def _plain(name: str) -> str:
    return re.sub(r"[\\\s]", "", name)


def group(name: str) -> str:
    """A register without the number of its bit, an SRAM without what is in it."""
    name = re.sub(r"\.gen_\d+x\d+\.u_macro.*", "", name.replace("\\", "").strip())
    name = re.sub(r"_reg\b|_(\d+)_$", "", name)
    return re.sub(r"_?(DFF\w+|Q)$", "", re.sub(r"\[\d+\]", "[]", name))


def _module(name: str, sources: dict[str, str]) -> str:
    """The module of a register, or of the SRAM of an instance that is called after it."""
    if _plain(name) in sources:
        return sources[_plain(name)]
    memory = re.search(r"\bu_(\w+)\.(?:gen_lane\[\d+\]\.)?u_sram\b", name)
    return f"lutra_{memory[1]}" if memory else ""


def _script(design: Design, tools: Tools, folder: Path, wanted: str, count: int) -> str:
    return f"""
read_liberty {tools.liberty}
read_liberty {folder}/sram.lib
read_verilog {folder}/net.v
link_design {design.top}
set clock [get_ports -quiet {design.clock}]
if {{[llength $clock]}} {{ create_clock -name clk -period 2.0 $clock }} else {{ create_clock -name clk -period 2.0 }}
set reset [get_ports -quiet {design.reset}]
if {{[llength $reset]}} {{ set_false_path -from $reset }}
# A register that resets others needs a tree, which is not built here.
set asynchronous [all_registers -async_pins]
if {{[llength $asynchronous]}} {{ set_false_path -to $asynchronous }}
set_input_delay 0 -clock clk [all_inputs]
set_output_delay 0 -clock clk [all_outputs]
report_checks -path_delay max {wanted} -group_count {count} -endpoint_count 1 -format full -digits 3
exit
"""


def paths(design: Design, tools: Tools, folder: Path, kind: str = "reg_reg", count: int = MOST_PATHS) -> list[Arc]:
    """The worst path to each end, the longest first; `folder` holds net.v and sram.lib. Raises PpaError."""
    return read(opensta(tools, _script(design, tools, folder, CLASSES[kind], count), folder), folder)


def read(text: str, folder: Path) -> list[Arc]:
    """Parse OpenSTA's output with the names in the folder's net.v and registers.txt."""
    nets, sources = _nets(folder / "net.v"), _sources(folder / "registers.txt")
    found = []
    for arc in _paths(text):
        start, end = nets.get(arc.start, arc.start), nets.get(arc.end, arc.end)
        found.append(replace(arc, start=start, end=end, modules=(_module(start, sources), _module(end, sources))))
    return sorted(found, key=lambda p: -p.ns)


def worst(arcs: list[Arc], count: int) -> list[tuple[Arc, int]]:
    """The longest path of each pair of registers, and how many ends it has."""
    pairs: dict[tuple[str, str], tuple[Arc, int]] = {}
    for arc in arcs:
        key = group(arc.start), group(arc.end)
        first, ends = pairs.get(key, (arc, 0))
        pairs[key] = first, ends + 1
    return list(pairs.values())[:count]
