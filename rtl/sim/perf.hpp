// Addresses of a core's performance counters in its Verilator model, and of what faults flip (state.vlt makes them
// public).
#pragma once

#include <verilated.h>

#include <string>

#include "counts.hpp"

namespace lutra::verilated {

// A register in the model, as words, the least significant first. Throws std::logic_error where there is none.
EData* find_words(const VerilatedContext& context, const std::string& scope, const char* name);

struct Perf {
  QData* cycles = nullptr;
  QData* instructions = nullptr;
  EData* stalls = nullptr;  // by cause

  void add(const Counts& more) const;
};

// core: the hierarchical name of the instance. Throws std::logic_error where it has no such counters (PERF_STALLS = 0).
Perf find_perf(const VerilatedContext& context, const std::string& core);

}  // namespace lutra::verilated
