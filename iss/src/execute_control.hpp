// Instructions of the sequencer and of the address unit: one handler per mode.
#pragma once

#include "execute_common.hpp"

namespace lutra {

struct ExecuteControl : ExecuteCommon {
  static void stop(Machine& m, CoreState state) {
    m.state_ = state;
    m.stop_pc_ = m.pc_;
  }

  // The trap that a sequencer function meets, before anything changes.
  static Trap sequencer_trap(const Machine& m, const Decoded& d, std::uint16_t count) {
    switch (d.encoding->sq) {
      case Sq::Repeat:
      case Sq::RepeatAr:
        if (count > 0 && m.loops_.size() == static_cast<std::size_t>(m.config_.loop_depth)) return Trap::LoopOverflow;
        if (d.e <= m.pc_ || (!m.loops_.empty() && (m.loops_.back().end == m.pc_ || m.loops_.back().end == d.e)))
          return Trap::LoopNesting;
        return Trap::None;
      case Sq::Call:
        return m.calls_.size() == static_cast<std::size_t>(m.config_.call_depth) ? Trap::CallOverflow : Trap::None;
      case Sq::Return:
        return m.calls_.empty() ? Trap::CallUnderflow : Trap::None;
      default:
        return Trap::None;
    }
  }

  template <class M>
  static std::uint16_t address_unit(Machine& m, const Decoded& d) {
    const std::uint16_t s = m.ar_[d.as];
    std::uint16_t value = s;
    switch (d.encoding->au) {
      case Au::Keep:
        return s;
      case Au::Set:
        value = d.n;
        break;
      case Au::Add:
        value = static_cast<std::uint16_t>(s + d.n);
        break;
      case Au::And:
        value = s & d.n;
        break;
      case Au::Shr:
        value = static_cast<std::uint16_t>(s >> d.n);
        break;
      case Au::SetStep:
        m.step_[d.ad] = d.n;
        break;
      case Au::SetWindow:
        m.window_start_[d.ad] = d.n;
        m.window_end_[d.ad] = d.e;
        break;
      case Au::SetWidth:
        m.counter_bytes_ = kCounterBytes[d.n];
        break;
    }
    if (d.encoding->ad_written) {
      m.ar_[d.ad] = value;
      record_ar<M>(m, d.ad);
    } else if constexpr (M::recorded) {
      Retire& r = *m.record_;
      r.step_en = d.encoding->au == Au::SetStep;
      r.window_en = d.encoding->au == Au::SetWindow;
      r.width_en = d.encoding->au == Au::SetWidth;
      r.config_ar = d.ad;
      r.config_n = d.n;
      r.config_e = r.window_en ? d.e : 0;
    }
    return value;
  }

  // Whether what follows a REPEAT waits for its entry of the loop stack: a body of one instruction, or another REPEAT.
  static bool needs_entry(const Machine& m, const Decoded& d) {
    const std::size_t next = m.pc_ + 1u;
    return d.e == next || (next < m.program_.size() && repeats(m.program_[next]));
  }

  template <class M>
  static void control(Machine& m, const Decoded& d) {
    const Encoding& e = *d.encoding;
    if constexpr (M::timed) m.timing_.issue(e, d);
    const std::uint16_t count = e.sq == Sq::RepeatAr ? m.ar_[d.as] : d.n;
    if (const Trap cause = sequencer_trap(m, d, count); cause != Trap::None) return trap<M>(m, d, cause);
    if constexpr (M::timed) m.timing_.write(e, d);
    record_common<M>(m, d);
    const std::uint16_t value = address_unit<M>(m, d);
    const bool taken = holds(e.cc, value, m.flag_);
    std::uint16_t next = next_pc(m);
    bool transfer = false, enters = false;
    const auto transfer_to = [&](std::uint16_t target) {
      next = target;
      transfer = true;
    };
    switch (e.sq) {
      case Sq::Next:
        break;
      case Sq::Jump:
        if (taken) transfer_to(d.e);
        break;
      case Sq::Call:
        m.calls_.push_back(next);
        transfer_to(d.e);
        break;
      case Sq::Return:
        transfer_to(m.calls_.back());
        m.calls_.pop_back();
        break;
      case Sq::Repeat:
      case Sq::RepeatAr:
        if (count > 0) {
          m.loops_.push_back({static_cast<std::uint16_t>(m.pc_ + 1), d.e, count});
          enters = needs_entry(m, d);
        } else {
          transfer_to(static_cast<std::uint16_t>(d.e + 1));
        }
        break;
      case Sq::Wait:
        stop(m, CoreState::Waiting);
        break;
      case Sq::Notify:
        m.notify_ = static_cast<std::uint8_t>(d.n);
        break;
      case Sq::Halt:
        stop(m, CoreState::Halted);
        break;
      case Sq::Close:
        m.closed_ = true;
        break;
      case Sq::Open:
        if (taken) m.closed_ = false;
        break;
    }
    if constexpr (M::timed) {
      if (transfer) m.timing_.taken();
      if (enters) m.timing_.entered();
    }
    if constexpr (M::recorded) {
      m.record_->halt_en = e.sq == Sq::Halt;
      m.record_->wait_en = e.sq == Sq::Wait;
      m.record_->notify_en = e.sq == Sq::Notify;
      m.record_->notify = e.sq == Sq::Notify ? m.notify_ : 0;
    }
    m.pc_ = next;
    record_stacks<M>(m);
    ++m.instructions_;
  }
};

}  // namespace lutra
