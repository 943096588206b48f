//===- pipeline.td - stages, and when a result may be used --------------------===//
//
//  IF | ID + AGU | MEM | PERM | X1 | X2 | WB      two rounds an instruction
//  IF | ID + AGU | MEM | PERM | X1 | WB           one round an instruction
//
// An instruction issues when it leaves ID; from there on it never stalls, so
// every hazard is a distance in cycles between two issues:
//
//   bypassed result: distance >= write stage - read stage
//   through storage: distance >= write stage - read stage + 1
//
// The interlock holds an instruction in ID until all its distances are met.

// Stage numbers count cycles from issue (ID = 0), for ROUNDS_PER_INSTR 2 and 1.
class Stage<string name, int two, int one> {
  string Name = name;
  int TwoRounds = two;
  int OneRound = one;
}
def StageID     : Stage<"ID", 0, 0>;
def StageMEM    : Stage<"MEM", 1, 1>;
def StagePERM   : Stage<"PERM", 2, 2>;
def StageX1     : Stage<"X1", 3, 3>;
def StageX2     : Stage<"X2", 4, 3>; // with one round both halves share X1
def StageWB     : Stage<"WB", 5, 4>;
def StageT1Addr : Stage<"T1 address", 3, 2>; // the cycle before T1 is read

// What an instruction may have to wait for. Order: the cause that a stall cycle
// is counted under when several hold.
class Hazard<int order, string name, Stage read, Stage write, bit bypass, string text> {
  int Order = order;
  string Name = name;
  Stage Read = read;
  Stage Write = write;
  bit Bypass = bypass;
  string Text = text;
}
def HazardVector1 : Hazard<0, "vector_half1", StagePERM, StageX1, 1, "a vector register written by an instruction that ends in the first half">;
def HazardVector2 : Hazard<1, "vector_half2", StagePERM, StageX2, 1, "a vector register written by an instruction that uses the second half">;
def HazardSpecial : Hazard<2, "special", StagePERM, StageWB, 0, "ctr or wk written by a move">;
def HazardMemory  : Hazard<3, "memory", StageID, StageWB, 0, "a read of a memory block to which a store is on its way">;
def HazardTable0  : Hazard<4, "table0", StagePERM, StageWB, 0, "a look-up in t0 while a table write is on its way">;
def HazardTable1  : Hazard<5, "table1", StageT1Addr, StageWB, 0, "a look-up in t1 while a table write is on its way">;
def HazardAddress : Hazard<6, "address", StageID, StagePERM, 0, "an address register loaded from a vector lane">;
def HazardFlag    : Hazard<7, "flag", StageID, StageWB, 0, "the flag set by a compare">;

// Context c1 looks up in t1 beside t0, not behind it: its address is presented in PERM.
def HazardTable1Parallel : Hazard<8, "table1_parallel", StagePERM, StageWB, 0, "a clock of c1 while a write of t1 is on its way">;
def HazardTable1Port : Hazard<9, "table1_port", StagePERM, StageT1Addr, 0, "a clock of c1 in whose PERM an earlier instruction presents its t1 address">;
def HazardStored : Hazard<10, "stored", StageX2, StageWB, 0, "a vector register that a move stores">;

// Cycles lost behind a control transfer that is taken (REPEAT's own loop-back costs none).
def TakenTransfer { int Bubbles = 1; string Name = "transfer"; string Text = "a taken jump, call or return"; }
