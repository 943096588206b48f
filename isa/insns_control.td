//===- insns_control.td - program flow and the host ---------------------------===//

def NOP    : FmtControl<0x01, "nop",  (ops), [], "do nothing">;
def HALT   : FmtControl<0x02, "halt", (ops), [(SQ SqHalt)], "end the program">;
def WAIT   : FmtControl<0x03, "wait", (ops), [(SQ SqWait)], "stop until the host resumes">;
def RET    : FmtControl<0x04, "ret",  (ops), [(SQ SqReturn)], "return from a subroutine">;

let n = ? in
def NOTIFY : FmtControl<0x05, "notify", (ops Code8:$code), [(SQ SqNotify)], "tell the host, and go on">;

let e = ? in {
  def JMP  : FmtControl<0x06, "jmp",  (ops Target:$target), [(SQ SqJump)], "jump">;
  def CALL : FmtControl<0x07, "call", (ops Target:$target), [(SQ SqCall)], "call a subroutine">;
  def BF   : FmtControl<0x08, "bf",   (ops Target:$target), [(CC CcFlag), (SQ SqJump)], "branch if the flag is set">;
  def BNF  : FmtControl<0x09, "bnf",  (ops Target:$target), [(CC CcNotFlag), (SQ SqJump)], "branch if the flag is clear">;

  let n = ? in
  def REPEAT : FmtControl<0x0a, "repeat", (ops Count:$count, LoopEnd:$end), [(SQ SqRepeat)], "repeat a block of instructions a fixed number of times">;

  let as = ? in {
    def REPEATR : FmtControl<0x0b, "repeat", (ops AddrSrc:$count, LoopEnd:$end),
      [(SQ SqRepeatAr)],
      "repeat a block of instructions as often as an address register says">;
    def BZ   : FmtControl<0x0c, "bz",  (ops AddrSrc:$counter, Target:$target), [(CC CcZero), (SQ SqJump)], "branch if an address register is zero">;
    def BNZ  : FmtControl<0x0d, "bnz", (ops AddrSrc:$counter, Target:$target), [(CC CcNonZero), (SQ SqJump)], "branch if an address register is not zero">;

    let ad = ?, n = 0xffff in
    def DJNZ : FmtControl<0x0e, "djnz", (ops AddrBoth:$counter, Target:$target),
      [(AU AuAdd), (CC CcNonZero), (SQ SqJump)],
      "decrement an address register, branch if it is not zero">;
  }
}

let Extension = CloseExtension in {
  def CLOSE : FmtControl<0x0f, "close", (ops), [(SQ SqClose)], "hide data memories and tables from the host until they are opened or wiped">;
  def OPEN  : FmtControl<0x17, "open",  (ops), [(CC CcFlag), (SQ SqOpen)], "show them to the host again if the flag is set">;
}
