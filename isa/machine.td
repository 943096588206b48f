//===- machine.td - sizes, memory spaces, traps -------------------------------===//

def Machine {
  int ElfMachine   = 0x4c55; // "LU"; unassigned in the generic ABI's list
  int InsnBits     = 64;
  int VectorBytes  = 16;     // a vector register, a memory row
  int AddressBits  = 16;     // address registers, byte addresses, counts
  int ProgramWords = 1024;   // defaults of the depth parameters
  int MemoryRows   = 256;
  int TableRows    = 256;    // fixed: a lane looks up one byte
  int MemoryBlocks = 4;      // data memory
  int TableBanks   = 2;
  int AddressRegs  = 8;
  int VectorRegs   = 8;
  int LoopDepth    = 4;
  int CallDepth    = 4;
  int StreamContexts = 2;    // default of the parameter
  int PerfBits     = 40;     // counters of cycles and of instructions, which wrap
  int StallBits    = 32;     // counters of stall cycles, which wrap
}

// Lanes in which a vector is added, rotated and shifted, in bits.
def LaneWidths { list<int> All = [8, 16, 32, 64, 128]; }

// Spaces that a host address, a store or a section can name. The code is the encoding
// of a store's destination and of the host port's space.
class Space<string name, int encoding, string text> {
  string Name = name;
  int Code = encoding;
  string Text = text;
  list<int> Blocks = []; // data memory blocks that an access occupies
  list<int> Banks = [];  // table banks that an access occupies
}
class MemorySpace<int n> : Space<"m"#n, n, "data memory block "#n> { let Blocks = [n]; }
class TableSpace<int n> : Space<"t"#n, !add(Machine.MemoryBlocks, n), "table bank "#n> { let Banks = [n]; }

foreach n = !range(Machine.MemoryBlocks) in
  def Mem#n : MemorySpace<n>;
foreach n = !range(Machine.TableBanks) in
  def Bank#n : TableSpace<n>;
def BankBoth : Space<"t0:t1", 6, "both table banks, same contents"> { let Banks = [0, 1]; }
def Program : Space<"pm", 7, "program memory">;

// Why a program stops before its halt. The trapping instruction has no effect. Shown are the values that a trap is
// reported with: {} stands for a size of Machine, or for one of TRAP_VALUES in isa/lutra/isa/records/machine.py. Two
// traps meet where both apply to one instruction; YieldsTo names those that are reported instead, with lower codes. No
// other two meet: beyond the program memory there is no word, and a word that is not an instruction has no operands.
class Trap<string name, int encoding, string text, string shown = ""> {
  string Name = name;
  int Code = encoding;
  string Text = text;
  string Shown = shown;
  list<Trap> YieldsTo = [];
  bit ByFault = 0; // not by a program: where a core looks for faults (SHADOW_WORDS)
}
def TrapIllegal        : Trap<"illegal-instruction", 1, "the word is not an instruction of this machine", "{insn}">;
def TrapFetchRange     : Trap<"fetch-out-of-range", 2, "the program counter left the program memory",
                         "{pc}, it has {ProgramWords} words">;
def TrapAddressRange   : Trap<"address-out-of-range", 3, "a 16-byte access does not lie within its memory block",
                         "{outside}, {outside_space} has {outside_bytes} bytes">;
let YieldsTo = [TrapAddressRange] in
def TrapTableAlignment : Trap<"table-misaligned", 4, "a table write must be at a multiple of 16", "{store}">;
def TrapLoopOverflow   : Trap<"loop-stack-overflow", 5, "more REPEATs are nested than the loop stack holds",
                         "{LoopDepth}">;
let YieldsTo = [TrapLoopOverflow] in
def TrapLoopNesting    : Trap<"loop-nesting", 6, "a REPEAT is, or ends at, the last instruction of the loop around it, or ends before its body",
                         "its last instruction would be {end}">;
def TrapCallOverflow   : Trap<"call-stack-overflow", 7, "more calls are nested than the call stack holds",
                         "{CallDepth}">;
def TrapCallUnderflow  : Trap<"call-stack-underflow", 8, "a return without a call">;

let ByFault = 1 in
def TrapContextFault   : Trap<"context-fault", 9, "a stream context that is used differs from its shadow">;

// States of the core as the host's status shows them.
class CoreState<string name, int encoding, string text> {
  string Name = name;
  int Code = encoding;
  string Text = text;
  bit ByFault = 0;
}
def StateIdle    : CoreState<"idle", 0, "after reset, nothing started">;
def StateRunning : CoreState<"running", 1, "executing">;
def StateWaiting : CoreState<"waiting", 2, "stopped at a WAIT until the host resumes it">;
def StateHalted  : CoreState<"halted", 3, "stopped by a HALT">;
def StateTrapped : CoreState<"trapped", 4, "stopped by a trap">;
let ByFault = 1 in
def StateFaulted : CoreState<"faulted", 5, "stopped by a fault that was found; the host clears it">;
