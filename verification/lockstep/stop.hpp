// The host's view of a stopped machine, and the difference of two of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "retire_text.hpp"

namespace lutra {

struct Stop {
  CoreState state;
  Trap trap;
  std::uint16_t pc;
  std::uint64_t cycles, instructions;
  std::vector<std::uint64_t> stalls;  // by cause
};

// The first difference with both values, codes by name; empty if there is none.
inline std::string difference(const Stop& iss, const Stop& rtl) {
  const auto unlike = [](const std::string& what, const std::string& left, const std::string& right) {
    return what + " differ: simulator " + left + ", RTL " + right;
  };
  if (iss.state != rtl.state)
    return unlike("the states after the stop", Shown::name(kCoreStateNames, iss.state),
                  Shown::name(kCoreStateNames, rtl.state));
  if (iss.trap != rtl.trap)
    return unlike("the trap codes", Shown::name(kTrapNames, iss.trap), Shown::name(kTrapNames, rtl.trap));
  if (iss.pc != rtl.pc)
    return unlike("the program counters of the stop", Shown::address(iss.pc), Shown::address(rtl.pc));
  if (iss.cycles != rtl.cycles)
    return unlike("the cycle counters", Shown::decimal(iss.cycles), Shown::decimal(rtl.cycles));
  if (iss.instructions != rtl.instructions)
    return unlike("the instruction counters", Shown::decimal(iss.instructions), Shown::decimal(rtl.instructions));
  for (std::size_t i = 0; i < rtl.stalls.size(); ++i)
    if (iss.stalls[i] != rtl.stalls[i])
      return unlike("the stall counters of cause " + Shown::name(kStallNames, i), Shown::decimal(iss.stalls[i]),
                    Shown::decimal(rtl.stalls[i]));
  return {};
}

}  // namespace lutra
