// A campaign: goes through the run again and again with a fault in every lane, and refills lanes whose fault is done.
#pragma once

#include <functional>
#include <string>

#include "results.hpp"

namespace faults {

struct Campaign {
  const Netlist& netlist;
  const Record& record;
  const Golden& golden;
  const Script& script;
  Results& results;
  std::function<void()> progress;
};

struct Effort {
  std::uint64_t lane_cycles = 0;  // of lanes with a fault
  std::uint64_t cycles = 0;       // of all lanes at a time
  std::uint64_t evaluations = 0;  // of gates
};

// Each is compiled for the instructions that it needs, and gives the same results.
Effort run_64(const Campaign& campaign);
Effort run_256(const Campaign& campaign);
Effort run_512(const Campaign& campaign);

}  // namespace faults
