// Runs a system until its program ends: Vlutra_system [+cycles=LIMIT] +ram=FILE [+round_trip=L] ...
// Exit codes: 0 after $finish, 3 at the limit.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "Vlutra_system.h"
#include "verilated.h"

int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);  // a reader follows the program
  VerilatedContext context;
  context.commandArgs(argc, argv);
  Vlutra_system system{&context};
  const char* given = context.commandArgsPlusMatch("cycles=");
  const unsigned long long limit = *given != '\0' ? std::strtoull(std::strchr(given, '=') + 1, nullptr, 10) : ~0ULL;

  // With an edge, since flip-flops behind a gated clock see nothing else of a reset.
  system.rst_ni = 1;
  system.eval();
  system.rst_ni = 0;
  for (unsigned long long cycle = 0; cycle < limit && !context.gotFinish(); cycle++) {
    system.clk_i = 0;
    system.eval();
    if (cycle == 4) system.rst_ni = 1;
    system.clk_i = 1;
    system.eval();
    context.timeInc(1);
  }
  system.final();
  if (context.gotFinish()) return 0;
  std::fprintf(stderr, "error: the program has not ended after %llu cycles\n", limit);
  return 3;
}
