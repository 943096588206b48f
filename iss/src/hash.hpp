// The hash unit: its registers and operations (isa/datapath.td). Twin of rtl/lutra_hash.sv.
#pragma once

#include "lanes.hpp"
#include "value.hpp"

namespace lutra {

// Factor, input and sum. Bit 0 of a value is the most significant one of byte 0. Of the multiplier: the digit above
// those of gx, and the five bits above gy.
struct HashUnit {
  Value gh{}, gx{}, gy{};
  std::uint8_t gt = 0, gu = 0;
};

namespace fn {

// A value with its bits in reverse.
inline std::uint64_t reverse64(std::uint64_t x) {
  x = (x >> 1 & 0x5555555555555555) | (x & 0x5555555555555555) << 1;
  x = (x >> 2 & 0x3333333333333333) | (x & 0x3333333333333333) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0f) | (x & 0x0f0f0f0f0f0f0f0f) << 4;
  return __builtin_bswap64(x);
}

inline Value reverse_bits(Value x) {
  const Halves h = std::bit_cast<Halves>(x);
  return std::bit_cast<Value>(Halves{reverse64(h[1]), reverse64(h[0])});
}

// 160 bits: the first 128, and 32 beyond them.
struct Product {
  std::uint64_t high = 0, low = 0;
  std::uint32_t beyond = 0;
};

// Carry-less product of a word and a row. Of 63 bits, so that it begins with a zero; the last bit is a zero, too.
inline Product clmul32(std::uint32_t digit, Value row) {
  const Halves r = std::bit_cast<Halves>(row);
  const std::uint64_t high = __builtin_bswap64(r[0]), low = __builtin_bswap64(r[1]);
#ifdef __PCLMUL__
  const __m128i twice = _mm_cvtsi64_si128(static_cast<long long>(std::uint64_t{digit} << 1));
  const auto product = [&twice](std::uint64_t half) {
    const __m128i p = _mm_clmulepi64_si128(twice, _mm_cvtsi64_si128(static_cast<long long>(half)), 0);
    return std::bit_cast<unsigned __int128>(p);
  };
  const unsigned __int128 of_high = product(high), of_low = product(low);
#else
  unsigned __int128 of_high = 0, of_low = 0;
  for (int bit = 0; bit < 32; ++bit) {
    const std::uint64_t chosen = 0 - std::uint64_t{digit >> bit & 1};
    of_high ^= static_cast<unsigned __int128>(high & chosen) << (bit + 1);
    of_low ^= static_cast<unsigned __int128>(low & chosen) << (bit + 1);
  }
#endif
  const auto top = static_cast<std::uint64_t>(of_high >> 64);
  const std::uint64_t middle = static_cast<std::uint64_t>(of_high) ^ static_cast<std::uint64_t>(of_low >> 64);
  const auto bottom = static_cast<std::uint64_t>(of_low);
  return {top << 32 | middle >> 32, middle << 32 | bottom >> 32, static_cast<std::uint32_t>(bottom)};
}

// Reduction of the overflow of a step: the lower exponents of the polynomial, and whether the field is the last half of
// a row or the whole.
struct Reduction {
  std::array<int, 4> taps;
  bool half;
};
inline constexpr Reduction kGf128{{0, 1, 2, 7}, false};  // SP 800-38D 6.3
inline constexpr Reduction kGf64{{0, 1, 3, 4}, true};    // TS 35.215 4.3.2

inline Value reduced(Product sum, const Reduction& by) {
  for (const int n : by.taps) (by.half ? sum.low : sum.high) ^= (std::uint64_t{sum.beyond} << 32) >> n;
  return std::bit_cast<Value>(Halves{__builtin_bswap64(sum.high), __builtin_bswap64(sum.low)});
}

// The digit is the last word of the input.
inline Product digit_product(const HashUnit& u) { return clmul32(lanes32(u.gx)[3], u.gh); }

inline Value horner(const HashUnit& u, const Reduction& by) {
  const Halves y = std::bit_cast<Halves>(u.gy);
  const std::uint64_t high = __builtin_bswap64(y[0]), low = __builtin_bswap64(y[1]);
  Product sum = digit_product(u);
  sum.high ^= high >> 32;
  sum.low ^= high << 32 | low >> 32;
  sum.beyond ^= static_cast<std::uint32_t>(low);
  return reduced(sum, by);
}

inline Value window(const HashUnit& u) { return reduced(digit_product(u), kGf128) ^ u.gy; }

inline Value down(Value x) {
  const Words w = std::bit_cast<Words>(x);
  return std::bit_cast<Value>(Words{0, w[0], w[1], w[2]});
}

inline void hash_step(HashUnit& u) {
  u.gy = horner(u, kGf128);
  u.gx = down(u.gx);
}
inline void field_step(HashUnit& u) {
  u.gy = horner(u, kGf64);
  u.gx = down(u.gx);
}
inline void window_step(HashUnit& u) {
  u.gy = window(u);
  u.gx = down(u.gx);
}
inline void take(HashUnit& u, Value x) {
  u.gx = x ^ u.gy;
  u.gy = Value{};
}

// An integer of 192 bits, the lowest word first.
using Integer = std::array<std::uint64_t, 3>;

// a + b 2^(64 place), modulo 2^192.
inline Integer plus(Integer a, std::uint64_t b, std::size_t place) {
  for (std::size_t i = place; i < a.size(); ++i) {
    a[i] += b;
    b = a[i] < b;
  }
  return a;
}

inline Integer big_endian(Value x, std::uint64_t above = 0) {
  const Halves h = std::bit_cast<Halves>(x);
  return {__builtin_bswap64(h[1]), __builtin_bswap64(h[0]), above};
}

// The last 16 bytes, the most significant one first.
inline Value row(const Integer& n) {
  return std::bit_cast<Value>(Halves{__builtin_bswap64(n[1]), __builtin_bswap64(n[0])});
}

// 2^8 (y mod 2^122) + 5 (y div 2^122) + digit h, which is y 2^8 + digit h modulo 2^130 - 5 (RFC 8439 2.5).
inline Integer prime_sum(const Integer& y, std::uint64_t digit, const Integer& h) {
  constexpr unsigned kLow = 122 - 64;  // bits of word 1 that stay
  const std::uint64_t middle = y[1] & ((std::uint64_t{1} << kLow) - 1);
  const std::uint64_t top = y[1] >> kLow | y[2] << (64 - kLow);
  Integer sum{y[0] << 8, middle << 8 | y[0] >> 56, middle >> 56};
  sum = plus(sum, 5 * top, 0);
  // By half-words, whose products fit.
  for (std::size_t i = 0; i < 2; ++i) {
    const std::uint64_t high = digit * (h[i] >> 32);
    sum = plus(sum, digit * (h[i] & 0xffffffff), i);
    sum = plus(sum, high << 32, i);
    sum = plus(sum, high >> 32, i + 1);
  }
  return sum;
}

inline void prime_step(HashUnit& u) {
  const Integer sum = prime_sum(big_endian(u.gy, u.gu), u.gt, big_endian(u.gh));
  u.gy = row(sum);
  u.gu = sum[2] & 0x1f;
  u.gt = u.gx[kVectorBytes - 1];
  for (unsigned i = kVectorBytes - 1; i > 0; --i) u.gx[i] = u.gx[i - 1];
  u.gx[0] = 0;
}

// The row as a little-endian number, and `above` 2^128, are added to the sum, and become the input.
inline void prime_take(HashUnit& u, Value x, std::uint64_t above) {
  const Halves h = std::bit_cast<Halves>(x);
  const Integer sum = plus(plus(big_endian(u.gy, u.gu + above), h[0], 0), h[1], 1);
  u.gx = std::bit_cast<Value>(Halves{sum[0], sum[1]});
  u.gt = static_cast<std::uint8_t>(sum[2]);
  u.gy = Value{};
  u.gu = 0;
}

// Effect at the end of an instruction's path; x: value on the path, d: row of the data slot.
inline void hash_end(HashUnit& u, Res end, Value x, Value d) {
  switch (end) {
    case Res::ToFactor:
      u.gh = x;
      break;
    case Res::ToInput:
      u.gx = x;
      u.gy = Value{};
      break;
    case Res::ToReversed:
      u.gx = reverse_bits(x);
      u.gy = Value{};
      break;
    case Res::AddInput:
      take(u, x);
      break;
    case Res::HashStep:
      hash_step(u);
      break;
    case Res::FieldStep:
      field_step(u);
      break;
    case Res::FieldFold:
      field_step(u);
      take(u, u.gx);
      break;
    case Res::FieldAdd:
      field_step(u);
      take(u, reverse_bits(x));
      break;
    case Res::WindowStep:
      window_step(u);
      u.gh = x;
      break;
    case Res::WindowNext:
      window_step(u);
      u.gx = reverse_bits(d);
      u.gh = x;
      break;
    case Res::PrimeAdd:
      prime_take(u, x, 1);
      break;
    case Res::PrimeLast:
      prime_take(u, x, 0);
      break;
    case Res::PrimeStep:
      prime_step(u);
      break;
    default:
      break;
  }
}

// Side effects; moved: the value that a move would store, row: the row of the data slot.
inline void hash_beside(HashUnit& u, unsigned h, Value moved, Value row) {
  if (h & static_cast<unsigned>(HashBeside::Step)) hash_step(u);
  if (h & static_cast<unsigned>(HashBeside::Sum)) take(u, moved);
  if (h & static_cast<unsigned>(HashBeside::Row)) take(u, row);
}

}  // namespace fn
}  // namespace lutra
