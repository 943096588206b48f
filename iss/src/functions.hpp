// The functions of the datapath's blocks (isa/datapath.td), one C++ function per Symbol.
#pragma once

#include <type_traits>

#include "stream.hpp"
#include "value.hpp"

namespace lutra::fn {

inline Value logic_xor(Value x, Value y, Value z) { return x ^ y ^ z; }
inline Value logic_and(Value x, Value y, Value z) { return (x & y) ^ z; }
inline Value logic_or(Value x, Value y, Value z) { return (x | y) ^ z; }
inline Value logic_andn(Value x, Value y, Value z) { return (x & ~y) ^ z; }

// Sums of big-endian lanes; x - y is x + ~y + 1. A carry goes from each byte to the one before it, but not out of its
// lane.
template <int bits, bool minus>
inline Value lane_sum(Value x, Value y) {
  Value sum{};
  unsigned carry = minus;
  for (int i = kVectorBytes - 1; i >= 0; --i) {
    const unsigned byte = x[i] + (minus ? 0xffu - y[i] : y[i]) + carry;
    sum[i] = static_cast<std::uint8_t>(byte);
    carry = i % (bits / 8) ? byte >> 8 : minus;
  }
  return sum;
}

inline Value add8(Value x, Value y) { return lane_sum<8, false>(x, y); }
inline Value add16(Value x, Value y) { return lane_sum<16, false>(x, y); }
inline Value add32(Value x, Value y) { return bytes32(lanes32(x) + lanes32(y)); }
inline Value add64(Value x, Value y) { return lane_sum<64, false>(x, y); }
inline Value add128(Value x, Value y) { return lane_sum<128, false>(x, y); }
inline Value sub8(Value x, Value y) { return lane_sum<8, true>(x, y); }
inline Value sub16(Value x, Value y) { return lane_sum<16, true>(x, y); }
inline Value sub32(Value x, Value y) { return lane_sum<32, true>(x, y); }
inline Value sub64(Value x, Value y) { return lane_sum<64, true>(x, y); }
inline Value sub128(Value x, Value y) { return lane_sum<128, true>(x, y); }

inline std::uint64_t lookup_half(std::uint64_t x, const std::uint8_t* lane0) {
  std::uint64_t y = 0;
  for (int i = 0; i < 8; ++i) {
    const std::size_t entry = (x >> (8 * i)) & 0xff;
    y |= std::uint64_t{lane0[16 * entry + static_cast<std::size_t>(i)]} << (8 * i);
  }
  return y;
}

inline Value lookup(Value x, const Bank& bank) {
  const Halves h = std::bit_cast<Halves>(x);
  return std::bit_cast<Value>(Halves{lookup_half(h[0], bank.data()), lookup_half(h[1], bank.data() + 8)});
}

// Row r of column c is byte r + 4c (FIPS 197 3.4). Row 1 comes from `one` columns on, row 2 from two, row 3 from
// `three`: column shuffles under row masks, which any host does in a few instructions.
template <int one, int three>
inline Value rotate_rows(Value x) {
  const Words w = std::bit_cast<Words>(x);
  const auto from = [w]<int n>(std::integral_constant<int, n>) {
    return __builtin_shufflevector(w, w, n % 4, (n + 1) % 4, (n + 2) % 4, (n + 3) % 4);
  };
  return std::bit_cast<Value>((w & 0x000000ff) | (from(std::integral_constant<int, one>{}) & 0x0000ff00) |
                              (from(std::integral_constant<int, 2>{}) & 0x00ff0000) |
                              (from(std::integral_constant<int, three>{}) & 0xff000000));
}

inline Value shift_rows(Value x) { return rotate_rows<1, 3>(x); }      // FIPS 197 5.1.2
inline Value inv_shift_rows(Value x) { return rotate_rows<3, 1>(x); }  // FIPS 197 5.3.1

inline Value permute(Value x, Value y) {
  Value out{};
  for (int i = 0; i < 16; ++i) out[i] = y[i] < 128 ? x[y[i] % 16] : 0;
  return out;
}

inline Value align(Value x, Value y, unsigned n) {
  std::uint8_t both[32];
  store(both, x);
  store(both + 16, y);
  return load(both + n);
}

inline Value broadcast(Value x, unsigned n) { return Value{} + x[n]; }

// Meaning of the immediate of a rotation or shift (isa/operands.td): bytes per lane, and number of bits.
struct LaneShift {
  int bytes;
  unsigned bits;
};

constexpr LaneShift lane_shift(unsigned n) {
  unsigned width = 128;
  while (n >= 256 - width) width /= 2;
  return {static_cast<int>(width / 8), n - (256 - 2 * width)};
}

// Byte p of every lane becomes its byte p + by; bytes beyond the lane come from its other end, or are zero.
inline Value shift_bytes(Value x, int lane, int by, bool turns) {
  Value out{};
  for (int i = 0; i < kVectorBytes; ++i) {
    const int from = i % lane + by;
    if (turns || (from >= 0 && from < lane)) out[i] = x[i - i % lane + (from + lane) % lane];
  }
  return out;
}

// A rotation or shift by n bits is one by whole bytes here and one by the rest in the linear layer.
inline Value rotate_bytes(Value x, unsigned n) {
  const LaneShift s = lane_shift(n);
  return shift_bytes(x, s.bytes, static_cast<int>(s.bits / 8), true);
}

inline Value left_bytes(Value x, unsigned n) {
  const LaneShift s = lane_shift(n);
  return shift_bytes(x, s.bytes, static_cast<int>(s.bits / 8), false);
}

// A rotation to the right rotates the lane by one byte more than needed; right_bits brings the low bits back in at the
// front.
inline Value right_bytes(Value x, unsigned n) {
  const LaneShift s = lane_shift(n);
  const int by = static_cast<int>(s.bits + 7) / 8;
  Value out = shift_bytes(x, s.bytes, s.bytes - by, true);
  for (int i = 0; i < kVectorBytes; ++i)
    if (i % s.bytes != 0 && i % s.bytes < by) out[i] = 0;
  return out;
}

inline Value rotate_bits(Value x, unsigned n) {
  const LaneShift s = lane_shift(n);
  return x << s.bits % 8 | shift_bytes(x, s.bytes, 1, true) >> 1 >> (7 - s.bits % 8);
}

inline Value left_bits(Value x, unsigned n) {
  const LaneShift s = lane_shift(n);
  return x << s.bits % 8 | shift_bytes(x, s.bytes, 1, false) >> 1 >> (7 - s.bits % 8);
}

inline Value right_bits(Value x, unsigned n) {
  const LaneShift s = lane_shift(n);
  if (s.bits == 0) return x;
  const unsigned left = (8 - s.bits % 8) % 8;
  const Value entering = shift_bytes(x, s.bytes, 1, true);
  for (int i = 0; i < kVectorBytes; i += s.bytes) x[i] = 0;
  return x << left | entering >> 1 >> (7 - left);
}

// Multiplication by x in GF(2^8) modulo x^8+x^4+x^3+x+1, sixteen bytes (FIPS 197 4.2.1).
inline Value xtime(Value x) {
  const auto carry = std::bit_cast<Value>(static_cast<Value>(x >= 0x80));
  return (x + x) ^ (carry & 0x1b);
}

// Bytes of every column rotated up by one place: row r takes row r+1.
inline Value rotate_column(Value x, int bytes) {
  const Words w = std::bit_cast<Words>(x);
  return std::bit_cast<Value>((w >> (8 * bytes)) | (w << (32 - 8 * bytes)));
}

// 2a + 3b + c + d = a + (a+b+c+d) + 2(a+b) (FIPS 197 5.1.3).
inline Value mix_columns(Value x) {
  const Value pair = x ^ rotate_column(x, 1);
  const Value all = pair ^ rotate_column(pair, 2);
  return x ^ all ^ xtime(pair);
}

// The inverse polynomial is the forward one times 5 + 4x^2 (FIPS 197 5.3.3).
inline Value inv_mix_columns(Value x) { return mix_columns(x ^ xtime(xtime(x ^ rotate_column(x, 2)))); }

// The diffusion layer A (RFC 5794 2.4.3): y_i is the XOR of seven bytes of x.
inline Value aria_diffusion(Value x) {
  static constexpr std::uint8_t kTerms[16][7] = {
      {3, 4, 6, 8, 9, 13, 14},  {2, 5, 7, 8, 9, 12, 15},  {1, 4, 6, 10, 11, 12, 15}, {0, 5, 7, 10, 11, 13, 14},
      {0, 2, 5, 8, 11, 14, 15}, {1, 3, 4, 9, 10, 14, 15}, {0, 2, 7, 9, 10, 12, 13},  {1, 3, 6, 8, 11, 12, 13},
      {0, 1, 4, 7, 10, 13, 15}, {0, 1, 5, 6, 11, 12, 14}, {2, 3, 5, 6, 8, 13, 15},   {2, 3, 4, 7, 9, 12, 14},
      {1, 2, 6, 7, 9, 11, 12},  {0, 3, 6, 7, 8, 10, 13},  {0, 3, 4, 5, 9, 11, 14},   {1, 2, 4, 5, 8, 10, 15}};
  const Vec in = to_vec(x);
  Vec out{};
  for (std::size_t i = 0; i < 16; ++i)
    for (const std::uint8_t j : kTerms[i]) out[i] ^= in[j];
  return load(out.data());
}

// Halves of rows. Element 0 of Halves is the high half: byte order within a half does not matter to logic.
inline Value halves(std::uint64_t high, std::uint64_t low) { return std::bit_cast<Value>(Halves{high, low}); }

inline Value high_twice(Value x) {
  const Halves h = std::bit_cast<Halves>(x);
  return halves(h[0], h[0]);
}

inline Value low_halves(Value x, Value y) { return halves(std::bit_cast<Halves>(x)[1], std::bit_cast<Halves>(y)[1]); }

// P of each half (RFC 3713 2.4.1); the sums are collected in words.
inline std::uint64_t camellia_p_half(std::uint64_t x) {
  x = __builtin_bswap64(x);
  auto left = static_cast<std::uint32_t>(x >> 32), right = static_cast<std::uint32_t>(x);
  left ^= std::rotl(right, 8);
  right ^= std::rotl(left, 16);
  left ^= std::rotr(right, 8);
  right ^= std::rotr(left, 8);
  return __builtin_bswap64(std::uint64_t{right} << 32 | left);
}

inline Value camellia_p(Value x) {
  const Halves h = std::bit_cast<Halves>(x);
  return halves(camellia_p_half(h[0]), camellia_p_half(h[1]));
}

// FL and its inverse on a half, k1 and k2 being the halves of the key (RFC 3713 2.4.2, 2.4.3).
inline std::uint64_t camellia_fl(std::uint64_t x, std::uint64_t key, bool inverse) {
  x = __builtin_bswap64(x);
  key = __builtin_bswap64(key);
  auto left = static_cast<std::uint32_t>(x >> 32), right = static_cast<std::uint32_t>(x);
  const auto k1 = static_cast<std::uint32_t>(key >> 32), k2 = static_cast<std::uint32_t>(key);
  if (inverse) left ^= right | k2;
  right ^= std::rotl(left & k1, 1);
  if (!inverse) left ^= right | k2;
  return __builtin_bswap64(std::uint64_t{left} << 32 | right);
}

inline Pair pair_pack(Pair v, Value y) {
  const Halves x = std::bit_cast<Halves>(v.x ^ y), p = std::bit_cast<Halves>(v.p ^ y);
  return {halves(p[0], x[0]), halves(p[1], x[1])};
}

inline Pair pair_split(Pair v, Value y) {
  const Halves s = std::bit_cast<Halves>(v.x ^ v.p ^ y);
  return {halves(s[0], 0), halves(s[1], 0)};
}

inline Pair pair_fl(Pair v, Value y) {
  const Halves x = std::bit_cast<Halves>(v.x), p = std::bit_cast<Halves>(v.p), k = std::bit_cast<Halves>(y);
  return {halves(camellia_fl(x[0], k[0], false), camellia_fl(x[1], k[0], false)),
          halves(camellia_fl(p[0], k[1], true), camellia_fl(p[1], k[1], true))};
}

inline Pair pair_join(Pair v, Value y, Value z) {
  const Halves x = std::bit_cast<Halves>(v.x ^ z), p = std::bit_cast<Halves>(v.p);
  return {halves(p[0], x[0]) ^ y, halves(p[1], x[1]) ^ y};
}

inline Pair pair_xor(Pair v, Value y, Value z) { return {v.x ^ y ^ z, v.p}; }

// The result of the first half with a key.
inline Value onto(Value x, Value key) { return x ^ key; }

// Words rotated left by n / 64, unless bit 5 of n applies the rotation to the sum instead.
inline Value rotate_third(Value x, unsigned n) { return n & 32 ? x : align(x, x, 4 * (n / 64)); }

// The lanes of a row from which a shift of x by one drops a one: the first bit, or for a right shift the last.
inline Value lanes_carried_out(Value x, Value row, unsigned n, bool right) {
  const int lane = lane_shift(n).bytes;
  for (int i = 0; i < kVectorBytes; ++i) {
    const int first = i - i % lane;
    if (!(right ? x[first + lane - 1] & 1 : x[first] >> 7)) row[i] = 0;
  }
  return row;
}

inline Value rotate_words(Value x, unsigned n) {
  Words w = lanes32(x);
  for (int i = 0; i < 4; ++i) w[i] = std::rotl(w[i], static_cast<int>(n % 32));
  return bytes32(w);
}

inline Pair sum_turned(Pair v, Value y, unsigned n) {
  return {n & 32 ? align(v.x, v.x, 4 * (n / 64)) : v.x, rotate_words(v.p ^ y, n)};
}

inline Pair words_rotated(Pair v, Value y, Value z) {
  Words w = lanes32(v.p ^ y);
  const Words amounts = lanes32(z);
  for (int i = 0; i < 4; ++i) w[i] = std::rotl(w[i], static_cast<int>(amounts[i] % 32));
  return {bytes32(w), bytes32(w)};
}

inline Pair sum_rotated(Pair v, Value y, unsigned n) {
  const Value r = rotate_words(v.p ^ y, n);
  return {r, r};
}

inline Value spread_word(Value x, unsigned n) {
  Value out{};
  for (int i = 0; i < kVectorBytes; ++i)
    for (int word = 0; word < 4; ++word)
      if (n >> (3 - word) & 1) out[i] ^= x[4 * word + i / 4];
  return out;
}

inline Value fold_words(Value x) {
  const Words w = std::bit_cast<Words>(x);
  return std::bit_cast<Value>(Words{0, 0, 0, w[0] ^ w[1] ^ w[2] ^ w[3]});
}

inline Value double128(Value x) {
  const Halves h = std::bit_cast<Halves>(x);
  const std::uint64_t high = __builtin_bswap64(h[0]), low = __builtin_bswap64(h[1]);
  const std::uint64_t carry = 0x87 & (0 - (high >> 63));
  return std::bit_cast<Value>(Halves{__builtin_bswap64(high << 1 | low >> 63), __builtin_bswap64(low << 1 ^ carry)});
}

inline Value prefix_xor32(Value x) {
  Words w = std::bit_cast<Words>(x);
  for (int i = 1; i < 4; ++i) w[i] ^= w[i - 1];
  return std::bit_cast<Value>(w);
}

}  // namespace lutra::fn
