// Differences of two stops as the lock-step reports them, for test_stop_difference.py: one line each.
#include <cstdio>

#include "stop.hpp"

int main() {
  using namespace lutra;
  const Stop same{CoreState::Halted, Trap::None, 0x12, 40, 30, std::vector<std::uint64_t>(kStallCauses)};
  const auto report = [&same](const auto& change) {
    Stop other = same;
    change(other);
    std::puts(difference(same, other).c_str());
  };
  report([](Stop&) {});
  report([](Stop& s) { s.state = CoreState::Trapped; });
  report([](Stop& s) { s.trap = Trap::CallUnderflow; });
  report([](Stop& s) { s.trap = static_cast<Trap>(15); });
  report([](Stop& s) { s.pc = 0x13; });
  report([](Stop& s) { s.cycles = 41; });
  report([](Stop& s) { s.instructions = 29; });
  for (std::size_t i = 0; i < kStallCauses; ++i) report([i](Stop& s) { s.stalls[i] = i + 1; });
}
