// Simulator and RTL in lock-step: every retirement compared on every effect and on its cycle.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "machine.hpp"
#include "rtl_machine.hpp"

namespace lutra {

// What differed first. Either side may have no record (it did not retire).
struct Divergence {
  std::string what;
  std::optional<Retire> iss, rtl;
};

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

  const std::optional<Divergence>& divergence() const { return divergence_; }
  // Count functional coverage of both sides, each from its own records; before the first start.
  void cover();
  // The RTL's, after comparing: a difference is a divergence. Null where nothing is counted.
  const Coverage* coverage();
  // The last instructions before the divergence, oldest first; both sides agreed on them.
  std::vector<Retire> history() const;
  RtlMachine& rtl() { return *rtl_; }
  const Machine& iss() const { return iss_; }

 private:
  bool diverged(std::string what, std::optional<Retire> iss = {}, std::optional<Retire> rtl = {});
  bool compare_stop();

  static constexpr std::size_t kHistory = 16;
  // Longer than any chain of hazards can hold an instruction back.
  static constexpr int kSilence = 64;

  Machine iss_;
  std::unique_ptr<RtlMachine> rtl_;
  std::array<Retire, kHistory> ring_{};
  std::uint64_t retired_ = 0;
  std::optional<Divergence> divergence_;
  std::unique_ptr<Coverage> rtl_coverage_;
};

}  // namespace lutra
