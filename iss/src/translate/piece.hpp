// Pieces of machine code, as iss/stencils/extract.py takes them out of an object file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lutra {

// What a patch needs: numbers, then addresses of code, then the piece's constants. By name in iss/stencils/.
enum class Hole : std::uint8_t {
  A,
  B,
  C,
  D,
  W,
  Rd,
  N,
  Block,
  Row,
  Ar,
  To,
  Limit,
  Again,
  Shown,
  Clocked,
  Edge,
  Length,
  Pc,
  End,
  Call,
  Why,
  Next,
  Taken,
  Leave,
  Miss,
  Full,
  Constants,
};
inline constexpr std::size_t kHoles = static_cast<std::size_t>(Hole::Constants) + 1;

struct Patch {
  std::uint16_t offset;
  Hole what;
  bool distance;  // from the place of the patch, instead of the number itself; 32 bits in any case
  std::int32_t addend;
};

struct Piece {
  std::string_view name;
  const std::uint8_t* code;
  std::uint16_t size;
  const Patch* patches;
  std::uint16_t count;
};

// All pieces for one level of host instructions.
struct Level {
  std::string_view name;
  bool (*usable)();
  std::span<const Piece> pieces;
  std::span<const std::uint8_t> constants;  // aligned to 64 bytes
};

// From the best to the portable one.
std::span<const Level> levels();

}  // namespace lutra
