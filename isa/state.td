//===- state.td - the architectural state ---------------------------------------===//
//
// What instructions leave for later ones, without the memories: as a machine shows it to the user, and as simulator
// and core are compared by it after every stop. From these records come the packed struct that is read from the core,
// the struct of the simulator, the way from one to the other, and the names and texts of the registers everywhere.
//
// What stands beyond the entries of a stack is zero, so that states compare as bits.

// A field holds one value, or one for each register of a file. Register is the name of a value in messages, {} the
// name within the file; what stands before a dot is the register that the value belongs to.
class StateField<string name, RetireKind kind, string register, string text> {
  string Name = name;
  RetireKind Holds = kind;
  string Register = register;
  string Text = text;
  string Depth = ""; // the field that says how many of the file's registers are in use; without one all
}
class StateOfEach<string name, RegisterFile file, RetireKind kind, string register, string text>
    : StateField<name, kind, register, text> {
  RegisterFile Over = file;
}

def : StateOfEach<"v", VectorRegister, Vector, "{}", "vector register">;
def : StateField<"ctr", Vector, "ctr", "counter">;
def : StateField<"ctr_width", Decimal<8>, "ctr.width", "bits of ctr that ctr++ increments">;
def : StateField<"wk", Vector, "wk", "whitening key">;
def : StateField<"hold", Vector, "hold", "row or counter that a move has set aside">;

def : StateOfEach<"ar", AddressRegister, ByteAddress, "{}", "address register">;
def : StateOfEach<"step", AddressRegister, ByteAddress, "{}.step", "its step">;
def : StateOfEach<"window_start", AddressRegister, ByteAddress, "{}.start", "AddrStart, of its window">;
def : StateOfEach<"window_end", AddressRegister, ByteAddress, "{}.end", "AddrEnd, of its window">;

def : StateField<"flag", Bit, "flag", "what the last compare found">;

foreach row = [RowLfsr0, RowLfsr1, RowLfsr2, RowLfsr3, RowRegisters, RowBuffer] in
  def : StateOfEach<row.Name, StreamContext, Vector, "{}."#row.Name, row.Text>;

def : StateField<"loops", Decimal<8>, "loops", "entries of the loop stack">;
let Depth = "loops" in {
  def : StateOfEach<"loop_start", LoopEntry, ByteAddress, "{}.start", "first instruction of the body">;
  def : StateOfEach<"loop_end", LoopEntry, ByteAddress, "{}.end", "last instruction of the body">;
  def : StateOfEach<"loop_remaining", LoopEntry, Decimal<16>, "{}.remaining", "passes that remain, this one too">;
}
def : StateField<"calls", Decimal<8>, "calls", "entries of the call stack">;
let Depth = "calls" in
  def : StateOfEach<"call_return", CallEntry, ByteAddress, "{}.return", "where the call returns to">;

def : StateField<"notify", Decimal<8>, "notify", "code of the last notify">;
def : StateField<"resume", ByteAddress, "resume", "where a resume goes on; zero in any state but waiting">;
