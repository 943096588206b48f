// Cycles of whole blocks. What an interlock makes of a block depends on its state relative to the next issue only, and
// few such states occur; each pair of block and state is worked out once, by Timing.
#pragma once

#include <vector>

#include "timing.hpp"
#include "translate/run.hpp"

namespace lutra {

class Memo {
 public:
  // The interlock relative to the earliest next issue.
  struct State {
    std::array<std::uint8_t, hazard::kPlaces> ready{};
    std::uint8_t since_issue = 0;
    bool operator==(const State&) const = default;
  };
  static constexpr std::uint64_t kTooMany = ~std::uint64_t{0};

  // The number of a state among those of a block; kTooMany where kStates are known already.
  static std::uint64_t number(std::vector<State>& states, const Timing& timing);

  // Makes `timing`, whose earliest issue is right, that of a state.
  static void apply(const State& state, Timing& timing);

  static std::uint64_t earliest(const Timing& timing) { return timing.earliest_; }
  static void add_stalls(Timing& timing, const std::array<std::uint64_t, kStallCauses>& stalls, std::uint64_t times);
  static std::array<std::uint64_t, kStallCauses> all_stalls(const Timing& timing) { return timing.stalls_; }
};

}  // namespace lutra
