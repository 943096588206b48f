// Lock-step of simulator and RTL.
#include "cosim.hpp"

#include "rtl_access.hpp"

#include <algorithm>

namespace lutra {

Cosim::Cosim(int rounds) : lockstep_(rounds), rtl_(RtlMachine::make(rounds)) { reset(); }

void Cosim::cover() {
  const Config& c = iss().config();
  lockstep_.iss().cover();
  rtl_coverage_ = std::make_unique<Coverage>(c.rounds, c.memory_rows, c.program_words);
}

const Coverage* Cosim::coverage() {
  if (rtl_coverage_ && !divergence() && !(*iss().coverage() == *rtl_coverage_))
    lockstep_.diverged("the functional coverage differs");
  return rtl_coverage_.get();
}

void Cosim::reset() {
  if (rtl_coverage_) rtl_coverage_->reset(rtl_->state());
  lockstep_.reset();
  rtl_->reset();
}

void Cosim::write(Space space, std::size_t offset, std::span<const std::uint8_t> bytes) {
  lockstep_.iss().write(space, offset, bytes);
  write_bytes(*rtl_, space, offset, bytes);
}

void Cosim::disturb_rtl(Space space, std::size_t offset, std::span<const std::uint8_t> bytes) {
  write_bytes(*rtl_, space, offset, bytes);
}

void Cosim::read(Space space, std::size_t offset, std::span<std::uint8_t> bytes) {
  std::vector<std::uint8_t> expected(bytes.size());
  lockstep_.iss().read(space, offset, expected);
  read_bytes(*rtl_, space, offset, bytes);
  const auto at = std::mismatch(expected.begin(), expected.end(), bytes.begin()).first;
  if (at != expected.end() && !divergence())
    lockstep_.diverged("memory contents differ at byte " +
                       std::to_string(offset + static_cast<std::size_t>(at - expected.begin())));
}

void Cosim::start(std::uint16_t pc) {
  if (rtl_coverage_) rtl_coverage_->start(rtl_->state());
  lockstep_.start(pc);
  rtl_->start(pc);
}

void Cosim::resume() {
  if (rtl_coverage_) rtl_coverage_->resume();
  lockstep_.resume();
  rtl_->resume();
}

bool Cosim::step(Retire& record) {
  if (divergence() || rtl_->state() != CoreState::Running) return false;
  for (int silence = 0; !rtl_->step(record); ++silence) {
    if (silence == Lockstep::kSilence) return lockstep_.silent();
    if (rtl_->state() != CoreState::Running)
      return lockstep_.diverged("the RTL has stopped without retiring what stopped it");
  }
  if (!lockstep_.retired(record)) return false;
  if (rtl_coverage_) rtl_coverage_->retire(record);
  if (iss().state() == CoreState::Running) return true;
  // The state changes behind the retirement.
  Retire surplus;
  for (int i = 0; i < 2 && rtl_->state() == CoreState::Running; ++i)
    if (rtl_->step(surplus)) return lockstep_.diverged("the RTL retires an instruction behind the stop", {}, surplus);
  return lockstep_.stopped(
      {rtl_->state(), rtl_->trap(), rtl_->pc(), rtl_->cycles(), rtl_->instructions(), rtl_->stalls()});
}

bool Cosim::run(std::uint64_t limit) {
  Retire record;
  while (rtl_->state() == CoreState::Running && rtl_->cycles() < limit)
    if (!step(record)) return false;
  return true;
}

}  // namespace lutra
