// Shows the checkers what standard input says. A line is the name of a trace (`trace NAME`), or a cycle of it: which
// checker, and the wires in hexadecimal. Prints the names again, so that each broken rule comes after its trace.

#include <cstdint>
#include <cstdio>
#include <iostream>
#include <string>

#include "Vchecker_bench.h"
#include "verilated.h"

namespace {

constexpr std::size_t word_digits = 8;

void set_wires(Vchecker_bench& bench, const std::string& digits) {
  const std::size_t words = sizeof(bench.wires_i) / sizeof(EData);
  std::size_t end = digits.size();
  for (std::size_t i = 0; i < words; i++) {
    const std::size_t count = end < word_digits ? end : word_digits;
    end -= count;
    bench.wires_i[i] = count == 0 ? 0 : static_cast<EData>(std::stoul(digits.substr(end, count), nullptr, 16));
  }
}

void clock(VerilatedContext& context, Vchecker_bench& bench) {
  bench.clk_i = 0;
  bench.eval();
  context.timeInc(1);
  bench.clk_i = 1;
  bench.eval();
}

}  // namespace

int main() {
  VerilatedContext context;
  // A broken rule is a result here, not the end.
  context.errorLimit(INT32_MAX);
  Vchecker_bench bench{&context};
  std::string which;
  std::string rest;
  while (std::cin >> which >> rest) {
    if (which == "trace") {
      std::printf("trace %s\n", rest.c_str());
      set_wires(bench, "");
      for (int i = 0; i < 2; i++) clock(context, bench);
      continue;
    }
    bench.which_i = static_cast<CData>(std::stoul(which));
    set_wires(bench, rest);
    clock(context, bench);
  }
  bench.final();
  return 0;
}
