// A 128-bit value as the simulator computes with it, and its conversions.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

#include "lutra_retire.hpp"

namespace lutra {

static_assert(std::endian::native == std::endian::little, "lane code assumes a little-endian host");

// Sixteen byte lanes; lane 0 is byte 0. GCC vector types compile to SSE2, NEON or plain code.
typedef std::uint8_t Value __attribute__((vector_size(kVectorBytes)));
typedef std::uint32_t Words __attribute__((vector_size(kVectorBytes)));
typedef std::uint64_t Halves __attribute__((vector_size(kVectorBytes)));

inline Value load(const std::uint8_t* at) {
  Value v;
  std::memcpy(&v, at, sizeof v);
  return v;
}

inline void store(std::uint8_t* at, Value v) { std::memcpy(at, &v, sizeof v); }

inline Vec to_vec(Value v) {
  Vec bytes;
  store(bytes.data(), v);
  return bytes;
}

// Big-endian 32-bit lanes as numbers, and back.
inline Words lanes32(Value x) {
#ifdef __SSSE3__
  return std::bit_cast<Words>(__builtin_shufflevector(x, x, 3, 2, 1, 0, 7, 6, 5, 4, 11, 10, 9, 8, 15, 14, 13, 12));
#else
  const Words w = std::bit_cast<Words>(x);
  return (w << 24) | ((w & 0xff00) << 8) | ((w >> 8) & 0xff00) | (w >> 24);
#endif
}

inline Value bytes32(Words w) { return std::bit_cast<Value>(lanes32(std::bit_cast<Value>(w))); }

inline bool is_zero(Value v) {
  const Halves h = std::bit_cast<Halves>(v);
  return (h[0] | h[1]) == 0;
}

// One table bank: row e holds entry e of all sixteen lanes, as the host writes it.
using Bank = std::array<std::uint8_t, kTableRows * kVectorBytes>;
using Tables = std::array<Bank, kTableBanks>;

// How a path represents its value, given its tables.
template <class Banks>
struct PathRow {
  using Type = Value;
};
template <class Banks>
using RowOf = typename PathRow<Banks>::Type;

// The value on the path and its partner.
struct Pair {
  Value x{}, p{};
};

}  // namespace lutra
