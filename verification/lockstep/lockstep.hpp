// The comparison of a lock-step: the RTL's retirements step the simulator. It does not depend on what drives the RTL.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "machine.hpp"
#include "memories.hpp"
#include "stop.hpp"

namespace lutra {

// The first difference. Either side may have no record (it did not retire).
struct Divergence {
  std::string what;
  std::optional<Retire> iss, rtl;
  // Differences of the state after a stop, one per line; the records are then equal and those of the stop.
  std::vector<std::string> state{};

  // The record where it happened: the RTL's, if it has one.
  const std::optional<Retire>& at() const { return rtl ? rtl : iss; }
  // The differences of the records, two lines per effect.
  std::vector<std::string> differences() const;
  // Full report, for callers without source locations.
  std::string report() const;
};

class Lockstep {
 public:
  // Maximum of cycles without a retirement in a running core: longer than any chain of hazards holds an instruction.
  static constexpr int kSilence = 64;

  explicit Lockstep(int rounds) : iss_({.rounds = rounds}) {}

  void reset();
  // What a reset has not cleared becomes that of the RTL: instructions in flight may have written it, and at the
  // beginning anything is there.
  void keep(const Registers& rtl);
  void start(std::uint16_t pc);
  void resume() { iss_.resume(); }

  // The RTL's next retirement, its state after the last one, that it runs without retiring. False, with the
  // divergence, when the simulator does something else.
  bool retired(const Retire& rtl);
  bool stopped(const Stop& rtl);
  // Compares the whole state of a stopped core; judges a comparison after what the host has done to it.
  bool same_state(const Registers& rtl, const Memories& memories);
  bool same_after(const std::string& what, std::vector<std::string> differences);
  // If false, only retirements and what the host sees are compared; tests show which bugs only the state reveals.
  void compare_state(bool on) { compares_state_ = on; }
  bool compares_state() const { return compares_state_; }

  // The whole comparison at one time.
  struct Saved {
    Machine::Saved iss;
    std::vector<Retire> history;
    std::uint64_t retired;
    std::optional<Divergence> divergence;
  };
  Saved save() const { return {iss_.save(), {ring_.begin(), ring_.end()}, retired_, divergence_}; }
  void restore(const Saved& saved);

  bool silent();
  // Reports any other difference; returns false.
  bool diverged(std::string what, std::optional<Retire> iss = {}, std::optional<Retire> rtl = {});

  Machine& iss() { return iss_; }
  const Machine& iss() const { return iss_; }
  const std::optional<Divergence>& divergence() const { return divergence_; }
  // The last instructions before the divergence, oldest first; both sides agreed on them.
  std::vector<Retire> history() const;

 private:
  static constexpr std::size_t kHistory = 16;

  Machine iss_;
  std::array<Retire, kHistory> ring_{};
  std::uint64_t retired_ = 0;
  std::optional<Divergence> divergence_;
  bool compares_state_ = true;
};

}  // namespace lutra
