// How a gate's output differs, from how its inputs differ: a polynomial over GF(2) in these differences, whose
// coefficients are given by the gate's truth table and the values that its inputs have without a fault.
#pragma once

#include <array>
#include <cstdint>

namespace faults {

// [table][values of the inputs]: bit m is the coefficient of the product of the inputs in m.
using Polynomials = std::array<std::array<std::uint8_t, 8>, 256>;

constexpr Polynomials make_polynomials() {
  Polynomials out{};
  for (unsigned table = 0; table < 256; ++table)
    for (unsigned values = 0; values < 8; ++values) {
      // The truth table of the difference, and its Moebius transform.
      unsigned f = 0;
      for (unsigned d = 0; d < 8; ++d) f |= ((table >> (d ^ values) ^ table >> values) & 1) << d;
      for (unsigned input = 0; input < 3; ++input)
        for (unsigned m = 0; m < 8; ++m)
          if (m >> input & 1) f ^= (f >> (m ^ 1u << input) & 1) << m;
      out[table][values] = static_cast<std::uint8_t>(f);
    }
  return out;
}

inline constexpr Polynomials kPolynomials = make_polynomials();

}  // namespace faults
