//===- lutra.td - the Lutra instruction set: includes only, in reading order ===//
//
// The one place where an encoding, a mnemonic, an operand, an addressing
// pattern, a latency or an instruction's meaning is written.
//
//===----------------------------------------------------------------------===//

include "machine.td"
include "registers.td"
include "addressing.td"
include "pipeline.td"
include "datapath.td"
include "sequencer.td"
include "hazards.td"
include "operands.td"
include "formats.td"
include "retire.td"
include "state.td"
let Group = ControlInsns in {
  include "insns_control.td"
}
let Group = AddressInsns in {
  include "insns_address.td"
}
let Group = MoveInsns in {
  include "insns_move.td"
}
let Group = GenericInsns in {
  include "insns_generic.td"
}
let Group = AesInsns in {
  include "insns_aes.td"
}
let Group = AriaInsns in {
  include "insns_aria.td"
}
let Group = CamelliaInsns in {
  include "insns_camellia.td"
}
let Group = StreamInsns in {
  include "insns_stream.td"
}
let Group = MacInsns in {
  include "insns_mac.td"
}

// The version that firmware names as what it needs; docs/decisions/0013 says what raises it. Until a version is
// released, Major is 0 and every change of the encoding may break words.
def Version {
  int Major = 0;
  int Minor = 1;
}

// Opcodes that no instruction may have: a program memory of zeros traps, and one opcode opens another page of them.
def ReservedOpcodes {
  int Empty = 0x00;
  int Extension = 0xff;
}
