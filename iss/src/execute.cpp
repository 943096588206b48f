// Execution: one handler per instruction and mode, built from the generated paths.
#include "functions.hpp"
#include "lutra_address.hpp"
#include "machine.hpp"

#include "lutra_exec.inc"

namespace lutra {

namespace {

constexpr auto kCtrCode = static_cast<std::size_t>(VecCode::CTR);
constexpr auto kWkCode = static_cast<std::size_t>(VecCode::WK);
constexpr auto kRowCode = static_cast<std::size_t>(VecCode::ROW);
constexpr auto kHoldCode = static_cast<std::size_t>(VecCode::HOLD);
constexpr auto kNoneCode = static_cast<std::uint8_t>(VecCode::NONE);

// The last `bytes` bytes as one big-endian number, plus one.
Value incremented(Value counter, int bytes) {
  Vec v = to_vec(counter);
  for (int i = kVectorBytes - 1; i >= kVectorBytes - bytes; --i)
    if (++v[static_cast<std::size_t>(i)] != 0) break;
  return load(v.data());
}

}  // namespace

// Friend of Machine: the handlers.
struct Execute {
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

  static void stop(Machine& m, CoreState state) {
    m.state_ = state;
    m.stop_pc_ = m.pc_;
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

  static std::uint16_t address(const Machine& m, const Slot& s) { return s.row_en ? s.address : m.ar_[s.ar]; }

  template <class M>
  static void modify(Machine& m, const Slot& s) {
    if (s.delta == Delta::None) return;
    m.ar_[s.ar] = modified(s.delta, s.wrap, {m.ar_[s.ar], m.step_[s.ar], m.window_start_[s.ar], m.window_end_[s.ar]});
    record_ar<M>(m, s.ar);
  }

  template <class M>
  static void record_ar(Machine& m, std::uint8_t ar) {
    if constexpr (M::recorded) {
      m.record_->ar_mask |= static_cast<std::uint8_t>(1 << ar);
      m.record_->ar_value[ar] = m.ar_[ar];
    }
  }

  // The state of every context that was written and that isa/insns_stream.td can change; LFSR rows as their XOR.
  template <class M>
  static void record_contexts(Machine& m, const Decoded& d) {
    if constexpr (M::recorded) {
      const Encoding& e = *d.encoding;
      Retire& r = *m.record_;
      r.context_mask = e.clocks ? d.c : static_cast<std::uint8_t>(e.rd_field ? 0 : 1 << d.o);
      for (std::size_t i = 0; i < m.contexts_.size(); ++i) {
        if (!((r.context_mask >> i) & 1)) continue;
        const Context& c = m.contexts_[i];
        r.context_state[i] = to_vec(bytes32(Words{c.r1, c.r2, c.r3, c.s[15]}));
        r.context_buffer[i] = to_vec(c.buffer);
        Value lfsr{};
        for (unsigned n = 0; n < kLfsrRows; ++n) lfsr ^= fn::context_row(c, n);
        r.context_lfsr[i] = to_vec(lfsr);
      }
    }
  }

  // The hash unit after the instruction.
  template <class M>
  static void record_hash(Machine& m) {
    if constexpr (M::recorded) {
      Retire& r = *m.record_;
      r.hash_en = true;
      r.hash_factor = to_vec(m.hash_.gh);
      r.hash_input = to_vec(m.hash_.gx);
      r.hash_sum = to_vec(m.hash_.gy);
      r.hash_digit = m.hash_.gt;
      r.hash_upper = m.hash_.gu;
    }
  }

  template <class P, class M>
  static void vector(Machine& m, const Decoded& d) {
    constexpr const Encoding& e = P::encoding;
    if constexpr (M::timed) m.timing_.issue(e, d);
    // Addresses of the slots. Nothing changes before all are known to be legal.
    const std::size_t limit = m.memory_bytes_ - kVectorBytes;
    const bool data = e.d_field && d.d.en;
    const bool storing = e.s_field && d.s.en;
    const std::size_t k_at = e.k_field ? address(m, d.k) : 0;
    const std::size_t d_at = data ? address(m, d.d) : 0;
    const std::size_t s_at = storing ? address(m, d.s) : 0;
    const bool to_table = storing && kSpaceBanks[d.s_space] != 0;
    const std::size_t s_limit = to_table ? sizeof(Bank) - kVectorBytes : limit;
    if (k_at > limit || d_at > limit || s_at > s_limit) return trap<M>(m, d, Trap::AddressRange);
    if (to_table && s_at % kVectorBytes) return trap<M>(m, d, Trap::TableAlignment);
    if constexpr (M::timed) m.timing_.write(e, d);
    record_common<M>(m, d);
    if constexpr (M::recorded) {
      Retire& r = *m.record_;
      r.key_en = e.k_field;
      r.key_address = static_cast<std::uint16_t>(k_at);
      r.data_en = data;
      r.data_address = static_cast<std::uint16_t>(d_at);
    }

    Operands o;
    if constexpr (e.k_field) {
      if constexpr ((e.key_blocks & 1) != 0) o.k0 = load(m.memory(0) + k_at);
      if constexpr ((e.key_blocks & 2) != 0) o.k1 = load(m.memory(1) + k_at);
    }
    if constexpr (e.d_field) {
      if (data) m.vectors_[kRowCode] = load(m.memory(d.d_block) + d_at);
      if constexpr (e.takes_d) o.d = data ? m.vectors_[kRowCode] : Value{};
    }
    if constexpr (e.src == Src::FromAddress) {
      const std::uint16_t value = m.ar_[d.as];
      o.a[kVectorBytes - 2] = static_cast<std::uint8_t>(value >> 8);
      o.a[kVectorBytes - 1] = static_cast<std::uint8_t>(value);
    } else {
      o.a = m.vectors_[d.ra];
    }
    if constexpr (e.use_b) o.b = m.vectors_[d.rb];
    if constexpr (e.w_field)
      if (d.w) o.w = m.vectors_[kWkCode];
    o.n = d.n;
    if constexpr (e.third) o.c = m.vectors_[d.rc];
    if constexpr (e.reads_sum) o.gy = m.hash_.gy;
    if constexpr (e.stateful) o.stream = {m.contexts_.data(), d.c, d.o, d.n};
    if constexpr (e.move)
      if (d.mv == SideMove::HoldRow || d.mv == SideMove::HoldCtr) {
        m.vectors_[kHoldCode] = m.vectors_[d.mv == SideMove::HoldRow ? kRowCode : kCtrCode];
        if constexpr (M::recorded) {
          m.record_->hold_en = true;
          m.record_->hold_value = to_vec(m.vectors_[kHoldCode]);
        }
      }
    if (d.increment || (e.move && d.mv == SideMove::HoldCtr)) {
      m.vectors_[kCtrCode] = incremented(m.vectors_[kCtrCode], m.counter_bytes_);
      if constexpr (M::recorded) {
        m.record_->ctr_en = true;
        m.record_->ctr_value = to_vec(m.vectors_[kCtrCode]);
      }
    }
    if constexpr (e.k_field) modify<M>(m, d.k);
    if (data) modify<M>(m, d.d);
    if (storing) modify<M>(m, d.s);

    const Value front = P::front(o);
    if constexpr (e.res == Res::ToAddress) {
      m.ar_[d.ad] = static_cast<std::uint16_t>(front[2 * d.n] << 8 | front[2 * d.n + 1]);
      record_ar<M>(m, d.ad);
    } else {
      Value partner{};
      Value stored{};
      const Value row = data ? m.vectors_[kRowCode] : Value{};
      if constexpr (e.move) stored = m.vectors_[d.rc] ^ row;
      const Value x = P::back(front, o, *m.tables_, partner);
      result<P, M>(m, d, x, partner);
      if constexpr (e.res == Res::Scatter) scatter<M>(m, x, o.c);
      if (e.res != Res::SetFlag && storing) put<P, M>(m, d, e.move ? stored : x, s_at);
      if constexpr (e.stateful) record_contexts<M>(m, d);
      if constexpr (e.hashes || e.h.bits.width) {
        if (d.h) fn::hash_beside(m.hash_, d.h, stored, row);
        if constexpr (e.hashes) fn::hash_end(m.hash_, e.res, x, o.d);
        if (e.hashes || d.h) record_hash<M>(m);
      }
      if constexpr (e.g.bits.width)
        if (d.g) {
          fn::prime_step(m.hash_);
          record_hash<M>(m);
        }
    }
    m.pc_ = next_pc(m);
    record_stacks<M>(m);
    ++m.instructions_;
  }

  template <class P, class M>
  static void result(Machine& m, const Decoded& d, Value x, [[maybe_unused]] Value partner) {
    constexpr Encoding e = P::encoding;
    if constexpr (e.res == Res::SetFlag) {
      m.flag_ = is_zero(x);
      if constexpr (M::recorded) {
        m.record_->flag_en = true;
        m.record_->flag = m.flag_;
      }
      return;
    }
    if constexpr (e.rd_field) {
      m.vectors_[d.rd] = x;
      if constexpr (M::recorded)
        if (d.rd != kNoneCode) {
          m.record_->rd_en = true;
          m.record_->rd = d.rd;
          m.record_->rd_value = to_vec(x);
        }
    }
    if constexpr (e.pair) {
      m.vectors_[d.rd + 1u] = partner;
      if constexpr (M::recorded) {
        m.record_->partner_en = true;
        m.record_->partner_value = to_vec(partner);
      }
    }
  }

  template <class P, class M>
  static void put(Machine& m, const Decoded& d, Value x, std::size_t s_at) {
    constexpr Encoding e = P::encoding;
    constexpr bool one_lane = e.res == Res::WriteLane;
    auto write = [&](std::uint8_t* at) {
      if constexpr (one_lane)
        at[d.n] = x[d.n];
      else
        store(at, x);
    };
    for (std::size_t b = 0; b < kMemoryBlocks; ++b)
      if ((kSpaceBlocks[d.s_space] >> b) & 1) write(m.memory(b) + s_at);
    for (std::size_t t = 0; t < kTableBanks; ++t)
      if ((kSpaceBanks[d.s_space] >> t) & 1) write((*m.tables_)[t].data() + s_at);
    if constexpr (M::recorded) {
      Retire& r = *m.record_;
      r.store_en = true;
      r.store_space = d.s_space;
      r.store_address = static_cast<std::uint16_t>(s_at);
      r.store_lanes = one_lane ? static_cast<std::uint16_t>(1u << d.n) : 0xffff;
      r.store_value = to_vec(x);
    }
  }

  template <class M>
  static void scatter(Machine& m, Value rows, Value entries) {
    for (std::size_t i = 0; i < kVectorBytes; ++i) (*m.tables_)[0][kVectorBytes * rows[i] + i] = entries[i];
    if constexpr (M::recorded) {
      m.record_->scatter_en = true;
      m.record_->scatter_rows = to_vec(rows);
      m.record_->scatter_value = to_vec(entries);
    }
  }

  // The trap of a sequencer function, determined before anything changes.
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

  static bool condition(const Machine& m, Cc cc, std::uint16_t value) {
    switch (cc) {
      case Cc::Always:
        return true;
      case Cc::Zero:
        return value == 0;
      case Cc::Nonzero:
        return value != 0;
      case Cc::Flag:
        return m.flag_;
      case Cc::NotFlag:
        return !m.flag_;
    }
    return false;
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
    const bool taken = condition(m, e.cc, value);
    std::uint16_t next = next_pc(m);
    bool transfer = false, enters = false;
    switch (e.sq) {
      case Sq::Next:
        break;
      case Sq::Jump:
        if (taken) next = d.e, transfer = true;
        break;
      case Sq::Call:
        m.calls_.push_back(next);
        next = d.e, transfer = true;
        break;
      case Sq::Return:
        next = m.calls_.back(), transfer = true;
        m.calls_.pop_back();
        break;
      case Sq::Repeat:
      case Sq::RepeatAr:
        if (count > 0) {
          m.loops_.push_back({static_cast<std::uint16_t>(m.pc_ + 1), d.e, count});
          enters = needs_entry(m, d);
        } else {
          next = static_cast<std::uint16_t>(d.e + 1), transfer = true;
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

  // Handlers by operation: control instructions share one, vector instructions have one each.
  template <class M>
  static constexpr std::array<Machine::Handler, kEncodings.size() + 1> handlers() {
    std::array<Machine::Handler, kEncodings.size() + 1> table{};
    table.fill(&control<M>);
    table[static_cast<std::size_t>(Op::Illegal)] = &illegal<M>;
#define LUTRA_HANDLER(record) table[static_cast<std::size_t>(Op::record)] = &vector<path::record, M>;
    LUTRA_VECTOR_INSNS(LUTRA_HANDLER)
#undef LUTRA_HANDLER
    return table;
  }
};

template <class M>
std::uint64_t Machine::loop(std::uint64_t limit) {
  static constexpr auto kHandlers = Execute::handlers<M>();
  const std::uint64_t before = instructions_;
  while (state_ == CoreState::Running) {
    if constexpr (M::recorded || !M::timed) {
      if (instructions_ - before >= limit) break;
    } else {
      if (timing_.elapsed() >= limit) break;
    }
    if (pc_ >= program_.size()) {
      Execute::out_of_range<M>(*this);
      break;
    }
    const Decoded& d = program_[pc_];
    kHandlers[static_cast<std::size_t>(d.op)](*this, d);
  }
  return instructions_ - before;
}

// Executes instructions for observers while `go` returns true.
template <class Go>
std::uint64_t Machine::steps(const Go& go) {
  const std::uint64_t before = instructions_;
  Retire record;
  while (go(instructions_ - before) && step(record)) {
  }
  return instructions_ - before;
}

std::uint64_t Machine::run(std::uint64_t limit) {
  if (!observers_.empty()) return steps([limit](std::uint64_t done) { return done < limit; });
  return loop<Mode<false, false>>(limit);
}

std::uint64_t Machine::run_exact(std::uint64_t limit) {
  if (!observers_.empty()) return steps([this, limit](std::uint64_t) { return timing_.elapsed() < limit; });
  return loop<Mode<true, false>>(limit);
}

bool Machine::step(Retire& record) {
  if (state_ != CoreState::Running) return false;
  record_ = &record;
  loop<Mode<true, true>>(1);
  for (const auto& observer : observers_) observer->retired(record);
  return true;
}

}  // namespace lutra
