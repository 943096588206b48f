// The hash unit: its registers and operations (isa/datapath.td). Twin of rtl/lutra_hash.sv.
#pragma once

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

// 160 bits, the first 32 of them in words[0].
using Product = std::array<std::uint32_t, 5>;

// Carry-less product of a word and a row.
inline Product clmul32(std::uint32_t digit, Value row) {
  const Words r = lanes32(row);
  Product product{};
  for (std::size_t i = 0; i < 4; ++i) {
    std::uint64_t part = 0;  // bit 63 is the first; a product has 63 bits
    for (int bit = 0; bit < 32; ++bit)
      if (digit >> bit & 1) part ^= std::uint64_t{r[static_cast<int>(i)]} << bit;
    part <<= 1;
    product[i] ^= static_cast<std::uint32_t>(part >> 32);
    product[i + 1] ^= static_cast<std::uint32_t>(part);
  }
  return product;
}

// Reduction of the overflow of a step: the lower exponents of the polynomial, and the first bit of the field.
struct Reduction {
  std::array<int, 4> taps;
  std::size_t word;  // the field begins with this word, and ends with the row
};
inline constexpr Reduction kGf128{{0, 1, 2, 7}, 0};  // SP 800-38D 6.3
inline constexpr Reduction kGf64{{0, 1, 3, 4}, 2};   // TS 35.215 4.3.2

inline Value reduced(Product sum, const Reduction& by) {
  for (const int n : by.taps) {
    const std::uint64_t over = (std::uint64_t{sum[4]} << 32) >> n;
    sum[by.word] ^= static_cast<std::uint32_t>(over >> 32);
    sum[by.word + 1] ^= static_cast<std::uint32_t>(over);
  }
  return bytes32(Words{sum[0], sum[1], sum[2], sum[3]});
}

// The digit is the last word of the input.
inline Product digit_product(const HashUnit& u) { return clmul32(lanes32(u.gx)[3], u.gh); }

inline Value horner(const HashUnit& u, const Reduction& by) {
  const Words y = lanes32(u.gy);
  Product sum = digit_product(u);
  for (std::size_t i = 0; i < 4; ++i) sum[i + 1] ^= y[static_cast<int>(i)];
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
