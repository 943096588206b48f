// Simulator and RTL in lock-step: every retirement compared on every effect and on its cycle, and the whole state after
// every stop and reset.
#pragma once

#include <optional>
#include <vector>

#include "lockstep.hpp"
#include "rtl_machine.hpp"

namespace lutra {

// Host access and control go to both machines; the host sees the RTL's answers.
class Cosim {
 public:
  explicit Cosim(RtlMachine& rtl);

  void write(Space space, std::size_t offset, std::span<const std::uint8_t> bytes);
  // Compares as well.
  std::vector<std::uint8_t> read(Space space, std::size_t offset, std::size_t length);
  std::size_t size(Space space) const { return rtl_.size(space); }
  void reset();
  void start(std::uint16_t pc);
  void resume();
  void inject(const Fault& fault) {
    iss().inject(fault);
    rtl_.inject(fault);
  }
  bool alert() const { return rtl_.alert(); }
  void clear_alert() {
    iss().clear_alert();
    rtl_.clear_alert();
  }

  // Until the program stops, `limit` cycles have passed, or the two diverge; returns how many instructions have
  // retired.
  std::uint64_t run(std::uint64_t limit);
  // Runs to the next retirement. False on divergence or when not running.
  bool step(Retire& record) { return advance(record) && !divergence(); }
  // The same, and true where the core has retired an instruction on which the two diverge.
  bool advance(Retire& record);

  CoreState state() const { return rtl_.state(); }
  Trap trap() const { return rtl_.trap(); }
  std::uint16_t pc() const { return rtl_.pc(); }
  std::uint8_t notified() const { return rtl_.notified(); }
  std::uint64_t cycles() const { return rtl_.cycles(); }
  std::uint64_t instructions() const { return rtl_.instructions(); }
  std::vector<std::uint64_t> stalls() const { return rtl_.stalls(); }
  void add_counts(const Counts& more) {
    iss().add_counts(more);
    rtl_.add_counts(more);
  }

  // While the core runs, the simulator's registers: its last instruction is done.
  Registers registers() const { return state() == CoreState::Running ? lockstep_.iss().registers() : rtl_.registers(); }

  // Current differences; the core must be stopped.
  std::vector<std::string> state_differences() const;
  void compare_state(bool on) { lockstep_.compare_state(on); }
  bool compares_state() const { return lockstep_.compares_state(); }
  const std::optional<Divergence>& divergence() const { return lockstep_.divergence(); }
  std::vector<Retire> history() const { return lockstep_.history(); }

  Machine& iss() { return lockstep_.iss(); }
  RtlMachine& rtl() { return rtl_; }
  Lockstep& lockstep() { return lockstep_; }
  const Lockstep& lockstep() const { return lockstep_; }

 private:
  // After the simulator's last retirement. False where they differ.
  bool compare_stop();

  RtlMachine& rtl_;
  Lockstep lockstep_;
};

}  // namespace lutra
