// The comparison of simulator and RTL.
#include "lockstep.hpp"

#include <algorithm>

#include "state.hpp"
#include "state_text.hpp"

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

void Lockstep::restore(const Saved& saved) {
  iss_.restore(saved.iss);
  std::copy(saved.history.begin(), saved.history.end(), ring_.begin());
  retired_ = saved.retired;
  divergence_ = saved.divergence;
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

std::vector<std::string> Divergence::differences() const {
  if (!state.empty()) return state;
  return iss && rtl ? lutra::differences(*iss, *rtl) : std::vector<std::string>();
}

std::string Divergence::report() const {
  std::string lines = what;
  if (at()) lines += "\n  at " + text(*at());
  for (const std::string& line : differences()) lines += "\n  " + line;
  return lines;
}

namespace {

std::vector<std::uint64_t> counted(const std::array<std::uint64_t, kStallCauses>& stalls) {
  return {stalls.begin(), stalls.end()};
}

}  // namespace

// After the last retirement: what the host sees, and the counters.
bool Lockstep::stopped(const Stop& rtl) {
  // Instructions after a fault were in the core already, and may have waited there.
  const auto stalls = iss_.state() == CoreState::Faulted ? rtl.stalls : counted(iss_.stalls());
  const std::string what =
      difference({iss_.state(), iss_.trap(), iss_.pc(), iss_.cycles(), iss_.instructions(), stalls}, rtl);
  return what.empty() || diverged(what);
}

bool Lockstep::same_state(const Registers& rtl, const Memories& memories) {
  if (!compares_state_) return true;
  auto lines = state_differences(iss_, rtl, memories);
  if (lines.empty()) return true;
  const Retire& last = ring_[(retired_ - 1) % kHistory];
  const std::string how =
      last.trap ? "trap " + Shown::trap_name(last.trap) : Shown::name(kCoreStateNames, iss_.state());
  divergence_ = Divergence{"the states differ after the stop: " + how, last, last, std::move(lines)};
  return false;
}

bool Lockstep::same_after_reset(const Registers& rtl) {
  if (!compares_state_ || iss_.registers() == rtl) return true;
  divergence_ = Divergence{"the states differ after reset", {}, {}, lutra::differences(iss_.registers(), rtl)};
  return false;
}

std::vector<Retire> Lockstep::history() const {
  std::vector<Retire> out;
  const std::uint64_t count = std::min<std::uint64_t>(retired_, kHistory);
  // The stop itself retired alike; the report is about the state after it.
  const std::uint64_t end = retired_ - (divergence_ && divergence_->at() && !divergence_->state.empty());
  for (std::uint64_t i = retired_ - count; i < end; ++i) out.push_back(ring_[i % kHistory]);
  return out;
}

}  // namespace lutra
