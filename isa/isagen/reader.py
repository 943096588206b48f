"""The only reader of llvm-tblgen's JSON: from the .td files to the classes of `isagen.description`.

Records keep the order of the .td files: the JSON sorts by name, so order comes from ``!locs`` or an explicit Order or
Code field.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from isagen import retire, state
from isagen.addresses import describe
from isagen.description import (
    Access,
    Block,
    Field,
    Function,
    Hazard,
    Holds,
    Insn,
    OperandKind,
    Resource,
    SideOperand,
    Step,
    Term,
    Way,
)
from isagen.errors import IsaError
from isagen.model import Isa
from isagen.records import (
    Beside,
    Bits,
    Configuration,
    Delta,
    Extension,
    Named,
    Operand,
    Pattern,
    SlotLayout,
    Space,
    Stage,
    State,
    Trap,
    VectorName,
    Version,
    Wrap,
)

OUTSIDE = "!outside"  # key of the files of extensions from outside this repository
TBLGEN_MAJOR = 19  # !locs, which the messages need, came with 19

Json = dict[str, Any]


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
    """Turns the JSON into the classes of `isagen.description`."""

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

    def trap(self, t: Named) -> Trap:
        r = self.data[t.record]
        others = tuple(str(self.data[name]["Name"]) for name in self.refs(r["YieldsTo"]))
        return Trap(t.record, t.name, t.code, t.text, r["Shown"], others, bool(r["ByFault"]))

    def state(self, s: Named) -> State:
        return State(s.record, s.name, s.code, s.text, bool(self.data[s.record]["ByFault"]))

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
            record=name,
            kind=kind,
            code=r["Code"],
            symbol=r["Symbol"],
            sides=r.get("Sides", 0),
            immediate=bool(r.get("Immediate", 0)),
            formula=r["Formula"],
            remark=r["Remark"],
            loc=self.loc(name),
            writes_address=bool(r.get("WritesAddress", 0)),
            reads_flag=bool(r.get("ReadsFlag", 0)),
            writes_flag=bool(r.get("WritesFlag", 0)),
            hashes=bool(r.get("Hashes", 0)),
            linear=bool(r.get("Linear", 0)),
            indexes=bool(r.get("Indexes", 0)),
            zero=bool(r.get("Zero", 0)),
            circuit=r.get("Circuit", ""),
            stage=self.ref(r["At"]) if "At" in r else "",
        )

    def vector(self, name: str) -> VectorName:
        r = self.data[name]
        return VectorName(
            record=name,
            name=r["Name"],
            code=r["Code"],
            text=r["Text"],
            source=bool(r["Source"]),
            second_source=bool(r["SecondSource"]),
            destination=bool(r["Destination"]),
            extension=self.ref(r["Extension"]),
        )

    def block(self, name: str, joined: Sequence[str]) -> Block:
        """Return a block with the functions that extensions join to it."""
        r = self.data[name]
        functions = (*self.refs(r["Functions"]), *joined)
        return Block(
            record=name,
            kind=self.ref(r["Of"]),
            half=r["Half"],
            functions=functions,
            described=functions,
            port_y=self.refs(r["PortY"]),
            port_z=self.refs(r["PortZ"]),
            partner=self.refs(r["Partner"]),
            two_rounds=bool(r["TwoRounds"]),
            passes=bool(r["Passes"]),
        )

    def side(self, name: str) -> SideOperand:
        r = self.data[name]
        return SideOperand(
            record=name,
            symbol=r["Symbol"],
            text=r["Text"],
            blocks=tuple(r["Blocks"]),
            field=r["Field"],
            made=r["Made"],
            of=self.refs(r["Of"]),
            half=r["Half"],
            directed=bool(r["Directed"]),
            sum=bool(r["Sum"]),
        )

    def step(self, dag: Json) -> Step:
        args = [self.ref(a[0]) for a in dag["args"]]
        return Step(self.ref(dag["operator"]), args[0] if args else "", tuple(args[1:]))

    def operand(self, arg: list[Any]) -> Operand:
        record = self.ref(arg[0])
        r = self.data[record]
        kind = self.data[self.ref(r["Kind"])]
        return Operand(
            record=record,
            name=str(arg[1] or record.lower()),
            kind=kind["Name"],
            written=kind["Written"],
            fields=tuple(r["Fields"]),
            text=r["Text"],
            optional=bool(r["Optional"]),
            low=r["Low"],
            high=r["High"],
            base=r["Base"],
            choices=tuple(r["Choices"]),
            extension=self.ref(r["Extension"]),
        )

    def operand_kind(self, name: str) -> OperandKind:
        r = self.data[name]
        return OperandKind(name, r["Name"], r["Written"], tuple(self.holds(self.ref(c)) for c in r["Contents"]))

    def holds(self, name: str) -> Holds:
        r = self.data[name]
        return Holds(name, r["Field"], r["Low"], r["High"], r["Step"], tuple(r["Forbidden"]), r["Role"])

    def opcode(self, insns: Sequence[Insn]) -> Field:
        """The bits that hold the opcode in most words; `verify` refuses an instruction that has it elsewhere."""
        word, width = (len(self.data[insns[0].record][row]) for row in ("Inst", "Opcode"))
        places = [Field("opcode", lsb, width) for lsb in range(word - width + 1)]
        return max(places, key=lambda place: sum(place.of(insn.match) == insn.opcode for insn in insns))

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
        number = [b for b in r.get("n", []) if isinstance(b, int)]
        return Insn(
            record=name,
            loc=self.loc(name),
            mnemonic=r["Mnemonic"],
            format=r["!superclasses"][-1],
            opcode=opcode,
            operands=tuple(self.operand(a) for a in r["Operands"]["args"]),
            path=tuple(self.step(d) for d in r["Path"]),
            summary=r["Summary"],
            details=r["Details"],
            group=self.ref(r["Group"]) if r["Group"] else "",
            extension=self.ref(r["Extension"]) if r["Extension"] else "",
            also=self.refs(r["Also"]),
            match=match,
            mask=mask,
            number=sum(b << i for i, b in enumerate(number)),
            fields=tuple(sorted(fields, key=lambda f: -f.lsb)),
            unassigned=tuple(unassigned),
            broken=tuple(broken),
        )


def read(data: Json) -> Isa:
    """Build the model from llvm-tblgen's JSON. Shape errors only; `verify.check` judges the contents."""
    rd = _Reader(data)
    d = data
    slot = d["SlotLayout"]

    def pair(name: str) -> Bits:
        return Bits(slot[name][0], slot[name][1])

    insns = tuple(sorted((rd.insn(n) for n in rd.names("Insn")), key=lambda i: i.opcode))
    extensions = tuple(
        Extension(n, d[n]["Name"], i, d[n]["Text"], tuple(d[n]["Needs"])) for i, n in enumerate(rd.located("Extension"))
    )
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
        traps=tuple(map(rd.trap, rd.named("Trap"))),
        states=tuple(map(rd.state, rd.named("CoreState"))),
        vectors=tuple(map(rd.vector, rd.by_code("VectorName"))),
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
        sides={n: rd.side(n) for n in rd.located("SideOperand")},
        blocks={n: rd.block(n, joined.get(n, ())) for n in rd.located("Block")},
        ways=tuple(
            Way(n, d[n]["Name"], rd.refs(d[n]["Beside"]), rd.refs(d[n]["Functions"]), d[n]["Text"])
            for n in rd.located("Way")
        ),
        endpoint_functions={n: rd.function(n, rd.ref(d[n]["Of"])) for n in rd.by_code("EndpointFunction")},
        moves=rd.named("SideMove"),
        control_blocks=tuple(Named(n, d[n]["Name"], i, "") for i, n in enumerate(rd.located("ControlBlock"))),
        control_functions={n: rd.function(n, rd.ref(d[n]["Of"])) for n in rd.by_code("ControlFunction")},
        version=Version(d["Version"]["Major"], d["Version"]["Minor"]),
        opcode=rd.opcode(insns),
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
        hash_beside=tuple(
            Beside(r.record, r.name, r.code, r.text, d[r.record]["Field"]) for r in rd.named("HashBeside")
        ),
        words_parts=rd.named("WordsPart"),
        register_files=retire.register_files(d),
        record=retire.read(d),
        state=state.read(d),
        locs={n: rd.loc(n) for n, record in d.items() if isinstance(record, dict) and "!locs" in record},
    )
