//===- operands.td - operand forms: kinds, what their fields may hold ---------===//

// Legal values of a field: numbers from Low to High in steps of Step, less the forbidden ones; of the codes of vector
// operands those of a role, and that of a row only if the operand fills a data slot. A field of which nothing is said
// may hold all that fits, a memory slot what addressing.td says. Assembler, both decoders and the generators of
// programs take it from here; docs/decisions/0004 says why everything else is refused.
class Holds<string name> {
  string Field = name;
  int Low = 0;
  int High = -1;            // -1: all that fits
  int Step = 1;
  list<int> Forbidden = [];
  string Role = "";         // Source, SecondSource or Destination of a VectorName
}
def HoldsSource       : Holds<"ra"> { let Role = "Source"; }
def HoldsSecondSource : Holds<"rb"> { let Role = "SecondSource"; }
def HoldsDestination  : Holds<"rd"> { let Role = "Destination"; }
def HoldsRegister : Holds<"rd"> { let Role = "Destination"; let Forbidden = [15]; } // NONE is not a register
def HoldsPair     : Holds<"rd"> { let High = !sub(Machine.VectorRegs, 2); let Step = 2; }
def HoldsKey      : Holds<"ks"> { let Forbidden = [0]; } // there must be an access
def HoldsStore    : Holds<"ss"> { let Forbidden = [0]; }
def HoldsContexts : Holds<"c"> { let Low = 1; }          // one bit each; a core of one context has the first only

// A kind of operand: how it is written (number, label, address register, or a value: registers and rows), and what the
// fields hold that it fills. The assembler knows kinds, never mnemonics: assembler/lutra/asm/passes/kinds.py.
class OperandKind<string name, string written, list<Holds> contents = []> {
  string Name = name;
  string Written = written;
  list<Holds> Contents = contents;
}
def KindDst      : OperandKind<"dst", "value", [HoldsDestination]>;
def KindDstPair  : OperandKind<"dst_pair", "value", [HoldsPair]>;
def KindRegister : OperandKind<"register", "value", [HoldsRegister]>;
def KindThird    : OperandKind<"third", "value">; // one of the vector registers, by its number
def KindMove     : OperandKind<"move", "value">;
def KindStore    : OperandKind<"store", "value", [HoldsStore]>;
def KindSum      : OperandKind<"sum", "value", [HoldsSource, HoldsSecondSource]>;
def KindSource   : OperandKind<"source", "value", [HoldsSource, HoldsSecondSource]>;
def KindKey      : OperandKind<"key", "value", [HoldsKey]>;
def KindRow      : OperandKind<"row", "value">;
def KindContexts : OperandKind<"contexts", "value", [HoldsContexts]>;
def KindContext  : OperandKind<"context", "value">;
def KindAddress  : OperandKind<"address", "address register">;
def KindNumber   : OperandKind<"number", "number">; // the operand's own range
def KindChoice   : OperandKind<"choice", "number">; // the index of one of the operand's choices
def KindTarget   : OperandKind<"target", "label">;
def KindLoopEnd  : OperandKind<"loop_end", "label">;

// An operand of a kind, packed into Fields. Optional: may be left out.
class Operand<OperandKind kind, list<string> fields, string text> {
  OperandKind Kind = kind;
  list<string> Fields = fields;
  string Text = text;
  bit Optional = 0;
  Extension Extension = BaseExtension; // of an optional one: without it the fields are zero, and nobody writes it
  int Low = 0;            // legal range of a number
  int High = 0;
  int Base = 0;           // what its field holds for the number 0
  list<int> Choices = []; // legal values, encoded by their index
}

def ops; // operator of an instruction's operand list

// Vector instructions.
def Dst    : Operand<KindDst, ["rd", "sb", "ss"], "destination: v0..v7, ctr, wk, a memory or table row, or {register, row}">;
def DstPair : Operand<KindDstPair, ["rd"], "two registers, even and the next: `{v0, v1}`">;
def DstPairRow : Operand<KindDstPair, ["rd", "sb", "ss"], "two registers, even and the next, and a row for the first's value: `{v0, v1, m3[ar1++]}`">;
def DstReg : Operand<KindRegister, ["rd"], "destination: v0..v7, ctr or wk">;
def StoreTo : Operand<KindStore, ["sb", "ss"], "a memory or table row">;
def Sum    : Operand<KindSum, ["ra", "rb", "w", "db", "ds"], "XOR of up to two sources and wk: `v0`, `m2[ar0++] ^ wk`, `v0 ^ m2[ar0++] ^ wk`">;
def SumReg : Operand<KindSum, ["ra", "rb", "w"], "XOR of up to two registers and wk">;
def SrcA   : Operand<KindSource, ["ra", "db", "ds"], "a vector register, ctr, ctr++, wk, zero or a memory row">;
def SrcB   : Operand<KindSource, ["rb", "db", "ds"], "a vector register, ctr, wk, zero or a memory row">;
def SrcAReg : Operand<KindSource, ["ra"], "a vector register, ctr, ctr++, wk or zero">;
def SrcBReg : Operand<KindSource, ["rb"], "a vector register, ctr, wk or zero">;
def KeyPair : Operand<KindKey, ["ks"], "a row of m0 and m1 at one address: `m0:m1[0x20]`">;
def Key0   : Operand<KindKey, ["ks"], "a row of m0">;
def Key1   : Operand<KindKey, ["ks"], "a row of m1">;
defvar asideText =
  "a move beside the path: `{hold, m2[ar0++]}`, `{hold, ctr++}`, `{m3[ar1++], v5}`, `{m3[ar1++], v5 ^ m2[ar0++]}`";
def Aside   : Operand<KindMove, ["mv", "rc", "db", "ds", "sb", "ss"], asideText> { let Optional = 1; }
def AsideOf : Operand<KindMove, ["mv", "rc", "db", "ds", "sb", "ss"], asideText>;
def Row    : Operand<KindRow, ["db", "ds"], "a memory row XORed into the result"> { let Optional = 1; }
def ByteIndex : Operand<KindNumber, ["n"], "byte index"> { let High = 15; }
// The field holds the lane's width before the number: 0 and seven bits for 128, 10 and six bits for 64, and so on.
foreach lane = LaneWidths.All in {
  def Rotation#lane : Operand<KindNumber, ["n"], "bits to the left"> {
    let High = !sub(lane, 1);
    let Base = !sub(256, !mul(2, lane));
  }
  def Shift#lane : Operand<KindNumber, ["n"], "bits"> {
    let High = !sub(lane, 1);
    let Base = !sub(256, !mul(2, lane));
  }
}
def SrcC   : Operand<KindThird, ["rc"], "a vector register, v0..v7">;
def Turned : Operand<KindNumber, ["n"],
  "rotation to the left, 0 to 31; with turn1, turn2 or turn3 the third register's words turn, with turn_sum the sum's: 16 + turn1"> {
  let High = 255;
}
def Words  : Operand<KindNumber, ["n"],
  "words whose XOR is looked up, word0 to word3; with turn1, turn2 or turn3 the third register's words turn: word1 + word2 + turn1"> {
  let High = 255;
}
def LaneIndex : Operand<KindNumber, ["n"], "16-bit lane, 0 the most significant"> { let High = 7; }

// The hash unit, beside the path.
let Optional = 1, Extension = GhashExtension in {
  def HashStepAside : Operand<KindNumber, ["h"], "a step of the hash unit: gh_step"> { let High = 1; }
  def HashAside : Operand<KindNumber, ["h"],
    "a step of the hash unit, what its input takes, or both: gh_step, gh_sum, gh_row, gh_step + gh_sum, gh_step + gh_row"> {
    let High = 5;
  }
}
let Optional = 1, Extension = MultiplierExtension in
def PrimeAside : Operand<KindNumber, ["g"], "a step of the multiplier: gp_step"> { let High = 1; }

// The stream unit.
def Contexts : Operand<KindContexts, ["c"], "stream contexts that are clocked: c0, c1 or c0:c1">;
def Context  : Operand<KindContext, ["o"], "a stream context: c0 or c1">;
def Shown    : Operand<KindContext, ["o"], "stream context whose buffer goes out: c0 or c1">;
def ContextRow : Operand<KindNumber, ["n"],
  !strconcat("row of the context: ",
             !interleave([RowLfsr0.Name, RowLfsr1.Name, RowLfsr2.Name, RowLfsr3.Name, RowRegisters.Name], ", "),
             " or ", RowBuffer.Name)> { let High = RowBuffer.Code; }

// Control and address instructions.
def AddrDst : Operand<KindAddress, ["ad"], "address register">;
def AddrSrc : Operand<KindAddress, ["as"], "address register">;
def AddrBoth : Operand<KindAddress, ["ad", "as"], "address register">;
def Imm16   : Operand<KindNumber, ["n"], "number"> { let Low = -32768; let High = 65535; }
def Code8   : Operand<KindNumber, ["n"], "code for the host"> { let High = 255; }
def Shift   : Operand<KindNumber, ["n"], "shift amount"> { let High = 15; }
def Count   : Operand<KindNumber, ["n"], "number of times"> { let High = 65535; }
def WindowStart : Operand<KindNumber, ["n"], "AddrStart"> { let High = 65535; }
def WindowEnd : Operand<KindNumber, ["e"], "AddrEnd"> { let High = 65535; }
def Target  : Operand<KindTarget, ["e"], "label or program address"> { let High = 65535; }
def LoopEnd : Operand<KindLoopEnd, ["e"], "label after the last instruction of the body"> { let High = 65535; }
def Width   : Operand<KindChoice, ["n"], "32, 64 or 128"> { let Choices = [128, 64, 32]; }
