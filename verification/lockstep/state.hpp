// The whole state of simulator and core, compared: registers, data memories, table banks, program memory.
#pragma once

#include <string>
#include <vector>

#include "machine.hpp"
#include "memories.hpp"

namespace lutra {

// One line per register that differs, and the first row of every memory that differs; empty if all are equal.
std::vector<std::string> state_differences(const Machine& iss, const Registers& rtl, const Memories& memories);

}  // namespace lutra
