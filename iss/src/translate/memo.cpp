// States of the interlock.
#include "translate/memo.hpp"

#include <algorithm>
#include <cassert>

namespace lutra {

std::uint64_t Memo::number(std::vector<State>& states, const Timing& timing) {
  State state;
  for (std::size_t i = 0; i < state.ready.size(); ++i)
    if (timing.ready_[i] > timing.earliest_) {
      const std::uint64_t wait = timing.ready_[i] - timing.earliest_;
      assert(wait < 256);
      state.ready[i] = static_cast<std::uint8_t>(wait);
    }
  const std::uint64_t since = timing.earliest_ - timing.issued_;
  if (since > 255) return kTooMany;
  state.since_issue = static_cast<std::uint8_t>(since);
  const auto found = std::find(states.begin(), states.end(), state);
  if (found == states.end()) {
    if (states.size() == kStates) return kTooMany;
    states.push_back(state);
    return states.size() - 1;
  }
  return static_cast<std::uint64_t>(found - states.begin());
}

void Memo::apply(const State& state, Timing& timing) {
  for (std::size_t i = 0; i < state.ready.size(); ++i) timing.ready_[i] = timing.earliest_ + state.ready[i];
  timing.issued_ = timing.earliest_ - state.since_issue;
  timing.cycles_ = timing.issued_ + static_cast<std::uint64_t>(timing.retire_stage_) + 1;
}

void Memo::add_stalls(Timing& timing, const std::array<std::uint64_t, kStallCauses>& stalls, std::uint64_t times) {
  for (std::size_t i = 0; i < stalls.size(); ++i) timing.stalls_[i] += times * stalls[i];
}

}  // namespace lutra
