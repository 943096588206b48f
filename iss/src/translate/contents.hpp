// Kinds of table contents, and for each a look-up by the host's instructions.
//
// Contents are compared, never assumed: firmware may write any table, and a patched one is looked up as it is.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "functions.hpp"
#include "translate/affine.hpp"

#if defined(__AES__) || defined(__AVX512VBMI__)
#include <immintrin.h>
#endif

namespace lutra {

enum class Contents : std::uint8_t {
  Any,
  AesForward,  // the S-box of FIPS 197 5.1.1 in every lane
  AesInverse,  // its inverse (5.3.2)
  AffineOne,   // inversion between affine maps, the same in every lane
  AffineTwo,   // two of them, or one twice, with at most eight lanes each
  AffineFour,
  OneTable,  // the same table in every lane
  TwoTables,
  FourTables,
};
inline constexpr std::size_t kContents = 9;
inline constexpr std::size_t kMostTables = 4;

// The distinct tables of a bank.
struct Compact {
  Contents contents = Contents::Any;
  std::size_t count = 0;                           // more than kMostTables: 0
  std::array<std::uint16_t, kMostTables> lanes{};  // that hold each
  alignas(64) std::array<Table, kMostTables> tables{};

  // For affine maps: lanes with the same table in up to four groups of eight, two groups to a row. `gather` fills a
  // row, `in` and `out` are the maps of each group, `scatter` puts the results back.
  struct Groups {
    alignas(32) std::array<std::array<std::uint8_t, kVectorBytes>, 2> gather{}, scatter{}, in_constant{},
        out_constant{};
    alignas(32) std::array<std::uint64_t, 4> in{}, out{};
  } groups{};
};
using Compacts = std::array<Compact, kTableBanks>;
inline constexpr Compacts kUnknown{};  // any contents

std::string_view name_of(Contents contents);

// A kind whose look-up serves two banks.
Contents common(Contents a, Contents b);

// Compares a bank with what `Contents` names.
void classify(const Bank& bank, Compact& compact);

namespace fn {

template <Contents contents>
struct View {
  const Bank& bank;
  const Compact& compact;
};

inline Value lookup(Value x, View<Contents::Any> view) { return lookup(x, view.bank); }

#ifdef __AES__
// A value between the steps of a round of AES, which the host's instructions execute whole: how far it is through the
// round. The compiler knows this at every step.
template <bool inverse>
struct AesRow {
  enum class Step { Whole, Substituted, Shifted, Mixed };
  Value value{};
  Step step = Step::Whole;

  AesRow() = default;
  AesRow(Value whole, Step at = Step::Whole) : value(whole), step(at) {}
  operator Value() const { return step == Step::Whole ? value : keyed(Value{}); }

  // With the key of a round, or its last one, added.
  Value keyed(Value key) const {
    switch (step) {
      case Step::Whole:
        return value ^ key;
      case Step::Substituted:
        return (inverse ? shift_rows(last(Value{})) : inv_shift_rows(last(Value{}))) ^ key;
      case Step::Shifted:
        return last(key);
      case Step::Mixed:
        break;
    }
    const auto x = std::bit_cast<__m128i>(value), k = std::bit_cast<__m128i>(key);
    return std::bit_cast<Value>(inverse ? _mm_aesdec_si128(x, k) : _mm_aesenc_si128(x, k));
  }

 private:
  Value last(Value key) const {
    const auto x = std::bit_cast<__m128i>(value), k = std::bit_cast<__m128i>(key);
    return std::bit_cast<Value>(inverse ? _mm_aesdeclast_si128(x, k) : _mm_aesenclast_si128(x, k));
  }
};

using Encrypted = AesRow<false>;
using Decrypted = AesRow<true>;
inline Encrypted lookup(Encrypted x, View<Contents::AesForward>) { return {Value(x), Encrypted::Step::Substituted}; }
inline Decrypted lookup(Decrypted x, View<Contents::AesInverse>) { return {Value(x), Decrypted::Step::Substituted}; }
inline Encrypted shift_rows(Encrypted x) {
  if (x.step == Encrypted::Step::Substituted) return {x.value, Encrypted::Step::Shifted};
  return shift_rows(Value(x));
}
inline Decrypted inv_shift_rows(Decrypted x) {
  if (x.step == Decrypted::Step::Substituted) return {x.value, Decrypted::Step::Shifted};
  return inv_shift_rows(Value(x));
}
inline Encrypted mix_columns(Encrypted x) {
  if (x.step == Encrypted::Step::Shifted) return {x.value, Encrypted::Step::Mixed};
  return mix_columns(Value(x));
}
inline Decrypted inv_mix_columns(Decrypted x) {
  if (x.step == Decrypted::Step::Shifted) return {x.value, Decrypted::Step::Mixed};
  return inv_mix_columns(Value(x));
}
template <bool inverse>
inline Value logic_xor(AesRow<inverse> x, Value y, Value z) {
  return x.keyed(y ^ z);
}
#endif

#ifdef __AVX512VBMI__
inline __m128i lookup_table(__m128i x, const std::array<std::uint8_t, kTableRows>& table) {
  const __m512i at = _mm512_castsi128_si512(x);
  const std::uint8_t* t = table.data();
  const __m512i low = _mm512_permutex2var_epi8(_mm512_load_si512(t), at, _mm512_load_si512(t + 64));
  const __m512i high = _mm512_permutex2var_epi8(_mm512_load_si512(t + 128), at, _mm512_load_si512(t + 192));
  return _mm_mask_mov_epi8(_mm512_castsi512_si128(low), _mm_movepi8_mask(x), _mm512_castsi512_si128(high));
}

template <std::size_t count>
inline Value lookup_tables(Value x, const Compact& compact) {
  const auto in = std::bit_cast<__m128i>(x);
  __m128i y = lookup_table(in, compact.tables[0]);
  for (std::size_t i = 1; i < count; ++i)
    y = _mm_mask_mov_epi8(y, compact.lanes[i], lookup_table(in, compact.tables[i]));
  return std::bit_cast<Value>(y);
}
inline Value lookup(Value x, View<Contents::OneTable> view) { return lookup_tables<1>(x, view.compact); }
inline Value lookup(Value x, View<Contents::TwoTables> view) { return lookup_tables<2>(x, view.compact); }
inline Value lookup(Value x, View<Contents::FourTables> view) { return lookup_tables<4>(x, view.compact); }
#endif

#ifdef __GFNI__
// Inversion with the affine map before it would take the constant as an immediate; it is added apart.
inline Value lookup(Value x, View<Contents::AffineOne> view) {
  const auto& g = view.compact.groups;
  const auto constant = [](const auto& rows) { return std::bit_cast<__m128i>(rows[0]); };
  const __m128i mapped =
      _mm_gf2p8affine_epi64_epi8(std::bit_cast<__m128i>(x), _mm_set1_epi64x(static_cast<long long>(g.in[0])), 0);
  const __m128i inverse = _mm_gf2p8affineinv_epi64_epi8(_mm_xor_si128(mapped, constant(g.in_constant)),
                                                        _mm_set1_epi64x(static_cast<long long>(g.out[0])), 0);
  return std::bit_cast<Value>(_mm_xor_si128(inverse, constant(g.out_constant)));
}
// One row of groups; lanes of others are zero.
inline Value lookup_groups(Value x, const Compact::Groups& g, std::size_t n) {
  const auto row = [n](const auto& at) { return _mm_load_si128(reinterpret_cast<const __m128i*>(at.data()) + n); };
  __m128i y = _mm_shuffle_epi8(std::bit_cast<__m128i>(x), row(g.gather));
  y = _mm_xor_si128(_mm_gf2p8affine_epi64_epi8(y, row(g.in), 0), row(g.in_constant));
  y = _mm_xor_si128(_mm_gf2p8affineinv_epi64_epi8(y, row(g.out), 0), row(g.out_constant));
  return std::bit_cast<Value>(_mm_shuffle_epi8(y, row(g.scatter)));
}
inline Value lookup(Value x, View<Contents::AffineTwo> view) { return lookup_groups(x, view.compact.groups, 0); }
inline Value lookup(Value x, View<Contents::AffineFour> view) {
  return lookup_groups(x, view.compact.groups, 0) | lookup_groups(x, view.compact.groups, 1);
}
#endif

// A look-up as the interpreter calls it.
using Lookup = Value (*)(Value, const Bank*, const Compact*);
inline Value look_up(Value x, const Bank* bank, const Compact*) { return lookup(x, *bank); }

struct Called {
  const Bank& bank;
  const Compact& compact;
  Lookup function;
};
inline Value lookup(Value x, const Called& called) { return called.function(x, &called.bank, &called.compact); }

}  // namespace fn

// Both banks, each with a look-up that serves what it holds.
struct CalledBanks {
  const Tables& tables;
  const Compacts& compacts;
  const std::array<fn::Lookup, kTableBanks>& functions;
  fn::Called operator[](std::size_t i) const { return {tables[i], compacts[i], functions[i]}; }
};

// Both banks as what they hold.
template <Contents contents>
struct Banks {
  const Tables& tables;
  const Compacts& compacts;
  fn::View<contents> operator[](std::size_t i) const { return {tables[i], compacts[i]}; }
};

#ifdef __AES__
template <>
struct PathRow<Banks<Contents::AesForward>> {
  using Type = fn::Encrypted;
};
template <>
struct PathRow<Banks<Contents::AesInverse>> {
  using Type = fn::Decrypted;
};
#endif

}  // namespace lutra
