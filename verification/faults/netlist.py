"""The netlist of a design: synthesized by Yosys to gates with at most three inputs, written for the engine.

SRAMs are black boxes, which the engine models. The netlist is kept under the digest of what it is made from, so it is
made once for each state of the sources.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any

from faults.cells import FLIP_FLOPS, GATES, INPUTS, table
from faults.errors import FaultsError
from lutra.isa.generated import generated
from variant import ROOT

KEPT = ROOT / "build" / "faults" / "netlists"
GENERATED = generated("tables.json").parents[3] / "gen" / "sv"
SRAM = "lutra_sram"


@dataclass(frozen=True)
class Design:
    """A module, the files that it is in, and its parameters. unobserved: outputs that only verification reads."""

    top: str
    files: tuple[Path, ...]
    parameters: Mapping[str, int] = field(default_factory=dict)
    unobserved: frozenset[str] = frozenset()
    clock: str = "clk_i"


def core_files() -> tuple[Path, ...]:
    """The files of the core in the order in which they are read. FaultsError where they are not generated."""
    lists = (GENERATED / "lutra_packages.f", ROOT / "rtl" / "lutra.f", GENERATED / "lutra_modules.f")
    for place in lists:
        if not place.is_file():
            raise FaultsError(f"{place} is missing; run: make build")
    return tuple(place.parent / name for place in lists for name in place.read_text().split())


def core() -> Design:
    """The core with the reset that the tests run, without ports for verification and counters of stalls."""
    return Design(
        "lutra_core",
        core_files(),
        {"RETIREMENT_PORT": 0, "PERF_STALLS": 0},
        frozenset({"retire_valid_o", "retire_o", "stalls_o"}),
    )


def unit(top: str, parameters: Mapping[str, int] | None = None) -> Design:
    """A module of the core alone."""
    return Design(top, core_files(), parameters or {})


@dataclass(frozen=True)
class Netlist:
    """A folder with `netlist.txt` for the engine and `sites.txt`, which names the sites in the engine's order."""

    folder: Path

    @property
    def file(self) -> Path:
        """Return the engine's file."""
        return self.folder / "netlist.txt"

    @cached_property
    def sites(self) -> list[tuple[str, str]]:
        """Kind and name of every site: a gate's or flip-flop's cell type, or `memory`."""
        lines = (self.folder / "sites.txt").read_text().splitlines()
        return [(kind, name) for kind, name in (line.split(" ", 1) for line in lines)]

    @cached_property
    def ports(self) -> tuple[dict[str, int], dict[str, int]]:
        """Widths of inputs and of outputs."""
        found: dict[str, dict[str, int]] = {"input": {}, "output": {}}
        for line in self.file.read_text().splitlines():
            kind, *rest = line.split()
            if kind in found:
                found[kind][rest[0]] = len(rest) - 1
        return found["input"], found["output"]


def script(design: Design, out: Path) -> str:
    """Return Yosys' commands. Enables become multiplexers, since the engine clocks every flip-flop in every cycle."""
    parameters = " ".join(f"-G {name}={value}" for name, value in sorted(design.parameters.items()))
    flip_flops = " ".join(f"-cell {cell} 01" for cell in FLIP_FLOPS)
    return f"""
read_slang --top {design.top} -D SYNTHESIS --blackboxed-module {SRAM} {parameters} {" ".join(map(str, design.files))}
hierarchy -check -top {design.top}
flatten
synth -top {design.top} -noabc -run begin:check
opt -full -purge
dfflegalize {flip_flops}
simplemap
opt_merge
abc -script +strash;ifraig;dc2;map -g {GATES}
opt_clean -purge
check
write_json {out}
"""


def digest(design: Design) -> str:
    """Return the digest of all that a netlist is made from."""
    found = hashlib.sha256()
    for part in (version("pyosys"), script(design, Path("out")), *sorted(design.unobserved)):
        found.update(part.encode() + b"\0")
    for path in (*design.files, Path(__file__), Path(__file__).with_name("cells.py")):
        found.update(path.read_bytes())
    return found.hexdigest()[:16]


def make(design: Design, say: Callable[[str], None] = lambda _: None) -> Netlist:
    """Return the netlist, synthesized where it is not there yet. Raises FaultsError."""
    netlist = Netlist(KEPT / f"{design.top}-{digest(design)}")
    if netlist.file.is_file():
        return netlist
    say(f"synthesizing {design.top}")
    netlist.folder.mkdir(parents=True, exist_ok=True)
    out = netlist.folder / "netlist.json"
    _yosys(script(design, out), netlist.folder / "yosys.log")
    write(json.loads(out.read_text())["modules"][design.top], design, netlist)
    out.unlink()
    return netlist


# Yosys ends its process on an error.
_CHILD = """
import os, sys
from pyosys import libyosys as ys
log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
os.dup2(log, 1)
os.dup2(log, 2)
design = ys.Design()
for line in sys.stdin.read().splitlines():
    if line:
        ys.run_pass(line, design)
"""


def _yosys(commands: str, log: Path) -> None:
    done = subprocess.run([sys.executable, "-c", _CHILD, log], input=commands, text=True, check=False)
    if done.returncode:
        last = log.read_text(errors="replace").strip().splitlines()[-5:] if log.exists() else []
        raise FaultsError("\n".join([f"Yosys ended with {done.returncode}; {log}:", *last]))


class _Nets:
    """Numbers of nets: 0 and 1 are the constants, the others count from 2. What is undefined is 0."""

    def __init__(self) -> None:
        self._numbers: dict[int | str, int] = {"0": 0, "1": 1, "x": 0, "z": 0}
        self.count = 2

    def __call__(self, bit: int | str) -> int:
        if bit not in self._numbers:
            self._numbers[bit] = self.count
            self.count += 1
        return self._numbers[bit]

    def text(self, bits: list[int | str]) -> str:
        """Return the numbers of several."""
        return " ".join(str(self(bit)) for bit in bits)


def write(module: Mapping[str, Any], design: Design, netlist: Netlist) -> None:
    """Write a module of Yosys' JSON as a netlist. FaultsError for a cell that the engine does not have."""
    nets = _Nets()
    names = _names(module)
    clock = module["ports"][design.clock]["bits"][0] if design.clock in module["ports"] else None
    rows: dict[str, list[str]] = {"gate": [], "flop": [], "memory": []}
    sites: dict[str, list[str]] = {kind: [] for kind in rows}
    for name, cell in sorted(module["cells"].items()):
        kind, line = _cell(name, cell, clock, nets)
        rows[kind].append(line)
        pins = cell["connections"]
        outputs = pins.get("Y") or pins.get("Q") or pins["rdata_o"][: _parameter(cell, "Width")]
        label = "memory" if kind == "memory" else cell["type"]
        sites[kind] += [f"{label} {names.get(bit, name)}" for bit in outputs]
    ports = list(_ports(module, design, nets))
    lines = [f"nets {nets.count}", *ports, *(line for kind in rows.values() for line in kind)]
    (netlist.folder / "sites.txt").write_text("".join(f"{line}\n" for kind in sites.values() for line in kind))
    # Last and at once, since a netlist that is there is not made again.
    part = netlist.file.with_suffix(".part")
    part.write_text("".join(f"{line}\n" for line in lines))
    part.rename(netlist.file)


def _names(module: Mapping[str, Any]) -> dict[int | str, str]:
    """Return a name for each net: of a wire in the sources where there is one."""
    found: dict[int | str, str] = {}
    for name, net in sorted(module["netnames"].items(), key=lambda item: (item[1]["hide_name"], item[0])):
        for i, bit in enumerate(net["bits"]):
            found.setdefault(bit, f"{name}[{i}]" if len(net["bits"]) > 1 else name)
    return found


def _parameter(cell: Mapping[str, Any], name: str) -> int:
    return int(cell["parameters"][name], 2)


def _cell(name: str, cell: Mapping[str, Any], clock: int | str | None, nets: _Nets) -> tuple[str, str]:
    """Return the kind of line and the line of a cell."""
    pins, kind = cell["connections"], cell["type"]
    if kind in FLIP_FLOPS:
        if pins["C"] != [clock]:
            raise FaultsError(f"{name} has another clock than the design's, which the engine does not have")
        reset = FLIP_FLOPS[kind]
        ending = f" {nets.text(pins['R'])} {reset.active} {reset.value}" if reset else ""
        return "flop", f"flop {nets.text(pins['Q'])} {nets.text(pins['D'])}{ending}"
    if SRAM in kind:
        depth, width = _parameter(cell, "Depth"), _parameter(cell, "Width")
        bits = max(1, (depth - 1).bit_length())
        # As a black box, every instance has the ports of the widest one.
        widths = {"req_i": 1, "we_i": 1, "index_i": bits, "wdata_i": width, "rdata_o": width}
        used = [nets.text(pins[port][:count]) for port, count in widths.items()]
        return "memory", " ".join(["memory", name, f"{depth} {width} {bits}", *used])
    try:
        function = table(kind)
    except KeyError:
        raise FaultsError(f"{name} is a cell {kind}, which the engine does not have (faults/cells.py)") from None
    ins = " ".join(nets.text(pins[port]) for port in INPUTS if port in pins)
    return "gate", f"gate {nets.text(pins['Y'])} {function} {ins}"


def _ports(module: Mapping[str, Any], design: Design, nets: _Nets) -> Iterator[str]:
    """Yield the lines of the ports; the engine has a clock of its own."""
    for name, port in module["ports"].items():
        if name == design.clock or name in design.unobserved:
            continue
        bits = port["bits"]
        yield f"{port['direction']} {name} {nets.text(bits)}"
