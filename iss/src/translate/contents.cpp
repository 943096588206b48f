// Finds what a table bank holds.
#include "translate/contents.hpp"

#include <algorithm>

namespace lutra {
namespace {

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

bool is_affine(Contents contents) { return contents >= Contents::AesForward && contents <= Contents::AffineFour; }

// Lanes with the same affine table in groups of up to eight; none where four do not suffice, or a table is another kind.
std::size_t group(Compact& compact) {
  auto& g = compact.groups = {};
  for (auto& row : g.scatter) row.fill(fn::kZeroByte);
  std::size_t groups = 0;
  for (std::size_t i = 0; i < compact.count; ++i) {
    const auto maps = affine_inversion(compact.tables[i]);
    if (!maps) return 0;
    // One table alone fills two groups, so that it fits next to a bank with two.
    std::size_t used = 8;
    for (std::size_t lane = 0; lane < kVectorBytes; ++lane) {
      if (!(compact.lanes[i] >> lane & 1)) continue;
      if (used == 8) {
        if (groups == g.in.size()) return 0;
        g.in[groups] = maps->in;
        g.out[groups] = maps->out;
        for (std::size_t at = 0; at < 8; ++at) {
          g.in_constant[groups / 2][8 * (groups % 2) + at] = maps->in_constant;
          g.out_constant[groups / 2][8 * (groups % 2) + at] = maps->out_constant;
        }
        ++groups;
        used = 0;
      }
      const std::size_t at = 8 * ((groups - 1) % 2) + used++;
      g.gather[(groups - 1) / 2][at] = static_cast<std::uint8_t>(lane);
      g.scatter[(groups - 1) / 2][lane] = static_cast<std::uint8_t>(at);
    }
  }
  return groups;
}

Contents tables(std::size_t count) {
  return count == 1 ? Contents::OneTable : count == 2 ? Contents::TwoTables : Contents::FourTables;
}

}  // namespace

Contents common(Contents a, Contents b) {
  if (a == b) return a;
  if (a == Contents::Any || b == Contents::Any) return Contents::Any;
  if (is_affine(a) && is_affine(b)) return std::max({a, b, Contents::AffineOne});
  const auto as_tables = [](Contents c) {
    return !is_affine(c)                 ? c
           : c == Contents::AffineFour   ? Contents::FourTables
           : c == Contents::AffineTwo    ? Contents::TwoTables
                                         : Contents::OneTable;
  };
  return std::max(as_tables(a), as_tables(b));
}

std::string_view name_of(Contents contents) {
  static constexpr std::array<std::string_view, kContents> kNames{"Any",        "AesForward", "AesInverse",
                                                                  "AffineOne",  "AffineTwo",  "AffineFour",
                                                                  "OneTable",   "TwoTables",  "FourTables"};
  return kNames[static_cast<std::size_t>(contents)];
}

void classify(const Bank& bank, Compact& compact) {
  compact.contents = Contents::Any;
  compact.lanes = {};
  compact.count = 0;
  for (std::size_t lane = 0; lane < kVectorBytes; ++lane) {
    const auto same = [&](const Table& table) {
      for (std::size_t row = 0; row < table.size(); ++row)
        if (table[row] != bank[kVectorBytes * row + lane]) return false;
      return true;
    };
    const auto known = compact.tables.begin() + static_cast<std::ptrdiff_t>(compact.count);
    auto found = std::find_if(compact.tables.begin(), known, same);
    if (found == known) {
      if (compact.count == kMostTables) return;
      for (std::size_t row = 0; row < found->size(); ++row) (*found)[row] = bank[kVectorBytes * row + lane];
      ++compact.count;
    }
    compact.lanes[static_cast<std::size_t>(found - compact.tables.begin())] |= static_cast<std::uint16_t>(1u << lane);
  }
  const std::size_t groups = group(compact);
  const bool one = compact.count == 1;
  compact.contents = one && compact.tables[0] == kAesForward   ? Contents::AesForward
                     : one && compact.tables[0] == kAesInverse ? Contents::AesInverse
                     : groups == 0                             ? tables(compact.count)
                     : one                                     ? Contents::AffineOne
                     : groups == 2                             ? Contents::AffineTwo
                                                               : Contents::AffineFour;
}

}  // namespace lutra
