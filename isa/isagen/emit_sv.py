"""SystemVerilog from the model: package of constants and types, decoder. `emit_blocks` has the datapath's blocks."""

from __future__ import annotations

from collections.abc import Callable

from isagen import emit_blocks, emit_retire
from isagen.model import Block, Field, Function, Insn, Isa
from isagen.records import Contents
from isagen.text import banner, camel

# Members of the fields' struct: name, type, field, conversion.
FIELDS = (
    *((name, "vector_e", name, "vector_e'") for name in ("ra", "rb", "rd")),
    *((name, "slot_t", f"{name}s", "decode_slot") for name in ("k", "d", "s")),
    ("d_block", "block_t", "db", ""),
    ("s_space", "space_e", "sb", "space_e'"),
    ("mv", "move_e", "mv", "move_e'"),
    ("rc", "vreg_t", "rc", ""),
)
# Fields whose contents are codes of vector operands.
CODES = ("ra", "rb", "rd")


def files(isa: Isa) -> dict[str, str]:
    """Name -> text of every generated SystemVerilog file."""
    return {
        "lutra_isa_pkg.sv": package(isa),
        "lutra_decoder.sv": decoder(isa),
        "lutra_blocks.sv": emit_blocks.blocks(isa),
        "lutra_first_half.sv": emit_blocks.first_half(isa),
    }


def _immediate_bits(isa: Isa) -> int:
    """Width of the widest immediate that a vector instruction's path takes."""
    return max(f.width for i in isa.described if isa.facts[i.record].vector and i.takes("N") if (f := i.field("n")))


def _bits(count: int) -> int:
    """Width of a code with `count` values."""
    return max(1, (count - 1).bit_length())


def _enum(name: str, rows: list[tuple[str, int]], width: int) -> str:
    body = ",\n".join(f"    {label} = {width}'d{code}" for label, code in rows)
    return f"  typedef enum logic [{width - 1}:0] {{\n{body}\n  }} {name};\n\n"


def _kind_rows(isa: Isa, kind: str) -> list[tuple[str, int]]:
    name = camel(next(k.name for k in isa.kinds if k.record == kind))
    rows = [(f"{name}{f.record}", f.code) for f in isa.functions.values() if f.kind == kind]
    if all(code for _, code in rows):
        rows.insert(0, (f"{name}Pass", 0))
    return rows


def _port_rows(block: Block, port: str) -> list[str]:
    return ["None", *(block.port_y if port == "y" else block.port_z)]


def _ports(isa: Isa) -> list[tuple[Block, str, list[str]]]:
    return [(b, p, _port_rows(b, p)) for b in isa.blocks.values() for p in ("y", "z") if len(_port_rows(b, p)) > 1]


def _control_rows(isa: Isa, table: dict[str, Function], block: str) -> list[tuple[str, int]]:
    return [(camel(block.lower()) + camel(f.symbol), f.code) for f in table.values() if f.kind == block]


def package(isa: Isa) -> str:
    """Constants, enumerations and the control word."""
    m = isa.machine
    out = banner("//") + "// Constants and types of the instruction set.\n\npackage lutra_isa_pkg;\n\n"
    for key, value in m.items():
        out += f"  localparam int unsigned {key} = {value};\n"
    chosen = isa.configuration
    out += "\n  // The configuration: defaults of the core's parameters, and the extensions that it has.\n"
    out += f"  localparam int unsigned CoreRounds = {max(chosen.rounds)};\n"
    out += f"  localparam int unsigned CoreContexts = {chosen.contexts};\n"
    for e in isa.extensions:
        out += f"  localparam bit Has{camel(e.name)} = {int(e.name in chosen.extensions)};\n"
    out += "\n"
    for key, text in (("VectorBits", "8 * VectorBytes"), ("RowShift", "$clog2(VectorBytes)")):
        out += f"  localparam int unsigned {key} = {text};\n"
    out += f"\n  // Cycles lost after a taken transfer.\n  localparam int unsigned TakenBubbles = {isa.bubbles};\n"
    out += "  // Cycles that a loop's entry on the stack is late for a REPEAT or the only instruction of a body.\n"
    out += f"  localparam int unsigned EntryBubbles = {isa.entry};\n\n"
    out += "  typedef logic [VectorBits-1:0] vec_t;     // byte 0 is the most significant\n"
    out += "  typedef struct packed {vec_t x; vec_t p;} pair_t;  // value on the path, partner\n"
    out += f"  typedef logic [{_immediate_bits(isa) - 1}:0] imm_t;      // immediate of a vector instruction\n"
    out += "  typedef logic [AddressBits-1:0] addr_t;\n  typedef logic [InsnBits-1:0] insn_t;\n"
    out += "  // Numbers of address registers, vector registers and data memory blocks; blocks and banks as masks.\n"
    out += "  typedef logic [$clog2(AddressRegs)-1:0] ar_t;\n  typedef logic [$clog2(VectorRegs)-1:0] vreg_t;\n"
    out += "  typedef logic [$clog2(MemoryBlocks)-1:0] block_t;\n  typedef logic [MemoryBlocks-1:0] blocks_t;\n"
    out += "  typedef logic [TableBanks-1:0] banks_t;\n\n"

    out += "  // Cycles from issue to a stage, [0] with one round per instruction, [1] with two.\n"
    for s in isa.stages:
        out += f"  localparam int unsigned {s.record}[2] = '{{{s.one_round}, {s.two_rounds}}};\n"
    out += "\n  // Causes that stall cycles are counted under; the first that holds counts.\n"
    rows = [(f"Stall{camel(s.name)}", s.code) for s in isa.stalls]
    out += f"  localparam int unsigned StallCauses = {len(rows)};\n"
    out += _enum("stall_e", rows, _bits(len(rows)))

    out += _enum("space_e", [(f"Space{s.record}", s.code) for s in isa.spaces], 3)
    traps = [("TrapNone", 0)] + [(t.record, t.code) for t in isa.traps]
    out += _enum("trap_e", traps, _bits(len(traps)))
    out += _enum("state_e", [(s.record, s.code) for s in isa.states], _bits(len(isa.states)))
    out += _enum("width_e", [(f"Width{bits}", code) for bits, code in isa.widths], _bits(len(isa.widths)))
    out += _enum("vector_e", [(f"Vec{v.record}", v.code) for v in isa.vectors], 4)
    out += _enum("move_e", [(m.record, m.code) for m in isa.moves], _bits(len(isa.moves)))
    out += _enum("delta_e", [(d.record, d.code) for d in isa.deltas], _bits(len(isa.deltas)))
    out += _enum("wrap_e", [(w.record, w.code) for w in isa.wraps], _bits(len(isa.wraps)))
    for k in isa.kinds:
        rows = _kind_rows(isa, k.record)
        out += _enum(emit_blocks.kind_type(isa, k.record), rows, _bits(max(c for _, c in rows) + 1))
    for end in ("SRC", "RES"):
        rows = _control_rows(isa, isa.endpoint_functions, end)
        out += _enum(f"{end.lower()}_fn_e", rows, _bits(len(rows)))
    for cb in isa.control_blocks:
        rows = _control_rows(isa, isa.control_functions, cb.record)
        out += _enum(f"{cb.name}_fn_e", rows, _bits(len(rows)))
    for b, p, rows_ in _ports(isa):
        name = f"{b.record.lower()}_{p}"
        out += _enum(f"{name}_e", [(f"{camel(name)}{r}", i) for i, r in enumerate(rows_)], _bits(len(rows_)))

    out += _enum("stream_row_e", [(f"Stream{r.record}", r.code) for r in isa.stream_rows], _bits(len(isa.stream_rows)))

    out += "  // What the hash unit does beside the path, a bit each.\n"
    width = max(row.code for row in isa.besides("h")).bit_length()
    out += f"  typedef logic [{width - 1}:0] beside_t;\n"
    for row in isa.besides("h"):
        out += f"  localparam beside_t {row.record} = beside_t'({row.code});\n"
    out += "\n" + _spaces(isa)
    out += _slot(isa)
    out += _fields(isa)
    out += _control_word(isa)
    hashing = ", ".join(f"Res{camel(f.symbol)}" for f in isa.endpoint_functions.values() if f.hashes)
    out += "  // Whether the end of a path writes registers of the hash unit.\n"
    out += f"  function automatic logic hashes(res_fn_e res);\n    return res inside {{{hashing}}};\n  endfunction\n\n"
    out += "  // Whether an instruction makes a step of the multiplier.\n"
    out += "  function automatic logic multiplies(ctl_t ctl);\n    return ctl.g || ctl.res == ResPrimeStep;\n"
    out += "  endfunction\n\n"
    out += emit_retire.packed_struct(isa)
    out += "endpackage\n"
    return out


def _spaces(isa: Isa) -> str:
    """Return the memories of each space as masks; spaces without any take the default."""
    out = "  // Data memory blocks and table banks that a space occupies.\n"
    for kind in ("blocks", "banks"):
        out += f"  function automatic {kind}_t {kind}_of(space_e space);\n    unique case (space)\n"
        for s in isa.spaces:
            if places := getattr(s, kind):
                out += f"      Space{s.record}: {kind}_of = {kind}_t'({sum(1 << n for n in places)});\n"
        out += f"      default: {kind}_of = '0;\n    endcase\n  endfunction\n\n"
    return out


def _slot(isa: Isa) -> str:
    s = isa.slot
    out = f"""  // A memory slot: which address, and what happens to the address register.
  typedef struct packed {{
    logic       en;
    logic       row_en;              // the address is 16 * row
    logic [{s.row[0] - s.row[1]}:0] row;
    logic [{s.register[0] - s.register[1]}:0] ar;
    delta_e     delta;               // none without a register
    wrap_e      wrap;
    logic       bad;                 // not a legal slot
  }} slot_t;

  function automatic slot_t decode_slot(logic [{s.bits - 1}:0] bits);
    slot_t slot;
    slot = '0;
    slot.en = bits != '0;
    slot.row_en = bits[{s.row_flag}];
    slot.row = bits[{s.row[0]}:{s.row[1]}];
    slot.ar = bits[{s.register[0]}:{s.register[1]}];
    slot.delta = {next(d.record for d in isa.deltas if d.code == 0)};
    slot.wrap = {next(w.record for w in isa.wraps if w.code == 0)};
    if (!bits[{s.row_flag}]) begin
      slot.bad = bits != '0 && bits[{s.zero[0]}:{s.zero[1]}] != '0;
      case (bits[{s.pattern[0]}:{s.pattern[1]}])
"""
    width = s.pattern[0] - s.pattern[1] + 1
    delta = {d.name: d.record for d in isa.deltas}
    wrap = {w.name: w.record for w in isa.wraps}
    for p in isa.patterns:
        out += f"        {width}'d{p.code}: begin slot.delta = {delta[p.delta]}; slot.wrap = {wrap[p.wrap]}; end\n"
    out += """        default: slot.bad = bits != '0;
      endcase
    end
    return slot;
  endfunction

"""
    return out


def _fields(isa: Isa) -> str:
    """The fields of the vector formats, each at its place in every one of them."""
    places = isa.places(vector=True)
    out = "  // Fields of a vector instruction, whether it has them or not.\n  typedef struct packed {\n"
    out += "".join(f"    {type_} {name};\n" for name, type_, _, _ in FIELDS)
    out += "  } fields_t;\n\n  function automatic fields_t vector_fields(insn_t insn);\n    fields_t f;\n"
    for name, _, field, convert in FIELDS:
        f = places[field]
        bits = f"insn[{f.msb}:{f.lsb}]"
        out += f"    f.{name} = {f'{convert}({bits})' if convert else bits};\n"
    return out + "    return f;\n  endfunction\n\n"


def _control_word(isa: Isa) -> str:
    out = "  // What the decoder tells the machine.\n  typedef struct packed {\n"
    out += "    logic illegal;\n    logic vector;       // goes through the vector datapath\n"
    out += "    vector_e ra;\n    vector_e rb;\n    vector_e rd;\n"
    out += "    logic use_a;        // ra is read\n"
    out += "    logic use_b;        // rb is read\n"
    out += "    logic use_w;        // wk enters L0\n"
    out += "    slot_t k;\n"
    out += "    logic k0_en;        // the key slot reads m0\n"
    out += "    logic k1_en;        // the key slot reads m1\n"
    out += "    slot_t d;\n    block_t d_block;\n    slot_t s;\n    space_e s_space;\n"
    out += "    src_fn_e src;\n"
    for b in isa.blocks.values():
        out += f"    {emit_blocks.kind_type(isa, b.kind)} {b.record.lower()};\n"
    for b, p, _ in _ports(isa):
        name = f"{b.record.lower()}_{p}"
        out += f"    {name}_e {name};\n"
    out += "    res_fn_e res;\n"
    out += "    logic pair;         // the partner is written to the register after rd\n"
    out += "    move_e mv;          // what data and store slot do beside the path\n"
    out += "    vreg_t rc;          // register that a move stores, or that enters in X2\n"
    out += "    logic half1;        // a block of the first half is used\n"
    out += "    logic half2;        // of the second\n"
    out += "    logic x2_ready;     // the result is ready at the end of X2, where there is one; otherwise of X1\n"
    out += "    logic early;        // sources are needed at the end of MEM; otherwise XORed on at the end of PERM\n"
    for cb in isa.control_blocks:
        out += f"    {cb.name}_fn_e {cb.name};\n"
    out += "    logic ad_en;        // ad is written\n    logic as_en;        // as is read\n"
    out += "    ar_t ad;\n    ar_t as;\n    addr_t n;\n    addr_t e;\n"
    out += "    logic [StreamContexts-1:0] c;  // stream contexts clocked\n"
    out += "    logic o;            // stream context shown, loaded or saved\n"
    out += "    beside_t h;         // what the hash unit does beside the path\n"
    out += "    logic g;            // the multiplier makes a step beside it\n  } ctl_t;\n\n"
    key_blocks = " | ".join(f"(ctl.k{block}_en ? blocks_t'({1 << block}) : '0)" for block in sorted(isa.key_rows()))
    out += "  // Memory blocks that the key slot reads, as a mask.\n"
    out += f"  function automatic blocks_t key_blocks(ctl_t ctl);\n    return {key_blocks};\n  endfunction\n\n"
    return out


def _row(isa: Isa, insn: Insn, fields: dict[str, Field]) -> list[str]:
    """The assignments by which one instruction differs from the defaults."""
    rows: list[str] = []
    facts = isa.facts[insn.record]

    def add(text: str) -> None:
        rows.append(text)

    op = fields_of_word(insn.match, insn.mask)
    conditions = [] if op is None else [op]
    for contents in facts.contents:
        f = insn.field(contents.field)
        if f is not None and f.name in CODES:
            conditions += _codes(contents, f)
        elif f is not None and f.width != isa.slot.bits:
            conditions += _limits(contents, f)
    if facts.vector:
        add("ctl.vector = 1'b1;")
        _vector_row(isa, insn, fields, add, conditions)
    else:
        for step in insn.path:
            symbol = isa.control_functions[step.function].symbol
            add(f"ctl.{step.block.lower()} = {camel(step.block.lower())}{camel(symbol)};")
    for name in ("ad", "as", "n", "e", "c", "o", "h", "g"):
        f = insn.field(name)
        if f is not None:
            value = f"insn_i[{f.msb}:{f.lsb}]"
            add(f"ctl.{name} = {value if name not in ('n', 'e') else f'addr_t{chr(39)}({value})'};")
        elif name == "n" and insn.number:
            add(f"ctl.n = 16'd{insn.number};")
        elif not facts.vector and name in fields and fields[name].of(insn.match):
            add(f"ctl.{name} = 16'd{fields[name].of(insn.match)};")
    if facts.writes_address:
        add("ctl.ad_en = 1'b1;")
    if facts.reads_address:
        add("ctl.as_en = 1'b1;")
    if conditions:
        add("ctl.illegal = " + " || ".join(conditions) + ";")
    else:
        add("ctl.illegal = 1'b0;")
    return rows


def _codes(contents: Contents, field: Field) -> list[str]:
    """The condition that a code of a vector operand may not stand there."""
    mask = sum(1 << code for code in contents.codes)
    return [f"!among(f.{field.name}, 16'h{mask:04x})"] if mask != (1 << (1 << field.width)) - 1 else []


def _limits(contents: Contents, field: Field) -> list[str]:
    """The conditions that a number may not stand there."""
    at, w = f"insn_i[{field.msb}:{field.lsb}]", field.width
    out = [f"{at} < {w}'d{contents.low}"] if contents.low else []
    out += [f"{at} > {w}'d{contents.high}"] if contents.high < (1 << w) - 1 else []
    out += [f"({at} - {w}'d{contents.low}) % {w}'d{contents.step} != '0"] if contents.step > 1 else []
    return out + [f"{at} == {w}'d{code}" for code in contents.forbidden if contents.low <= code <= contents.high]


def fields_of_word(match: int, mask: int) -> str | None:
    """Condition that a constant bit outside the opcode is wrong."""
    mask &= (1 << 56) - 1
    match &= mask
    return f"(insn_i[55:0] & 56'h{mask:014x}) != 56'h{match:014x}" if mask else None


def _vector_row(
    isa: Isa, insn: Insn, fields: dict[str, Field], add: Callable[[str], None], conditions: list[str]
) -> None:
    facts = isa.facts[insn.record]
    if facts.reads("rb"):
        add("ctl.use_b = 1'b1;")
    if facts.reads("ra"):
        add("ctl.use_a = 1'b1;")
    if True in facts.whitening:
        add(f"ctl.use_w = insn_i[{fields['w'].lsb}];")
    if facts.destination == "pair":
        add("ctl.pair = 1'b1;")
    if facts.move:
        add("ctl.mv = f.mv;")
        add("ctl.rc = f.rc;")
        conditions.append("bad_move")
    if facts.third:
        add("ctl.rc = f.rc;")
    if facts.store:
        conditions.append("bad_store")
    if facts.store == "must":
        conditions.append("!f.s.en")
    if facts.key_blocks:
        conditions.append("f.k.bad || !f.k.en")
    for number in facts.key_blocks:
        add(f"ctl.k{number}_en = 1'b1;")
    if facts.data:
        conditions.append("bad_data")
    if facts.data == "source":
        uses = " || ".join(f"f.{s.field} == VecROW" for s in facts.sources if s.row)
        conditions.append(f"f.d.en != ({uses})")
    src = insn.step("SRC")
    if src is not None:
        add(f"ctl.src = Src{camel(isa.endpoint_functions[src.function].symbol)};")
    for step in insn.path:
        if step.block not in isa.blocks:
            continue
        block = isa.blocks[step.block]
        name = block.record.lower()
        kind = camel(next(k.name for k in isa.kinds if k.record == block.kind))
        add(f"ctl.{name} = {kind}{step.function};")
        for port in ("y", "z"):
            for side in step.sides:
                if side in _port_rows(block, port) and side not in block.partner:
                    label = f"{name}_{port}"
                    add(f"ctl.{label} = {camel(label)}{side};")
    res = insn.step("RES")
    if res is not None:
        add(f"ctl.res = Res{camel(isa.endpoint_functions[res.function].symbol)};")
    for half in facts.halves:
        add(f"ctl.half{half} = 1'b1;")
    for name in ("x2_ready", "early"):
        if getattr(facts, name):
            add(f"ctl.{name} = 1'b1;")
    if facts.two_rounds:
        conditions.append("ROUNDS_PER_INSTR < 2")
    clocked, shown = insn.field("c"), insn.field("o")
    if clocked is not None:
        place = f"insn_i[{clocked.msb}:{clocked.lsb}]"
        conditions.append(f"(int'({place}) >> STREAM_CONTEXTS) != 0")
    if shown is not None:
        conditions.append(f"int'(insn_i[{shown.lsb}]) >= STREAM_CONTEXTS")


def decoder(isa: Isa) -> str:
    """The decoder: a table with defaults above and only differences in the rows."""
    out = banner("//") + DECODER_HEAD
    vector, control = isa.places(vector=True), isa.places(vector=False)
    for insn in isa.insns:
        out += f"      8'h{insn.opcode:02x}: begin // {insn.mnemonic}: {insn.summary}\n"
        for line in _row(isa, insn, vector if isa.facts[insn.record].vector else control):
            out += f"        {line}\n"
        out += "      end\n"
    # Inputs that no row of the configuration reads.
    names = ("bad_data", "bad_store", "bad_move", "ROUNDS_PER_INSTR", "STREAM_CONTEXTS")
    rows = out.removeprefix(banner("//") + DECODER_HEAD)
    unused = [name if name.islower() else f"{name} != 0" for name in names if name not in rows]
    end = f"\n  logic unused;\n  assign unused = &{{1'b0, {', '.join(unused)}}};\n" if unused else ""
    return out + DECODER_END.replace("\nendmodule", end + "\nendmodule")


DECODER_HEAD = """\
// Instruction word to control word; whatever is not an instruction is illegal.

module lutra_decoder
  import lutra_isa_pkg::*;
#(
  parameter int unsigned ROUNDS_PER_INSTR = 2,
  parameter int unsigned STREAM_CONTEXTS = StreamContexts
) (
  input  insn_t insn_i,
  output ctl_t  ctl_o
);

  fields_t f;
  assign f = vector_fields(insn_i);

  // Whether a code is in a mask of codes.
  function automatic logic among(vector_e code, logic [15:0] codes);
    return codes[code];
  endfunction

  ctl_t ctl;
  logic bad_data, bad_store, bad_move, clash;
  lutra_decode_slots u_slots (
    .fields_i(f),
    .key_blocks_i(key_blocks(ctl)),
    .bad_data_o(bad_data),
    .bad_store_o(bad_store),
    .bad_move_o(bad_move),
    .clash_o(clash)
  );

  always_comb begin
    ctl = '0;
    ctl.illegal = 1'b1;
    ctl.ra = VecZERO;
    ctl.rb = VecZERO;
    ctl.rd = VecNONE;
    unique case (insn_i[63:56])
"""

DECODER_END = """\
      default: ;
    endcase
    if (ctl.vector) begin
      ctl.ra = f.ra;
      ctl.rb = f.rb;
      ctl.rd = f.rd;
      ctl.k = f.k;
      ctl.d = f.d;
      ctl.d_block = f.d_block;
      ctl.s = f.s;
      ctl.s_space = f.s_space;
    end
  end

  always_comb begin
    ctl_o = ctl;
    ctl_o.illegal = ctl.illegal || (ctl.vector && clash);
  end

endmodule
"""
