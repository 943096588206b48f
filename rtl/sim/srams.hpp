// Addresses of a core's SRAMs in its Verilator model (state.vlt makes them public).
#pragma once

#include <verilated.h>

#include <string>

#include "fault.hpp"
#include "memories.hpp"

namespace lutra::verilated {

// core: the hierarchical name of the instance. Throws std::logic_error where it has no such memories.
Memories find_memories(const VerilatedContext& context, const std::string& core);
void flip_memory(const VerilatedContext& context, const std::string& core, const Fault& fault);

}  // namespace lutra::verilated
