// Vector instructions: one handler per instruction and mode, around the generated path.
#pragma once

#include "execute_common.hpp"
#include "functions.hpp"
#include "lutra_address.hpp"

#include "lutra_exec.inc"

namespace lutra {

struct ExecuteVector : ExecuteCommon {
  static constexpr auto kCtrCode = static_cast<std::size_t>(VecCode::CTR);
  static constexpr auto kWkCode = static_cast<std::size_t>(VecCode::WK);
  static constexpr auto kRowCode = static_cast<std::size_t>(VecCode::ROW);
  static constexpr auto kHoldCode = static_cast<std::size_t>(VecCode::HOLD);
  static constexpr auto kNoneCode = static_cast<std::uint8_t>(VecCode::NONE);

  // The last `bytes` bytes as one big-endian number, plus one.
  static Value incremented(Value counter, int bytes) {
    const Halves h = std::bit_cast<Halves>(counter);
    std::uint64_t high = __builtin_bswap64(h[0]), low = __builtin_bswap64(h[1]);
    const std::uint64_t next = low + 1;
    if (bytes == sizeof(std::uint32_t))
      low = (low & ~std::uint64_t{0xffffffff}) | static_cast<std::uint32_t>(next);
    else
      low = next;
    if (bytes == kVectorBytes) high += next == 0;
    return std::bit_cast<Value>(Halves{__builtin_bswap64(high), __builtin_bswap64(low)});
  }

  static std::uint16_t address(const Machine& m, const Slot& s) { return s.row_en ? s.address : m.ar_[s.ar]; }

  template <class M>
  static void modify(Machine& m, const Slot& s) {
    if (s.delta == Delta::None) return;
    m.ar_[s.ar] = modified(s.delta, s.wrap, {m.ar_[s.ar], m.step_[s.ar], m.window_start_[s.ar], m.window_end_[s.ar]});
    record_ar<M>(m, s.ar);
  }

  // The state of every written context that isa/insns_stream.td can change, the rows of the LFSR as their XOR.
  template <class M>
  static void record_contexts(Machine& m, const Decoded& d) {
    if constexpr (M::recorded) {
      const Encoding& e = *d.encoding;
      Retire& r = *m.record_;
      // The core shows the registers a cycle later.
      auto contexts = m.contexts_;
      if (m.faults_.any()) [[unlikely]]
        Faults(m.faults_).reach(m.timing_.in_x1() + 1, contexts, static_cast<unsigned>(m.config_.shadow_words));
      r.context_mask = e.clocks ? d.c : static_cast<std::uint8_t>(e.rd_field ? 0 : 1 << d.o);
      for (std::size_t i = 0; i < m.contexts_.size(); ++i) {
        if (!((r.context_mask >> i) & 1)) continue;
        const Context& c = contexts[i];
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

  // The faults up to the instruction's X1; looked: the contexts without those of this very cycle. False where a context
  // that the instruction uses differs from its shadow.
  template <const Encoding& e>
  static bool meets_faults(Machine& m, const Decoded& d, std::array<Context, kStreamContexts>& looked) {
    const auto words = static_cast<unsigned>(m.config_.shadow_words);
    m.faults_.reach(m.timing_.in_x1() - 1, m.contexts_, words);
    looked = m.contexts_;
    m.faults_.reach(m.timing_.in_x1(), m.contexts_, words);
    const bool loads = !e.clocks && !e.rd_field;
    for (unsigned i = 0; i < m.contexts_.size(); ++i) {
      const bool used = e.clocks ? (d.c >> i & 1) : !loads && d.o == i;
      if (used && m.faults_.differs(i)) return false;
    }
    if (loads) m.faults_.loaded(d.o, d.n);
    return true;
  }

  template <class P, class M>
  static void vector(Machine& m, const Decoded& d) {
    constexpr const Encoding& e = P::encoding;
    if constexpr (M::timed) m.timing_.issue(e, d);
    // The slots' addresses; nothing is changed before all are known to be legal.
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
    [[maybe_unused]] std::array<Context, kStreamContexts> looked;
    if constexpr (e.stateful) o.stream = {m.contexts_.data(), m.contexts_.data(), d.c, d.o, d.n};
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

    if constexpr (e.stateful && M::timed)
      if (m.faults_.any()) [[unlikely]] {
        if (!meets_faults<e>(m, d, looked)) return fault<M>(m, d);
        o.stream.looked = looked.data();
      }
    const Value front = P::front(o);
    if constexpr (e.res == Res::ToAddress) {
      m.ar_[d.ad] = static_cast<std::uint16_t>(front[2 * d.n] << 8 | front[2 * d.n + 1]);
      record_ar<M>(m, d.ad);
    } else {
      Value partner{};
      Value stored{};
      const Value row = data ? m.vectors_[kRowCode] : Value{};
      if constexpr (e.move) stored = m.vectors_[d.rc] ^ row;
      const Value x = [&] {
        if constexpr (e.lookup0 || e.lookup1)
          return P::back(front, o, CalledBanks{*m.tables_, *m.compacts_, m.lookups_}, partner);
        else
          return P::back(front, o, *m.tables_, partner);
      }();
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
    if (kSpaceBanks[d.s_space]) m.tables_changed();
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
    m.tables_changed();
    for (std::size_t i = 0; i < kVectorBytes; ++i) (*m.tables_)[0][kVectorBytes * rows[i] + i] = entries[i];
    if constexpr (M::recorded) {
      m.record_->scatter_en = true;
      m.record_->scatter_rows = to_vec(rows);
      m.record_->scatter_value = to_vec(entries);
    }
  }
};

}  // namespace lutra
