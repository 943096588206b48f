// Host writes to data memories during a running program, at the place in the program's order where they take effect.
//
// The simulator executes an instruction as a whole when it retires, in cycle r. The core reads its rows in AG, `delay`
// cycles before, and stores in r. A write granted in cycle g therefore comes before the first instruction with
// r > g + delay, and stores in the cycles between g and that one overwrite it (docs/microarchitecture.md,
// "Pipeline").
#pragma once

#include <algorithm>
#include <array>
#include <deque>

#include "machine.hpp"

namespace lutra::uvm {

class HostWrites {
 public:
  HostWrites(Machine& machine, std::uint64_t delay) : machine_(machine), delay_(delay) {}

  void write(std::uint64_t clock, Space space, std::size_t offset, const Vec& row) {
    waiting_.push_back({clock, space, offset, row, 0xffff});
  }

  // Before the simulator executes what retires in this cycle.
  void take_effect(std::uint64_t clock) {
    for (; !waiting_.empty() && clock > waiting_.front().clock + delay_; waiting_.pop_front()) apply(waiting_.front());
  }

  void take_effect() {
    for (; !waiting_.empty(); waiting_.pop_front()) apply(waiting_.front());
  }

  // After the simulator has executed what retires in this cycle.
  void stored(std::uint64_t clock, const Retire& r) {
    if (!r.store_en) return;
    for (Write& w : waiting_)
      if (w.clock < clock && (kSpaceBlocks[r.store_space] & kSpaceBlocks[static_cast<std::size_t>(w.space)]))
        for (std::size_t i = 0; i < kVectorBytes; ++i) {
          const std::size_t at = r.store_address + i - w.offset;  // a large number if it is below the row
          if (((r.store_lanes >> i) & 1) && at < kVectorBytes) w.lanes &= static_cast<std::uint16_t>(~(1u << at));
        }
  }

  // Bytes that are already in the core's memory but not yet in the simulator's.
  void overlay(Space space, std::size_t offset, Vec& row) const {
    for (const Write& w : waiting_)
      if (w.space == space && w.offset == offset) merge(w, row);
  }

 private:
  struct Write {
    std::uint64_t clock;
    Space space;
    std::size_t offset;
    Vec row;
    std::uint16_t lanes;  // bytes not overwritten since
  };

  static void merge(const Write& w, Vec& row) {
    for (std::size_t i = 0; i < row.size(); ++i)
      if ((w.lanes >> i) & 1) row[i] = w.row[i];
  }

  void apply(const Write& w) {
    Vec row;
    const auto now = machine_.peek(w.space, w.offset, row.size());
    std::copy(now.begin(), now.end(), row.begin());
    merge(w, row);
    machine_.poke(w.space, w.offset, row);
  }

  Machine& machine_;
  std::uint64_t delay_;
  std::deque<Write> waiting_;
};

}  // namespace lutra::uvm
