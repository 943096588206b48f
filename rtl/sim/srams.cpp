// SRAMs by their names in the model.
#include "srams.hpp"

#include <verilated_syms.h>

#include <stdexcept>

namespace lutra::verilated {

namespace {

std::string at(std::size_t i) { return "[" + std::to_string(i) + "]"; }

// The array of an SRAM; T is how Verilator stores an entry of it.
template <class T>
T* array(const VerilatedContext& context, const std::string& unit, const char* sram = ".u_sram") {
  const VerilatedScope* scope = context.scopeFind((unit + sram).c_str());
  const VerilatedVar* found = scope ? scope->varFind("mem_q") : nullptr;
  if (!found || found->entSize() != sizeof(T)) throw std::logic_error("the model has no memory " + unit + sram);
  return static_cast<T*>(found->datap());
}

Memories::Lanes lanes(const VerilatedContext& context, const std::string& memory) {
  Memories::Lanes found;
  for (std::size_t l = 0; l < found.size(); ++l) found[l] = array<std::uint8_t>(context, memory + ".gen_lane" + at(l));
  return found;
}

}  // namespace

Memories find_memories(const VerilatedContext& context, const std::string& core) {
  const std::string memories = core + ".u_memories";
  Memories m;
  for (std::size_t b = 0; b < m.blocks.size(); ++b)
    m.blocks[b] = lanes(context, memories + ".gen_memory" + at(b) + ".u_memory");
  for (std::size_t t = 0; t < m.banks.size(); ++t)
    m.banks[t] = lanes(context, memories + ".gen_table" + at(t) + ".u_table");
  m.program = array<std::uint64_t>(context, memories + ".u_program");
  return m;
}

void flip_memory(const VerilatedContext& context, const std::string& core, const Fault& fault) {
  const std::string memories = core + ".u_memories";
  const Space space = space_of(fault);
  if (space == Space::Program) {
    if (fault.shadow)
      array<std::uint8_t>(context, memories + ".u_program", ".gen_check.u_check")[fault.word] ^=
          static_cast<std::uint8_t>(fault.mask);
    else
      array<std::uint64_t>(context, memories + ".u_program")[fault.word] ^= fault.mask;
    return;
  }
  const auto code = static_cast<std::size_t>(space);
  const auto lane = ".gen_lane" + at(fault.word % kVectorBytes);
  std::string unit;
  for (std::size_t b = 0; b < kMemoryBlocks; ++b)
    if (kSpaceBlocks[code] == 1 << b)
      unit = memories + ".gen_memory" + at(b) + ".u_memory" + (fault.shadow ? ".gen_check" : "") + lane;
  for (std::size_t t = 0; t < kTableBanks; ++t)
    if (kSpaceBanks[code] == 1 << t)
      unit = memories + ".gen_table" + at(t) + ".u_table" + lane + (fault.shadow ? ".gen_check" : "");
  array<std::uint8_t>(context, unit, fault.shadow ? ".u_check" : ".u_sram")[fault.word / kVectorBytes] ^=
      static_cast<std::uint8_t>(fault.mask);
}

}  // namespace lutra::verilated
