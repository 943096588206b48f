//===- hazards.td - writes, reads, and the waits between them    -------------===//
//
// A hazard is between two instructions: one in ID reads a cell of a resource that
// an earlier one, still on its way, writes. From these records follow the
// interlock, the simulator's timing, the coverage points, the programs aimed at
// them and the table of the reference.

// Resources that are written and read, in independent cells. Codes: of a
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
def StreamRegisters : Resource<"r1 of context", Machine.StreamContexts>;
def HashSum        : Resource<"gy", 1>;
def HashFactors    : Resource<"gh and gx", 1>;

// Which cells of its resource an access is to.
def named;    // that a source or destination field names; a source where it enters the path
def after;    // the one after that
def address;  // the address register in a field, where the instruction reads or writes it
def slot;     // the address register of a memory slot
def blocks;   // the data memories of a memory slot
def banks;    // the table banks of a memory slot
def cell;     // always this one

// When an instruction makes an access.
def ready;    // its result is ready at the end of this stage, with two rounds: of X1 if its path ends in the first half
              // and does nothing in the chain of X1 and M1, else of X2
def sources;  // its sources are "early", needed at the end of MEM: they pass P0 or what is not linear in L0, or go to an
              // address register; or they are "late", XORed onto what leaves L0 at the end of PERM
def uses;     // its path uses a block
def does;     // its path has one of these functions
def enters;   // this side operand enters
def moves;    // this is moved beside the path
def clocks;   // it clocks this stream context
def pairs;    // its second half pairs two values by one of these functions
def streams;  // its path has one of these functions of the stream unit
def beside;   // field h, or g, has the hash unit do something

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
def ResultX1  : Access<"result",  Registers, (named "rd"), [(ready StageX1)], "v0..v7 by an instruction that is ready at the end of X1">;
def PartnerX1 : Access<"partner", Registers, (after "rd"), [(ready StageX1), (does WritePair)], "the second of two registers, likewise">;
def ResultX2  : Access<"result",  Registers, (named "rd"), [(ready StageX2)], "v0..v7 by an instruction that is ready at the end of X2">;
def PartnerX2 : Access<"partner", Registers, (after "rd"), [(ready StageX2), (does WritePair)], "the second of two registers, likewise">;
def ResultJoin  : Access<"result",  Registers, (named "rd"), [(pairs PairJoin)], "v0..v7 by an instruction whose second half joins two halves of a state">;
def PartnerJoin : Access<"partner", Registers, (after "rd"), [(pairs PairJoin), (does WritePair)], "the second of two registers, likewise">;
def CtrWritten : Access<"ctr", Counter, (named "rd"), [], "ctr as destination">;
def WkWritten  : Access<"wk", WhiteningKey, (named "rd"), [], "wk as destination">;
def Stored     : Access<"", DataMemories, (blocks "s"), [], "any row of the memory by the store slot">;
def TableWritten : Access<"", TableBanks, (banks "s"), [], "any row of the bank by the store slot">;
def Scattered  : Access<"scatter", TableBanks, (cell 0), [(does Scatter)], "rows of t0 by a scatter">;
def LookUpT1   : Access<"look_up", AddressOfT1, (cell 0), [(uses T1)], "its look-up in t1 on the path presents its address">;
def Lane       : Access<"lane", AddressRegisters, (address "ad"), [(does ToAddress)], "an address register from a vector lane">;
def MixedC0    : Access<"c0", StreamRegisters, (cell 0), [(clocks 0), (streams SnowInit, SnowWork, Crc)], "a clock of SNOW 3G or of a CRC changes r1 of c0">;
def MixedC1    : Access<"c1", StreamRegisters, (cell 1), [(clocks 1), (streams SnowInit, SnowWork)], "a clock of SNOW 3G changes r1 of c1">;
def Compare    : Access<"compare", CompareFlag, (cell 0), [(does SetFlag)], "the flag by a compare">;

def HashedBeside : Access<"beside", HashSum, (cell 0), [(beside "h")], "gy by a step beside the path">;
def MultipliedBeside : Access<"multiplied_beside", HashSum, (cell 0), [(beside "g")], "gy by a step of the multiplier beside the path">;
def Hashed     : Access<"hash", HashSum, (cell 0),
  [(does ToInput, ToReversed, AddInput, HashStep, FieldStep, FieldFold, FieldAdd, WindowStep, WindowNext, PrimeAdd, PrimeLast, PrimeStep)],
  "gy by the hash unit">;
def FactorsBeside : Access<"beside", HashFactors, (cell 0), [(beside "h")], "gx by a step beside the path">;
def Factors    : Access<"hash", HashFactors, (cell 0),
  [(does ToFactor, ToInput, ToReversed, AddInput, HashStep, FieldStep, FieldFold, FieldAdd, WindowStep, WindowNext, PrimeAdd, PrimeLast)],
  "gh or gx by the hash unit">;

// Reads.
def LateA      : Access<"a", Registers, (named "ra"), [(sources "late")], "first source">;
def LateB      : Access<"b", Registers, (named "rb"), [(sources "late")], "second source">;
def EarlyA     : Access<"a", Registers, (named "ra"), [(sources "early")], "first source, needed early">;
def EarlyB     : Access<"b", Registers, (named "rb"), [(sources "early")], "second source, needed early">;
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
def ZucC0      : Access<"c0", StreamRegisters, (cell 0), [(clocks 0), (streams ZucInit, ZucWork, ZucF)], "a look-up of ZUC from r1 of c0">;
def ZucC1      : Access<"c1", StreamRegisters, (cell 1), [(clocks 1), (streams ZucInit, ZucWork, ZucF)], "a look-up of ZUC from r1 of c1">;
def KeyAddress   : Access<"key", AddressRegisters, (slot "k"), [], "address of the key slot">;
def DataAddress  : Access<"data", AddressRegisters, (slot "d"), [], "address of the data slot">;
def StoreAddress : Access<"store", AddressRegisters, (slot "s"), [], "address of the store slot">;
def AddressSource : Access<"as", AddressRegisters, (address "as"), [], "source of the address unit">;
def AddressTarget : Access<"ad", AddressRegisters, (address "ad"), [],
  "destination of the address unit or of a lane; its step and window may be set at any time">;
def ScatterPort : Access<"scatter", TableBanks, (cell 0), [(does Scatter)], "a scatter, which takes the port of t0">;
def Branch     : Access<"condition", CompareFlag, (cell 0), [(does CcFlag, CcNotFlag)], "condition of a branch">;

def SumEnters  : Access<"gy", HashSum, (cell 0), [(enters GY)], "gy into L1">;

// The multiplier's product is made a cycle before it is added; a step knows the digit that one before it leaves.
def ProductBeside : Access<"product_beside", HashFactors, (cell 0), [(beside "g")], "factors of the multiplier's step beside the path">;
def Product    : Access<"product", HashFactors, (cell 0), [(does PrimeStep)], "factors of the multiplier's step">;

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
def HazardVectorX1 : Hazard<0, "vector_x1", [ResultX1, PartnerX1], StageX1, [LateA, LateB], StagePERM, 1,
  "a vector register written by an instruction that is ready at the end of X1">;
def HazardVectorX1Early : Hazard<1, "vector_x1_early", [ResultX1, PartnerX1], StageX1, [EarlyA, EarlyB], StageMEM, 1,
  "the same, needed at the end of MEM">;
def HazardVectorX2 : Hazard<2, "vector_x2", [ResultX2, PartnerX2], StageX2, [LateA, LateB], StagePERM, 1,
  "a vector register written by an instruction that is ready at the end of X2">;
def HazardVectorX2Early : Hazard<3, "vector_x2_early", [ResultX2, PartnerX2], StageX2, [EarlyA, EarlyB], StageMEM, 1,
  "the same, needed at the end of MEM">;
def HazardSpecial : Hazard<4, "special", [CtrWritten, WkWritten], StageX2, [CtrA, CtrB, CtrMoved, WkA, WkB, WkEnters], StageMEM, 0,
  "ctr or wk while a write of it is on its way">;
def HazardMemory  : Hazard<5, "memory", [Stored], StageWB, [KeyRow, DataRow], StageAG, 0,
  "a read of a memory block to which a store is on its way">;
// A scatter writes in X2, where its rows and the third register are, so that neither needs a register more. A look-up
// waits as if it wrote in WB, and the scatter itself after the write of a row as a look-up in t1 does, a cycle longer
// than it must: causes of their own would cost a counter each.
def HazardTable0  : Hazard<6, "table0", [TableWritten, Scattered], StageWB, [PathT0, ClockT0], StagePERM, 0,
  "a look-up in t0 while a table write is on its way">;
def HazardTable1  : Hazard<7, "table1", [TableWritten], StageWB, [PathT1, ScatterPort], StageT1Addr, 0,
  "a look-up in t1, or a scatter, while a write of the table is on its way">;

// Context c1 looks up in t1 as c0 does in t0, not after it: its address is presented in PERM.
def HazardTable1Parallel : Hazard<8, "table1_parallel", [TableWritten], StageWB, [ClockT1], StagePERM, 0,
  "a clock of c1 while a write of t1 is on its way">;
def HazardTable1Port : Hazard<9, "table1_port", [LookUpT1], StageT1Addr, [ClockPort], StagePERM, 0,
  "a clock of c1 in whose PERM an earlier instruction presents its t1 address">;
def HazardAddress : Hazard<10, "address", [Lane], StagePERM,
  [KeyAddress, DataAddress, StoreAddress, AddressSource, AddressTarget], StageAG, 0,
  "an address register loaded from a vector lane">;
def HazardFlag    : Hazard<11, "flag", [Compare], StageWB, [Branch], StageAG, 0,
  "the flag set by a compare">;

// ZUC adds to what its own clock leaves in r1 in the same cycle; after the sum of another cipher's clock there would
// be two additions in a row, for a sequence that no firmware has.
def HazardStreamCipher : Hazard<12, "stream_cipher", [MixedC0, MixedC1], StageX1, [ZucC0, ZucC1], StagePERM, 0,
  "a clock of ZUC whose context a clock of SNOW 3G or of a CRC has just changed">;
def HazardHash    : Hazard<13, "hash", [HashedBeside, MultipliedBeside, Hashed, FactorsBeside, Factors], StageX2,
  [SumEnters, ProductBeside, Product], StageX1, 0,
  "the hash unit's sum while a step is on its way, or the multiplier's factors while anything else is">;

// The last forward is made without P2's choice between a value and a joined one.
def HazardJoined : Hazard<14, "joined", [ResultJoin, PartnerJoin], StageX2, [LateA, LateB], StageMEM, 1,
  "a vector register written by an instruction whose second half joins two halves of a state">;
