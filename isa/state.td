//===- state.td - the architectural state ---------------------------------------===//
//
// State that instructions leave for later ones, without the memories: as a machine shows it, and as simulator
// and core are compared by it after every stop. From these records come the packed struct that is read from the core,
// the struct of the simulator, the way from one to the other, and the names and texts of the registers everywhere.
//
// Unused entries of a stack are zero, so that states compare as bits.

// A field holds one value, or one for each register of a file. Register is the name of a value in messages, {} the
// name within the file; what stands before a dot is the register that the value belongs to. Written: the
// stages at whose end the core writes the field, by which its registers are known as the last retirement left them
// (rtl/sim/retired_registers.cpp).
class StateField<string name, RetireKind kind, string register, list<Stage> written, string text> {
  string Name = name;
  RetireKind Holds = kind;
  string Register = register;
  list<Stage> Written = written;
  string Text = text;
  bit Reset = 0; // a reset clears it in every core; the other fields are data, which only a wipe clears (WIPE)
  string Depth = ""; // the field that says how many of the file's registers are in use; without one all
}
class StateOfEach<string name, RegisterFile file, RetireKind kind, string register, list<Stage> written, string text>
    : StateField<name, kind, register, written, text> {
  RegisterFile Over = file;
}

def : StateOfEach<"v", VectorRegister, Vector, "{}", [StageX2], "vector register">;
def : StateField<"ctr", Vector, "ctr", [StageMEM, StageX2], "counter">;
let Reset = 1 in
def : StateField<"ctr_width", Decimal<8>, "ctr.width", [StageAG], "bits of ctr that ctr++ increments">;
def : StateField<"wk", Vector, "wk", [StageX2], "whitening key">;
def : StateField<"hold", Vector, "hold", [StageMEM], "row or counter that a move has set aside">;

def : StateOfEach<"ar", AddressRegister, ByteAddress, "{}", [StageAG, StagePERM], "address register">;
def : StateOfEach<"step", AddressRegister, ByteAddress, "{}.step", [StageAG], "its step">;
def : StateOfEach<"window_start", AddressRegister, ByteAddress, "{}.start", [StageAG], "AddrStart, of its window">;
def : StateOfEach<"window_end", AddressRegister, ByteAddress, "{}.end", [StageAG], "AddrEnd, of its window">;

let Reset = 1 in
def : StateField<"flag", Bit, "flag", [StageWB], "what the last compare found">;

foreach row = [RowLfsr0, RowLfsr1, RowLfsr2, RowLfsr3, RowRegisters, RowBuffer] in
  def : StateOfEach<row.Name, StreamContext, Vector, "{}."#row.Name, [StageX1], row.Text>;

def : StateField<"gh", Vector, "gh", [StageX2], "factor of the hash unit">;
def : StateField<"gx", Vector, "gx", [StageX2], "its input: the words that steps have not yet taken">;
def : StateField<"gy", Vector, "gy", [StageX2], "its sum">;
def : StateField<"gt", Decimal<8>, "gt", [StageX2], "of the multiplier: the digit above gx">;
def : StateField<"gu", Decimal<8>, "gu", [StageX2], "of the multiplier: the five bits above gy">;

let Reset = 1 in
def : StateField<"loops", Decimal<8>, "loops", [StageAG], "entries of the loop stack">;
let Depth = "loops", Reset = 1 in {
  def : StateOfEach<"loop_start", LoopEntry, ByteAddress, "{}.start", [StageAG], "first instruction of the body">;
  def : StateOfEach<"loop_end", LoopEntry, ByteAddress, "{}.end", [StageAG], "last instruction of the body">;
  def : StateOfEach<"loop_remaining", LoopEntry, Decimal<16>, "{}.remaining", [StageAG],
                    "passes that remain, this one too">;
}
let Reset = 1 in
def : StateField<"calls", Decimal<8>, "calls", [StageAG], "entries of the call stack">;
let Depth = "calls", Reset = 1 in
  def : StateOfEach<"call_return", CallEntry, ByteAddress, "{}.return", [StageAG], "where the call returns to">;

let Reset = 1 in {
  def : StateField<"notify", Decimal<8>, "notify", [StageWB], "code of the last notify">;
  def : StateField<"resume", ByteAddress, "resume", [StageWB], "where a resume goes on; zero in any state but waiting">;
}
