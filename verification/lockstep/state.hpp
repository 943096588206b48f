// The whole state of simulator and core, compared: registers, data memories, table banks, program memory.
#pragma once

#include <string>
#include <vector>

#include "machine.hpp"
#include "memories.hpp"

namespace lutra {

// A line for every register and the first row of every memory that is not the same; empty where all are.
std::vector<std::string> state_differences(const Machine& iss, const Registers& rtl, const Memories& memories);

}  // namespace lutra
