"""Synthesis of a design to cells: one script of Yosys, with ABC on the whole or on parts after one another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ppa import sram
from ppa.design import Design
from ppa.tools import STEP, Tools, yosys

HERE = Path(__file__).parent
# Buffers for clocks and buses do not count as logic.
DONT_USE = (*(f"TBUF_X{n}" for n in (1, 2, 4, 8, 16)), "TINV_X1", *(f"CLKBUF_X{n}" for n in (1, 2, 3)))
REGISTERS = tuple(f"{kind}_X{size}" for kind in ("DFF", "DFFR", "DFFS", "DFFRS") for size in (1, 2))
# A clock gate costs four gates: worth it for registers of so many bits.
GATED_BITS = 16


@dataclass(frozen=True)
class Recipe:
    """Method of synthesis. script: ABC's, a name in abc/. keep: keep the hierarchy."""

    script: str = "mix"
    adder: str = "han-carlson"
    clock_gates: bool = True
    keep: bool = False

    @property
    def name(self) -> str:
        """For tables."""
        parts = (self.script, "" if self.adder else "small", "kept" if self.keep else "")
        return "-".join(part for part in parts if part)


def dont_use() -> str:
    """The option of ABC and other tools that excludes cells."""
    return " ".join(f"-dont_use {cell}" for cell in DONT_USE)


def write_constraints(folder: Path) -> None:
    """Drivers of inputs and loads of outputs, for ABC."""
    (folder / "abc.constr").write_text("set_driving_cell BUF_X1\nset_load 3.9\n")


def _abc(tools: Tools, script: str, folder: Path, selection: str = "") -> str:
    place = HERE / "abc" / f"{script}.abc"
    return f"abc -liberty {tools.liberty} {dont_use()} -constr {folder}/abc.constr -D 10 -script {place} {selection}"


def _cones(abc: Callable[[str], str]) -> str:
    """The logic at SRAMs in calls of its own.

    ABC takes all inputs to arrive at once. After an SRAM that is wrong by most of a third of a nanosecond: there the
    longest path is to be the longest of its call. Branches come before the program memory, which are to be quick too.
    """
    stop = ",".join([*REGISTERS, *sram.names()])
    program, data = (f"t:sram_*x{width}" for width in (sram.PROGRAM_WIDTH, sram.DATA_WIDTH))

    def after(memory: str) -> str:
        return f"{memory} %co1 {memory} %d %co*:-{stop}"

    return f"""
#: ABC: logic after the program memory
select -set cone {after(program)}
{abc("@cone")}
#: ABC: logic before the program memory
select -set cone {program} %ci*:-{stop}
{abc("@cone")}
#: ABC: logic before and after the data memories and tables
select -set cone {after(data)}
select -set cone @cone %ci*:-{stop}
{abc("@cone")}
"""


def script(design: Design, tools: Tools, recipe: Recipe, folder: Path) -> str:
    """Yosys' commands; what they write goes to `folder`."""

    def abc(selection: str) -> str:
        return _abc(tools, recipe.script, folder, selection)

    parameters = " ".join(f"-G {name}={value}" for name, value in sorted(design.parameters.items()))
    defines = " ".join(f"-D {name}" for name in design.defines)
    files = " ".join(map(str, design.files))
    keep = "--keep-hierarchy" if recipe.keep or design.blocks else ""
    # Constants and what is not used go from module to module, a level of registers at a time.
    across = "opt_hier\nopt -full -purge\n" * 4 if recipe.keep else ""
    options = " ".join(design.options)
    # A block is mapped as a module of its own, then it is part of the whole like any other.
    own = " ".join(f"{block} {block}$*" for block in design.blocks)
    keeps = f"setattr -mod -set keep_hierarchy 1 {own}" if own else ""
    joins = f"setattr -mod -unset keep_hierarchy {own}\nflatten" if own else ""
    read = f"read_slang --top {design.top} {keep} {defines} {parameters} {options} {files}"
    adder = f"-extra-map +/choices/{recipe.adder}.v" if recipe.adder else ""
    gates = f"clockgate -pos CLKGATE_X4 E:CK:GCK -min_net_size {GATED_BITS}" if recipe.clock_gates else ""
    return f"""
#: reading
{read}
hierarchy -check -top {design.top}
tee -q -o {folder}/check.txt check
{keeps}
{"" if recipe.keep else "flatten"}
#: logic without cells
synth -top {design.top} -nordff -noabc -run begin:check {adder}
opt -full -purge
{across}read_liberty -lib -ignore_miss_func {tools.liberty}
{gates}
dfflibmap -liberty {tools.liberty}
opt
simplemap
{_cones(abc) if design.has_memories and not recipe.keep else ""}
#: ABC: the logic
{_abc(tools, recipe.script, folder)}
{joins}
opt_clean
{STEP}ppa.inverted
#: netlist
setundef -zero
splitnets -ports
hilomap -singleton -hicell LOGIC1_X1 Z -locell LOGIC0_X1 Z
opt_clean -purge
rename -wire
tee -q -o {folder}/registers.txt dump t:DFF* t:CLKGATE*
tee -q -o {folder}/check_end.txt check -mapped
tee -q -o {folder}/stat.json stat -json -liberty {tools.liberty}
write_verilog -noattr -noexpr -nohex -simple-lhs {folder}/net.v
"""


def run(design: Design, tools: Tools, recipe: Recipe, folder: Path, say: Callable[[str], None]) -> None:
    """Leave net.v and stat.json in `folder`. Raises PpaError."""
    folder.mkdir(parents=True, exist_ok=True)
    write_constraints(folder)
    yosys(script(design, tools, recipe, folder), folder, say)
