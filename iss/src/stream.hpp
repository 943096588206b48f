// The stream unit: contexts and the functions that clock them (isa/datapath.td), one C++ function a Symbol.
// The readable twin of rtl/lutra_stream_context.sv, whose ciphers share their sums.
#pragma once

#include "value.hpp"

namespace lutra {

struct Context {
  std::array<std::uint32_t, 16> s{};  // s[0] is the oldest
  std::uint32_t r1 = 0, r2 = 0, r3 = 0;
  Value buffer{};  // the newest keystream word is the last
};
constexpr std::size_t kRowWords = sizeof(Value) / sizeof(std::uint32_t);
constexpr std::size_t kLfsrRows = std::tuple_size_v<decltype(Context::s)> / kRowWords;
static_assert(kLfsrRows == static_cast<std::size_t>(StreamRow::Registers));

// Effect of an instruction on the contexts.
struct StreamPort {
  Context* contexts = nullptr;
  const Context* looked = contexts;  // as they were in PERM, where the look-ups are
  unsigned clocked = 0;              // one bit per context
  unsigned shown = 0;
  unsigned n = 0;
};

// Input of an instruction's path.
struct Operands {
  Value a{}, b{}, c{}, w{}, k0{}, k1{}, d{}, gy{};
  unsigned n = 0;
  StreamPort stream{};
};

namespace fn {

// Four look-ups from lane `first` on, with one byte of x each, as a word.
inline std::uint32_t lookup_word(const Bank& bank, std::size_t first, std::uint32_t x) {
  std::uint32_t y = 0;
  for (std::size_t i = 0; i < 4; ++i) y = y << 8 | bank[16 * ((x >> (24 - 8 * i)) & 0xff) + first + i];
  return y;
}

// Four look-ups with the same byte, whose entries are in one row.
inline std::uint32_t lookup_byte(const Bank& bank, std::size_t first, std::uint8_t x) {
  std::uint32_t y;
  std::memcpy(&y, bank.data() + kVectorBytes * std::size_t{x} + first, sizeof y);
  return __builtin_bswap32(y);
}

// By rows, as the next clock loads them again.
inline void shift_in(std::array<std::uint32_t, 16>& s, std::uint32_t newest) {
  std::array<Words, 5> rows;
  std::memcpy(rows.data(), s.data(), sizeof s);
  rows[4] = Words{newest, 0, 0, 0};
  for (std::size_t i = 0; i < 4; ++i) rows[i] = __builtin_shufflevector(rows[i], rows[i + 1], 1, 2, 3, 4);
  std::memcpy(s.data(), rows.data(), sizeof s);
}

// buffer = buffer << 32 | z.
inline void emit(Context& c, std::uint32_t z) {
  Words w = std::bit_cast<Words>(c.buffer);
  w = Words{w[1], w[2], w[3], __builtin_bswap32(z)};
  c.buffer = std::bit_cast<Value>(w);
}

// MixColumn of one word, most significant byte first, with another polynomial (TS 35.216 3.3).
inline std::uint32_t snow_mix(std::uint32_t x, std::uint32_t polynomial) {
  const std::uint32_t previous = std::rotr(x, 8);  // every byte's left neighbour
  const std::uint32_t pair = x ^ previous;
  const std::uint32_t twice = ((pair & 0x7f7f7f7f) << 1) ^ ((pair >> 7 & 0x01010101) * polynomial);
  return previous ^ std::rotl(pair, 16) ^ twice;
}

// One clock of SNOW 3G (TS 35.216 3.4, 4): the FSM's output, then the state. In PERM the context was as `looked`.
inline std::uint32_t snow_clock(Context& c, const Context& looked, const Bank& bank, bool feedback) {
  const auto& s = c.s;
  const std::uint32_t f = (s[15] + c.r1) ^ c.r2;
  const std::uint32_t alpha = lookup_byte(bank, 8, static_cast<std::uint8_t>(looked.s[0] >> 24));
  const std::uint32_t alpha_inverse = lookup_byte(bank, 12, static_cast<std::uint8_t>(looked.s[11]));
  const std::uint32_t newest =
      (s[0] << 8) ^ alpha ^ s[2] ^ (s[11] >> 8) ^ alpha_inverse ^ (feedback ? f : std::uint32_t{0});
  const std::uint32_t r1 = c.r2 + (c.r3 ^ s[5]);
  const std::uint32_t r2 = snow_mix(lookup_word(bank, 0, looked.r1), 0x1b);
  c.r3 = snow_mix(lookup_word(bank, 4, looked.r2), 0x69);
  c.r1 = r1;
  c.r2 = r2;
  shift_in(c.s, newest);
  return f;
}

// Addition modulo 2^31 - 1 (TS 35.222 3.2).
inline std::uint32_t add31(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t sum = a + b;
  return (sum & 0x7fffffff) + (sum >> 31);
}

inline std::uint32_t rotate31(std::uint32_t x, int n) { return (x << n | x >> (31 - n)) & 0x7fffffff; }

// Bit reorganisation and F (TS 35.222 3.3, 3.4): W to r3; W ^ X3. Of an LFSR word 31 bits count.
inline std::uint32_t zuc_output(Context& c, const Context& looked, const Bank& bank) {
  const auto high = [](const Context& of, std::size_t i) { return of.s[i] >> 15 & 0xffff; };
  const auto low = [](const Context& of, std::size_t i) { return of.s[i] & 0xffff; };
  const std::uint32_t x0 = high(c, 15) << 16 | low(c, 14), x3 = low(c, 2) << 16 | high(c, 0);
  const std::uint32_t x1 = low(looked, 11) << 16 | high(looked, 9), x2 = low(looked, 7) << 16 | high(looked, 5);
  const std::uint32_t w1 = looked.r1 + x1, w2 = looked.r2 ^ x2;
  c.r3 = (x0 ^ c.r1) + c.r2;
  const std::uint32_t u = w1 << 16 | w2 >> 16, v = w2 << 16 | w1 >> 16;
  c.r1 = lookup_word(bank, 0, u ^ std::rotl(u, 2) ^ std::rotl(u, 10) ^ std::rotl(u, 18) ^ std::rotl(u, 24));
  c.r2 = lookup_word(bank, 4, v ^ std::rotl(v, 8) ^ std::rotl(v, 14) ^ std::rotl(v, 22) ^ std::rotl(v, 30));
  return c.r3 ^ x3;
}

// The LFSR (TS 35.222 3.2), in initialisation mode with W of F before it.
inline void zuc_shift(Context& c, bool init) {
  std::uint32_t sum = init ? c.r3 >> 1 : 0;
  for (const auto& [i, n] : {std::pair{15, 15}, {13, 17}, {10, 21}, {4, 20}, {0, 8}, {0, 0}})
    sum = add31(sum, rotate31(c.s[static_cast<std::size_t>(i)] & 0x7fffffff, n));
  shift_in(c.s, sum);
}

// Every context that is clocked, with its bank; the value is the buffer that is shown.
template <class Step>
Value clock_contexts(const Tables& tables, const StreamPort& port, const Step& step) {
  for (std::size_t i = 0; i < tables.size(); ++i)
    if ((port.clocked >> i) & 1) step(port.contexts[i], port.looked[i], tables[i]);
  return port.contexts[port.shown].buffer;
}

inline Value snow_init(Value, const Tables& tables, const StreamPort& port) {
  return clock_contexts(tables, port,
                        [](Context& c, const Context& looked, const Bank& bank) { snow_clock(c, looked, bank, true); });
}

inline Value snow_work(Value, const Tables& tables, const StreamPort& port) {
  return clock_contexts(tables, port, [](Context& c, const Context& looked, const Bank& bank) {
    const std::uint32_t s0 = c.s[0];
    emit(c, snow_clock(c, looked, bank, false) ^ s0);
  });
}

inline Value zuc_init(Value, const Tables& tables, const StreamPort& port) {
  return clock_contexts(tables, port, [](Context& c, const Context& looked, const Bank& bank) {
    zuc_output(c, looked, bank);
    zuc_shift(c, true);
  });
}

inline Value zuc_work(Value, const Tables& tables, const StreamPort& port) {
  return clock_contexts(tables, port, [](Context& c, const Context& looked, const Bank& bank) {
    emit(c, zuc_output(c, looked, bank));
    zuc_shift(c, false);
  });
}

inline Value zuc_f(Value, const Tables& tables, const StreamPort& port) {
  return clock_contexts(
      tables, port, [](Context& c, const Context& looked, const Bank& bank) { emit(c, zuc_output(c, looked, bank)); });
}

inline Value zuc_lfsr_init(Value, const Tables& tables, const StreamPort& port) {
  return clock_contexts(tables, port, [](Context& c, const Context&, const Bank&) { zuc_shift(c, true); });
}

inline Value zuc_lfsr_work(Value, const Tables& tables, const StreamPort& port) {
  return clock_contexts(tables, port, [](Context& c, const Context&, const Bank&) { zuc_shift(c, false); });
}

// Slicing: the register is r1 of c0, in the order of the message's bytes; bank i serves word i of x.
inline Value crc(Value x, const Tables& tables, const StreamPort& port) {
  const Words in = lanes32(x);
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    if (!((port.clocked >> i) & 1)) continue;
    const std::uint32_t word = in[i] ^ (i == 0 ? port.looked[0].r1 : 0);
    for (std::size_t j = 0; j < 4; ++j)
      next ^= lookup_byte(tables[i], 4 * j, static_cast<std::uint8_t>(word >> (24 - 8 * j)));
  }
  if (port.clocked & 1) port.contexts[0].r1 = next;
  return port.contexts[port.shown].buffer;
}

inline Value context_row(const Context& c, unsigned n) {
  switch (static_cast<StreamRow>(n)) {
    case StreamRow::Buffer:
      return c.buffer;
    case StreamRow::Registers:
      return bytes32(Words{c.r1, c.r2, c.r3, 0});
    default:
      return bytes32(Words{c.s[kRowWords * n], c.s[kRowWords * n + 1], c.s[kRowWords * n + 2], c.s[kRowWords * n + 3]});
  }
}

inline Value context_load(Value x, const Tables&, const StreamPort& port) {
  Context& c = port.contexts[port.shown];
  const Words w = lanes32(x);
  switch (static_cast<StreamRow>(port.n)) {
    case StreamRow::Buffer:
      c.buffer = x;
      break;
    case StreamRow::Registers:
      c.r1 = w[0], c.r2 = w[1], c.r3 = w[2];
      break;
    default:
      for (std::size_t i = 0; i < kRowWords; ++i) c.s[kRowWords * port.n + i] = w[i];
  }
  return x;
}

inline Value context_save(Value, const Tables&, const StreamPort& port) {
  return context_row(port.contexts[port.shown], port.n);
}

}  // namespace fn
}  // namespace lutra
