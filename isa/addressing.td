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

// What is added to the address register after the access: so many rows of 16 bytes, so many steps of the register.
class Delta<string name, int encoding, int rows, int steps> {
  string Name = name;
  int Code = encoding;
  int Rows = rows;
  int Steps = steps;
}
def DeltaNone      : Delta<"none",       0,  0,  0>;
def DeltaPlusRow   : Delta<"plus_row",   1,  1,  0>;
def DeltaMinusRow  : Delta<"minus_row",  2, -1,  0>;
def DeltaPlusStep  : Delta<"plus_step",  3,  0,  1>;
def DeltaMinusStep : Delta<"minus_step", 4,  0, -1>;

// The two ends of an address register's window.
class WindowBound<string name, string symbol> { string Name = name; string Symbol = symbol; }
def AddrStart : WindowBound<"AddrStart", "window_start">;
def AddrEnd   : WindowBound<"AddrEnd",   "window_end">;

// When the modified register is loaded anew: if ar `comparison` bound, ar = reload. Without a comparison, never.
class Wrap<string name, int encoding, string comparison = "", WindowBound bound = AddrEnd, WindowBound reload = AddrStart> {
  string Name = name;
  int Code = encoding;
  string Comparison = comparison;
  WindowBound Bound = bound;
  WindowBound Reload = reload;
}
def WrapNone      : Wrap<"none", 0>;
def WrapAtOrAbove : Wrap<"at_or_above_end", 1, ">=">;
def WrapAtOrBelow : Wrap<"at_or_below_end", 2, "<=">;

class Pattern<int encoding, string suffix, Delta delta, Wrap wrap> {
  int Code = encoding;
  string Suffix = suffix; // syntax: what follows the register's name
  Delta Change = delta;
  Wrap Window = wrap;
}
def PatAr        : Pattern<1, "",      DeltaNone,      WrapNone>;
def PatInc       : Pattern<2, "++",    DeltaPlusRow,   WrapNone>;
def PatDec       : Pattern<3, "--",    DeltaMinusRow,  WrapNone>;
def PatAddStep   : Pattern<4, "+=s",   DeltaPlusStep,  WrapNone>;
def PatSubStep   : Pattern<5, "-=s",   DeltaMinusStep, WrapNone>;
def PatAddWindow : Pattern<6, "+=s%",  DeltaPlusStep,  WrapAtOrAbove>;
def PatSubWindow : Pattern<7, "-=s%",  DeltaMinusStep, WrapAtOrBelow>;
