// Stop conditions of a run on a timeline, and the reason of a stop.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "cells.hpp"

namespace lutra {

enum class Why : std::uint8_t {
  Break,
  Touch,
  Depth,
  Notify,
  Trap,
  Halt,
  Wait,
  Limit,
  Divergence,
  Start,  // the beginning of the timeline
  Idle,
};
inline constexpr std::array<const char*, 11> kWhyNames{"break", "touch", "depth",      "notify", "trap", "halt",
                                                       "wait",  "limit", "divergence", "start",  "idle"};

struct Stops {
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();  // instructions
  std::uint64_t since = 0;              // the time at which the run began, of which this may be a slice
  std::vector<std::uint16_t> breaks{};  // an instruction at one of these is next
  std::vector<std::size_t> touches{};   // cells
  int depth = -1;                       // greatest number of active calls, -1 for any
  bool notify = false;
};

// Whether an instruction stops the machine.
inline std::optional<Why> stopped(const Retire& r) {
  if (r.trap) return Why::Trap;
  if (r.halt_en) return Why::Halt;
  if (r.wait_en) return Why::Wait;
  return {};
}

// Why a machine is stopped.
inline Why standing(CoreState state) {
  switch (state) {
    case CoreState::Halted:
      return Why::Halt;
    case CoreState::Waiting:
      return Why::Wait;
    case CoreState::Trapped:
    case CoreState::Faulted:
      return Why::Trap;
    default:
      return Why::Idle;
  }
}

// The cells and program addresses that are looked for now.
class Watch {
 public:
  bool hit = false;  // one of the cells was touched since this was false

  void touch(std::size_t cell) { hit |= cells_[cell]; }
  bool at(std::uint16_t pc) const { return pc < kProgramWords && addresses_[pc]; }

  // For as long as it lives.
  class For {
   public:
    For(Watch& watch, const Stops& stops) : watch_(watch), stops_(stops) { set(true); }
    ~For() { set(false); }
    For(const For&) = delete;
    For& operator=(const For&) = delete;

   private:
    void set(bool on) {
      for (const std::size_t cell : stops_.touches) watch_.cells_.at(cell) = on;
      for (const std::uint16_t pc : stops_.breaks)
        if (pc < kProgramWords) watch_.addresses_[pc] = on;
    }

    Watch& watch_;
    const Stops& stops_;
  };

 private:
  std::array<bool, Cells::kCount> cells_{};
  std::array<bool, kProgramWords> addresses_{};
};

}  // namespace lutra
