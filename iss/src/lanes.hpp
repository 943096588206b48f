// Bytes and lanes of a value that change places: the shuffles of the host where it has them.
#pragma once

#include <array>

#include "value.hpp"

#if defined(__SSSE3__) || defined(__PCLMUL__)
#include <immintrin.h>
#endif

namespace lutra::fn {

// Byte i is byte y[i] mod 16 of x, or 0 where y[i] is 128 or more.
inline Value permute(Value x, Value y) {
#ifdef __SSSE3__
  return std::bit_cast<Value>(_mm_shuffle_epi8(std::bit_cast<__m128i>(x), std::bit_cast<__m128i>(y)));
#else
  const Vec in = to_vec(x), from = to_vec(y);
  std::array<std::uint64_t, 2> out{};
  for (unsigned i = 0; i < kVectorBytes; ++i)
    out[i / 8] |= std::uint64_t{from[i] < 128 ? in[from[i] % 16u] : std::uint8_t{0}} << (8 * (i % 8));
  return std::bit_cast<Value>(out);
#endif
}

// One value for each immediate.
template <std::size_t count>
using Masks = std::array<std::array<std::uint8_t, kVectorBytes>, count>;

template <std::size_t count>
inline Value mask(const Masks<count>& masks, unsigned n) {
  return load(masks[n].data());
}

// masks[n][i] = entry(n, i)
template <std::size_t count, class Entry>
constexpr Masks<count> masks(const Entry& entry) {
  Masks<count> all{};
  for (unsigned n = 0; n < count; ++n)
    for (int i = 0; i < kVectorBytes; ++i) all[n][static_cast<std::size_t>(i)] = static_cast<std::uint8_t>(entry(n, i));
  return all;
}

inline constexpr unsigned kZeroByte = 0x80;  // of a permutation

// Sixteen bytes out of two values, from byte n of the first on.
inline Value align(Value x, Value y, unsigned n) {
  static constexpr auto kFirst = masks<kVectorBytes>([](unsigned n, int i) { return i + n < 16 ? i + n : kZeroByte; });
  static constexpr auto kSecond =
      masks<kVectorBytes>([](unsigned n, int i) { return i + n < 16 ? kZeroByte : i + n - 16; });
  return permute(x, mask(kFirst, n)) | permute(y, mask(kSecond, n));
}

inline Value broadcast(Value x, unsigned n) { return Value{} + x[n]; }

// Meaning of the immediate of a rotation or shift (isa/operands.td): bytes per lane, and number of bits.
struct LaneShift {
  int bytes;
  unsigned bits;
};
inline constexpr unsigned kLaneShifts = 248;

constexpr LaneShift lane_shift(unsigned n) {
  unsigned width = 128;
  while (n >= 256 - width) width /= 2;
  return {static_cast<int>(width / 8), n - (256 - 2 * width)};
}

// The byte that becomes byte i where lanes move up by some bytes; bytes beyond the lane come from its other end, or are
// zero.
constexpr unsigned moved_from(int lane, int by, bool turns, int i) {
  const int from = i % lane + by;
  if (!turns && (from < 0 || from >= lane)) return kZeroByte;
  return static_cast<unsigned>(i - i % lane + (from + lane) % lane);
}

// The lane shift of every immediate, and the permutations that make it. The first half of the datapath rotates or
// shifts by whole bytes, the linear layer by the bits that remain.
inline constexpr auto kLaneShift = [] {
  std::array<LaneShift, 256> all{};
  for (unsigned n = 0; n < kLaneShifts; ++n) all[n] = lane_shift(n);
  for (unsigned n = kLaneShifts; n < all.size(); ++n) all[n] = {1, 0};
  return all;
}();

inline constexpr auto kRotateBytes = masks<256>([](unsigned n, int i) {
  const LaneShift s = kLaneShift[n];
  return moved_from(s.bytes, static_cast<int>(s.bits / 8), true, i);
});

inline constexpr auto kLeftBytes = masks<256>([](unsigned n, int i) {
  const LaneShift s = kLaneShift[n];
  return moved_from(s.bytes, static_cast<int>(s.bits / 8), false, i);
});

// A rotation to the right rotates the lane by one byte more than needed; right_bits brings the low bits back in at the
// front.
inline constexpr auto kRightBytes = masks<256>([](unsigned n, int i) {
  const LaneShift s = kLaneShift[n];
  const int by = static_cast<int>(s.bits + 7) / 8;
  return i % s.bytes != 0 && i % s.bytes < by ? kZeroByte : moved_from(s.bytes, s.bytes - by, true, i);
});

// By immediate: the next byte of the lane, or its first one after the last; likewise, or zero; all but the first byte;
// the first and the last byte everywhere.
inline constexpr auto kNextTurning =
    masks<256>([](unsigned n, int i) { return moved_from(kLaneShift[n].bytes, 1, true, i); });
inline constexpr auto kNext =
    masks<256>([](unsigned n, int i) { return moved_from(kLaneShift[n].bytes, 1, false, i); });
inline constexpr auto kNotFirst = masks<256>([](unsigned n, int i) { return i % kLaneShift[n].bytes ? 0xff : 0; });
inline constexpr auto kFirst = masks<256>([](unsigned n, int i) { return i - i % kLaneShift[n].bytes; });
inline constexpr auto kLast =
    masks<256>([](unsigned n, int i) { return i - i % kLaneShift[n].bytes + kLaneShift[n].bytes - 1; });

inline Value rotate_bytes(Value x, unsigned n) { return permute(x, mask(kRotateBytes, n)); }
inline Value left_bytes(Value x, unsigned n) { return permute(x, mask(kLeftBytes, n)); }
inline Value right_bytes(Value x, unsigned n) { return permute(x, mask(kRightBytes, n)); }

// Every byte shifted; the host has shifts of words.
inline Value bytes_left(Value x, unsigned bits) {
  return std::bit_cast<Value>(std::bit_cast<Words>(x) << bits) & static_cast<std::uint8_t>(0xff << bits);
}
inline Value bytes_right(Value x, unsigned bits) {
  return std::bit_cast<Value>(std::bit_cast<Words>(x) >> bits) & static_cast<std::uint8_t>(0xff >> bits);
}

inline Value rotate_bits(Value x, unsigned n) {
  const unsigned bits = kLaneShift[n].bits % 8;
  return bytes_left(x, bits) | bytes_right(bytes_right(permute(x, mask(kNextTurning, n)), 1), 7 - bits);
}

inline Value left_bits(Value x, unsigned n) {
  const unsigned bits = kLaneShift[n].bits % 8;
  return bytes_left(x, bits) | bytes_right(bytes_right(permute(x, mask(kNext, n)), 1), 7 - bits);
}

inline Value right_bits(Value x, unsigned n) {
  if (kLaneShift[n].bits == 0) return x;
  const unsigned left = (8 - kLaneShift[n].bits % 8) % 8;
  const Value entering = permute(x, mask(kNextTurning, n));
  return bytes_left(x & mask(kNotFirst, n), left) | bytes_right(bytes_right(entering, 1), 7 - left);
}

// The lanes of a row from which a shift of x by one drops a one: the first bit, or for a right shift the last.
inline Value lanes_carried_out(Value x, Value row, unsigned n, bool right) {
  const Value end = permute(x, mask(right ? kLast : kFirst, n));
  const Value bit = right ? end & 1 : bytes_right(end, 7);
  return row & (Value{} - bit);
}

// Sums of big-endian lanes. x - y is x + ~y + 1.
template <int bits>
using Lane = std::conditional_t<
    bits == 8, std::uint8_t,
    std::conditional_t<bits == 16, std::uint16_t, std::conditional_t<bits == 32, std::uint32_t, std::uint64_t>>>;

// Lanes in the byte order of the host, and back.
template <int bits>
inline Value reversed_lanes(Value x) {
#ifdef __SSSE3__
  static constexpr auto kReversed =
      masks<1>([](unsigned, int i) { return i - i % (bits / 8) + bits / 8 - 1 - i % (bits / 8); });
  return bits == 8 ? x : permute(x, mask(kReversed, 0));
#else
  typedef std::uint16_t Pairs __attribute__((vector_size(kVectorBytes)));
  if constexpr (bits == 8) return x;
  const Pairs p = std::bit_cast<Pairs>(x);
  const Words w = std::bit_cast<Words>((p << 8) | (p >> 8));
  if constexpr (bits == 16) return std::bit_cast<Value>(w);
  const Halves h = std::bit_cast<Halves>((w << 16) | (w >> 16));
  if constexpr (bits == 32) return std::bit_cast<Value>(h);
  return std::bit_cast<Value>((h << 32) | (h >> 32));
#endif
}

template <int bits, bool minus>
inline Value lane_sum(Value x, Value y) {
  if constexpr (bits == 128) {
    const Halves a = std::bit_cast<Halves>(x), b = std::bit_cast<Halves>(y);
    unsigned __int128 sum = static_cast<unsigned __int128>(__builtin_bswap64(a[0])) << 64 | __builtin_bswap64(a[1]);
    const unsigned __int128 other =
        static_cast<unsigned __int128>(__builtin_bswap64(b[0])) << 64 | __builtin_bswap64(b[1]);
    sum = minus ? sum - other : sum + other;
    return std::bit_cast<Value>(Halves{__builtin_bswap64(static_cast<std::uint64_t>(sum >> 64)),
                                       __builtin_bswap64(static_cast<std::uint64_t>(sum))});
  } else {
    typedef Lane<bits> Lanes __attribute__((vector_size(kVectorBytes)));
    const auto a = std::bit_cast<Lanes>(reversed_lanes<bits>(x)), b = std::bit_cast<Lanes>(reversed_lanes<bits>(y));
    return reversed_lanes<bits>(std::bit_cast<Value>(minus ? a - b : a + b));
  }
}

}  // namespace lutra::fn
