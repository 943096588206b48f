//===- pipeline.td - stages, and when a result may be used --------------------===//
//
//  IF | ID | AG | MEM | PERM | X1 | X2 | WB      two rounds per instruction
//  IF | ID | AG | MEM | PERM | X1 |      WB      one round per instruction
//
// An instruction issues when it leaves ID; from there on it never stalls, so
// every hazard (isa/hazards.td) is a distance in cycles between two issues:
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
def StageAG     : Stage<"AG", 1, 1>;
def StageMEM    : Stage<"MEM", 2, 2>;
def StagePERM   : Stage<"PERM", 3, 3>;
def StageX1     : Stage<"X1", 4, 4>;
def StageX2     : Stage<"X2", 5, 4>; // with one round both halves share X1
def StageWB     : Stage<"WB", 6, 5>;
def StageT1Addr : Stage<"T1 address", 4, 3>; // the cycle before T1 is read

// The cycle before ID, in which the word is fetched.
def FetchStage { string Name = "IF"; }

// Cycles lost after a control transfer that is taken. REPEAT's own loop-back costs none, but a REPEAT, or the only
// instruction of a body, waits Entry cycles in ID when it follows a REPEAT, whose entry of the loop stack is not there yet.
def TakenTransfer {
  int Bubbles = 1;
  int Entry = 1;
  string Name = "transfer";
  string Text = "a taken jump, call or return, or entry into a loop whose body is one instruction or begins with a repeat";
}
