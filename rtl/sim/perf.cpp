// Performance counters by their names in the model.
#include "perf.hpp"

#include <verilated_syms.h>

#include <stdexcept>

namespace lutra::verilated {

namespace {

static_assert(kPerfBits > 32 && kStallBits == 32, "Verilator stores the counters in other words");

template <class T>
T* variable(const VerilatedContext& context, const std::string& scope, const char* name) {
  const VerilatedScope* in = context.scopeFind(scope.c_str());
  const VerilatedVar* found = in ? in->varFind(name) : nullptr;
  if (!found) throw std::logic_error("the model has no register " + scope + "." + name);
  return static_cast<T*>(found->datap());
}

}  // namespace

void Perf::add(const Counts& more) const {
  *cycles = wrapped(*cycles + more.cycles, kPerfBits);
  *instructions = wrapped(*instructions + more.instructions, kPerfBits);
  for (std::size_t i = 0; i < more.stalls.size(); ++i) stalls[i] += static_cast<EData>(more.stalls[i]);
}

EData* find_words(const VerilatedContext& context, const std::string& scope, const char* name) {
  return variable<EData>(context, scope, name);
}

Perf find_perf(const VerilatedContext& context, const std::string& core) {
  const std::string perf = core + ".u_perf";
  return {variable<QData>(context, perf, "cycles_q"), variable<QData>(context, perf, "instructions_q"),
          variable<EData>(context, perf + ".gen_stalls", "stalls_q")};
}

}  // namespace lutra::verilated
