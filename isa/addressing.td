//===- addressing.td - the memory slot and its addressing patterns ------------===//
//
// A slot is 9 bits:
//
//   8   7           5 4       2 1   0
//  +---+-------------+---------+-----+
//  | 0 |   pattern   |   ar    | 0 0 |   address = ar, then ar is modified
//  +---+-------------+---------+-----+
//  | 1 |             row             |   address = 16 * row
//  +---+-----------------------------+
//
// All zero: the slot makes no access. Addresses count bytes; an access reaches
// 16 bytes from its address, at any alignment. Arithmetic is modulo 2^16 and
// comparisons are unsigned.

def SlotLayout {
  int Bits = 9;
  int RowFlag = 8;
  list<int> Row = [7, 0];     // msb, lsb
  list<int> Pattern = [7, 5];
  list<int> Register = [4, 2];
  list<int> Zero = [1, 0];
}

// What is added to the address register after the access.
class Delta<string name, int encoding> { string Name = name; int Code = encoding; }
def DeltaNone      : Delta<"none", 0>;
def DeltaPlusRow   : Delta<"plus_row", 1>;
def DeltaMinusRow  : Delta<"minus_row", 2>;
def DeltaPlusStep  : Delta<"plus_step", 3>;
def DeltaMinusStep : Delta<"minus_step", 4>;

// When the modified register returns to AddrStart.
class Wrap<string name, int encoding> { string Name = name; int Code = encoding; }
def WrapNone      : Wrap<"none", 0>;
def WrapAtOrAbove : Wrap<"at_or_above_end", 1>; // ar >= AddrEnd
def WrapAtOrBelow : Wrap<"at_or_below_end", 2>; // ar <= AddrEnd

class Pattern<int encoding, string suffix, Delta delta, Wrap wrap, string text> {
  int Code = encoding;
  string Suffix = suffix; // syntax: what stands behind the register's name
  Delta Change = delta;
  Wrap Window = wrap;
  string Text = text;
}
def PatAr        : Pattern<1, "",      DeltaNone,      WrapNone,      "ar unchanged">;
def PatInc       : Pattern<2, "++",    DeltaPlusRow,   WrapNone,      "then ar = ar + 16">;
def PatDec       : Pattern<3, "--",    DeltaMinusRow,  WrapNone,      "then ar = ar - 16">;
def PatAddStep   : Pattern<4, "+=s",   DeltaPlusStep,  WrapNone,      "then ar = ar + step">;
def PatSubStep   : Pattern<5, "-=s",   DeltaMinusStep, WrapNone,      "then ar = ar - step">;
def PatAddWindow : Pattern<6, "+=s%",  DeltaPlusStep,  WrapAtOrAbove, "then ar = ar + step; if ar >= AddrEnd, ar = AddrStart">;
def PatSubWindow : Pattern<7, "-=s%",  DeltaMinusStep, WrapAtOrBelow, "then ar = ar - step; if ar <= AddrEnd, ar = AddrStart">;
