// The host's view of a machine's memories: what simulator and RTL have in common.
#pragma once

#include <cstddef>
#include <stdexcept>

#include "lutra_isa.hpp"

namespace lutra {

// A host request that no machine can fulfil.
struct HostError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Size of a space in bytes; a program word has eight.
inline std::size_t space_bytes(Space space, int program_words = kProgramWords, int memory_rows = kMemoryRows) {
  if (space == Space::Program) return static_cast<std::size_t>(program_words) * sizeof(std::uint64_t);
  const auto code = static_cast<std::size_t>(space);
  if (code >= kSpaceBlocks.size()) throw HostError("no such memory space");
  return static_cast<std::size_t>(kSpaceBlocks[code] ? memory_rows : kTableRows) * kVectorBytes;
}

inline void check_access(std::size_t size, std::size_t offset, std::size_t length) {
  if (offset > size || length > size - offset) throw HostError("access beyond the memory space");
}

}  // namespace lutra
