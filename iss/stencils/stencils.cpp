// Stencils: pieces of machine code that the translator copies one after another (iss/src/translate/).
//
// clang compiles this file once per level of host instructions; extract.py then takes each function's bytes. What is
// known only when firmware is translated is the address of a symbol HOLE_x here and a number there. A piece ends with a
// jump to NEXT, the piece after it. `preserve_none` keeps what all pieces share in registers.
#include "execute_vector.hpp"
#include "translate/contents.hpp"
#include "translate/run.hpp"

#define LUTRA_ARGUMENTS                                                                                            \
  [[maybe_unused]] lutra::Machine *m, [[maybe_unused]] std::uint8_t *memory, [[maybe_unused]] std::uint64_t state, \
      [[maybe_unused]] std::uint64_t k, [[maybe_unused]] std::uint64_t d, [[maybe_unused]] std::uint64_t s
#define LUTRA_PASS m, memory, state, k, d, s
#define LUTRA_PIECE extern "C" __attribute__((preserve_none, flatten)) void
#define LUTRA_GO(label, x) __attribute__((musttail)) return label(LUTRA_PASS, x)

extern "C" {
extern char HOLE_A, HOLE_B, HOLE_C, HOLE_D, HOLE_W, HOLE_RD, HOLE_N, HOLE_BLOCK, HOLE_ROW, HOLE_AR, HOLE_TO, HOLE_LIMIT,
    HOLE_AGAIN, HOLE_SHOWN, HOLE_CLOCKED, HOLE_EDGE, HOLE_LENGTH, HOLE_PC, HOLE_END, HOLE_CALL, HOLE_WHY;
__attribute__((preserve_none)) void NEXT(LUTRA_ARGUMENTS, lutra::Value x);
__attribute__((preserve_none)) void TAKEN(LUTRA_ARGUMENTS, lutra::Value x);
__attribute__((preserve_none)) void LEAVE(LUTRA_ARGUMENTS, lutra::Value x);
__attribute__((preserve_none)) void MISS(LUTRA_ARGUMENTS, lutra::Value x);
__attribute__((preserve_none)) void FULL(LUTRA_ARGUMENTS, lutra::Value x);
}

namespace {

using lutra::Value;

template <char& hole>
[[gnu::always_inline]] inline std::uintptr_t number() {
  return reinterpret_cast<std::uintptr_t>(&hole);
}

// A number to compute with. The compiler must not know that it looks like an address, which is never 0.
template <char& hole>
[[gnu::always_inline]] inline unsigned value() {
  auto n = static_cast<unsigned>(number<hole>());
  asm("" : "+r"(n));
  return n;
}

}  // namespace

namespace lutra {

// Friend of Machine: what the pieces do.
struct Translated : ExecuteVector {
  // An element of an array of the machine, by its distance in bytes.
  template <class T, std::size_t n>
  [[gnu::always_inline]] static T& at(std::array<T, n>& array, std::uintptr_t distance) {
    return *reinterpret_cast<T*>(reinterpret_cast<char*>(array.data()) + distance);
  }

  [[gnu::always_inline]] static std::uint16_t& ar(Machine* m, std::uintptr_t distance) { return at(m->ar_, distance); }

  // The path of an instruction, with the look-ups of the tables' kind.
  template <class P, Contents contents>
  [[gnu::always_inline]] static Value path(Machine* m, std::uint8_t* memory, std::uint64_t k) {
    constexpr const Encoding& e = P::encoding;
    Operands o;
    if constexpr (e.k_field) {
      const std::uint8_t* row = memory + k;
      if constexpr ((e.key_blocks & 1) != 0) o.k0 = load(row);
      if constexpr ((e.key_blocks & 2) != 0) o.k1 = load(row + number<HOLE_AGAIN>());
    }
    if constexpr (e.takes_d) o.d = at(m->vectors_, number<HOLE_D>());
    if constexpr (e.src == Src::FromAddress) {
      const std::uint16_t value = ar(m, number<HOLE_AR>());
      o.a[kVectorBytes - 2] = static_cast<std::uint8_t>(value >> 8);
      o.a[kVectorBytes - 1] = static_cast<std::uint8_t>(value);
    } else {
      o.a = at(m->vectors_, number<HOLE_A>());
    }
    if constexpr (e.use_b) o.b = at(m->vectors_, number<HOLE_B>());
    if constexpr (e.w_field) o.w = at(m->vectors_, number<HOLE_W>());
    o.n = value<HOLE_N>();
    if constexpr (e.third) o.c = at(m->vectors_, number<HOLE_C>());
    if constexpr (e.reads_sum) o.gy = m->hash_.gy;
    if constexpr (e.stateful)
      o.stream = {m->contexts_.data(), m->contexts_.data(), value<HOLE_CLOCKED>(), value<HOLE_SHOWN>(), o.n};
    const Value front = P::front(o);
    if constexpr (e.res == Res::ToAddress) {
      ar(m, number<HOLE_TO>()) = static_cast<std::uint16_t>(front[2 * o.n] << 8 | front[2 * o.n + 1]);
      return front;
    } else {
      Value partner{};
      Value x;
      if constexpr (e.lookup0 || e.lookup1)
        x = P::back(front, o, Banks<contents>{*m->tables_, *m->compacts_}, partner);
      else
        x = P::back(front, o, *m->tables_, partner);
      if constexpr (e.res == Res::SetFlag) m->flag_ = is_zero(x);
      if constexpr (e.rd_field) at(m->vectors_, number<HOLE_RD>()) = x;
      if constexpr (e.pair) at(m->vectors_, number<HOLE_RD>() + kVectorBytes) = partner;
      if constexpr (e.hashes) fn::hash_end(m->hash_, e.res, x, o.d);
      return x;
    }
  }

  [[gnu::always_inline]] static void load_row(Machine* m, const std::uint8_t* row) {
    at(m->vectors_, kVectorBytes * kRowCode) = load(row + number<HOLE_BLOCK>());
  }
  [[gnu::always_inline]] static void hold(Machine* m) { m->vectors_[kHoldCode] = at(m->vectors_, number<HOLE_A>()); }
  [[gnu::always_inline]] static void increment(Machine* m) {
    m->vectors_[kCtrCode] = incremented(m->vectors_[kCtrCode], m->counter_bytes_);
  }
  // What a move stores, and the row next to it.
  [[gnu::always_inline]] static Value moved(Machine* m) { return at(m->vectors_, number<HOLE_C>()) ^ row(m); }
  [[gnu::always_inline]] static Value row(Machine* m) { return at(m->vectors_, number<HOLE_D>()); }
  [[gnu::always_inline]] static void hash_beside(Machine* m, HashBeside what) {
    const Value sum = what == HashBeside::Sum ? moved(m) : Value{};
    fn::hash_beside(m->hash_, static_cast<unsigned>(what), sum, what == HashBeside::Row ? row(m) : Value{});
  }
  [[gnu::always_inline]] static void prime_step(Machine* m) { fn::prime_step(m->hash_); }

  template <Delta delta, Wrap wrap>
  [[gnu::always_inline]] static void modify(Machine* m) {
    const auto n = number<HOLE_AR>();
    ar(m, n) = modified(delta, wrap, {ar(m, n), at(m->step_, n), at(m->window_start_, n), at(m->window_end_, n)});
  }

  [[gnu::always_inline]] static bool goes_back(Machine* m, unsigned pc) {
    if (m->loops_.empty() || m->loops_.back().end != pc) return false;
    // A host may have set the turns that remain to zero.
    if (m->loops_.back().remaining <= 1) {
      m->loops_.pop_back();
      return false;
    }
    --m->loops_.back().remaining;
    return true;
  }
  [[gnu::always_inline]] static bool flag(Machine* m) { return m->flag_; }
  [[gnu::always_inline]] static bool may_repeat(Machine* m, unsigned turns, unsigned pc, unsigned end) {
    if (turns > 0 && m->loops_.size() == static_cast<std::size_t>(m->config_.loop_depth)) return false;
    return m->loops_.empty() || (m->loops_.back().end != pc && m->loops_.back().end != end);
  }
  [[gnu::always_inline]] static void repeat(Machine* m, std::uint16_t turns, unsigned pc, unsigned end) {
    m->loops_.push_back({static_cast<std::uint16_t>(pc + 1), static_cast<std::uint16_t>(end), turns});
  }
  [[gnu::always_inline]] static bool call(Machine* m, unsigned pc) {
    if (m->calls_.size() == static_cast<std::size_t>(m->config_.call_depth)) return false;
    m->calls_.push_back(static_cast<std::uint16_t>(pc + 1));
    return true;
  }

  // False where it traps, which is undone. What ends a loop's body comes after it, so it is told to be nowhere.
  [[gnu::always_inline]] static bool interpret(Machine* m, std::uintptr_t call) {
    const Call& c = *reinterpret_cast<const Call*>(call);
    m->pc_ = kNowhere;
    c.handler(*m, *c.instruction);
    if (m->state_ == CoreState::Running) [[likely]] {
      --m->instructions_;  // counted with its block
      return true;
    }
    m->state_ = CoreState::Running;
    m->trap_ = Trap::None;
    return false;
  }

  // False where the limit is near.
  [[gnu::always_inline]] static bool advance(Machine* m, std::uint32_t cycles, std::uintptr_t instructions) {
    m->timing_.earliest_ += cycles;
    m->instructions_ += instructions;
    return m->timing_.earliest_ < m->translated_limit_;
  }
  [[gnu::always_inline]] static void returned(Machine* m, const Returned& returned) { m->returned_ = returned; }
};

}  // namespace lutra

using lutra::Contents;
using lutra::Delta;
using lutra::ExecuteVector;
using lutra::Translated;
using lutra::Wrap;

// Paths, by what the tables hold.
#define LUTRA_PATH(record, contents)                                                           \
  LUTRA_PIECE path_##record##_##contents(LUTRA_ARGUMENTS, Value) {                             \
    LUTRA_GO(NEXT, (Translated::path<lutra::path::record, Contents::contents>(m, memory, k))); \
  }
#define LUTRA_ANY(record) LUTRA_PATH(record, Any)
LUTRA_VECTOR_INSNS(LUTRA_ANY)
#ifdef __AES__
#define LUTRA_AES(record) LUTRA_PATH(record, AesForward) LUTRA_PATH(record, AesInverse)
LUTRA_LOOKUP_INSNS(LUTRA_AES)
#endif
#ifdef __AVX512VBMI__
#define LUTRA_FEW(record) LUTRA_PATH(record, OneTable) LUTRA_PATH(record, TwoTables) LUTRA_PATH(record, FourTables)
LUTRA_LOOKUP_INSNS(LUTRA_FEW)
#endif

#ifdef __GFNI__
#define LUTRA_AFFINE(record) LUTRA_PATH(record, AffineOne) LUTRA_PATH(record, AffineTwo) LUTRA_PATH(record, AffineFour)
LUTRA_LOOKUP_INSNS(LUTRA_AFFINE)
#endif

// Look-ups alone, for the interpreter.
#define LUTRA_LOOKUP(contents)                                                                  \
  extern "C" __attribute__((flatten)) Value lookup_##contents(Value x, const lutra::Bank* bank, \
                                                              const lutra::Compact* compact) {  \
    return lutra::fn::lookup(x, lutra::fn::View<Contents::contents>{*bank, *compact});          \
  }
LUTRA_LOOKUP(Any)
#ifdef __AES__
LUTRA_LOOKUP(AesForward)
LUTRA_LOOKUP(AesInverse)
#endif
#ifdef __AVX512VBMI__
LUTRA_LOOKUP(OneTable)
LUTRA_LOOKUP(TwoTables)
LUTRA_LOOKUP(FourTables)
LUTRA_LOOKUP(AffineOne)
LUTRA_LOOKUP(AffineTwo)
LUTRA_LOOKUP(AffineFour)
#endif

// Addresses of the slots: a row, or what an address register holds.
#define LUTRA_SLOT(slot)                                  \
  LUTRA_PIECE row_##slot(LUTRA_ARGUMENTS, Value x) {      \
    slot = number<HOLE_ROW>();                            \
    LUTRA_GO(NEXT, x);                                    \
  }                                                       \
  LUTRA_PIECE register_##slot(LUTRA_ARGUMENTS, Value x) { \
    slot = Translated::ar(m, number<HOLE_AR>());          \
    if (slot > number<HOLE_LIMIT>()) [[unlikely]]         \
      LUTRA_GO(LEAVE, x);                                 \
    LUTRA_GO(NEXT, x);                                    \
  }
LUTRA_SLOT(k)
LUTRA_SLOT(d)
LUTRA_SLOT(s)

#define LUTRA_DOES(name, ...)                  \
  LUTRA_PIECE name(LUTRA_ARGUMENTS, Value x) { \
    __VA_ARGS__;                               \
    LUTRA_GO(NEXT, x);                         \
  }
LUTRA_DOES(load_row, Translated::load_row(m, memory + d))
LUTRA_DOES(hold, Translated::hold(m))
LUTRA_DOES(increment, Translated::increment(m))
LUTRA_DOES(store_row, lutra::store(memory + s + number<HOLE_BLOCK>(), x))
LUTRA_DOES(store_lane, (memory + s + number<HOLE_BLOCK>())[number<HOLE_N>()] = x[value<HOLE_N>()])
LUTRA_DOES(store_moved, lutra::store(memory + s + number<HOLE_BLOCK>(), Translated::moved(m)))
LUTRA_DOES(hash_step, Translated::hash_beside(m, lutra::HashBeside::Step))
LUTRA_DOES(hash_sum, Translated::hash_beside(m, lutra::HashBeside::Sum))
LUTRA_DOES(hash_row, Translated::hash_beside(m, lutra::HashBeside::Row))
LUTRA_DOES(prime_step, Translated::prime_step(m))
#define LUTRA_MODIFY(delta, wrap) LUTRA_DOES(modify_##delta##_##wrap, (Translated::modify<Delta::delta, Wrap::wrap>(m)))
LUTRA_MODIFY(PlusRow, None)
LUTRA_MODIFY(MinusRow, None)
LUTRA_MODIFY(PlusStep, None)
LUTRA_MODIFY(MinusStep, None)
LUTRA_MODIFY(PlusStep, AtOrAbove)
LUTRA_MODIFY(MinusStep, AtOrBelow)

// The address unit.
#define LUTRA_ADDRESS(name, result)                                            \
  LUTRA_DOES(address_##name, {                                                 \
    [[maybe_unused]] const unsigned a = Translated::ar(m, number<HOLE_AR>());  \
    Translated::ar(m, number<HOLE_TO>()) = static_cast<std::uint16_t>(result); \
  })
LUTRA_ADDRESS(Set, value<HOLE_N>())
LUTRA_ADDRESS(Add, a + value<HOLE_N>())
LUTRA_ADDRESS(And, a& value<HOLE_N>())
LUTRA_ADDRESS(Shr, a >> value<HOLE_N>())

// The sequencer. Where it traps, nothing has changed.
LUTRA_PIECE loop_end(LUTRA_ARGUMENTS, Value x) {
  if (Translated::goes_back(m, value<HOLE_PC>())) LUTRA_GO(TAKEN, x);
  LUTRA_GO(NEXT, x);
}
LUTRA_PIECE jump(LUTRA_ARGUMENTS, Value x) { LUTRA_GO(TAKEN, x); }
LUTRA_PIECE branch_Zero(LUTRA_ARGUMENTS, Value x) {
  if (Translated::ar(m, number<HOLE_AR>()) == 0) LUTRA_GO(TAKEN, x);
  LUTRA_GO(NEXT, x);
}
LUTRA_PIECE branch_Nonzero(LUTRA_ARGUMENTS, Value x) {
  if (Translated::ar(m, number<HOLE_AR>()) != 0) LUTRA_GO(TAKEN, x);
  LUTRA_GO(NEXT, x);
}
LUTRA_PIECE branch_Flag(LUTRA_ARGUMENTS, Value x) {
  if (Translated::flag(m)) LUTRA_GO(TAKEN, x);
  LUTRA_GO(NEXT, x);
}
LUTRA_PIECE branch_NotFlag(LUTRA_ARGUMENTS, Value x) {
  if (!Translated::flag(m)) LUTRA_GO(TAKEN, x);
  LUTRA_GO(NEXT, x);
}
#define LUTRA_REPEAT(name, count)                                                                   \
  LUTRA_PIECE name(LUTRA_ARGUMENTS, Value x) {                                                      \
    const auto turns = static_cast<std::uint16_t>(count);                                           \
    if (!Translated::may_repeat(m, turns, value<HOLE_PC>(), value<HOLE_END>())) LUTRA_GO(LEAVE, x); \
    if (turns == 0) LUTRA_GO(TAKEN, x);                                                             \
    Translated::repeat(m, turns, value<HOLE_PC>(), value<HOLE_END>());                              \
    LUTRA_GO(NEXT, x);                                                                              \
  }
LUTRA_REPEAT(repeat, value<HOLE_N>())
LUTRA_REPEAT(repeat_register, Translated::ar(m, number<HOLE_AR>()))
LUTRA_PIECE call(LUTRA_ARGUMENTS, Value x) {
  if (!Translated::call(m, value<HOLE_PC>())) LUTRA_GO(LEAVE, x);
  LUTRA_GO(TAKEN, x);
}

// An instruction that the interpreter executes.
LUTRA_PIECE interpret(LUTRA_ARGUMENTS, Value x) {
  if (!Translated::interpret(m, number<HOLE_CALL>())) LUTRA_GO(LEAVE, x);
  LUTRA_GO(NEXT, x);
}

// From a block to the next one: its cycles, and the interlock that is left.
LUTRA_PIECE edge(LUTRA_ARGUMENTS, Value x) {
  auto& edge = *reinterpret_cast<lutra::Edge*>(number<HOLE_EDGE>() + state);
  if (edge.cycles == 0) [[unlikely]]
    LUTRA_GO(MISS, x);
  state = edge.next * sizeof(lutra::Edge);
  ++edge.count;
  if (!Translated::advance(m, edge.cycles, number<HOLE_LENGTH>())) [[unlikely]]
    LUTRA_GO(FULL, x);
  LUTRA_GO(NEXT, x);
}

// Back to the translator's caller.
LUTRA_PIECE leave(LUTRA_ARGUMENTS, Value) {
  Translated::returned(m, {static_cast<lutra::Exit>(value<HOLE_WHY>()), static_cast<std::uint16_t>(value<HOLE_PC>()),
                           value<HOLE_EDGE>(), state / sizeof(lutra::Edge)});
}
extern "C" __attribute__((flatten)) void enter(lutra::Machine* m, std::uint8_t* memory, std::uint64_t state,
                                               decltype(&NEXT) code) {
  code(m, memory, state * sizeof(lutra::Edge), 0, 0, 0, Value{});
}
