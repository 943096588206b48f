//===- hazards.td - who writes, who reads, and who waits for whom -------------===//
//
// A hazard is between two instructions: one in ID reads a cell of a resource that
// an earlier one, still on its way, writes. From these records follow the
// interlock, the simulator's timing, the coverage points, the programs aimed at
// them and the table of the reference.

// What is written and read, in cells that do not disturb one another. Codes: of a
// resource that vector operands name, the operands that name each cell.
class Resource<string name, int cells, list<list<VectorName>> codes = []> {
  string Name = name;
  int Cells = cells;
  list<list<VectorName>> Codes = codes;
}
def Registers      : Resource<"vector register", Machine.VectorRegs,
                              !foreach(i, !range(Machine.VectorRegs), [!cast<VectorName>("V"#i)])>;
def Counter        : Resource<"ctr", 1, [[CTR, CTRINC]]>;
def WhiteningKey   : Resource<"wk", 1, [[WK]]>;
def DataMemories   : Resource<"data memory", Machine.MemoryBlocks>;
def TableBanks     : Resource<"table bank", Machine.TableBanks>;
def AddressOfT1    : Resource<"address port of t1", 1>;
def AddressRegisters : Resource<"address register", Machine.AddressRegs>;
def CompareFlag    : Resource<"flag", 1>;

// Which cells of its resource an access is to.
def named;    // that a source or destination field names; a source where it enters the path
def after;    // the one after that
def address;  // the address register in a field, where the instruction reads or writes it
def slot;     // the address register of a memory slot
def blocks;   // the data memories of a memory slot
def banks;    // the table banks of a memory slot
def number;   // that a field holds
def cell;     // always this one

// When an instruction makes an access.
def half;     // its path ends in this half
def uses;     // its path uses a block
def does;     // its path has one of these functions
def enters;   // this side operand enters
def moves;    // this is moved beside the path
def clocks;   // it clocks this stream context

// A way in which instructions write or read a resource; all conditions must hold.
// Label: what coverage calls it; empty: the space that is stored to.
class Access<string label, Resource resource, dag cells, list<dag> when, string text> {
  string Label = label;
  Resource Of = resource;
  dag Cells = cells;
  list<dag> When = when;
  string Text = text;
}

// Writes.
def Result1    : Access<"result",  Registers, (named "rd"),  [(half 1)], "v0..v7 by an instruction that ends in the first half">;
def Partner1   : Access<"partner", Registers, (after "rd"), [(half 1), (does WritePair)], "the second of two registers, likewise">;
def Result2    : Access<"result",  Registers, (named "rd"),  [(half 2)], "v0..v7 by an instruction that uses the second half">;
def Partner2   : Access<"partner", Registers, (after "rd"), [(half 2), (does WritePair)], "the second of two registers, likewise">;
def CtrWritten : Access<"ctr", Counter, (named "rd"), [], "ctr as destination">;
def WkWritten  : Access<"wk", WhiteningKey, (named "rd"), [], "wk as destination">;
def Stored     : Access<"", DataMemories, (blocks "s"), [], "any row of the memory by the store slot">;
def TableWritten : Access<"", TableBanks, (banks "s"), [], "any row of the bank by the store slot">;
def LookUpT1   : Access<"look_up", AddressOfT1, (cell 0), [(uses T1)], "its look-up in t1 on the path presents its address">;
def Lane       : Access<"lane", AddressRegisters, (address "ad"), [(does ToAddress)], "an address register from a vector lane">;
def Compare    : Access<"compare", CompareFlag, (cell 0), [(does SetFlag)], "the flag by a compare">;

// Reads.
def ReadA      : Access<"a", Registers, (named "ra"), [], "first source">;
def ReadB      : Access<"b", Registers, (named "rb"), [], "second source">;
def ReadMoved  : Access<"move", Registers, (number "rc"), [(moves MoveStore)], "what a move stores">;
def CtrA       : Access<"a", Counter, (named "ra"), [], "ctr or ctr++ as first source">;
def CtrB       : Access<"b", Counter, (named "rb"), [], "ctr as second source">;
def CtrMoved   : Access<"move", Counter, (cell 0), [(moves MoveHoldCtr)], "ctr that a move sets aside">;
def WkA        : Access<"a", WhiteningKey, (named "ra"), [], "wk as first source">;
def WkB        : Access<"b", WhiteningKey, (named "rb"), [], "wk as second source">;
def WkEnters   : Access<"wk", WhiteningKey, (cell 0), [(enters W)], "wk into L0 or P0">;
def KeyRow     : Access<"key", DataMemories, (blocks "k"), [], "row of the key slot">;
def DataRow    : Access<"data", DataMemories, (blocks "d"), [], "row of the data slot">;
def PathT0     : Access<"path", TableBanks, (cell 0), [(uses T0)], "look-up in t0 on the path">;
def PathT1     : Access<"path", TableBanks, (cell 1), [(uses T1)], "look-up in t1 on the path">;
def ClockT0    : Access<"c0", TableBanks, (cell 0), [(clocks 0)], "a clock of c0 looks up in t0">;
def ClockT1    : Access<"c1", TableBanks, (cell 1), [(clocks 1)], "a clock of c1 looks up in t1">;
def ClockPort  : Access<"c1", AddressOfT1, (cell 0), [(clocks 1)], "a clock of c1 presents its address">;
def KeyAddress   : Access<"key", AddressRegisters, (slot "k"), [], "address of the key slot">;
def DataAddress  : Access<"data", AddressRegisters, (slot "d"), [], "address of the data slot">;
def StoreAddress : Access<"store", AddressRegisters, (slot "s"), [], "address of the store slot">;
def AddressSource : Access<"as", AddressRegisters, (address "as"), [], "source of the address unit">;
def AddressTarget : Access<"ad", AddressRegisters, (address "ad"), [],
  "destination of the address unit or of a lane; its step and window may be set at any time">;
def Branch     : Access<"condition", CompareFlag, (cell 0), [(does CcFlag, CcNotFlag)], "condition of a branch">;

// Stages: in which the cell is written and read (isa/pipeline.td). Order: the cause
// that a stall cycle is counted under when several hold.
class Hazard<int order, string name, list<Access> writes, Stage write, list<Access> reads, Stage read, bit bypass, string text> {
  int Order = order;
  string Name = name;
  list<Access> Writes = writes;
  Stage Write = write;
  list<Access> Reads = reads;
  Stage Read = read;
  bit Bypass = bypass;
  string Text = text;
}
def HazardVector1 : Hazard<0, "vector_half1", [Result1, Partner1], StageX1, [ReadA, ReadB], StagePERM, 1,
  "a vector register written by an instruction that ends in the first half">;
def HazardVector2 : Hazard<1, "vector_half2", [Result2, Partner2], StageX2, [ReadA, ReadB], StagePERM, 1,
  "a vector register written by an instruction that uses the second half">;
def HazardSpecial : Hazard<2, "special", [CtrWritten, WkWritten], StageWB, [CtrA, CtrB, CtrMoved, WkA, WkB, WkEnters], StagePERM, 0,
  "ctr or wk while a write of it is on its way">;
def HazardMemory  : Hazard<3, "memory", [Stored], StageWB, [KeyRow, DataRow], StageID, 0,
  "a read of a memory block to which a store is on its way">;
def HazardTable0  : Hazard<4, "table0", [TableWritten], StageWB, [PathT0, ClockT0], StagePERM, 0,
  "a look-up in t0 while a table write is on its way">;
def HazardTable1  : Hazard<5, "table1", [TableWritten], StageWB, [PathT1], StageT1Addr, 0,
  "a look-up in t1 while a table write is on its way">;
def HazardAddress : Hazard<6, "address", [Lane], StagePERM,
  [KeyAddress, DataAddress, StoreAddress, AddressSource, AddressTarget], StageID, 0,
  "an address register loaded from a vector lane">;
def HazardFlag    : Hazard<7, "flag", [Compare], StageWB, [Branch], StageID, 0,
  "the flag set by a compare">;

// Context c1 looks up in t1 as c0 does in t0, not after it: its address is presented in PERM.
def HazardTable1Parallel : Hazard<8, "table1_parallel", [TableWritten], StageWB, [ClockT1], StagePERM, 0,
  "a clock of c1 while a write of t1 is on its way">;
def HazardTable1Port : Hazard<9, "table1_port", [LookUpT1], StageT1Addr, [ClockPort], StagePERM, 0,
  "a clock of c1 in whose PERM an earlier instruction presents its t1 address">;
def HazardStored : Hazard<10, "stored", [Result1, Partner1, Result2, Partner2], StageWB, [ReadMoved], StageX2, 0,
  "a vector register that a move stores">;
