// The lock-step as a timeline target: both machines and the state of the comparison.
#pragma once

#include "cosim.hpp"
#include "rtl_target.hpp"

namespace lutra {

class CosimTarget {
 public:
  using Machine = Cosim;
  struct Saved {
    RtlTarget::Saved rtl;
    Lockstep::Saved lockstep;
  };
  static constexpr std::uint64_t kInterval = RtlTarget::kInterval;
  static constexpr std::uint64_t kSlice = RtlTarget::kSlice;
  static constexpr bool kKnowsNext = false;
  static constexpr bool kTakesWrites = false;

  explicit CosimTarget(Cosim& machine) : machine_(machine), rtl_(machine.rtl()), unobserved_(machine.iss()) {}

  Cosim& machine() { return machine_; }
  const Cosim& machine() const { return machine_; }
  Saved save() const { return {rtl_.save(), machine_.lockstep().save()}; }
  void restore(const Saved& saved) {
    rtl_.restore(saved.rtl);
    machine_.lockstep().restore(saved.lockstep);
  }
  // An instruction on which the two differ has retired too.
  bool step(Retire& record) { return machine_.advance(record); }
  bool diverged() const { return machine_.divergence().has_value(); }
  Registers registers() const { return rtl_.registers(); }
  void set_registers(const Registers& registers) { rtl_.set_registers(registers); }
  std::vector<std::uint8_t> read(Space space, std::size_t offset, std::size_t length) const {
    return rtl_.read(space, offset, length);
  }

 private:
  Cosim& machine_;
  RtlTarget rtl_;
  Unobserved unobserved_;
};

}  // namespace lutra
