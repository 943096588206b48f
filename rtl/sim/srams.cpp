// SRAMs by their names in the model.
#include "srams.hpp"

#include <verilated_syms.h>

#include <stdexcept>

namespace lutra::verilated {

namespace {

std::string at(std::size_t i) { return "[" + std::to_string(i) + "]"; }

// The array of an SRAM; T is how Verilator stores an entry of it.
template <class T>
const T* array(const VerilatedContext& context, const std::string& sram) {
  const VerilatedScope* scope = context.scopeFind((sram + ".u_sram").c_str());
  const VerilatedVar* found = scope ? scope->varFind("mem_q") : nullptr;
  if (!found || found->entSize() != sizeof(T)) throw std::logic_error("the model has no memory " + sram);
  return static_cast<const T*>(found->datap());
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

}  // namespace lutra::verilated
