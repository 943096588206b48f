//===- sequencer.td - blocks that control and address instructions go through -===//
//
// They are passed in the order in which they are defined. AU, the address unit, computes a new value for an address register; CC decides
// whether the sequencer's transfer is taken; SQ moves the program counter. A
// block that is not named does its function 0.

class ControlBlock<string name> { string Name = name; }
def AU : ControlBlock<"au">;
def CC : ControlBlock<"cc">;
def SQ : ControlBlock<"sq">;

class ControlFunction<ControlBlock block, int encoding, string symbol, string formula, string remark = ""> {
  ControlBlock Of = block;
  int Code = encoding;
  string Symbol = symbol;
  string Formula = formula; // as in datapath.td; empty where the remark says all
  string Remark = remark;
  bit WritesAddress = 0; // ad is written
  bit ReadsFlag = 0;
  bit Zero = 0; // of CC: asks whether AU's value is zero; of AU: that is known before the value is
}

// s is the source address register, n the immediate, e the second immediate.
def AuKeep      : ControlFunction<AU, 0, "keep",      "", "nothing is written">;
let WritesAddress = 1 in {
def AuSet       : ControlFunction<AU, 1, "set",       "ad = n">;
let Zero = 1 in
def AuAdd       : ControlFunction<AU, 2, "add",       "ad = s + n", "modulo 2^16">;
def AuAnd       : ControlFunction<AU, 3, "and",       "ad = s & n">;
def AuShr       : ControlFunction<AU, 4, "shr",       "ad = s >> (n mod 16)">;
}
def AuSetStep   : ControlFunction<AU, 5, "set_step",  "step(ad) = n">;
def AuSetWindow : ControlFunction<AU, 6, "set_window", "AddrStart(ad) = n; AddrEnd(ad) = e">;
def AuSetWidth  : ControlFunction<AU, 7, "set_width", "width = n", "of ctr++, by its code">;

// v is what AU computed, s itself where AU keeps.
def CcAlways  : ControlFunction<CC, 0, "always",   "", "always">;
let Zero = 1 in {
def CcZero    : ControlFunction<CC, 1, "zero",     "taken = (v == 0)">;
def CcNonZero : ControlFunction<CC, 2, "nonzero",  "taken = (v != 0)">;
}
let ReadsFlag = 1 in {
def CcFlag    : ControlFunction<CC, 3, "flag",     "taken = (flag == 1)">;
def CcNotFlag : ControlFunction<CC, 4, "not_flag", "taken = (flag == 0)">;
}

// e is the target, c the count. At the last instruction of a loop's body the
// loop counts first, whatever that instruction is; a taken transfer then
// overrides where to go, and a call returns to where the loop would have gone.
def SqNext   : ControlFunction<SQ, 0, "next",   "", "the next instruction follows">;
def SqJump   : ControlFunction<SQ, 1, "jump",   "pc = e", "where it is taken">;
def SqCall   : ControlFunction<SQ, 2, "call",   "push(next); pc = e">;
def SqReturn : ControlFunction<SQ, 3, "return", "pc = pop()">;
def SqRepeat : ControlFunction<SQ, 4, "repeat", "", "the instructions up to and including e, n times (0: none)">;
def SqRepeatAr : ControlFunction<SQ, 5, "repeat_ar", "", "the instructions up to and including e, s times (0: none)">;
def SqWait   : ControlFunction<SQ, 6, "wait",   "", "stop until the host resumes">;
def SqNotify : ControlFunction<SQ, 7, "notify", "", "raise the host's interrupt with code n">;
def SqHalt   : ControlFunction<SQ, 8, "halt",   "", "stop">;
def SqClose  : ControlFunction<SQ, 9, "close",  "", "the host reads zeros of all but the program memory, and writes nothing there">;
def SqOpen   : ControlFunction<SQ, 10, "open",  "", "the host sees them again, where the flag is set">;
