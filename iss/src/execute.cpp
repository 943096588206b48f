// Execution: the tables of handlers, and the loops that call them.
#include "execute_control.hpp"
#include "execute_vector.hpp"
#include "translate/translator.hpp"

namespace lutra {

// Friend of Machine: its handlers by operation.
struct Execute : ExecuteCommon {
  template <class M>
  static void illegal(Machine& m, const Decoded& d) {
    if constexpr (M::timed) m.timing_.issue_trap();
    trap<M>(m, d, Trap::Illegal);
  }

  template <class M>
  static void out_of_range(Machine& m) {
    if constexpr (M::timed) m.timing_.issue_trap();
    trap<M>(m, Decoded{}, Trap::FetchRange);
  }

  // Control instructions share one, vector instructions have one each.
  template <class M>
  static constexpr std::array<Machine::Handler, kEncodings.size() + 1> handlers() {
    std::array<Machine::Handler, kEncodings.size() + 1> table{};
    table.fill(&ExecuteControl::control<M>);
    table[static_cast<std::size_t>(Op::Illegal)] = &illegal<M>;
#define LUTRA_HANDLER(record) table[static_cast<std::size_t>(Op::record)] = &ExecuteVector::vector<path::record, M>;
    LUTRA_VECTOR_INSNS(LUTRA_HANDLER)
#undef LUTRA_HANDLER
    return table;
  }
};

template <class M>
[[gnu::always_inline]] inline void Machine::interpret() {
  static constexpr auto kHandlers = Execute::handlers<M>();
  if (pc_ >= program_.size()) return Execute::out_of_range<M>(*this);
  const Decoded& d = program_[pc_];
  kHandlers[static_cast<std::size_t>(d.op)](*this, d);
}

template <class M>
std::uint64_t Machine::loop(std::uint64_t limit) {
  const std::uint64_t before = instructions_;
  while (state_ == CoreState::Running) {
    if ((M::recorded ? instructions_ - before : timing_.elapsed()) >= limit) break;
    interpret<M>();
  }
  if (faults_.any() && state_ != CoreState::Running)
    faults_.reach(timing_.elapsed(), contexts_, static_cast<unsigned>(config_.shadow_words));
  return instructions_ - before;
}

// Executes one instruction after another for observers while `go` returns true.
template <class Go>
std::uint64_t Machine::steps(const Go& go) {
  const std::uint64_t before = instructions_;
  if (translator_) translator_->begins(*this), translator_->look(*this);
  Retire record;
  while (go(instructions_ - before) && step(record)) {
  }
  return instructions_ - before;
}

std::uint64_t Machine::run(std::uint64_t limit) {
  if (!observers_.empty()) return steps([this, limit](std::uint64_t) { return timing_.elapsed() < limit; });
  if (!translator_ || faults_.any()) return loop<Mode<true, false>>(limit);
  const std::uint64_t before = instructions_;
  translator_->begins(*this);
  translator_->arrives(*this);
  while (state_ == CoreState::Running && timing_.elapsed() < limit) {
    if (translator_->run(*this, limit)) continue;
    const std::uint16_t pc = pc_;
    interpret<Mode<true, false>>();
    if (pc_ != static_cast<std::uint16_t>(pc + 1) && state_ == CoreState::Running) translator_->arrives(*this);
  }
  translator_->settle(*this);
  return instructions_ - before;
}

std::uint64_t Machine::repeat(std::uint16_t pc, std::uint64_t times, std::uint64_t limit, bool recorded) {
  std::uint64_t done = 0;
  for (std::uint64_t i = 0; i < times; ++i) {
    start(pc);
    done += recorded ? steps([this, limit](std::uint64_t) { return timing_.elapsed() < limit; }) : run(limit);
    if (state_ != CoreState::Halted) break;
  }
  return done;
}

Machine::Handler Machine::functional(Op op) {
  static constexpr auto kHandlers = Execute::handlers<Mode<false, false>>();
  return kHandlers[static_cast<std::size_t>(op)];
}

bool Machine::step(Retire& record) {
  if (state_ != CoreState::Running) return false;
  record_ = &record;
  loop<Mode<true, true>>(1);
  for (const auto& observer : observers_) observer->retired(record);
  return true;
}

}  // namespace lutra
