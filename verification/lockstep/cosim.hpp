// Simulator and RTL in lock-step: every retirement compared on every effect and on its cycle.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lockstep.hpp"
#include "rtl_machine.hpp"

namespace lutra {

class Cosim {
 public:
  explicit Cosim(int rounds);

  // Host access goes to both machines; reads compare.
  void write(Space space, std::size_t offset, std::span<const std::uint8_t> bytes);
  void read(Space space, std::size_t offset, std::span<std::uint8_t> bytes);
  // Writes behind the comparison's back, so that it has something to find: for tests of the lock-step itself.
  void disturb_rtl(Space space, std::size_t offset, std::span<const std::uint8_t> bytes);
  void reset();
  void start(std::uint16_t pc);
  void resume();

  // Until the program stops, `limit` cycles have passed, or the two diverge; false when they did.
  bool run(std::uint64_t limit);
  // To the next retirement. False on divergence or when not running.
  bool step(Retire& record);

  const std::optional<Divergence>& divergence() const { return lockstep_.divergence(); }
  // Count functional coverage of both sides, each from its own records; before the first start.
  void cover();
  // The RTL's, after comparing: a difference is a divergence. Null where nothing is counted.
  const Coverage* coverage();
  std::vector<Retire> history() const { return lockstep_.history(); }
  RtlMachine& rtl() { return *rtl_; }
  const Machine& iss() const { return lockstep_.iss(); }

 private:
  Lockstep lockstep_;
  std::unique_ptr<RtlMachine> rtl_;
  std::unique_ptr<Coverage> rtl_coverage_;
};

}  // namespace lutra
