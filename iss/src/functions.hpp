// The functions of the datapath's blocks (isa/datapath.td), one C++ function per Symbol.
#pragma once

#include <type_traits>

#include "lanes.hpp"
#include "stream.hpp"
#include "value.hpp"

namespace lutra::fn {

inline Value logic_xor(Value x, Value y, Value z) { return x ^ y ^ z; }
inline Value logic_and(Value x, Value y, Value z) { return (x & y) ^ z; }
inline Value logic_or(Value x, Value y, Value z) { return (x | y) ^ z; }
inline Value logic_andn(Value x, Value y, Value z) { return (x & ~y) ^ z; }

inline Value add8(Value x, Value y) { return lane_sum<8, false>(x, y); }
inline Value add16(Value x, Value y) { return lane_sum<16, false>(x, y); }
inline Value add32(Value x, Value y) { return lane_sum<32, false>(x, y); }
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

// A function of which every byte of the result is the XOR of some bytes of the argument, as shuffles; `terms` is the
// most that are added. Only where the host has shuffles: portable code calls the function.
template <std::size_t terms, class Function>
constexpr Masks<terms> byte_sums(const Function& function) {
  Masks<terms> all{};
  for (auto& mask : all) mask.fill(kZeroByte);
  std::array<std::size_t, kVectorBytes> count{};
  for (std::uint8_t j = 0; j < kVectorBytes; ++j) {
    Vec unit{};
    unit[j] = 1;
    const Vec sums = function(unit);
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (sums[i]) all.at(count[i]++)[i] = j;
  }
  return all;
}

template <std::size_t terms>
inline Value byte_sum(Value x, const Masks<terms>& all) {
  Value sum = permute(x, mask(all, 0));
  for (unsigned n = 1; n < terms; ++n) sum ^= permute(x, mask(all, n));
  return sum;
}

// Each word is the XOR of all but one.
constexpr std::array<std::uint32_t, 4> aria_words(const std::array<std::uint32_t, 4>& w) {
  const std::uint32_t sum = w[0] ^ w[1] ^ w[2] ^ w[3];
  return {sum ^ w[3], sum ^ w[1], sum ^ w[2], sum ^ w[0]};
}

// The diffusion layer A (RFC 5794 2.4.3): y_i is the XOR of seven bytes of x. As three sparse matrices: bytes of a
// word, words, and words again, with bytes exchanged in between.
constexpr Vec aria_diffusion(const Vec& x) {
  auto w = std::bit_cast<std::array<std::uint32_t, 4>>(x);
  for (auto& word : w) word = std::rotl(word, 8) ^ std::rotl(word, 16) ^ std::rotl(word, 24);
  w = aria_words(w);
  w[1] = (w[1] & 0x00ff00ff) << 8 | (w[1] >> 8 & 0x00ff00ff);
  w[2] = std::rotl(w[2], 16);
  w[3] = __builtin_bswap32(w[3]);
  return std::bit_cast<Vec>(aria_words(w));
}

inline Value aria_diffusion(Value x) {
#ifdef __SSSE3__
  static constexpr auto kSums = byte_sums<7>([](const Vec& unit) { return aria_diffusion(unit); });
  return byte_sum(x, kSums);
#else
  const Vec y = aria_diffusion(to_vec(x));
  return load(y.data());
#endif
}

// Halves of rows. Element 0 of Halves is the high half: byte order within a half does not matter to logic.
inline Value halves(std::uint64_t high, std::uint64_t low) { return std::bit_cast<Value>(Halves{high, low}); }

inline Value high_twice(Value x) {
  const Halves h = std::bit_cast<Halves>(x);
  return halves(h[0], h[0]);
}

inline Value low_halves(Value x, Value y) { return halves(std::bit_cast<Halves>(x)[1], std::bit_cast<Halves>(y)[1]); }

// P of each half (RFC 3713 2.4.1); the sums are collected in words.
constexpr std::uint64_t camellia_p_half(std::uint64_t x) {
  x = __builtin_bswap64(x);
  auto left = static_cast<std::uint32_t>(x >> 32), right = static_cast<std::uint32_t>(x);
  left ^= std::rotl(right, 8);
  right ^= std::rotl(left, 16);
  left ^= std::rotr(right, 8);
  right ^= std::rotr(left, 8);
  return __builtin_bswap64(std::uint64_t{right} << 32 | left);
}

inline Value camellia_p(Value x) {
#ifdef __SSSE3__
  static constexpr auto kSums = byte_sums<6>([](const Vec& unit) {
    auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(unit);
    for (auto& half : halves) half = camellia_p_half(half);
    return std::bit_cast<Vec>(halves);
  });
  return byte_sum(x, kSums);
#else
  const Halves h = std::bit_cast<Halves>(x);
  return halves(camellia_p_half(h[0]), camellia_p_half(h[1]));
#endif
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

inline Value fold_words(Value x) {
  const Words w = std::bit_cast<Words>(x);
  return std::bit_cast<Value>(Words{0, 0, 0, w[0] ^ w[1] ^ w[2] ^ w[3]});
}

inline Value spread_word(Value x, unsigned n) {
  static constexpr auto kWords = masks<16>([](unsigned n, int i) { return n >> (3 - i / 4) & 1 ? 0xff : 0; });
  static constexpr auto kSpread = masks<1>([](unsigned, int i) { return 12 + i / 4; });
  return permute(fold_words(x & mask(kWords, n % 16)), mask(kSpread, 0));
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
