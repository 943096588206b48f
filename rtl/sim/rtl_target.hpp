// The core as the target of a timeline.
#pragma once

#include <memory>

#include "retired_registers.hpp"
#include "rtl_machine.hpp"

namespace lutra {

class RtlTarget {
 public:
  using Machine = RtlMachine;
  struct Saved {
    std::vector<std::uint8_t> core;
    RetiredRegisters::Past past;
  };
  static constexpr std::uint64_t kInterval = 1 << 10;  // instructions between checkpoints at first
  static constexpr std::uint64_t kSlice = 1 << 14;     // instructions in much less than a second
  static constexpr bool kKnowsNext = false;            // the instruction in ID is not the next to retire
  static constexpr bool kTakesWrites = false;          // while it runs, since its clock would continue

  // Longer than any chain of hazards can hold an instruction back.
  static constexpr int kSilence = 64;

  explicit RtlTarget(RtlMachine& machine)
      : machine_(machine), unobserved_(machine), retired_(std::make_shared<RetiredRegisters>(machine.core())) {
    machine_.observe(retired_);
  }

  RtlMachine& machine() { return machine_; }
  const RtlMachine& machine() const { return machine_; }
  Saved save() const { return {machine_.core().save(), retired_->save()}; }
  void restore(const Saved& saved) {
    machine_.core().restore(saved.core);
    retired_->restore(saved.past);
  }
  bool step(Retire& record) {
    for (int silence = 0; machine_.state() == CoreState::Running; ++silence) {
      if (machine_.clock(record)) return true;
      if (silence == kSilence) throw HostError("the core runs and retires nothing; engine cosim shows the difference");
    }
    return false;
  }
  bool diverged() const { return false; }
  Registers registers() const { return retired_->registers(); }
  void set_registers(const Registers&) {
    throw HostError("the core's registers are set by its own instructions; set them on engine iss");
  }
  std::vector<std::uint8_t> read(Space space, std::size_t offset, std::size_t length) const {
    return machine_.contents(space, offset, length);
  }

 private:
  RtlMachine& machine_;
  Unobserved unobserved_;
  std::shared_ptr<RetiredRegisters> retired_;
};

}  // namespace lutra
