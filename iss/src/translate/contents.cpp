// Finds what a table bank holds.
#include "translate/contents.hpp"

#include <algorithm>

namespace lutra {
namespace {

using Table = std::array<std::uint8_t, kTableRows>;

// The inverse in GF(2^8) modulo x^8+x^4+x^3+x+1, then the affine map (FIPS 197 5.1.1).
constexpr Table aes_sbox() {
  Table box{};
  std::uint8_t p = 1, q = 1;  // p runs through all powers of the generator 3, q through those of its inverse
  do {
    p = static_cast<std::uint8_t>(p ^ p << 1 ^ (p & 0x80 ? 0x11b : 0));
    q = static_cast<std::uint8_t>(q ^ q << 1);
    q = static_cast<std::uint8_t>(q ^ q << 2);
    q = static_cast<std::uint8_t>(q ^ q << 4);
    if (q & 0x80) q ^= 0x09;
    box[p] = static_cast<std::uint8_t>(q ^ std::rotl(q, 1) ^ std::rotl(q, 2) ^ std::rotl(q, 3) ^ std::rotl(q, 4) ^ 0x63);
  } while (p != 1);
  box[0] = 0x63;
  return box;
}

constexpr Table kAesForward = aes_sbox();
constexpr Table kAesInverse = [] {
  Table inverse{};
  for (std::size_t i = 0; i < inverse.size(); ++i) inverse[kAesForward[i]] = static_cast<std::uint8_t>(i);
  return inverse;
}();
static_assert(kAesForward[0x53] == 0xed, "FIPS 197 5.1.1, the example");

}  // namespace

std::string_view name_of(Contents contents) {
  static constexpr std::array<std::string_view, kContents> kNames{"Any",      "AesForward", "AesInverse",
                                                                  "OneTable", "TwoTables",  "FourTables"};
  return kNames[static_cast<std::size_t>(contents)];
}

void classify(const Bank& bank, Compact& compact) {
  compact.contents = Contents::Any;
  compact.lanes = {};
  std::size_t count = 0;
  for (std::size_t lane = 0; lane < kVectorBytes; ++lane) {
    const auto same = [&](const Table& table) {
      for (std::size_t row = 0; row < table.size(); ++row)
        if (table[row] != bank[kVectorBytes * row + lane]) return false;
      return true;
    };
    const auto known = compact.tables.begin() + static_cast<std::ptrdiff_t>(count);
    auto found = std::find_if(compact.tables.begin(), known, same);
    if (found == known) {
      if (count == kMostTables) return;
      for (std::size_t row = 0; row < found->size(); ++row) (*found)[row] = bank[kVectorBytes * row + lane];
      ++count;
    }
    compact.lanes[static_cast<std::size_t>(found - compact.tables.begin())] |= static_cast<std::uint16_t>(1u << lane);
  }
  const Table& first = compact.tables[0];
  compact.contents = count > 2              ? Contents::FourTables
                     : count == 2           ? Contents::TwoTables
                     : first == kAesForward ? Contents::AesForward
                     : first == kAesInverse ? Contents::AesInverse
                                            : Contents::OneTable;
}

}  // namespace lutra
