"""The same faults on the Verilated netlist: a second simulator, with a host of its own (cross_check.cpp)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from faults.errors import FaultsError
from faults.netlist import Netlist

BENCH = Path(__file__).parent / "cross_check.cpp"
# From so many bits on, Verilator keeps a port in words of 32 bits.
WIDE = 65
# A kind of fault, a site, a cycle.
Fault = tuple[str, int, int]


def verilog(netlist: Netlist) -> Iterator[str]:
    """Yield the lines of a module with flat ports, in which each site's value can be flipped or held."""
    inputs, outputs = netlist.ports
    sites = len(netlist.sites)
    vectors = {"in": sum(inputs.values()), "flip": sites, "held": sites, "value": sites}
    yield "module faulty (input clk"
    yield from (f", input [{max(WIDE, width) - 1}:0] {name}" for name, width in vectors.items())
    yield f", output [{max(WIDE, sum(outputs.values())) - 1}:0] out);"
    at = {"input": 0, "output": 0}
    memory_sites = []
    site = 0
    for number, line in enumerate(netlist.file.read_text().splitlines()):
        kind, *rest = line.split()
        if kind == "nets":
            yield from (f"wire n{net};" for net in range(int(rest[0])))
            yield "assign n0 = 1'b0, n1 = 1'b1;"
        elif kind in at:
            for net in rest[1:]:
                pin = f"{'in' if kind == 'input' else 'out'}[{at[kind]}]"
                yield f"assign n{net} = {pin};" if kind == "input" else f"assign {pin} = n{net};"
                at[kind] += 1
        elif kind == "gate":
            yield _site(rest[0], _function(int(rest[1]), [f"n{net}" for net in rest[2:]]), site)
            site += 1
        elif kind == "flop":
            yield from _flip_flop(rest)
            yield _site(rest[0], f"r{rest[0]}", site)
            site += 1
        elif kind == "memory":
            memory_sites.append((number, rest))
    for number, rest in memory_sites:
        yield from _memory(number, rest)
        for i, net in enumerate(rest[-int(rest[2]) :]):
            yield _site(net, f"q{number}[{i}]", site)
            site += 1
    yield "endmodule"


def _site(net: str, value: str, site: int) -> str:
    return f"assign n{net} = held[{site}] ? value[{site}] : ({value}) ^ flip[{site}];"


def _function(table: int, ins: Sequence[str]) -> str:
    """Return the sum of the products of a truth table."""
    products = [
        "&".join(name if i >> bit & 1 else f"~{name}" for bit, name in enumerate(ins))
        for i in range(1 << len(ins))
        if table >> i & 1
    ]
    return "|".join(f"({product})" for product in products) or "1'b0"


def _flip_flop(rest: Sequence[str]) -> Iterator[str]:
    q, d, *reset = rest
    yield f"reg r{q};"
    if reset:
        net, active, value = reset
        clear = f"n{net}" if active == "1" else f"!n{net}"
        yield f"always @(posedge clk) r{q} <= {clear} ? 1'b{value} : n{d};"
    else:
        yield f"always @(posedge clk) r{q} <= n{d};"


def _memory(number: int, rest: Sequence[str]) -> Iterator[str]:
    """Yield a memory; its output holds what is seen of it, so that a flip of it stays."""
    depth, width, bits = (int(text) for text in rest[1:4])
    req, we, *pins = rest[4:]

    def joined(nets: Sequence[str]) -> str:
        return "{" + ", ".join(f"n{net}" for net in reversed(nets)) + "}"

    index, data, q = pins[:bits], pins[bits : bits + width], pins[bits + width :]
    yield f"reg [{width - 1}:0] m{number} [0:{depth - 1}];"
    yield f"reg [{width - 1}:0] q{number};"
    yield "always @(posedge clk) begin"
    yield f"  if (n{req} && n{we}) m{number}[{joined(index)}] <= {joined(data)};"
    yield f"  q{number} <= n{req} && !n{we} ? m{number}[{joined(index)}] : {joined(q)};"
    yield "end"


def build(netlist: Netlist, folder: Path) -> Path:
    """Verilate the netlist in a folder and return the program. FaultsError where that fails."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "faulty.v"
    source.write_text("\n".join(verilog(netlist)) + "\n")
    command = ["verilator_bin", "--cc", "--exe", "--build", "--no-timing", "--quiet", "-O3", "-Wno-fatal", "-Wno-lint"]
    command += ["-fno-dfg"]  # it takes over an hour for 132,000 sites, longer than the faults do
    command += ["--x-initial", "0", "--top-module", "faulty", "--Mdir", str(folder), "--output-split", "20000"]
    command += ["-MAKEFLAGS", "CXX=clang++-19 LINK=clang++-19 OPT_FAST=-O1 OPT_SLOW=-O0 OPT_GLOBAL=-O1"]
    command += [str(source), str(BENCH)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"MAKEFLAGS": ""})
    if done.returncode:
        raise FaultsError("\n".join(["Verilator failed:", *(done.stdout + done.stderr).strip().splitlines()[-5:]]))
    return folder / "Vfaulty"


def run(program: Path, netlist: Netlist, record: Path, faults: Sequence[Fault]) -> list[int]:
    """Return the class of each fault; 1 for any without effect. FaultsError where the program fails."""
    text = "".join(f"{kind} {site} {cycle}\n" for kind, site, cycle in faults)
    done = subprocess.run([program, netlist.file, record], input=text, capture_output=True, text=True, check=False)
    found = [int(line) for line in done.stdout.split()]
    if done.returncode or len(found) != len(faults):
        raise FaultsError(f"the Verilated netlist ended after {len(found)} faults: {done.stderr.strip()}")
    return found
