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

  // late: found in WB, where registers have been written already, but no memory, no flag and nothing that the host
  // sees.
  template <class M>
  static void memory_fault(Machine& m, const Decoded& d, const MachineState& before, const Tables& tables, bool late) {
    Retire seen;
    if constexpr (M::recorded) seen = *m.record_;
    const std::uint16_t pc = before.pc_;
    MachineState after = before;
    after.ar_ = m.ar_;
    after.step_ = m.step_;
    after.window_start_ = m.window_start_;
    after.window_end_ = m.window_end_;
    after.counter_bytes_ = m.counter_bytes_;
    after.loops_ = m.loops_;
    after.calls_ = m.calls_;
    after.timing_ = m.timing_;
    if (late) {
      after.vectors_ = m.vectors_;
      after.hash_ = m.hash_;
    }
    static_cast<MachineState&>(m) = after;
    *m.tables_ = tables;
    m.tables_changed();
    m.reach_memories(late ? m.timing_.in_wb() - 1 : m.timing_.in_x1() - 1);
    m.state_ = CoreState::Faulted;
    m.trap_ = Trap::MemoryFault;
    m.stop_pc_ = 0;
    m.contexts_ = {};
    m.faults_.clear();
    if constexpr (M::recorded) {
      *m.record_ = Retire{};
      m.record_->cycle = m.timing_.retired();
      m.record_->insn = d.word;
      m.record_->pc = pc;
      m.record_->trap = static_cast<std::uint8_t>(m.trap_);
      m.record_->ar_mask = seen.ar_mask;
      m.record_->ar_value = seen.ar_value;
    }
    record_stacks<M>(m);
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

// The instruction is done as if there were no checks; where one fails, what it may not have done is taken back.
template <class M>
[[gnu::noinline]] void Machine::interpret_struck() {
  reach_memory(timing_.fetched(), Space::Program);
  const MachineState before = *this;
  const Tables tables = *tables_;
  const bool word_wrong = pc_ < program_.size() && faults_.wrong(Space::Program, pc_);
  const Decoded d = pc_ < program_.size() ? program_[pc_] : Decoded{};
  row_wrong_ = entry_wrong_ = false;
  lookups_.fill(&Machine::look_up_watched);
  watch(this);
  interpret<M>();
  tables_changed();
  if (config_.protect && state_ != CoreState::Faulted && (word_wrong || row_wrong_ || entry_wrong_))
    Execute::memory_fault<M>(*this, d, before, tables, !(word_wrong || row_wrong_));
}

template <class M>
std::uint64_t Machine::loop(std::uint64_t limit) {
  const std::uint64_t before = instructions_;
  while (state_ == CoreState::Running) {
    if ((M::recorded ? instructions_ - before : timing_.elapsed()) >= limit) break;
    if (faults_.any()) [[unlikely]]
      interpret_struck<M>();
    else
      interpret<M>();
  }
  if (faults_.any() && state_ != CoreState::Running) {
    faults_.reach(timing_.elapsed(), contexts_, static_cast<unsigned>(config_.shadow_words));
    reach_memories(timing_.elapsed());
  }
  return instructions_ - before;
}

// Executes one instruction after another for observers while `go` returns true.
template <class Go>
std::uint64_t Machine::steps(const Go& go) {
  const std::uint64_t before = instructions_;
  if (translator_) translator_->begins(*this), translator_->look(*this);
  Retire record;
  while (go(instructions_ - before) && step_on(record)) {
  }
  return instructions_ - before;
}

std::uint64_t Machine::run(std::uint64_t limit) {
  const bool runs = state_ == CoreState::Running;
  const std::uint64_t done = run_on(limit);
  if (runs) leave();
  return done;
}

std::uint64_t Machine::run_on(std::uint64_t limit) {
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
    done += recorded ? steps([this, limit](std::uint64_t) { return timing_.elapsed() < limit; }) : run_on(limit);
    if (state_ != CoreState::Halted) break;
  }
  leave();
  return done;
}

Machine::Handler Machine::functional(Op op) {
  static constexpr auto kHandlers = Execute::handlers<Mode<false, false>>();
  return kHandlers[static_cast<std::size_t>(op)];
}

bool Machine::step(Retire& record) {
  if (!step_on(record)) return false;
  leave();
  return true;
}

bool Machine::step_on(Retire& record) {
  if (state_ != CoreState::Running) return false;
  record_ = &record;
  loop<Mode<true, true>>(1);
  for (const auto& observer : observers_) observer->retired(record);
  return true;
}

}  // namespace lutra
