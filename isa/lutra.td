//===- lutra.td - the Lutra instruction set: includes only, in reading order ===//
//
// The one place where an encoding, a mnemonic, an operand, an addressing
// pattern, a latency or an instruction's meaning is written.
//
//===----------------------------------------------------------------------===//

include "machine.td"
include "extensions.td"
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
let Group = ControlInsns, Extension = BaseExtension in {
  include "insns_control.td"
}
let Group = AddressInsns, Extension = BaseExtension in {
  include "insns_address.td"
}
let Group = MoveInsns, Extension = BaseExtension in {
  include "insns_move.td"
}
let Group = GenericInsns, Extension = BaseExtension in {
  include "insns_generic.td"
}
let Group = AesInsns, Extension = AesExtension in {
  include "insns_aes.td"
}
let Group = AriaInsns, Extension = AriaExtension in {
  include "insns_aria.td"
}
let Group = CamelliaInsns, Extension = CamelliaExtension in {
  include "insns_camellia.td"
}
// Of several extensions: the records say which.
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

// Those of extensions from outside this repository, and of no others: what is added here collides with none of them.
def OutsideOpcodes {
  int First = 0xe0;
  int Last = 0xfe;
}

// A function of an extension outside this repository, and a block that can do it (docs/how-to/write-an-extension.md).
class Joins<Block block, Function function> {
  Block To = block;
  Function What = function;
}
