// Compares table banks with the contents that have look-ups of their own.
#include "translate/contents.hpp"

#include <algorithm>

namespace lutra {
namespace {

// The affine map of the inverse (FIPS 197 5.1.1).
constexpr Table kAesForward = [] {
  Table box{};
  for (std::size_t i = 0; i < box.size(); ++i) {
    const std::uint8_t q = kInverse[i];
    box[i] =
        static_cast<std::uint8_t>(q ^ std::rotl(q, 1) ^ std::rotl(q, 2) ^ std::rotl(q, 3) ^ std::rotl(q, 4) ^ 0x63);
  }
  return box;
}();
constexpr Table kAesInverse = [] {
  Table inverse{};
  for (std::size_t i = 0; i < inverse.size(); ++i) inverse[kAesForward[i]] = static_cast<std::uint8_t>(i);
  return inverse;
}();
static_assert(kAesForward[0x53] == 0xed, "FIPS 197 5.1.1, the example");

bool is_affine(Contents contents) { return contents >= Contents::AesForward && contents <= Contents::AffineFour; }

// affine_inversion, which takes as long as some hundred blocks of a cipher; firmware writes the same tables again.
std::optional<AffineInversion> remembered(const Table& table) {
  struct Known {
    Table table{};
    std::optional<AffineInversion> maps;
  };
  thread_local std::array<Known, 16> known;
  thread_local std::size_t next = 0;
  const auto found = std::find_if(known.begin(), known.end(), [&table](const Known& k) { return k.table == table; });
  if (found != known.end()) return found->maps;
  known[next] = {table, affine_inversion(table)};
  const std::size_t here = next;
  next = (next + 1) % known.size();
  return known[here].maps;
}

// Lanes with the same affine table in groups of up to eight; none where four do not suffice, or a table is another
// kind.
std::size_t group(Compact& compact) {
  auto& g = compact.groups = {};
  for (auto& row : g.scatter) row.fill(fn::kZeroByte);
  std::size_t groups = 0;
  for (std::size_t i = 0; i < compact.count; ++i) {
    const auto maps = remembered(compact.tables[i]);
    if (!maps) return 0;
    // One table alone fills two groups, so that it goes with a bank that has two.
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
    return !is_affine(c)               ? c
           : c == Contents::AffineFour ? Contents::FourTables
           : c == Contents::AffineTwo  ? Contents::TwoTables
                                       : Contents::OneTable;
  };
  return std::max(as_tables(a), as_tables(b));
}

std::string_view name_of(Contents contents) {
  static constexpr std::array<std::string_view, kContents> kNames{
      "Any", "AesForward", "AesInverse", "AffineOne", "AffineTwo", "AffineFour", "OneTable", "TwoTables", "FourTables"};
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
