// Values of the performance counters.
#pragma once

#include <array>
#include <cstdint>

#include "lutra_isa.hpp"

namespace lutra {

// They wrap.
inline std::uint64_t wrapped(std::uint64_t count, int bits) { return count & ((std::uint64_t{1} << bits) - 1); }

struct Counts {
  std::uint64_t cycles, instructions;
  std::array<std::uint64_t, kStallCauses> stalls;  // by cause
};

}  // namespace lutra
