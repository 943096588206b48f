// S-boxes that are inversion in GF(2^8) between two affine maps, as those of AES, ARIA, Camellia and SM4 are.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "lutra_isa.hpp"

namespace lutra {

using Table = std::array<std::uint8_t, kTableRows>;

// Inverses in GF(2^8) modulo x^8+x^4+x^3+x+1, that of 0 being 0: p runs through the powers of 3, q through those of its
// inverse.
inline constexpr Table kInverse = [] {
  Table inverse{};
  std::uint8_t p = 1, q = 1;
  do {
    p = static_cast<std::uint8_t>(p ^ p << 1 ^ (p & 0x80 ? 0x11b : 0));
    for (const int shift : {1, 2, 4}) q = static_cast<std::uint8_t>(q ^ q << shift);
    if (q & 0x80) q ^= 0x09;
    inverse[p] = q;
  } while (p != 1);
  return inverse;
}();

// y = out inv(in x + in_constant) + out_constant, inversion modulo x^8+x^4+x^3+x+1. A matrix is eight rows of eight
// bits, its first row in the most significant byte reversed: as the host's instructions take it (Intel SDM,
// GF2P8AFFINEQB).
struct AffineInversion {
  std::uint64_t in = 0, out = 0;
  std::uint8_t in_constant = 0, out_constant = 0;
};

// The maps of a table, if it is one of these.
std::optional<AffineInversion> affine_inversion(const Table& table);

}  // namespace lutra
