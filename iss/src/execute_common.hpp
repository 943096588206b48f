// What all instructions have in common: traps, the end of a loop's body, and their part of the record.
#pragma once

#include "machine.hpp"

namespace lutra {

// Friend of Machine, as the handlers that are derived from it.
struct ExecuteCommon {
  template <class M>
  static void record_common(Machine& m, const Decoded& d) {
    if constexpr (M::recorded) {
      Retire& r = *m.record_;
      r = Retire{};
      r.insn = d.word;
      r.pc = m.pc_;
      r.cycle = m.timing_.retired();
    }
  }

  template <class M>
  static void record_stacks(Machine& m) {
    if constexpr (M::recorded) {
      m.record_->loop_depth = static_cast<std::uint8_t>(m.loops_.size());
      m.record_->loop_remaining = m.loops_.empty() ? 0 : m.loops_.back().remaining;
      m.record_->call_depth = static_cast<std::uint8_t>(m.calls_.size());
    }
  }

  template <class M>
  static void trap(Machine& m, const Decoded& d, Trap cause) {
    m.trap_ = cause;
    m.state_ = CoreState::Trapped;
    m.stop_pc_ = m.pc_;
    record_common<M>(m, d);
    if constexpr (M::recorded) m.record_->trap = static_cast<std::uint8_t>(cause);
    record_stacks<M>(m);
  }

  // Nothing of the instruction is kept from X1 on, nor of those after it; what the address unit did before is, as far
  // as it is the instruction's own.
  template <class M>
  static void fault(Machine& m, const Decoded& d) {
    const std::uint16_t pc = m.pc_;
    next_pc(m);
    m.state_ = CoreState::Faulted;
    m.trap_ = Trap::ContextFault;
    m.stop_pc_ = 0;
    m.contexts_ = {};
    m.faults_.clear();
    if constexpr (M::recorded) {
      const Retire before = *m.record_;
      *m.record_ = Retire{};
      m.record_->cycle = before.cycle;
      m.record_->insn = d.word;
      m.record_->pc = pc;
      m.record_->trap = static_cast<std::uint8_t>(m.trap_);
      m.record_->ar_mask = before.ar_mask;
      m.record_->ar_value = before.ar_value;
    }
    record_stacks<M>(m);
  }

  // The loop counts at its last instruction, of whatever kind; returns the next program address.
  static std::uint16_t next_pc(Machine& m) {
    if (!m.loops_.empty() && m.loops_.back().end == m.pc_) {
      Machine::Loop& top = m.loops_.back();
      if (top.remaining > 1) {
        --top.remaining;
        return top.start;
      }
      m.loops_.pop_back();
    }
    return static_cast<std::uint16_t>(m.pc_ + 1);
  }

  template <class M>
  static void record_ar(Machine& m, std::uint8_t ar) {
    if constexpr (M::recorded) {
      m.record_->ar_mask |= static_cast<std::uint8_t>(1 << ar);
      m.record_->ar_value[ar] = m.ar_[ar];
    }
  }
};

}  // namespace lutra
