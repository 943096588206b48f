// The registers of a running core as its last retirement left them.
#pragma once

#include <array>

#include "core.hpp"
#include "observer.hpp"

namespace lutra {

// Instructions in flight have written some registers already. After issue nothing stalls, so what a stage writes is as
// it was when the last retired instruction had left that stage: a fixed number of cycles ago. Registers that several
// stages write are followed by the records. Which stages write what is in isa/state.td.
class RetiredRegisters final : public Observer {
 public:
  explicit RetiredRegisters(const Core& core) : core_(core), rounds_(core.rounds()) {}

  Registers registers() const;

  void reset(CoreState) override {}
  void start(CoreState) override { past_.begins = true; }
  void resume() override { past_.begins = true; }
  void retired(const Retire& record) override;
  void clocked() override;

  // A copy of everything at one time, saved next to the core's own state.
  struct Past {
    std::array<Registers, kStageWB[1] + 1> cycles{};  // after the last clocks, the newest at `newest`
    std::size_t newest = 0;
    Registers followed;  // of what several stages write, as the last record left it
    bool begins = true;  // nothing has issued since start or resume
  };
  const Past& save() const { return past_; }
  void restore(const Past& past) { past_ = past; }

 private:
  // So many cycles ago.
  const Registers& ago(int cycles) const {
    const std::size_t n = past_.cycles.size();
    return past_.cycles[(past_.newest + n - static_cast<std::size_t>(cycles)) % n];
  }

  const Core& core_;
  int rounds_;
  Past past_;
};

}  // namespace lutra
