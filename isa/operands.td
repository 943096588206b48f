//===- operands.td - operand forms: syntax kind, the fields they fill ---------===//

// Kind: how the operand is written and packed into its Fields; the assembler
// knows kinds, never mnemonics. Optional: may be left out.
class Operand<string kind, list<string> fields, string text> {
  string Kind = kind;
  list<string> Fields = fields;
  string Text = text;
  bit Optional = 0;
  int Low = 0;            // legal range of a number
  int High = 0;
  list<int> Choices = []; // legal values, encoded by their index
}

def ops; // operator of an instruction's operand list

// Vector instructions.
def Dst    : Operand<"dst", ["rd", "sb", "ss"], "destination: v0..v7, ctr, wk, a memory or table row, or {register, row}">;
def DstPair : Operand<"dst_pair", ["rd"], "two registers, even and the next: `{v0, v1}`">;
def DstPairRow : Operand<"dst_pair", ["rd", "sb", "ss"], "two registers, even and the next, and a row for the first's value: `{v0, v1, m3[ar1++]}`">;
def StoreTo : Operand<"store", ["sb", "ss"], "a memory or table row">;
def Sum    : Operand<"sum", ["ra", "rb", "w", "db", "ds"], "XOR of up to two sources and wk: `v0`, `m2[ar0++] ^ wk`, `v0 ^ m2[ar0++] ^ wk`">;
def SumReg : Operand<"sum_reg", ["ra", "rb", "w"], "XOR of up to two registers and wk">;
def SrcA   : Operand<"src_a", ["ra", "db", "ds"], "a vector register, ctr, ctr++, wk, zero or a memory row">;
def SrcB   : Operand<"src_b", ["rb", "db", "ds"], "a vector register, ctr, wk, zero or a memory row">;
def SrcAReg : Operand<"src_a", ["ra"], "a vector register, ctr, ctr++, wk or zero">;
def SrcBReg : Operand<"src_b", ["rb"], "a vector register, ctr, wk or zero">;
def KeyPair : Operand<"key_pair", ["ks"], "a row of m0 and m1 at one address: `m0:m1[0x20]`">;
def Key0   : Operand<"key_0", ["ks"], "a row of m0">;
def Key1   : Operand<"key_1", ["ks"], "a row of m1">;
def Aside  : Operand<"move", ["mv", "rc", "db", "ds", "sb", "ss"], "a move beside the path: `{hold, m2[ar0++]}`, `{hold, ctr++}`, `{m3[ar1++], v5}`, `{m3[ar1++], v5 ^ m2[ar0++]}`"> { let Optional = 1; }
def Row    : Operand<"row", ["db", "ds"], "a memory row XORed into the result"> { let Optional = 1; }
def ByteIndex : Operand<"imm", ["n"], "byte index"> { let High = 15; }
def Rotation  : Operand<"imm", ["n"], "bits to the left"> { let High = 127; }
def DigitIndex : Operand<"imm", ["n"], "32-bit word, 0 the most significant"> { let High = 3; }
def LaneIndex : Operand<"imm", ["n"], "16-bit lane, 0 the most significant"> { let High = 7; }

// The stream unit.
def Contexts : Operand<"contexts", ["c"], "stream contexts that are clocked: c0, c1 or c0:c1">;
def Context  : Operand<"context", ["o"], "a stream context: c0 or c1">;
def Shown    : Operand<"context", ["o"], "stream context whose buffer goes out: c0 or c1">;
def ContextRow : Operand<"imm", ["n"], !strconcat("row of the context: ", !interleave([RowLfsr0.Name, RowLfsr1.Name, RowLfsr2.Name, RowLfsr3.Name, RowRegisters.Name], ", "), " or ", RowBuffer.Name)> { let High = RowBuffer.Code; }

// Control and address instructions.
def AddrDst : Operand<"ar", ["ad"], "address register">;
def AddrSrc : Operand<"ar", ["as"], "address register">;
def AddrBoth : Operand<"ar", ["ad", "as"], "address register">;
def Imm16   : Operand<"imm", ["n"], "number"> { let Low = -32768; let High = 65535; }
def Code8   : Operand<"imm", ["n"], "code for the host"> { let High = 255; }
def Shift   : Operand<"imm", ["n"], "shift amount"> { let High = 15; }
def Count   : Operand<"imm", ["n"], "number of times"> { let High = 65535; }
def WindowStart : Operand<"imm", ["n"], "AddrStart"> { let High = 65535; }
def WindowEnd : Operand<"imm", ["e"], "AddrEnd"> { let High = 65535; }
def Target  : Operand<"target", ["e"], "label or program address"> { let High = 65535; }
def LoopEnd : Operand<"loop_end", ["e"], "label behind the last instruction of the body"> { let High = 65535; }
def Width   : Operand<"choice", ["n"], "32, 64 or 128"> { let Choices = [128, 64, 32]; }
