// The comparison of simulator and RTL.
#include "lockstep.hpp"

#include <algorithm>

namespace lutra {

void Lockstep::reset() {
  iss_.reset();
  retired_ = 0;
  divergence_.reset();
}

void Lockstep::start(std::uint16_t pc) {
  retired_ = 0;
  iss_.start(pc);
}

bool Lockstep::diverged(std::string what, std::optional<Retire> iss, std::optional<Retire> rtl) {
  divergence_ = Divergence{std::move(what), iss, rtl};
  return false;
}

bool Lockstep::retired(const Retire& rtl) {
  Retire expected;
  if (!iss_.step(expected)) return diverged("the RTL retires an instruction, the simulator has stopped", {}, rtl);
  if (!(expected == rtl)) return diverged("the retirements differ", expected, rtl);
  ring_[retired_++ % kHistory] = rtl;
  return true;
}

bool Lockstep::silent() {
  Retire expected;
  if (iss_.step(expected)) return diverged("the RTL retires nothing", expected);
  return diverged("the RTL is running, the simulator has stopped");
}

// After the last retirement: what the host sees, and the counters.
bool Lockstep::stopped(const Stop& rtl) {
  if (iss_.state() != rtl.state) return diverged("the states after the stop differ");
  if (iss_.trap() != rtl.trap) return diverged("the trap codes differ");
  if (iss_.pc() != rtl.pc) return diverged("the program counters of the stop differ");
  if (iss_.cycles() != rtl.cycles) return diverged("the cycle counters differ");
  if (iss_.instructions() != rtl.instructions) return diverged("the instruction counters differ");
  for (std::size_t i = 0; i < rtl.stalls.size(); ++i)
    if (iss_.stalls()[i] != rtl.stalls[i])
      return diverged("the stall counters of cause " + std::to_string(i) + " differ: simulator " +
                      std::to_string(iss_.stalls()[i]) + ", RTL " + std::to_string(rtl.stalls[i]));
  return true;
}

std::vector<Retire> Lockstep::history() const {
  std::vector<Retire> out;
  const std::uint64_t count = std::min<std::uint64_t>(retired_, kHistory);
  for (std::uint64_t i = retired_ - count; i < retired_; ++i) out.push_back(ring_[i % kHistory]);
  return out;
}

}  // namespace lutra
