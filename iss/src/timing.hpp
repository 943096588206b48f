// The cycle of issue: the interlock of docs/microarchitecture.md as times instead of pipeline stages.
#pragma once

#include <algorithm>
#include <array>

#include "counts.hpp"
#include "lutra_hazards.hpp"

namespace lutra {

static_assert(kStageX1[0] == kStageX1[1]);

class Timing {
 public:
  explicit Timing(int rounds) : distance_(kDistance[rounds - 1]), retire_stage_(kRetireStage[rounds - 1]) {}

  // Starts in the first cycle of state running, in which the entry is fetched.
  void start() { *this = Timing(distance_, retire_stage_); }

  void resume() { earliest_ = cycles_ + 1; }

  // Issue of an instruction that the decoder knows, stalls accounted.
  template <class Encodings>
  [[gnu::always_inline]] void issue(const Encodings& e, const Decoded& d) {
    std::uint64_t need = earliest_;
    each_need(e, d, [&need](Stall, std::uint64_t ready) { need = std::max(need, ready); });
    if (need > earliest_) account(e, d, need);
    issue_at(need);
  }

  // A trap that no operand can delay.
  void issue_trap() { issue_at(earliest_); }

  // The results of an instruction are in flight from its issue on.
  template <class Encodings>
  [[gnu::always_inline]] void write(const Encodings& e, const Decoded& d) {
    hazard::each_write(e, d, [this](Stall cause, hazard::Access access, std::size_t cell) {
      if (hazard::can_stall(cause))
        ready_[hazard::place(cause, access, cell)] =
            issued_ + static_cast<std::uint64_t>(distance_[static_cast<std::size_t>(cause)]);
    });
  }

  void taken() {
    earliest_ = issued_ + 1 + kTakenBubbles;
    stalls_[static_cast<int>(Stall::Transfer)] += kTakenBubbles;
  }

  // A loop is entered; the instruction after the REPEAT needs its entry immediately.
  void entered() {
    earliest_ += kEntryBubbles;
    stalls_[static_cast<int>(Stall::Transfer)] += kEntryBubbles;
  }

  // The counters, which wrap as the core's do.
  std::uint64_t retired() const {
    return wrapped(before_ + issued_ + static_cast<std::uint64_t>(retire_stage_), kPerfBits);
  }
  std::uint64_t cycles() const { return wrapped(before_ + cycles_, kPerfBits); }
  std::array<std::uint64_t, kStallCauses> stalls() const {
    auto stalls = stalls_;
    for (auto& s : stalls) s = wrapped(s, kStallBits);
    return stalls;
  }

  // When the last instruction that issued is in X1, the same stage with one round and with two.
  std::uint64_t in_x1() const { return issued_ + static_cast<std::uint64_t>(kStageX1[0]); }

  // Cycles since start.
  std::uint64_t elapsed() const { return cycles_; }

  // Adds to the counts.
  void add(std::uint64_t cycles, const std::array<std::uint64_t, kStallCauses>& stalls) {
    before_ += cycles;
    for (std::size_t i = 0; i < stalls.size(); ++i) stalls_[i] += stalls[i];
  }

 private:
  friend struct Translated;
  friend class Memo;
  Timing(const int* distance, int retire_stage) : distance_(distance), retire_stage_(retire_stage) {}

  // Calls need(cause, cycle) for every cause, with the cycle until which the instruction waits.
  template <class Encodings, class Need>
  [[gnu::always_inline]] void each_need(const Encodings& e, const Decoded& d, const Need& need) const {
    hazard::each_read(e, d, [&](Stall cause, hazard::Access access, std::size_t cell) {
      if (hazard::can_stall(cause)) need(cause, ready_[hazard::place(cause, access, cell)]);
    });
  }
  void issue_at(std::uint64_t t) {
    issued_ = t;
    earliest_ = t + 1;
    cycles_ = t + static_cast<std::uint64_t>(retire_stage_) + 1;
  }

  // Every stall cycle counts under the first cause that holds in it.
  template <class Encodings>
  [[gnu::noinline]] void account(const Encodings& e, const Decoded& d, std::uint64_t until) {
    std::array<std::uint64_t, kStallCauses> ready{};
    each_need(e, d, [&ready](Stall cause, std::uint64_t cycle) {
      auto& r = ready[static_cast<std::size_t>(cause)];
      r = std::max(r, cycle);
    });
    for (std::uint64_t t = earliest_; t < until; ++t)
      ++stalls_[static_cast<std::size_t>(
          std::find_if(ready.begin(), ready.end(), [t](std::uint64_t r) { return r > t; }) - ready.begin())];
  }

  const int* distance_;
  int retire_stage_;
  std::uint64_t earliest_ = 1, issued_ = 0, cycles_ = 0;
  std::uint64_t before_ = 0;                            // counted before the program's own cycles
  std::array<std::uint64_t, hazard::kPlaces> ready_{};  // by hazard and cell
  std::array<std::uint64_t, kStallCauses> stalls_{};
};

}  // namespace lutra
