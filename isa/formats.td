//===- formats.td - encoding formats ------------------------------------------===//

// Groups of the reference, in the order of the records; `let Group` in lutra.td assigns instructions to them.
class InsnGroup<string name, string text> {
  string Name = name;
  string Text = text;
}
def ControlInsns  : InsnGroup<"control", "control flow and the host">;
def AddressInsns  : InsnGroup<"address", "address registers and the counter">;
def MoveInsns     : InsnGroup<"move", "moves between registers, memories and tables">;
def GenericInsns  : InsnGroup<"generic", "what any cipher can be built from">;
def AesInsns      : InsnGroup<"aes", "AES (FIPS 197)">;
def AriaInsns     : InsnGroup<"aria", "ARIA (RFC 5794)">;
def CamelliaInsns : InsnGroup<"camellia", "Camellia (RFC 3713)">;
def StreamInsns   : InsnGroup<"stream", "stream ciphers and CRC, on the stream unit">;
def MacInsns      : InsnGroup<"mac", "multiplication in GF(2^128), and the hash unit for GCM, 128-EIA1 and 128-EIA3">;

class Insn<bits<8> opcode, string mnemonic, dag operands, list<dag> path, string summary> {
  field bits<64> Inst;
  bits<8> Opcode = opcode;
  string Mnemonic = mnemonic;
  dag Operands = operands;
  list<dag> Path = path;
  string Summary = summary;
  string Details = "";
  InsnGroup Group = ?;
  Extension Extension = ?; // what a core must have for it
  list<Extension> Also = []; // and beside it
  let Inst{63-56} = Opcode;
}

//  63    56 55  52 51  48 47  44 43 42    34 33  32 31    23 22  20 19    11 10      0
// +--------+------+------+------+--+--------+------+--------+------+--------+---------+
// | opcode |  rd  |  ra  |  rb  |w |key slot|d blk |  data  |s blk | store  |    x    |
// +--------+------+------+------+--+--------+------+--------+------+--------+---------+
class FmtVector<bits<8> opcode, string mnemonic, dag operands, list<dag> path, string summary>
    : Insn<opcode, mnemonic, operands, path, summary> {
  bits<4> rd;
  bits<4> ra;
  bits<4> rb;
  bits<1> w;
  bits<9> ks;
  bits<2> db;
  bits<9> ds;
  bits<3> sb;
  bits<9> ss;
  bits<11> x = 0;
  let Inst{55-52} = rd;
  let Inst{51-48} = ra;
  let Inst{47-44} = rb;
  let Inst{43} = w;
  let Inst{42-34} = ks;
  let Inst{33-32} = db;
  let Inst{31-23} = ds;
  let Inst{22-20} = sb;
  let Inst{19-11} = ss;
  let Inst{10-0} = x;
}

// x of an instruction with an immediate:   10 .. 7 | 6 .. 4 ad | 3 .. 0 n
class FmtVectorImm<bits<8> opcode, string mnemonic, dag operands, list<dag> path, string summary>
    : FmtVector<opcode, mnemonic, operands, path, summary> {
  bits<3> ad = 0;
  bits<4> n;
  let x{10-7} = 0;
  let x{6-4} = ad;
  let x{3-0} = n;
}

// x of an instruction with a rotation or shift of lanes:   10 .. 8 | 7 .. 0 n
class FmtVectorRotate<bits<8> opcode, string mnemonic, dag operands, list<dag> path, string summary>
    : FmtVector<opcode, mnemonic, operands, path, summary> {
  bits<8> n;
  let x{10-8} = 0;
  let x{7-0} = n;
}

// x of an instruction with a step of the hash unit next to its path:   10 .. 8 | 7 .. 5 h | 4 .. 0
class FmtVectorHash<bits<8> opcode, string mnemonic, dag operands, list<dag> path, string summary>
    : FmtVector<opcode, mnemonic, operands, path, summary> {
  bits<3> h;
  let x{10-8} = 0;
  let x{7-5} = h;
  let x{4-0} = 0;
}

// x of an instruction with a move next to its path:   10 .. 8 rc | 7 .. 5 h | 4 .. 2 | 1 .. 0 mv
class FmtVectorMove<bits<8> opcode, string mnemonic, dag operands, list<dag> path, string summary>
    : FmtVector<opcode, mnemonic, operands, path, summary> {
  bits<3> h;
  bits<3> rc;
  bits<2> mv;
  let x{10-8} = rc;
  let x{7-5} = h;
  let x{4-2} = 0;
  let x{1-0} = mv;
}

// x of an instruction with a third register:   10 .. 8 rc | 7 .. 0 n
class FmtVectorThird<bits<8> opcode, string mnemonic, dag operands, list<dag> path, string summary>
    : FmtVector<opcode, mnemonic, operands, path, summary> {
  bits<3> rc;
  bits<8> n = 0;
  let x{10-8} = rc;
  let x{7-0} = n;
}

// The same with a step of the multiplier next to its path, g in the place of w.
class FmtVectorThirdPrime<bits<8> opcode, string mnemonic, dag operands, list<dag> path, string summary>
    : FmtVectorThird<opcode, mnemonic, operands, path, summary> {
  bits<1> g;
  let w = g;
}

// x of an instruction with a source address register:   10 .. 7 | 6 .. 4 as | 3 .. 0
class FmtVectorAddr<bits<8> opcode, string mnemonic, dag operands, list<dag> path, string summary>
    : FmtVector<opcode, mnemonic, operands, path, summary> {
  bits<3> as;
  let x{10-7} = 0;
  let x{6-4} = as;
  let x{3-0} = 0;
}

// x of an instruction of the stream unit:   10 .. 9 c | 8 o | 7 .. 4 | 3 .. 0 n
// c: contexts clocked, one bit each; o: the one context that is shown, loaded or saved.
class FmtVectorStream<bits<8> opcode, string mnemonic, dag operands, list<dag> path, string summary>
    : FmtVector<opcode, mnemonic, operands, path, summary> {
  bits<2> c = 0;
  bits<1> o = 0;
  bits<4> n = 0;
  let x{10-9} = c;
  let x{8} = o;
  let x{7-4} = 0;
  let x{3-0} = n;
}

//  63    56 55  53 52  50 49          34 33          18 17                           0
// +--------+------+------+--------------+--------------+------------------------------+
// | opcode |  ad  |  as  |      n       |      e       |              0               |
// +--------+------+------+--------------+--------------+------------------------------+
class FmtControl<bits<8> opcode, string mnemonic, dag operands, list<dag> path, string summary>
    : Insn<opcode, mnemonic, operands, path, summary> {
  bits<3> ad = 0;
  bits<3> as = 0;
  bits<16> n = 0;
  bits<16> e = 0;
  let Inst{55-53} = ad;
  let Inst{52-50} = as;
  let Inst{49-34} = n;
  let Inst{33-18} = e;
  let Inst{17-0} = 0;
}

// What instructions that multiply and divide by u in a binary field say of their row and their immediate.
class FieldDetails<int lane> {
  defvar n = " (n = "#!add(!cast<Operand>("Shift"#lane).Base, 1)#": lanes of "#lane#" bits, by 1)";
  string Times = "A lane is an element of GF(2^"#lane#"), its first bit the highest power of u. The row of m0 is the "
    #"polynomial without its first term, in every lane. Lanes are shifted to the left"#n#"; k0g is this row where the "
    #"first bit of a lane was 1.";
  string Divided = "A lane is an element of GF(2^"#lane#"), its first bit the highest power of u. The row of m0 is the "
    #"polynomial without its last term, divided by u, in every lane. Lanes are shifted to the right"#n#"; k0g is this "
    #"row where the last bit of a lane was 1.";
}
