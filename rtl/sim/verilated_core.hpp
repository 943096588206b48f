// The core as Verilator compiles it.
#pragma once

#include <memory>
#include <string>

#include "core.hpp"

namespace lutra::verilated {

// With ROUNDS_PER_INSTR 1 or 2, after reset. Throws HostError for others.
std::unique_ptr<Core> make_core(int rounds_per_instr);

// Whether lines, toggles and expressions are counted (LUTRA_RTL_COVERAGE); what all cores of the process have counted,
// in files STEM-N.dat of Verilator's format.
bool counting();
void write_counts(const std::string& stem);

}  // namespace lutra::verilated
