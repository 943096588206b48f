//===- retire.td - the record of a retired instruction ------------------------===//
//
// The effects of one instruction, by which simulator and core are compared. From these records come the packed
// struct of the retirement port, the struct of the simulator, the way from one to the other, the dictionary
// of Python, and the text of traces and divergences. A field has one name in all of them.
//
// A field that does not apply is zero, so that records compare as bits. It applies where one of its enables
// is not zero; without enables always. A mask enables one value for each register of a file.

// Kind of a field's value, and how it is written. Width 0: as many bits as the codes need.
class RetireKind<string shown, int width> {
  string Shown = shown;
  int Width = width;
}
class Decimal<int width> : RetireKind<"decimal", width>;
def Bit             : RetireKind<"decimal", 1>;
def ByteAddress     : RetireKind<"address", Machine.AddressBits>;
def Vector          : RetireKind<"vector", !mul(8, Machine.VectorBytes)>;
def Word            : RetireKind<"word", Machine.InsnBits>;
def Lanes           : RetireKind<"lanes", Machine.VectorBytes>; // without text where all are set
def TrapName        : RetireKind<"trap_name", 0>;
def OperandName     : RetireKind<"vector_name", 0>;
def SpaceName       : RetireKind<"space_name", 0>;
def AddressRegName  : RetireKind<"address_register_name", 0>;

class RetireField<string name, RetireKind kind, string text> {
  string Name = name;
  RetireKind Holds = kind;
  string Text = text;
  list<string> Enables = [];
}

// A field that others depend on. Shown is the text of what it enables, from the effect's name on; {field} is a
// value, {field+1} the register after.
class RetireEnable<string name, RetireKind kind, string shown, string text> : RetireField<name, kind, text> {
  string Shown = shown;
}
// A mask. Shown is the text of one register, {} its name.
class RetireMask<string name, RegisterFile file, string effect, string shown, string text>
    : RetireEnable<name, RetireKind<"mask", file.Count>, shown, text> {
  RegisterFile Over = file;
  string Effect = effect;
}

// A store that an effect makes, by which everything that asks what an instruction writes knows it: the fields that have
// the space, the byte address, and a bit for each byte from there on.
class RetireStore<string enable, string space, string address, string lanes> {
  string Enable = enable;
  string Space = space;
  string Address = address;
  string Lanes = lanes;
}
// In each lane of a space that is always the same, at the row that a byte of a field has.
class RetireScatter<string enable, Space space, string rows> {
  string Enable = enable;
  Space Into = space;
  string Rows = rows;
}

def : RetireField<"cycle", Decimal<64>, "cycle of WB, counted while the core runs">;
def : RetireField<"pc", ByteAddress, "address of the instruction">;
def : RetireField<"insn", Word, "instruction word">;

def : RetireEnable<"trap", TrapName, "trap={trap}", "why it trapped; it has no effect then">;

def : RetireEnable<"key_en", Bit, "key@{key_address}", "rows are read through the key slot; of which blocks is in the instruction">;
let Enables = ["key_en"] in
  def : RetireField<"key_address", ByteAddress, "address of the key slot's rows">;

def : RetireEnable<"data_en", Bit, "data@{data_address}", "a row is read through the data slot">;
let Enables = ["data_en"] in
  def : RetireField<"data_address", ByteAddress, "address of the data slot's row">;

def : RetireEnable<"rd_en", Bit, "rd:{rd}={rd_value}", "a vector register is written">;
let Enables = ["rd_en"] in {
  def : RetireField<"rd", OperandName, "code of the register that is written">;
  def : RetireField<"rd_value", Vector, "what is written to rd">;
}

def : RetireEnable<"partner_en", Bit, "partner:{rd+1}={partner_value}", "the register after rd is written too">;
let Enables = ["partner_en"] in
  def : RetireField<"partner_value", Vector, "what is written to the register after rd">;

def : RetireEnable<"hold_en", Bit, "hold={hold_value}", "hold is written">;
let Enables = ["hold_en"] in
  def : RetireField<"hold_value", Vector, "what is written to hold">;

def : RetireEnable<"ctr_en", Bit, "ctr={ctr_value}", "ctr is incremented">;
let Enables = ["ctr_en"] in
  def : RetireField<"ctr_value", Vector, "ctr, incremented">;

def : RetireEnable<"store_en", Bit, "store:{store_space}[{store_address}]{store_lanes}={store_value}", "a row is stored">;
let Enables = ["store_en"] in {
  def : RetireField<"store_space", SpaceName, "code of the space that is stored to">;
  def : RetireField<"store_address", ByteAddress, "address of the store">;
  def : RetireField<"store_lanes", Lanes, "bytes that are stored: bit i for byte i of the data">;
  def : RetireField<"store_value", Vector, "data of the store, bytes that are not stored too">;
}
def : RetireStore<"store_en", "store_space", "store_address", "store_lanes">;

def : RetireEnable<"scatter_en", Bit, "scatter:t0[{scatter_rows}]={scatter_value}", "an entry of each lane of t0 is stored">;
let Enables = ["scatter_en"] in {
  def : RetireField<"scatter_rows", Vector, "byte i is the row of lane i">;
  def : RetireField<"scatter_value", Vector, "byte i is stored in lane i">;
}
def : RetireScatter<"scatter_en", Bank0, "scatter_rows">;

def : RetireMask<"ar_mask", AddressRegister, "ar", "{}={ar_value}", "address registers that slots, address unit or vtoar write">;
let Enables = ["ar_mask"] in
  def : RetireField<"ar_value", ByteAddress, "address registers after the instruction, where they are written">;

def : RetireEnable<"step_en", Bit, "step:{config_ar}={config_n}", "a step is set">;
def : RetireEnable<"window_en", Bit, "window:{config_ar}={config_n}..{config_e}", "a window is set">;
def : RetireEnable<"width_en", Bit, "width={config_n}", "the width of ctr++ is set">;
let Enables = ["step_en", "window_en"] in
  def : RetireField<"config_ar", AddressRegName, "whose step or window">;
let Enables = ["step_en", "window_en", "width_en"] in
  def : RetireField<"config_n", ByteAddress, "step, AddrStart, or code of the width">;
let Enables = ["window_en"] in
  def : RetireField<"config_e", ByteAddress, "AddrEnd">;

def : RetireEnable<"flag_en", Bit, "flag={flag}", "a compare sets the flag">;
let Enables = ["flag_en"] in
  def : RetireField<"flag", Bit, "the flag that is set">;

def : RetireMask<"context_mask", StreamContext, "contexts", "{}={context_state}/{context_buffer}/{context_lfsr}",
                 "stream contexts that are written">;
let Enables = ["context_mask"] in {
  def : RetireField<"context_state", Vector, "of a context written: r1, r2, r3 and the newest LFSR word">;
  def : RetireField<"context_buffer", Vector, "of a context written: the buffer">;
  def : RetireField<"context_lfsr", Vector, "of a context written: XOR of the LFSR's four rows">;
}

def : RetireEnable<"hash_en", Bit, "hash:{hash_factor}/{hash_digit}:{hash_input}/{hash_upper}:{hash_sum}", "registers of the hash unit are written">;
let Enables = ["hash_en"] in {
  def : RetireField<"hash_factor", Vector, "gh after the instruction">;
  def : RetireField<"hash_input", Vector, "gx after it">;
  def : RetireField<"hash_sum", Vector, "gy after it">;
  def : RetireField<"hash_digit", Decimal<8>, "gt after it">;
  def : RetireField<"hash_upper", Decimal<8>, "gu after it">;
}

// Depths of the stacks after the instruction.
def : RetireEnable<"loop_depth", Decimal<8>, "loop={loop_depth},{loop_remaining}", "entries of the loop stack">;
let Enables = ["loop_depth"] in
  def : RetireField<"loop_remaining", Decimal<16>, "passes of the innermost loop that remain">;
def : RetireEnable<"call_depth", Decimal<8>, "calls={call_depth}", "entries of the call stack">;

def : RetireEnable<"notify_en", Bit, "notify={notify}", "the host is notified">;
let Enables = ["notify_en"] in
  def : RetireField<"notify", Decimal<8>, "code for the host">;
def : RetireEnable<"halt_en", Bit, "halt", "the program halts">;
def : RetireEnable<"wait_en", Bit, "wait", "the program waits for the host">;
