// Direct access to the memories of the core in its SRAMs, without the host port and its clocks.
#pragma once

#include <array>
#include <cstdint>

#include "lutra_isa.hpp"

namespace lutra {

struct Memories {
  // Lane l holds the bytes whose address is l modulo a row's: byte [row] of a block, entry [e] of a bank.
  using Lanes = std::array<const std::uint8_t*, kVectorBytes>;
  std::array<Lanes, kMemoryBlocks> blocks;
  std::array<Lanes, kTableBanks> banks;
  const std::uint64_t* program;
};

}  // namespace lutra
