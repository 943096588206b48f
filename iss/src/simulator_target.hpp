// The simulator as the target of a timeline.
#pragma once

#include "machine.hpp"

namespace lutra {

class SimulatorTarget {
 public:
  using Machine = lutra::Machine;
  using Saved = Machine::Saved;
  static constexpr std::uint64_t kInterval = 1 << 14;  // instructions between checkpoints at first
  static constexpr std::uint64_t kSlice = 1 << 20;     // instructions in much less than a second
  static constexpr bool kKnowsNext = true;             // a running machine's pc is that of the next retirement
  static constexpr bool kTakesWrites = true;           // while it runs

  explicit SimulatorTarget(Machine& machine) : machine_(machine), unobserved_(machine) {}

  Machine& machine() { return machine_; }
  const Machine& machine() const { return machine_; }
  Saved save() const { return machine_.save(); }
  void restore(const Saved& saved) { machine_.restore(saved); }
  bool step(Retire& record) { return machine_.step(record); }
  bool diverged() const { return false; }
  Registers registers() const { return machine_.registers(); }
  void set_registers(const Registers& registers) { machine_.set_registers(registers); }
  std::vector<std::uint8_t> read(Space space, std::size_t offset, std::size_t length) const {
    return machine_.read(space, offset, length);
  }

 private:
  Machine& machine_;
  Unobserved unobserved_;
};

}  // namespace lutra
