// Recognises inversion between affine maps, whatever the maps: by linear equivalence, from the values alone (Biryukov
// and others, "A toolbox for cryptanalysis: linear and affine equivalence algorithms", 2003).
#include "translate/affine.hpp"

#include <bit>

namespace lutra {
namespace {

// A linear map of which some values are known.
class Linear {
 public:
  int rank() const { return rank_; }

  // Adds a value; false where it contradicts the others.
  bool add(std::uint8_t x, std::uint8_t y) {
    for (int bit = 7; bit >= 0; --bit) {
      if (!(x >> bit & 1)) continue;
      Row& row = rows_[static_cast<std::size_t>(bit)];
      if (row.x == 0) {
        row = {x, y};
        ++rank_;
        return y != 0;
      }
      x ^= row.x;
      y ^= row.y;
    }
    return y == 0;
  }

  // Its value, if x is in the span of what is known.
  std::optional<std::uint8_t> operator()(std::uint8_t x) const {
    std::uint8_t y = 0;
    for (int bit = 7; bit >= 0; --bit) {
      if (!(x >> bit & 1)) continue;
      const Row& row = rows_[static_cast<std::size_t>(bit)];
      if (row.x == 0) return std::nullopt;
      x ^= row.x;
      y ^= row.y;
    }
    return y;
  }

  std::uint64_t matrix() const {
    std::uint64_t rows = 0;
    for (unsigned column = 0; column < 8; ++column) {
      const unsigned value = *(*this)(static_cast<std::uint8_t>(1u << column));
      for (unsigned bit = 0; bit < 8; ++bit)
        if (value >> bit & 1) rows |= std::uint64_t{1} << (8 * (7 - bit) + column);
    }
    return rows;
  }

 private:
  struct Row {
    std::uint8_t x = 0, y = 0;
  };
  std::array<Row, 8> rows_{};
  int rank_ = 0;
};

// Inputs whose difference in a direction is the one that four have. Inversion has one such difference for each
// direction, and its zero is among the four.
std::optional<std::array<bool, 256>> four(const Table& s, unsigned direction) {
  std::array<int, 256> counts{};
  for (unsigned x = 0; x < 256; ++x) ++counts[s[x] ^ s[x ^ direction]];
  std::array<bool, 256> among{};
  int fours = 0;
  for (unsigned x = 0; x < 256; ++x) {
    const int count = counts[s[x] ^ s[x ^ direction]];
    if (count > 4) return std::nullopt;
    among[x] = count == 4;
    fours += among[x];
  }
  if (fours != 4) return std::nullopt;
  return among;
}

// Linear maps with s = out inv in, given in(1) = 1, which scaling allows, and in(x) = guess.
bool complete(const Table& s, const Table& inverse_of_s, std::uint8_t x, std::uint8_t guess, Linear& in, Linear& out) {
  in = out = Linear{};
  if (!in.add(1, 1) || !in.add(x, guess)) return false;
  for (int known = 0; known != in.rank() + out.rank();) {
    known = in.rank() + out.rank();
    for (unsigned z = 1; z < 256; ++z)
      if (const auto u = in(static_cast<std::uint8_t>(z)))
        if (!out.add(kInverse[*u], s[z])) return false;
    for (unsigned y = 1; y < 256; ++y)
      if (const auto v = out(static_cast<std::uint8_t>(y)))
        if (!in.add(inverse_of_s[*v], kInverse[y])) return false;
  }
  return in.rank() == 8 && out.rank() == 8;
}

}  // namespace

std::optional<AffineInversion> affine_inversion(const Table& table) {
  const auto first = four(table, 1), second = four(table, 2), third = four(table, 4);
  if (!first || !second || !third) return std::nullopt;
  for (unsigned zero = 0; zero < 256; ++zero) {
    if (!(*first)[zero] || !(*second)[zero] || !(*third)[zero]) continue;
    Table s{}, inverse_of_s{};
    for (unsigned x = 0; x < 256; ++x) {
      s[x] = table[x ^ zero] ^ table[zero];
      inverse_of_s[s[x]] = static_cast<std::uint8_t>(x);
    }
    // An in(x) in GF(16) says nothing of the rest. Not all can be there.
    Linear in, out;
    for (unsigned x = 2; x < 256; x *= 2)
      for (unsigned guess = 2; guess < 256; ++guess)
        if (complete(s, inverse_of_s, static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(guess), in, out))
          return AffineInversion{in.matrix(), out.matrix(), *in(static_cast<std::uint8_t>(zero)), table[zero]};
  }
  return std::nullopt;
}

}  // namespace lutra
