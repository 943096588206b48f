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
  static constexpr bool kKnowsNext = false;            // what is in ID is not what retires next
  static constexpr bool kTakesWrites = false;          // while it runs: its clock would go on

  explicit RtlTarget(RtlMachine& machine)
      : machine_(machine), retired_(std::make_shared<RetiredRegisters>(machine.core())) {
    machine_.observe(retired_);
  }
  ~RtlTarget() { machine_.ignore(*retired_); }
  RtlTarget(const RtlTarget&) = delete;
  RtlTarget& operator=(const RtlTarget&) = delete;

  RtlMachine& machine() { return machine_; }
  const RtlMachine& machine() const { return machine_; }
  Saved save() const { return {machine_.core().save(), retired_->save()}; }
  void restore(const Saved& saved) {
    machine_.core().restore(saved.core);
    retired_->restore(saved.past);
  }
  bool step(Retire& record) { return machine_.step(record); }
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
  std::shared_ptr<RetiredRegisters> retired_;
};

}  // namespace lutra
