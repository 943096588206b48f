//===- datapath.td - blocks of the vector datapath and their functions --------===//
//
// An instruction's operands go through blocks to its result, in the order in which the blocks are defined below.
// L = logic and lane arithmetic, T = 16-lane table bank, X = byte crossbar,
// M = linear mixing layer, P = both halves of a Feistel state at once,
// ST = stream unit. T0 to L1 are the first half, T1 to L2 the second. An instruction's path names the
// blocks that it uses, in their order; a block that is not named passes its input.

// A kind of block. A function of a kind is written once in C++ (iss/src/functions.hpp)
// and once in SystemVerilog (rtl/lutra_functions_pkg.sv), under its Symbol.
class Kind<string name, string text> {
  string Name = name;
  string Text = text;
}
def Logic    : Kind<"logic", "logic and lane arithmetic">;
def Lookup   : Kind<"lookup", "one byte look-up a lane">;
def Crossbar : Kind<"crossbar", "byte permutation">;
def Mix      : Kind<"mix", "linear layer">;
// Its functions have state, and lie in iss/src/stream.hpp and rtl/lutra_stream_context.sv.
def Stream   : Kind<"stream", "stream unit">;
def Pairing  : Kind<"pairing", "two values at once">;

// Code 0 of every kind is the pass function. Circuit: the SystemVerilog function that does this one and others with
// the same gates; it takes the code, then what enters. Sides: how many side operands the
// function has besides the value on the path; Immediate: it takes the immediate.
//
// Formula is the value that goes on, as the manual prints it. x is the value on the path, n the immediate, {y} and {z}
// are the places of the side operands, {p} is that of a pair's partner, {t} that of a table bank; verify.py holds the
// places to the function's ports. Where no side operand enters, {y} is 0, and { ^ y} is left out. x[i] is byte i,
// `byte i: e` is the bytes e for i from 0 to 15, || concatenates, h and l are the halves of 64 bits, <<< rotates to
// the left. A function with a capital letter is that of the standard which the remark names.
// tests/iss/test_formulas.py evaluates what is printed.
class Function<Kind kind, int encoding, string symbol, int sides, string formula, string remark = ""> {
  Kind Of = kind;
  int Code = encoding;
  string Symbol = symbol;
  int Sides = sides;
  bit Immediate = 0;
  string Circuit = "";
  bit Linear = 0; // what is XORed onto an operand comes out XORed onto the value
  bit Indexes = 0; // the value is an address already in PERM, before what is XORed on there
  string Formula = formula;
  string Remark = remark;
}

let Linear = 1 in
def Xor   : Function<Logic, 0, "logic_xor",  2, "x{ ^ y}{ ^ z}">;
def And   : Function<Logic, 1, "logic_and",  2, "(x & {y}){ ^ z}">;
def Or    : Function<Logic, 2, "logic_or",   2, "(x | {y}){ ^ z}">;
def AndN  : Function<Logic, 3, "logic_andn", 2, "(x & ~{y}){ ^ z}">;
let Circuit = "lane_sum" in
foreach lane = LaneWidths.All in {
  defvar step = !logtwo(lane); // 3 to 7
  defvar count = !div(128, lane);
  def Add#lane : Function<Logic, !add(1, step), "add"#lane, 1, "Add"#lane#"(x, {y})",
                          "sums of "#count#" big-endian lanes of "#lane#" bits, modulo 2^"#lane>;
  def Sub#lane : Function<Logic, !add(6, step), "sub"#lane, 1, "Sub"#lane#"(x, {y})",
                          "differences of "#count#" big-endian lanes of "#lane#" bits, modulo 2^"#lane>;
}

def SubBytes : Function<Lookup, 1, "lookup", 0, "byte i: {t}[i][x[i]]", "every lane has a table">;

def ShiftRows    : Function<Crossbar, 1, "shift_rows",     0, "ShiftRows(x)", "FIPS 197 5.1.2">;
def InvShiftRows : Function<Crossbar, 2, "inv_shift_rows", 0, "InvShiftRows(x)", "FIPS 197 5.3.1">;
let Circuit = "crossbar" in
def Permute      : Function<Crossbar, 3, "permute",        1, "byte i: {y}[i] < 128 ? x[{y}[i] mod 16] : 0">;
let Circuit = "crossbar", Immediate = 1 in {
  def Align      : Function<Crossbar, 4, "align",          1, "byte i: (x || {y})[n + i]">;
  def Broadcast  : Function<Crossbar, 5, "broadcast",      0, "byte i: x[n]">;
  // Lanes are as wide as n says: 128 bits up to 127, 64 up to 191, 32 up to 223, 16 up to 239, 8 up to 247.
  def RotateBytes : Function<Crossbar, 6, "rotate_bytes",  0, "RotateBytes(x, n)", "lanes rotated to the left by the whole bytes of n">;
  def LeftBytes   : Function<Crossbar, 7, "left_bytes",    0, "LeftBytes(x, n)", "lanes shifted to the left by the whole bytes of n">;
  def RightBytes  : Function<Crossbar, 8, "right_bytes",   0, "RightBytes(x, n)",
                             "lanes rotated to the right by the bytes of n, rounded up; of those that come in the first stays, the others are 0">;
}

let Circuit = "mix_columns_or_inverse" in {
  def MixColumns    : Function<Mix, 1, "mix_columns",     0, "MixColumns(x)", "FIPS 197 5.1.3">;
  def InvMixColumns : Function<Mix, 2, "inv_mix_columns", 0, "InvMixColumns(x)", "FIPS 197 5.3.3">;
}
def PrefixXor32   : Function<Mix, 3, "prefix_xor32",    0, "PrefixXor(x)",
                             "word i is the XOR of words 0 to i of x (the chaining of FIPS 197 5.2)">;
def AriaDiffusion : Function<Mix, 4, "aria_diffusion",  0, "A(x)", "RFC 5794 2.4.3">;
let Circuit = "turn_bits", Immediate = 1 in {
  def RotateBits  : Function<Mix, 5, "rotate_bits",     0, "RotateBits(x, n)", "lanes rotated to the left by n mod 8 bits">;
  def LeftBits    : Function<Mix, 8, "left_bits",       0, "LeftBits(x, n)", "lanes shifted to the left by n mod 8 bits">;
  def RightBits   : Function<Mix, 9, "right_bits",      0, "RightBits(x, n)",
                             "x, but by n > 0 bits: lanes shifted to the left by what n lacks to whole bytes, the first byte coming in at the end">;
}
// A word is looked up in four tables of words: lanes 4j to 4j+3 have the word of byte j.
let Immediate = 1 in
def SpreadWord    : Function<Mix, 10, "spread_word",    0, "SpreadWord(x, n)",
                             "four times each byte of a word, which is the XOR of the words of x that n names: word 0 by bit 3, word 3 by bit 0">;
def FoldWords     : Function<Mix, 11, "fold_words",     0, "FoldWords(x)", "the XOR of the words of x, as last word; the others are 0">;
def Double128     : Function<Mix, 7, "double128",       0, "Double(x)",
                             "x times u in GF(2^128) modulo u^128+u^7+u^2+u+1, byte 0 most significant (SP 800-38B 6.1)">;
def CamelliaP     : Function<Mix, 6, "camellia_p",      0, "P(x)", "of either half, RFC 3713 2.4.1">;

// A pair is (x, p): the value on the path and its partner.
def PairPack  : Function<Pairing, 1, "pair_pack",  1, "(s.h || t.h, s.l || t.l), s = {p}{ ^ y}, t = x{ ^ y}">;
def PairSplit : Function<Pairing, 2, "pair_split", 1, "(s.h || 0, s.l || 0), s = x ^ {p}{ ^ y}">;
def PairFl    : Function<Pairing, 3, "pair_fl",    1, "(FL(x, {y}.h), FLINV({p}, {y}.l))",
                         "of either half, RFC 3713 2.4.2 and 2.4.3">;
def PairJoin  : Function<Pairing, 4, "pair_join",  2, "(({p}.h || s.h){ ^ y}, ({p}.l || s.l){ ^ y}), s = x{ ^ z}">;
def PairXor   : Function<Pairing, 5, "pair_xor",   2, "(x{ ^ y}{ ^ z}, {p})">;
// A quarter round's step of ChaCha, and one of Salsa20, in four columns.
let Circuit = "add_rotate_xor", Immediate = 1 in {
  def SumTurned   : Function<Pairing, 6, "sum_turned",   1, "(TurnSum(x, n), RotateWords({p} ^ {y}, n))",
                             "words rotated to the left by n mod 32 bits; the sum turned where bit 5 of n is set">;
  def SumRotated  : Function<Pairing, 7, "sum_rotated",  1, "(r, r), r = RotateWords({p}{ ^ y}, n)",
                             "words rotated to the left by n mod 32 bits">;
}
let Circuit = "add_rotate_xor" in
def WordsRotated  : Function<Pairing, 8, "words_rotated", 2, "(r, r), r = RotateEach({p}{ ^ y}, {z})",
                             "words rotated to the left, each by the last five bits of the other's word">;

// A clock reads and writes every context that the instruction names, c; c0 looks up in t0, c1 in t1. Its value is the
// buffer, after the clock, of the context that is shown, o.
def SnowInit : Function<Stream, 1, "snow_init", 0, "SnowInit(c); buffer(o)",
                        "SNOW 3G clocked in initialisation mode, TS 35.216 3.4.4 and 3.4.6">;
def SnowWork : Function<Stream, 2, "snow_work", 0, "SnowWork(c); buffer(o)",
                        "SNOW 3G clocked in keystream mode, z to the buffer, TS 35.216 3.4.5 and 3.4.6">;
def ZucInit  : Function<Stream, 3, "zuc_init", 0, "ZucInit(c); buffer(o)",
                        "ZUC clocked in initialisation mode, W to r3, TS 35.222 3.6.1">;
def ZucWork  : Function<Stream, 4, "zuc_work", 0, "ZucWork(c); buffer(o)",
                        "ZUC clocked in working mode, W to r3, z to the buffer, TS 35.222 3.6.2">;
// Slicing: the CRC register is r1 of c0, in the order of the message's bytes. c0 takes word 0 of x and t0, c1 word 1
// and t1; byte j of a word is looked up in lanes 4j to 4j+3, which hold what it leaves in the register.
let Indexes = 1 in
def Crc : Function<Stream, 7, "crc", 0, "Crc(c, x); buffer(o)",
                   "r1 of c0 becomes the XOR of the words of t0[word 0 of x ^ r1] and t1[word 1 of x]">;
// The two halves of a clock of ZUC, one after the other.
def ZucF : Function<Stream, 8, "zuc_f", 0, "ZucF(c); buffer(o)",
                    "bit reorganisation and F of ZUC, W to r3, z to the buffer, TS 35.222 3.3 and 3.4">;
def ZucLfsrInit : Function<Stream, 9, "zuc_lfsr_init", 0, "ZucLfsrInit(c); buffer(o)",
                           "the LFSR of ZUC clocked in initialisation mode, r3 >> 1 added, TS 35.222 3.2">;
def ZucLfsrWork : Function<Stream, 10, "zuc_lfsr_work", 0, "ZucLfsrWork(c); buffer(o)",
                           "the LFSR of ZUC clocked in working mode, TS 35.222 3.2">;
let Immediate = 1 in {
  def ContextLoad : Function<Stream, 5, "context_load", 0, "row(o, n) = x; x">;
  def ContextSave : Function<Stream, 6, "context_save", 0, "row(o, n)">;
}

// What can enter a block beside the path: as it is read, or made by a function of iss/src/functions.hpp (Made) of other
// side operands (Of), after its own register where it is read from no memory. Half: as the value on the path enters that
// half, of this value first.
class SideOperand<string symbol, string text, list<int> blocks = []> {
  string Symbol = symbol;
  string Text = text;
  list<int> Blocks = blocks; // the memory blocks that it is read from, where they are fixed
  string Field = "";         // the field of a word that names it, or that says whether it enters
  string Made = "";
  list<SideOperand> Of = [];
  int Half = 0;
  bit Directed = 0;          // the function takes last whether the path moves lanes to the right
  bit Sum = 0;               // it is a register of the hash unit
}
def A  : SideOperand<"a", "first source, as P0 leaves it">;
let Field = "rb" in
def B  : SideOperand<"b", "second source, as P0 leaves it">;
let Field = "w" in
def W  : SideOperand<"w", "wk where the operand names it">;
let Field = "ds" in
def D  : SideOperand<"d", "row of the data slot">;
let Field = "n" in
def N  : SideOperand<"n", "immediate">;
def K0 : SideOperand<"k0", "row of m0 at the key slot's address", [0]>;
def K1 : SideOperand<"k1", "row of m1 at the key slot's address", [1]>;
let Made = "high_twice", Of = [K0] in
def K0H : SideOperand<"k0h", "high half of K0, twice", [0]>;
let Made = "high_twice", Of = [K1] in
def K1H : SideOperand<"k1h", "high half of K1, twice", [1]>;
// What a shift by one moves out of a lane is its first bit, of a shift to the right (RightBytes) its last.
let Half = 1, Made = "lanes_carried_out", Of = [K0, N], Directed = 1 in
def K0G : SideOperand<"k0g", "K0 in the lanes out of which the shift moves a one, 0 in the others", [0]>;
let Made = "low_halves", Of = [K0, K1] in
def KL : SideOperand<"kl", "low halves of K0 and K1", [0, 1]>;
let Half = 2, Made = "onto", Of = [K1H] in
def Q  : SideOperand<"q", "result of the first half ^ k1h">;
let Half = 2 in
def S  : SideOperand<"s", "result of the first half">;
let Field = "rc", Made = "rotate_third", Of = [N] in
def C  : SideOperand<"c", "register rc, its words turned to the left by n div 64 where bit 5 of n is 0">;
let Sum = 1 in
def GY : SideOperand<"gy", "sum of the hash unit">;

// A block of the datapath: its kind, its half (0: before the table banks), the functions that it can do, and what its
// side ports y and z can take.
class Block<Kind kind, int half, list<Function> functions,
            list<SideOperand> y = [], list<SideOperand> z = []> {
  Kind Of = kind;
  int Half = half;
  list<Function> Functions = functions;
  list<SideOperand> PortY = y;
  list<SideOperand> PortZ = z;
  list<SideOperand> Partner = []; // of a pairing block: the partner that enters, always this one
  bit TwoRounds = 0;              // needed only where both halves are used
  bit Passes = 1;                 // 0: wired so that its value counts only where an instruction names it
}
let Partner = [B] in
def P0 : Block<Pairing,  0, [PairPack, PairSplit, PairFl, PairJoin], [W, KL]>;
def L0 : Block<Logic,    0, [Xor, And, Or, AndN], [B], [W, K0H, K1H]>;
def T0 : Block<Lookup,   1, [SubBytes]>;
def ST : Block<Stream,   1, [SnowInit, SnowWork, ZucInit, ZucWork, ZucF, ZucLfsrInit, ZucLfsrWork, ContextLoad, ContextSave, Crc]>;
def X1 : Block<Crossbar, 1, [ShiftRows, InvShiftRows, Permute, Align, Broadcast, RotateBytes, LeftBytes, RightBytes], [B]>;
def M1 : Block<Mix,      1, [MixColumns, InvMixColumns, PrefixXor32, AriaDiffusion, RotateBits, LeftBits, RightBits, Double128,
                             CamelliaP, SpreadWord]>;
def L1 : Block<Logic,    1, [Xor, Add8, Add16, Add32, Add64, Add128, Sub8, Sub16, Sub32, Sub64, Sub128], [K0, B, K0G], [D, K1H, GY]>;
def T1 : Block<Lookup,   2, [SubBytes]>;
let TwoRounds = 1, Passes = 0 in
def F2 : Block<Mix,      2, [FoldWords]>;
def X2 : Block<Crossbar, 2, [ShiftRows, InvShiftRows]>;
def M2 : Block<Mix,      2, [MixColumns, InvMixColumns, AriaDiffusion, CamelliaP]>;
let Partner = [Q], TwoRounds = 1 in
def P2 : Block<Pairing,  2, [PairXor, PairJoin], [KL], [A]>;
let Partner = [S], TwoRounds = 1, Passes = 0 in
def A2 : Block<Pairing,  2, [SumTurned, SumRotated, WordsRotated], [C], [B]>;
def L2 : Block<Logic,   2, [Xor], [K1], [D, C]>;

// A way of its own beside blocks of a half that follow one another: it begins at what enters the first of them, and
// where an instruction uses one of the way's functions, its end replaces what leaves the last. In the chain of the half
// these blocks do their other functions only. So a value does not cross what no instruction puts before or after it,
// and synthesis, which cannot know the instructions, times no such path. What an instruction means is its path in the
// order of the blocks all the same; the generator refuses a path that the wiring would not follow: one with a function
// of a way and, in a block beside it, a function that is none of the way's (docs/decisions/0037-what-stands-beside.md).
class Way<string name, list<Block> beside, list<Function> functions, string text> {
  string Name = name;
  list<Block> Beside = beside;
  list<Function> Functions = functions;
  string Text = text;
}
def WayStream : Way<"stream", [T0, ST, X1, M1], ST.Functions, "the stream unit's value">;
def WayField  : Way<"field", [T0, ST, X1, M1], [PrefixXor32, Double128, SpreadWord], "deep layers without a look-up">;
def WayBytes  : Way<"bytes", [X1, M1], [Permute, Align, Broadcast, RotateBytes, LeftBytes, RightBytes, RotateBits, LeftBits, RightBits],
                    "free movement of bytes and bits">;
def WaySum    : Way<"sum", [T0, ST, X1, M1, L1], [Add8, Add16, Add32, Add64, Add128, Sub8, Sub16, Sub32, Sub64, Sub128], "carries">;

// Where the value on the path comes from, before the first block, and where it goes, after the last.
class Endpoint;
def SRC : Endpoint;
def RES : Endpoint;
class EndpointFunction<Endpoint end, int encoding, string symbol, string formula, string remark = ""> {
  Endpoint Of = end;
  int Code = encoding;
  string Symbol = symbol;
  string Formula = formula;
  string Remark = remark;
  Stage At = StageWB;    // where it is done
  bit WritesAddress = 0; // ad is written
  bit WritesFlag = 0;
  bit Hashes = 0;        // registers of the hash unit are written
}
let At = StageMEM in {
  def FromVector  : EndpointFunction<SRC, 0, "from_vector", "a", "the first source">;
  def FromAddress : EndpointFunction<SRC, 1, "from_address", "as", "zero-extended to 128 bits">;
}
def Write       : EndpointFunction<RES, 0, "write", "dst = x", "the destination register, memory or tables, or both">;
def WriteLane   : EndpointFunction<RES, 1, "write_lane", "dst[n] = x[n]", "memory or tables; the other bytes stay">;
let WritesFlag = 1 in
def SetFlag     : EndpointFunction<RES, 2, "set_flag", "flag = (x == 0)">;
def WritePair   : EndpointFunction<RES, 4, "write_pair", "dst = (x, p)",
                                   "x to the destination register and to memory, the partner to the register after it">;
let At = StagePERM, WritesAddress = 1 in
def ToAddress   : EndpointFunction<RES, 3, "to_address", "ad = x[2 * n] || x[2 * n + 1]", "x as L0 leaves it">;

// Lane i of t0 is written at the row that byte i names.
let At = StageX2 in
def Scatter     : EndpointFunction<RES, 15, "scatter", "t0 = Scatter(t0, x, c)", "in each lane i of t0, row x[i] becomes c[i]">;

// The hash unit: a product of a row gx by the factor gh, one word of gx in a step, the last word first. So gy is built up
// by Horner's rule, and after as many steps as gx has words it is the product. It works in X2 on what comes from the
// first half and from the side operands; its registers are its own, so that steps can ride on any instruction
// (HashBeside). In the functions Reverse has the bits of a row in reverse, and word 3 of gx is the digit.
let At = StageX2, Hashes = 1 in {
  def ToFactor   : EndpointFunction<RES, 5, "to_factor", "gh = x">;
  def ToInput    : EndpointFunction<RES, 6, "to_input", "gx = x; gy = 0", "a new sum">;
  def ToReversed : EndpointFunction<RES, 7, "to_reversed", "gx = Reverse(x); gy = 0", "a new sum, of a row with bits in reverse">;
  def AddInput   : EndpointFunction<RES, 8, "add_input", "gx = x ^ gy; gy = 0", "the next block of GHASH, SP 800-38D 6.4">;
  def HashStep   : EndpointFunction<RES, 9, "hash_step", "gy = Horner128(gy, gx, gh); gx = Down(gx)",
                                    "gy u^32 + digit gh in GF(2^128), as SP 800-38D 6.3 has it; gx one word down">;
  def FieldStep  : EndpointFunction<RES, 10, "field_step", "gy = Horner64(gy, gx, gh); gx = Down(gx)",
                                    "gy x^32 + digit gh in GF(2^64), modulo x^64+x^4+x^3+x+1 (TS 35.215 4), bits in reverse in words 2 and 3">;
  def FieldFold  : EndpointFunction<RES, 11, "field_fold", "gy = Horner64(gy, gx, gh); gx = Down(gx) ^ gy; gy = 0",
                                    "the last step of a block of 64 bits, and the next one, which gx has">;
  def FieldAdd   : EndpointFunction<RES, 12, "field_add", "gy = Horner64(gy, gx, gh); gx = Reverse(x) ^ gy; gy = 0",
                                    "the last step of a block, and two more blocks">;
  def WindowStep : EndpointFunction<RES, 13, "window_step", "gy = Window(gy, gx, gh); gx = Down(gx); gh = x",
                                    "gy + digit gh, as windows of a keystream add up (128-EIA3); then the next factor">;
  def WindowNext : EndpointFunction<RES, 14, "window_next", "gy = Window(gy, gx, gh); gx = Reverse(d); gh = x",
                                    "the last word of a row of the message, then the next row">;

  // Integers modulo 2^130-5, in the same registers: a digit is a byte. gt is the digit above those of gx, and gu has the
  // five bits above gy. gh and gy are numbers with byte 0 first; gx has the order of a message, whose last byte is the
  // most significant digit. Sum is 2^128 gu + gy, Number that of a little-endian row, Block 2^128 more, Digits a number's
  // last 16 bytes as such a row, Row as one with the most significant byte first, and DownByte takes the last byte away.
  // Prime is taken modulo 2^133.
  def PrimeAdd   : EndpointFunction<RES, 16, "prime_add",
                                    "v = Block(x) + Sum(gu, gy); gt = v >> 128; gx = Digits(v); gu = 0; gy = 0",
                                    "the next block of Poly1305, RFC 8439 2.5.1">;
  def PrimeLast  : EndpointFunction<RES, 17, "prime_last",
                                    "v = Number(x) + Sum(gu, gy); gt = v >> 128; gx = Digits(v); gu = 0; gy = 0",
                                    "a block that has its one in it">;
  def PrimeStep  : EndpointFunction<RES, 18, "prime_step",
                                    "v = Prime(Sum(gu, gy), gt, gh); gu = v >> 128; gy = Row(v); gt = gx[15]; gx = DownByte(gx)",
                                    "Prime(s, d, h) = 256(s mod 2^122) + 5(s div 2^122) + d h">;
}
