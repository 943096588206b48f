// What mirror.td calls mirror_bits. Twin of functions.sv.
#pragma once

#include "value.hpp"

namespace lutra::fn {

inline Value mirror_bits(Value x) {
  x = (x >> 4) | (x << 4);
  x = ((x >> 2) & 0x33) | ((x & 0x33) << 2);
  return ((x >> 1) & 0x55) | ((x & 0x55) << 1);
}

}  // namespace lutra::fn
