"""The instruction set as typed records; the only reader of llvm-tblgen's JSON.

Everything after this module (verify, facts, emit_*) works on these classes and on those of
`isagen.records`. Records keep the order of the .td files: the JSON sorts by name, so order comes
from ``!locs`` or an explicit Order or Code field.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from isagen import retire, state
from isagen.addresses import describe
from isagen.errors import IsaError
from isagen.facts import elaborate
from isagen.records import (
    Bits,
    Configuration,
    Delta,
    InsnFacts,
    Named,
    Operand,
    Pattern,
    SlotLayout,
    Space,
    Stage,
    Trap,
    VectorName,
    Version,
    Wrap,
)

OUTSIDE = "!outside"  # key of the files of extensions from outside this repository
TBLGEN_MAJOR = 19  # !locs, which the messages need, came with 19

Json = dict[str, Any]
Term = tuple[str, tuple[str | int, ...]]  # a word of isa/hazards.td, and what it is said of


@dataclass(frozen=True)
class Resource:
    """Cells that are written and read; codes: by cell, the vector operands that name it."""

    record: str
    name: str
    cells: int
    codes: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Access:
    """A way in which instructions write or read a resource, in the words of `isagen.terms`."""

    record: str
    label: str
    resource: Resource
    cells: Term
    when: tuple[Term, ...]
    text: str


# Roles of a vector operand as `Holds` names them, and the attributes that say who has them.
ROLES = {"Source": "source", "SecondSource": "second_source", "Destination": "destination"}


@dataclass(frozen=True)
class Hazard:
    record: str
    order: int
    name: str
    writes: tuple[Access, ...]
    write: Stage
    reads: tuple[Access, ...]
    read: Stage
    bypass: bool
    text: str

    def distance(self, rounds: int) -> int:
        """Least distance in cycles between two issues, for ROUNDS_PER_INSTR = `rounds`."""
        attr = "two_rounds" if rounds == 2 else "one_round"
        gap: int = getattr(self.write, attr) - getattr(self.read, attr)
        return gap if self.bypass else gap + 1


@dataclass(frozen=True)
class Function:
    record: str
    kind: str
    code: int
    symbol: str
    sides: int
    immediate: bool
    formula: str
    remark: str
    loc: str
    writes_address: bool
    reads_flag: bool
    writes_flag: bool
    hashes: bool
    linear: bool
    indexes: bool
    circuit: str  # the SystemVerilog function that does it together with others


@dataclass(frozen=True)
class SideOperand:
    record: str
    symbol: str
    text: str
    blocks: tuple[int, ...]
    part: str


@dataclass(frozen=True)
class Block:
    record: str
    kind: str
    half: int
    functions: tuple[str, ...]
    described: tuple[str, ...]  # also those that the configuration leaves out
    port_y: tuple[str, ...]
    port_z: tuple[str, ...]
    partner: tuple[str, ...]
    two_rounds: bool


@dataclass(frozen=True)
class Way:
    """Functions of blocks that follow one another, wired beside these blocks and not in the chain."""

    record: str
    name: str
    beside: tuple[str, ...]
    functions: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Step:
    """One block of an instruction's path: the function selected and the side operands that enter."""

    block: str
    function: str
    sides: tuple[str, ...]


@dataclass(frozen=True)
class Holds:
    """What a field may hold; `role`: of the codes of vector operands those with it."""

    record: str
    field: str
    low: int
    high: int
    step: int
    forbidden: tuple[int, ...]
    role: str


@dataclass(frozen=True)
class OperandKind:
    record: str
    name: str
    written: str
    contents: tuple[Holds, ...]


@dataclass(frozen=True)
class Field:
    """Where an encoding field lies in the instruction word; always one run of bits."""

    name: str
    lsb: int
    width: int

    @property
    def msb(self) -> int:
        return self.lsb + self.width - 1

    def of(self, word: int) -> int:
        """What stands there in a word."""
        return word >> self.lsb & (1 << self.width) - 1


@dataclass(frozen=True)
class Insn:
    record: str
    loc: str
    mnemonic: str
    format: str
    opcode: int
    operands: tuple[Operand, ...]
    path: tuple[Step, ...]
    summary: str
    details: str
    group: str  # its record; empty where there is none
    extension: str  # likewise
    also: tuple[str, ...]  # further extensions that a core must have for it
    match: int
    mask: int
    fields: tuple[Field, ...]
    unassigned: tuple[int, ...]
    broken: tuple[str, ...]

    def step(self, block: str) -> Step | None:
        """The path's step in `block`, or None where the block passes."""
        return next((s for s in self.path if s.block == block), None)

    def takes(self, side: str) -> bool:
        """Whether side operand `side` enters anywhere on the path."""
        return any(side in s.sides for s in self.path)

    def field(self, name: str) -> Field | None:
        return next((f for f in self.fields if f.name == name), None)


@dataclass(frozen=True)
class Isa:
    machine: dict[str, int]
    spaces: tuple[Space, ...]
    traps: tuple[Trap, ...]
    states: tuple[Named, ...]
    vectors: tuple[VectorName, ...]
    widths: tuple[tuple[int, int], ...]  # (bits, code)
    width_records: tuple[str, ...]
    slot: SlotLayout
    patterns: tuple[Pattern, ...]
    deltas: tuple[Delta, ...]
    wraps: tuple[Wrap, ...]
    stages: tuple[Stage, ...]
    fetch: str  # name of the cycle before the first stage
    accesses: tuple[Access, ...]
    hazards: tuple[Hazard, ...]
    bubbles: int
    entry: int  # cycles that a loop's entry on the stack is late for what needs it at once
    transfer: Named  # the stall cause of the bubbles
    kinds: tuple[Named, ...]
    functions: dict[str, Function]
    sides: dict[str, SideOperand]
    blocks: dict[str, Block]
    ways: tuple[Way, ...]
    endpoint_functions: dict[str, Function]
    moves: tuple[Named, ...]
    control_blocks: tuple[Named, ...]
    control_functions: dict[str, Function]
    kinds_of_operands: tuple[OperandKind, ...]
    version: Version
    files_outside: tuple[str, ...]  # of extensions from outside this repository
    opcodes_outside: tuple[int, int]  # first and last that extensions from outside may have, and only they
    reserved: Mapping[int, str]  # opcode -> why no instruction may have it
    groups: tuple[Named, ...]  # of instructions
    extensions: tuple[Named, ...]
    configuration: Configuration
    ready: tuple[Configuration, ...]  # the configurations that lie ready
    insns: tuple[Insn, ...]  # of the configuration
    described: tuple[Insn, ...]  # all, also those that the configuration leaves out
    stream_rows: tuple[Named, ...]
    hash_beside: tuple[Named, ...]
    register_files: dict[str, retire.RegisterFile]
    record: retire.Record
    state: state.State
    locs: Mapping[str, str]  # record -> file:line

    @property
    def stalls(self) -> tuple[Named, ...]:
        """The causes of stall cycles: every hazard, then a taken transfer."""
        return (*(Named(h.record, h.name, h.order, h.text) for h in self.hazards), self.transfer)

    @cached_property
    def facts(self) -> Mapping[str, InsnFacts]:
        """What each instruction of a sound description reads, writes and may be, by record."""
        return {insn.record: elaborate(self, insn) for insn in (*self.described, *self.insns)}

    @cached_property
    def outside(self) -> Mapping[str, str]:
        """The extensions from outside this repository: record -> its file."""
        files = {e.record: self.locs[e.record].rsplit(":", 1)[0] for e in self.extensions}
        return {record: file for record, file in files.items() if file in self.files_outside}

    def members(self, group: Named) -> tuple[Insn, ...]:
        """The instructions of a group."""
        return tuple(i for i in self.insns if i.group == group.record)

    def key_blocks(self, insn: Insn) -> tuple[int, ...]:
        """Memory blocks that the key slot reads."""
        taken = {b for n, s in self.sides.items() if insn.takes(n) for b in s.blocks}
        return tuple(sorted(taken))

    def codes(self, role: str, *, row: bool = True) -> list[int]:
        """Codes of the vector operands that have a role; the row among them or not."""
        attribute = ROLES.get(role, "")
        return [v.code for v in self.vectors if getattr(v, attribute, False) and (row or v.record != "ROW")]

    def banks(self) -> list[str]:
        """The blocks that are table banks, by bank."""
        return sorted(n for n, b in self.blocks.items() if b.kind == "Lookup")

    def places(self, *, vector: bool) -> dict[str, Field]:
        """Every field of the vector or control formats with its place, whichever instruction leaves it open."""
        found: dict[str, Field] = {}
        for insn in self.described:
            if self.is_vector(insn) == vector:
                for f in insn.fields:
                    found.setdefault(f.name, f)
        return found

    def key_rows(self) -> dict[int, SideOperand]:
        """The side operand that is the whole row of a memory block, by block."""
        return {s.blocks[0]: s for s in self.sides.values() if len(s.blocks) == 1 and not s.part}

    def way(self, block: str, function: str) -> Way | None:
        """The way on which a block does a function; None where it does it in the chain."""
        return next((w for w in self.ways if block in w.beside and function in w.functions), None)

    @property
    def deep(self) -> tuple[str, ...]:
        """Blocks of the first half's chain between look-up and logic: crossbar and mixing layer."""
        return tuple(b.record for b in self.blocks.values() if b.half == 1 and b.kind in ("Crossbar", "Mix"))

    def chained(self, block: str) -> tuple[str, ...]:
        """The functions that a block does in the chain of its half."""
        return tuple(f for f in self.blocks[block].functions if self.way(block, f) is None)

    def writes_pair(self, insn: Insn) -> bool:
        """Whether the partner is written to the register after the destination."""
        step = insn.step("RES")
        return step is not None and step.function == "WritePair"

    def half(self, insn: Insn, half: int) -> bool:
        """Whether the path uses a block of the first (1) or second (2) half."""
        return any(s.block in self.blocks and self.blocks[s.block].half == half for s in insn.path)

    def writes_address(self, insn: Insn) -> bool:
        """Whether address register ad is written, beside the slots' post-modification."""
        table = self.control_functions | self.endpoint_functions
        return any(table[s.function].writes_address for s in insn.path if s.function in table)

    def stateful(self, insn: Insn) -> str:
        """The function of the stream unit that the path goes through; empty without."""
        steps = (s for s in insn.path if s.block in self.blocks and self.blocks[s.block].kind == "Stream")
        return next((s.function for s in steps), "")

    def is_vector(self, insn: Insn) -> bool:
        return insn.format.startswith("FmtVector")


def dump(td: Path, tblgen: str, further: Sequence[Path] = ()) -> Json:
    """Run llvm-tblgen on `td` and further files after it.

    Raises IsaError where the tool is missing, too old, or refuses a file.
    """
    tool = shutil.which(tblgen)
    if tool is None:
        raise IsaError([f"{tblgen} not found: install Debian's llvm-{TBLGEN_MAJOR} or name the tool with --tblgen"])
    version = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False).stdout
    found = next((w for w in version.split() if w[0].isdigit() and "." in w), "0")
    if int(found.split(".")[0]) < TBLGEN_MAJOR:
        raise IsaError(
            [f"{tblgen} is version {found}; {TBLGEN_MAJOR} or newer is needed (Debian: llvm-{TBLGEN_MAJOR})"]
        )
    command = [tool, "--dump-json", f"-I{td.parent}", *(f"-I{file.parent}" for file in further)]
    text = "".join(f'include "{file.name}"\n' for file in (td, *further)) if further else None
    run = subprocess.run(
        [*command, "-" if further else str(td)], input=text, capture_output=True, text=True, check=False
    )
    if run.returncode != 0:
        raise IsaError(run.stderr.strip().splitlines())
    data: Json = json.loads(run.stdout)
    data[OUTSIDE] = [file.name for file in further]
    return data


class _Reader:
    """Turns the JSON into the classes above."""

    def __init__(self, data: Json) -> None:
        self.data = data

    def names(self, cls: str) -> list[str]:
        return list(self.data["!instanceof"].get(cls, []))

    def loc(self, name: str) -> str:
        return str(self.data[name]["!locs"][-1])

    def located(self, cls: str) -> list[str]:
        """Records of a class in the order of the source."""
        order = {f: i for i, f in enumerate(self._files())}

        def key(name: str) -> tuple[int, int]:
            file, line = self.loc(name).rsplit(":", 1)
            return order.get(file, len(order)), int(line)

        return sorted(self.names(cls), key=key)

    def _files(self) -> list[str]:
        return sorted({self.loc(n).rsplit(":", 1)[0] for n in self.names("Insn")})

    def by_code(self, cls: str) -> list[str]:
        return sorted(self.names(cls), key=lambda n: int(self.data[n]["Code"]))

    def named(self, cls: str) -> tuple[Named, ...]:
        rows = [(n, self.data[n]) for n in self.by_code(cls)]
        return tuple(Named(n, str(r["Name"]), int(r["Code"]), str(r.get("Text", ""))) for n, r in rows)

    @staticmethod
    def ref(value: Json) -> str:
        return str(value["def"])

    def refs(self, values: list[Json]) -> tuple[str, ...]:
        return tuple(self.ref(v) for v in values)

    def delta(self, name: str) -> Delta:
        r = self.data[name]
        return Delta(name, r["Name"], r["Code"], r["Rows"], r["Steps"])

    def wrap(self, name: str) -> Wrap:
        r = self.data[name]
        bound, reload = (self.data[self.ref(r[end])]["Symbol"] for end in ("Bound", "Reload"))
        return Wrap(name, r["Name"], r["Code"], r["Comparison"], bound, reload)

    def pattern(self, name: str, deltas: tuple[Delta, ...], wraps: tuple[Wrap, ...]) -> Pattern:
        r = self.data[name]
        delta = next(d for d in deltas if d.record == self.ref(r["Change"]))
        wrap = next(w for w in wraps if w.record == self.ref(r["Window"]))
        bounds = {self.data[n]["Symbol"]: self.data[n]["Name"] for n in self.names("WindowBound")}
        return Pattern(name, r["Code"], r["Suffix"], delta.name, wrap.name, describe(delta, wrap, bounds))

    def stage(self, name: str) -> Stage:
        r = self.data[name]
        return Stage(name, r["Name"], r["TwoRounds"], r["OneRound"])

    @staticmethod
    def term(dag: Json) -> Term:
        args = (a[0] for a in dag["args"])
        return _Reader.ref(dag["operator"]), tuple(_Reader.ref(a) if isinstance(a, dict) else a for a in args)

    def access(self, name: str) -> Access:
        r = self.data[name]
        of = self.ref(r["Of"])
        row = self.data[of]
        resource = Resource(of, row["Name"], row["Cells"], tuple(self.refs(codes) for codes in row["Codes"]))
        when = tuple(self.term(t) for t in r["When"])
        return Access(name, r["Label"], resource, self.term(r["Cells"]), when, r["Text"])

    def hazard(self, name: str) -> Hazard:
        r = self.data[name]
        writes, reads = (tuple(self.access(a) for a in self.refs(r[end])) for end in ("Writes", "Reads"))
        write, read = (self.stage(self.ref(r[end])) for end in ("Write", "Read"))
        return Hazard(name, r["Order"], r["Name"], writes, write, reads, read, bool(r["Bypass"]), r["Text"])

    def function(self, name: str, kind: str) -> Function:
        r = self.data[name]
        return Function(
            name,
            kind,
            r["Code"],
            r["Symbol"],
            r.get("Sides", 0),
            bool(r.get("Immediate", 0)),
            r["Formula"],
            r["Remark"],
            self.loc(name),
            bool(r.get("WritesAddress", 0)),
            bool(r.get("ReadsFlag", 0)),
            bool(r.get("WritesFlag", 0)),
            bool(r.get("Hashes", 0)),
            bool(r.get("Linear", 0)),
            bool(r.get("Indexes", 0)),
            r.get("Circuit", ""),
        )

    def step(self, dag: Json) -> Step:
        args = [self.ref(a[0]) for a in dag["args"]]
        return Step(self.ref(dag["operator"]), args[0] if args else "", tuple(args[1:]))

    def operand(self, arg: list[Any]) -> Operand:
        record = self.ref(arg[0])
        r = self.data[record]
        return Operand(
            record,
            str(arg[1] or record.lower()),
            self.data[self.ref(r["Kind"])]["Name"],
            self.data[self.ref(r["Kind"])]["Written"],
            tuple(r["Fields"]),
            r["Text"],
            bool(r["Optional"]),
            r["Low"],
            r["High"],
            tuple(r["Choices"]),
            self.ref(r["Extension"]),
        )

    def operand_kind(self, name: str) -> OperandKind:
        r = self.data[name]
        return OperandKind(name, r["Name"], r["Written"], tuple(self.holds(self.ref(c)) for c in r["Contents"]))

    def holds(self, name: str) -> Holds:
        r = self.data[name]
        return Holds(name, r["Field"], r["Low"], r["High"], r["Step"], tuple(r["Forbidden"]), r["Role"])

    def insn(self, name: str) -> Insn:
        r = self.data[name]
        match = mask = 0
        unassigned: list[int] = []
        places: dict[str, list[tuple[int, int]]] = {}
        for bit, value in enumerate(r["Inst"]):
            if isinstance(value, int):
                mask |= 1 << bit
                match |= value << bit
            elif value is None:
                unassigned.append(bit)
            else:
                places.setdefault(value["var"], []).append((value["index"], bit))
        fields: list[Field] = []
        broken: list[str] = []
        for var, bits in places.items():
            bits.sort()
            lsb = bits[0][1]
            if bits != [(i, lsb + i) for i in range(len(bits))]:
                broken.append(var)
            fields.append(Field(var, lsb, len(bits)))
        opcode = sum(b << i for i, b in enumerate(r["Opcode"]))
        return Insn(
            name,
            self.loc(name),
            r["Mnemonic"],
            r["!superclasses"][-1],
            opcode,
            tuple(self.operand(a) for a in r["Operands"]["args"]),
            tuple(self.step(d) for d in r["Path"]),
            r["Summary"],
            r["Details"],
            self.ref(r["Group"]) if r["Group"] else "",
            self.ref(r["Extension"]) if r["Extension"] else "",
            self.refs(r["Also"]),
            match,
            mask,
            tuple(sorted(fields, key=lambda f: -f.lsb)),
            tuple(unassigned),
            tuple(broken),
        )


def read(data: Json) -> Isa:
    """Build the model from llvm-tblgen's JSON. Shape errors only; `verify.check` judges the contents."""
    rd = _Reader(data)
    d = data
    slot = d["SlotLayout"]

    def pair(name: str) -> Bits:
        return Bits(slot[name][0], slot[name][1])

    insns = tuple(sorted((rd.insn(n) for n in rd.names("Insn")), key=lambda i: i.opcode))
    extensions = tuple(Named(n, d[n]["Name"], i, d[n]["Text"]) for i, n in enumerate(rd.located("Extension")))
    everything = Configuration("", "", tuple(e.name for e in extensions), (1, 2), d["Machine"]["StreamContexts"])
    joined: dict[str, list[str]] = {}
    for n in rd.located("Joins"):
        joined.setdefault(rd.ref(d[n]["To"]), []).append(rd.ref(d[n]["What"]))
    deltas, wraps = tuple(map(rd.delta, rd.by_code("Delta"))), tuple(map(rd.wrap, rd.by_code("Wrap")))

    return Isa(
        machine={k: v for k, v in d["Machine"].items() if isinstance(v, int) and k[0] != "!"},
        spaces=tuple(
            Space(n, d[n]["Name"], d[n]["Code"], d[n]["Text"], tuple(d[n]["Blocks"]), tuple(d[n]["Banks"]))
            for n in rd.by_code("Space")
        ),
        traps=tuple(Trap(t.record, t.name, t.code, t.text, d[t.record]["Shown"]) for t in rd.named("Trap")),
        states=rd.named("CoreState"),
        vectors=tuple(
            VectorName(
                n,
                d[n]["Name"],
                d[n]["Code"],
                d[n]["Text"],
                bool(d[n]["Source"]),
                bool(d[n]["SecondSource"]),
                bool(d[n]["Destination"]),
                rd.ref(d[n]["Extension"]),
            )
            for n in rd.by_code("VectorName")
        ),
        widths=tuple((d[n]["Bits"], d[n]["Code"]) for n in rd.by_code("CounterWidth")),
        width_records=tuple(rd.by_code("CounterWidth")),
        slot=SlotLayout(slot["Bits"], slot["RowFlag"], pair("Row"), pair("Pattern"), pair("Register"), pair("Zero")),
        patterns=tuple(rd.pattern(n, deltas, wraps) for n in rd.by_code("Pattern")),
        deltas=deltas,
        wraps=wraps,
        stages=tuple(rd.stage(n) for n in rd.located("Stage")),
        fetch=d["FetchStage"]["Name"],
        accesses=tuple(rd.access(n) for n in rd.located("Access")),
        hazards=tuple(rd.hazard(n) for n in sorted(rd.names("Hazard"), key=lambda n: int(d[n]["Order"]))),
        bubbles=d["TakenTransfer"]["Bubbles"],
        entry=d["TakenTransfer"]["Entry"],
        transfer=Named(
            "StallTransfer", d["TakenTransfer"]["Name"], len(rd.names("Hazard")), d["TakenTransfer"]["Text"]
        ),
        kinds=tuple(Named(n, d[n]["Name"], i, d[n]["Text"]) for i, n in enumerate(rd.located("Kind"))),
        functions={n: rd.function(n, rd.ref(d[n]["Of"])) for n in rd.by_code("Function")},
        sides={
            n: SideOperand(n, d[n]["Symbol"], d[n]["Text"], tuple(d[n]["Blocks"]), d[n]["Part"])
            for n in rd.located("SideOperand")
        },
        blocks={
            n: Block(
                n,
                rd.ref(d[n]["Of"]),
                d[n]["Half"],
                (*rd.refs(d[n]["Functions"]), *joined.get(n, ())),
                (*rd.refs(d[n]["Functions"]), *joined.get(n, ())),
                rd.refs(d[n]["PortY"]),
                rd.refs(d[n]["PortZ"]),
                rd.refs(d[n]["Partner"]),
                bool(d[n]["TwoRounds"]),
            )
            for n in rd.located("Block")
        },
        ways=tuple(
            Way(n, d[n]["Name"], rd.refs(d[n]["Beside"]), rd.refs(d[n]["Functions"]), d[n]["Text"])
            for n in rd.located("Way")
        ),
        endpoint_functions={n: rd.function(n, rd.ref(d[n]["Of"])) for n in rd.by_code("EndpointFunction")},
        moves=rd.named("SideMove"),
        control_blocks=tuple(Named(n, d[n]["Name"], i, "") for i, n in enumerate(rd.located("ControlBlock"))),
        control_functions={n: rd.function(n, rd.ref(d[n]["Of"])) for n in rd.by_code("ControlFunction")},
        version=Version(d["Version"]["Major"], d["Version"]["Minor"]),
        reserved={v: k for k, v in d["ReservedOpcodes"].items() if isinstance(v, int)},
        kinds_of_operands=tuple(rd.operand_kind(n) for n in rd.located("OperandKind")),
        groups=tuple(Named(n, d[n]["Name"], i, d[n]["Text"]) for i, n in enumerate(rd.located("InsnGroup"))),
        extensions=extensions,
        configuration=everything,
        ready=(),
        insns=insns,
        described=insns,
        files_outside=tuple(d.get(OUTSIDE, ())),
        opcodes_outside=(d["OutsideOpcodes"]["First"], d["OutsideOpcodes"]["Last"]),
        stream_rows=rd.named("StreamRow"),
        hash_beside=rd.named("HashBeside"),
        register_files=retire.register_files(d),
        record=retire.read(d),
        state=state.read(d),
        locs={n: rd.loc(n) for n, record in d.items() if isinstance(record, dict) and "!locs" in record},
    )
