// Host access to the RTL in bytes, on top of its host port's rows.
#pragma once

#include <algorithm>
#include <span>

#include "machine.hpp"
#include "rtl_machine.hpp"

namespace lutra {

// Bytes of a row (8 in program memory, 16 elsewhere).
inline std::size_t row_bytes(Space space) { return space == Space::Program ? 8 : kVectorBytes; }

inline Vec read_row(RtlMachine& rtl, Space space, std::size_t row) {
  if (space != Space::Program) return rtl.read_row(space, static_cast<std::uint16_t>(row));
  const std::uint64_t word = rtl.read_program(static_cast<std::uint16_t>(row));
  Vec v{};
  for (std::size_t i = 0; i < 8; ++i) v[i] = static_cast<std::uint8_t>(word >> (8 * i));
  return v;
}

inline void write_row(RtlMachine& rtl, Space space, std::size_t row, const Vec& v) {
  if (space != Space::Program) return rtl.write_row(space, static_cast<std::uint16_t>(row), v);
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word |= std::uint64_t{v[i]} << (8 * i);
  rtl.write_program(static_cast<std::uint16_t>(row), word);
}

// Rows that are covered only in part keep their other bytes.
inline void write_bytes(RtlMachine& rtl, Space space, std::size_t offset, std::span<const std::uint8_t> bytes) {
  const std::size_t width = row_bytes(space);
  while (!bytes.empty()) {
    const std::size_t at = offset % width, n = std::min(width - at, bytes.size());
    const bool both = space == Space::BankBoth;
    if (both && n < width) {  // the banks' other bytes need not agree
      write_bytes(rtl, Space::Bank0, offset, bytes.first(n));
      write_bytes(rtl, Space::Bank1, offset, bytes.first(n));
    } else {
      Vec row = n < width ? read_row(rtl, space, offset / width) : Vec{};
      std::copy_n(bytes.begin(), n, row.begin() + static_cast<std::ptrdiff_t>(at));
      write_row(rtl, space, offset / width, row);
    }
    offset += n;
    bytes = bytes.subspan(n);
  }
}

inline void read_bytes(RtlMachine& rtl, Space space, std::size_t offset, std::span<std::uint8_t> bytes) {
  const std::size_t width = row_bytes(space);
  while (!bytes.empty()) {
    const std::size_t at = offset % width, n = std::min(width - at, bytes.size());
    const Vec row = read_row(rtl, space, offset / width);
    std::copy_n(row.begin() + static_cast<std::ptrdiff_t>(at), n, bytes.begin());
    offset += n;
    bytes = bytes.subspan(n);
  }
}

}  // namespace lutra
