// What translated code and the program that calls it have in common.
#pragma once

#include <cstdint>

namespace lutra {

class Machine;
struct Decoded;

// Exit translated code returns.
enum class Exit : std::uint8_t {
  Label,   // before the first instruction of a block
  Inside,  // before another instruction of it, which changes nothing yet
  Miss,    // after the last, with an interlock that this edge has not seen
};

// Filled in by the code that returns.
struct Returned {
  Exit why = Exit::Label;
  std::uint16_t pc = 0;
  std::uint32_t number = 0;  // of the block; after a miss, of the edge
  std::uint64_t state = 0;   // of the interlock before the block
};

// From a block to one that follows it, by the interlock's state before the block. States are numbered at each block.
struct Edge {
  std::uint32_t cycles = 0;  // between the earliest next issues; 0: not seen yet
  std::uint32_t next = 0;    // the state before the next block
  std::uint64_t count = 0;   // how often it was taken
};
inline constexpr std::size_t kStates = 32;  // per block; what has more is interpreted

// A program address that no program has.
inline constexpr std::uint16_t kNowhere = 0xffff;

// An instruction that the interpreter executes for translated code.
struct Call {
  void (*handler)(Machine&, const Decoded&);
  const Decoded* instruction;
};

}  // namespace lutra
