//===- registers.td - names and codes of the vector operands ------------------===//

class VectorName<string name, int encoding, string text> {
  string Name = name;
  int Code = encoding;
  string Text = text;
  bit Source = 1;      // may be read as first operand
  bit SecondSource = 1; // may be read as second operand
  bit Destination = 1; // may be written
  Extension Extension = BaseExtension;
}

foreach i = !range(Machine.VectorRegs) in
  def V#i : VectorName<"v"#i, i, "vector register "#i>;
let Extension = CounterExtension in
def CTR : VectorName<"ctr", 8, "counter">;
def WK : VectorName<"wk", 9, "whitening key">;

let Destination = 0 in {
  let SecondSource = 0, Extension = CounterExtension in
    def CTRINC : VectorName<"ctr++", 10, "counter, incremented after it is read">;
  let Extension = CamelliaExtension in
    def HOLD : VectorName<"hold", 13, "row or counter that a move has set aside">;
  def ZERO : VectorName<"zero", 11, "128 zero bits">;
  def ROW : VectorName<"", 12, "the row that the instruction's data slot reads">;
}
let Source = 0, SecondSource = 0 in
  def NONE : VectorName<"", 15, "no vector register is written">;

// Registers that have a number, and are called by it.
class RegisterFile<string prefix, int count, string text> {
  string Prefix = prefix;
  int Count = count;
  string Text = text;
}
def VectorRegister : RegisterFile<"v", Machine.VectorRegs, "vector register">;
def AddressRegister : RegisterFile<"ar", Machine.AddressRegs, "address register">;
def StreamContext : RegisterFile<"c", Machine.StreamContexts, "stream context">;
def LoopEntry : RegisterFile<"loop", Machine.LoopDepth, "entry of the loop stack, 0 the innermost">;
def CallEntry : RegisterFile<"call", Machine.CallDepth, "entry of the call stack, 0 the last call">;

// Rows of a stream context, as `ctxld` and `ctxst` number them; assembly knows the names.
class StreamRow<string name, int encoding, string text> {
  string Name = name;
  int Code = encoding;
  string Text = text;
}
foreach n = 0...3 in
  def RowLfsr#n : StreamRow<"context_lfsr"#n, n, "LFSR words "#!mul(4, n)#" to "#!add(!mul(4, n), 3)>;
def RowRegisters : StreamRow<"context_registers", 4, "r1, r2, r3">;
def RowBuffer    : StreamRow<"context_buffer", 5, "buffer">;

// What an instruction that needs neither data slot nor store slot moves beside its path.
class SideMove<string name, int encoding, string text> {
  string Name = name;
  int Code = encoding;
  string Text = text;
}
def MoveNone    : SideMove<"none", 0, "nothing">;
def MoveHoldRow : SideMove<"hold_row", 1, "hold = row of the data slot">;
def MoveHoldCtr : SideMove<"hold_ctr", 2, "hold = ctr, then ctr is incremented">;
def MoveStore   : SideMove<"store", 3, "row of the store slot = register rc ^ row of the data slot">;

// What the hash unit does beside the path of an instruction that has field h, or g, whose value is the sum of these;
// first the step, then what comes into gx: data is the row of the data slot, or 0, and moved is register rc ^ data, as a
// move stores it. Assembly knows the names.
class HashBeside<string name, int encoding, string text, string of = "h"> {
  string Name = name;
  int Code = encoding;
  string Text = text;
  string Field = of;
}
def BesideStep : HashBeside<"gh_step", 1, "gy = Horner128(gy, gx, gh); gx = Down(gx)">;
def BesideSum  : HashBeside<"gh_sum", 2, "gx = moved ^ gy; gy = 0">;
def BesideRow  : HashBeside<"gh_row", 4, "gx = data ^ gy; gy = 0">;

def BesidePrime : HashBeside<"gp_step", 1, "v = Prime(Sum(gu, gy), gt, gh); gu = v >> 128; gy = Row(v); gt = gx[15]; gx = DownByte(gx)", "g">;

// Parts of the immediate of instructions that work on words of 32 bits with a third register: it is their sum, and a
// number of bits for a rotation. Assembly knows the names.
class WordsPart<string name, int encoding, string text> {
  string Name = name;
  int Code = encoding;
  string Text = text;
}
def PartTurn1 : WordsPart<"turn1", 0x40, "the third register's words turn to the left by one: word 1 comes to the place of word 0">;
def PartTurn2 : WordsPart<"turn2", 0x80, "they turn by two">;
def PartTurn3 : WordsPart<"turn3", 0xc0, "they turn by three">;
def PartSum   : WordsPart<"turn_sum", 0x20, "not the third register turns, but the sum">;
def PartWord0 : WordsPart<"word0", 8, "the first word is looked up">;
def PartWord1 : WordsPart<"word1", 4, "the second; words that are named together are XORed before">;
def PartWord2 : WordsPart<"word2", 2, "the third">;
def PartWord3 : WordsPart<"word3", 1, "the last">;

// Width of the counter's increment, in bits counted from its last byte (SP 800-38A B.1).
class CounterWidth<int width, int encoding> {
  int Bits = width;
  int Code = encoding;
}
def Width128 : CounterWidth<128, 0>;
def Width64  : CounterWidth<64, 1>;
def Width32  : CounterWidth<32, 2>;
