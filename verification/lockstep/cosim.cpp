// Lock-step of simulator and RTL.
#include "cosim.hpp"

#include <algorithm>

#include "state.hpp"

namespace lutra {

Cosim::Cosim(RtlMachine& rtl) : rtl_(rtl), lockstep_(rtl.core().rounds()) { reset(); }

void Cosim::reset() {
  lockstep_.reset();
  rtl_.reset();
  lockstep_.same_after_reset(rtl_.registers());
}

void Cosim::write(Space space, std::size_t offset, std::span<const std::uint8_t> bytes) {
  iss().write(space, offset, bytes);
  rtl_.write(space, offset, bytes);
}

std::vector<std::uint8_t> Cosim::read(Space space, std::size_t offset, std::size_t length) {
  const auto expected = iss().host_read(space, offset, length);
  auto bytes = rtl_.read(space, offset, length);
  const auto at = std::mismatch(expected.begin(), expected.end(), bytes.begin()).first;
  if (at != expected.end() && !divergence())
    lockstep_.diverged("memory contents differ at byte " +
                       std::to_string(offset + static_cast<std::size_t>(at - expected.begin())));
  return bytes;
}

void Cosim::start(std::uint16_t pc) {
  lockstep_.start(pc);
  rtl_.start(pc);
}

void Cosim::resume() {
  lockstep_.resume();
  rtl_.resume();
}

std::vector<std::string> Cosim::state_differences() const {
  return lutra::state_differences(lockstep_.iss(), rtl_.registers(), rtl_.memories());
}

bool Cosim::advance(Retire& record) {
  if (divergence() || state() != CoreState::Running) return false;
  for (int silence = 0; !rtl_.clock(record); ++silence) {
    if (silence == Lockstep::kSilence) return lockstep_.silent();
    if (state() != CoreState::Running)
      return lockstep_.diverged("the RTL has stopped without retiring what stopped it");
  }
  if (lockstep_.retired(record) && iss().state() != CoreState::Running) compare_stop();
  return true;
}

bool Cosim::compare_stop() {
  // The state changes after the retirement.
  Retire surplus;
  for (int i = 0; i < 2 && state() == CoreState::Running; ++i)
    if (rtl_.clock(surplus)) return lockstep_.diverged("the RTL retires an instruction after the stop", {}, surplus);
  return lockstep_.stopped({state(), trap(), pc(), cycles(), instructions(), stalls()}) &&
         lockstep_.same_state(rtl_.registers(), rtl_.memories());
}

std::uint64_t Cosim::run(std::uint64_t limit) {
  Retire record;
  std::uint64_t retired = 0;
  while (state() == CoreState::Running && cycles() < limit && step(record)) ++retired;
  return retired;
}

}  // namespace lutra
