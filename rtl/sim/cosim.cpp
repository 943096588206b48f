// Lock-step of simulator and RTL.
#include "cosim.hpp"

#include "rtl_access.hpp"

#include <algorithm>

namespace lutra {

Cosim::Cosim(int rounds) : iss_({.rounds = rounds}), rtl_(RtlMachine::make(rounds)) { reset(); }

void Cosim::cover() {
  const Config& c = iss_.config();
  iss_.cover();
  rtl_coverage_ = std::make_unique<Coverage>(c.rounds, c.memory_rows, c.program_words);
}

const Coverage* Cosim::coverage() {
  if (rtl_coverage_ && !divergence_ && !(*iss_.coverage() == *rtl_coverage_))
    diverged("the functional coverage differs");
  return rtl_coverage_.get();
}

void Cosim::reset() {
  if (rtl_coverage_) rtl_coverage_->reset(rtl_->state());
  iss_.reset();
  rtl_->reset();
  retired_ = 0;
  divergence_.reset();
}

void Cosim::write(Space space, std::size_t offset, std::span<const std::uint8_t> bytes) {
  iss_.write(space, offset, bytes);
  write_bytes(*rtl_, space, offset, bytes);
}

void Cosim::disturb_rtl(Space space, std::size_t offset, std::span<const std::uint8_t> bytes) {
  write_bytes(*rtl_, space, offset, bytes);
}

void Cosim::read(Space space, std::size_t offset, std::span<std::uint8_t> bytes) {
  std::vector<std::uint8_t> expected(bytes.size());
  iss_.read(space, offset, expected);
  read_bytes(*rtl_, space, offset, bytes);
  const auto at = std::mismatch(expected.begin(), expected.end(), bytes.begin()).first;
  if (at != expected.end() && !divergence_)
    diverged("memory contents differ at byte " +
             std::to_string(offset + static_cast<std::size_t>(at - expected.begin())));
}

void Cosim::start(std::uint16_t pc) {
  retired_ = 0;
  if (rtl_coverage_) rtl_coverage_->start(rtl_->state());
  iss_.start(pc);
  rtl_->start(pc);
}

void Cosim::resume() {
  if (rtl_coverage_) rtl_coverage_->resume();
  iss_.resume();
  rtl_->resume();
}

bool Cosim::diverged(std::string what, std::optional<Retire> iss, std::optional<Retire> rtl) {
  divergence_ = Divergence{std::move(what), iss, rtl};
  return false;
}

// After the last retirement: what the host sees, and the counters.
bool Cosim::compare_stop() {
  if (iss_.state() != rtl_->state()) return diverged("the states after the stop differ");
  if (iss_.trap() != rtl_->trap()) return diverged("the trap codes differ");
  if (iss_.pc() != rtl_->pc()) return diverged("the program counters of the stop differ");
  if (iss_.cycles() != rtl_->cycles()) return diverged("the cycle counters differ");
  if (iss_.instructions() != rtl_->instructions()) return diverged("the instruction counters differ");
  for (int i = 0; i < kStallCauses; ++i)
    if (iss_.stalls()[static_cast<std::size_t>(i)] != rtl_->stalls()[static_cast<std::size_t>(i)])
      return diverged("the stall counters of cause " + std::to_string(i) + " differ: simulator " +
                      std::to_string(iss_.stalls()[static_cast<std::size_t>(i)]) + ", RTL " +
                      std::to_string(rtl_->stalls()[static_cast<std::size_t>(i)]));
  return true;
}

bool Cosim::step(Retire& record) {
  if (divergence_ || rtl_->state() != CoreState::Running) return false;
  for (int silence = 0; !rtl_->step(record); ++silence) {
    if (silence == kSilence) {
      Retire expected;
      if (iss_.step(expected)) return diverged("the RTL retires nothing", expected);
      return diverged("the RTL is running, the simulator has stopped");
    }
    if (rtl_->state() != CoreState::Running) return diverged("the RTL has stopped without retiring what stopped it");
  }
  Retire expected;
  if (!iss_.step(expected)) return diverged("the RTL retires an instruction, the simulator has stopped", {}, record);
  if (!(expected == record)) return diverged("the retirements differ", expected, record);
  if (rtl_coverage_) rtl_coverage_->retire(record);
  ring_[retired_++ % kHistory] = record;
  if (iss_.state() == CoreState::Running) return true;
  // The state changes behind the retirement.
  Retire surplus;
  for (int i = 0; i < 2 && rtl_->state() == CoreState::Running; ++i)
    if (rtl_->step(surplus)) return diverged("the RTL retires an instruction behind the stop", {}, surplus);
  return compare_stop();
}

bool Cosim::run(std::uint64_t limit) {
  Retire record;
  while (rtl_->state() == CoreState::Running && rtl_->cycles() < limit)
    if (!step(record)) return false;
  return true;
}

std::vector<Retire> Cosim::history() const {
  std::vector<Retire> out;
  const std::uint64_t count = std::min<std::uint64_t>(retired_, kHistory);
  for (std::uint64_t i = retired_ - count; i < retired_; ++i) out.push_back(ring_[i % kHistory]);
  return out;
}

}  // namespace lutra
