// Decodes instruction words; any word that is not an instruction of the machine decodes to Op::Illegal.
#pragma once

#include "lutra_isa.hpp"

namespace lutra {

struct Slot {
  bool en = false;
  bool row_en = false;  // the address is fixed
  std::uint8_t ar = 0;
  Delta delta = Delta::None;  // none without a register
  Wrap wrap = Wrap::None;
  std::uint16_t address = 0;
};

struct Decoded {
  Op op = Op::Illegal;
  std::uint64_t word = 0;
  const Encoding* encoding = nullptr;  // null for an illegal word
  std::uint8_t ra = 0, rb = 0, rd = static_cast<std::uint8_t>(VecCode::NONE);
  bool increment = false;  // ctr++
  bool w = false;
  Slot k, d, s;
  std::uint8_t d_block = 0, s_space = 0;
  SideMove mv = SideMove::None;
  std::uint8_t rc = 0;  // register that a move stores, or that enters in X2
  std::uint8_t ad = 0, as = 0;
  std::uint16_t n = 0, e = 0;
  std::uint8_t h = 0;         // side effects of the hash unit, bits of HashBeside
  std::uint8_t g = 0;         // whether the multiplier makes a step there
  std::uint8_t c = 0, o = 0;  // stream contexts clocked, one bit each; the one shown, loaded or saved
};

// Whether it begins a loop.
inline bool repeats(const Decoded& d) {
  return d.encoding && (d.encoding->sq == Sq::Repeat || d.encoding->sq == Sq::RepeatAr);
}

// rounds: ROUNDS_PER_INSTR, 1 or 2. contexts: STREAM_CONTEXTS, 1 or 2.
Decoded decode(std::uint64_t word, int rounds, int contexts = kCoreContexts);

}  // namespace lutra
