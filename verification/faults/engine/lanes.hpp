// A bit per lane: vectors of 64, 256 or 512 bits, for code that is compiled once for each width (lanes_*.cpp).
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace faults {

template <int kWidth>
struct LanesOf {
  typedef std::uint64_t Type __attribute__((vector_size(kWidth / 8)));
};
template <int kWidth>
using Lanes = typename LanesOf<kWidth>::Type;

template <int kWidth>
inline Lanes<kWidth> broadcast(bool value) {
  return Lanes<kWidth>{} - std::uint64_t{value};
}

template <int kWidth>
inline bool any(const Lanes<kWidth>& lanes) {
  std::uint64_t all = 0;
  for (int i = 0; i < kWidth / 64; ++i) all |= lanes[i];
  return all != 0;
}

template <int kWidth>
inline unsigned count(const Lanes<kWidth>& lanes) {
  int all = 0;
  for (int i = 0; i < kWidth / 64; ++i) all += std::popcount(lanes[i]);
  return static_cast<unsigned>(all);
}

template <int kWidth>
inline bool get(const Lanes<kWidth>& lanes, unsigned lane) {
  return lanes[lane / 64] >> (lane % 64) & 1;
}

template <int kWidth>
inline void set(Lanes<kWidth>& lanes, unsigned lane, bool value = true) {
  const std::uint64_t bit = std::uint64_t{1} << (lane % 64);
  lanes[lane / 64] = value ? lanes[lane / 64] | bit : lanes[lane / 64] & ~bit;
}

template <int kWidth, class F>
inline void for_each(const Lanes<kWidth>& lanes, F&& visit) {
  for (int i = 0; i < kWidth / 64; ++i)
    for (std::uint64_t word = lanes[i]; word; word &= word - 1)
      visit(static_cast<unsigned>(64 * i + std::countr_zero(word)));
}

}  // namespace faults
