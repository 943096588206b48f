// Decoding by the generated table: match, field ranges, and the rules about slots.
#include "decode.hpp"

namespace lutra {
namespace {

constexpr auto code(VecCode c) { return static_cast<std::uint8_t>(c); }

const Encoding* find(std::uint64_t word) {
  for (const Encoding& e : kEncodings)
    if ((word & e.mask) == e.match) return &e;
  return nullptr;
}

// Decodes a slot in place; false if its bits are illegal.
bool decode_slot(std::uint32_t bits, Slot& slot) {
  if (bits == 0) return true;
  slot.en = true;
  if ((bits >> kSlotRowFlag) & 1) {
    slot.row_en = true;
    slot.address = static_cast<std::uint16_t>(kVectorBytes * kSlotRow.of(bits));
    return true;
  }
  const PatternInfo& pattern = kPatterns[kSlotPattern.of(bits)];
  slot.ar = static_cast<std::uint8_t>(kSlotRegister.of(bits));
  slot.delta = pattern.delta;
  slot.wrap = pattern.wrap;
  return pattern.legal && kSlotZero.of(bits) == 0;
}

// Whether all of them are true. Each is evaluated, since those that are read also leave their value.
template <class... Checks>
bool all(Checks... checks) {
  return (checks & ...);
}

bool allows(Codes codes, std::uint8_t code) { return codes >> code & 1; }

bool read_number(const Number& field, std::uint64_t word, std::uint32_t& value) {
  value = field.bits.width ? field.bits.of(word) : field.value;
  return field.holds(value);
}

bool modifies_same(const Slot& a, const Slot& b) {
  return a.ar == b.ar && a.delta != Delta::None && b.delta != Delta::None;
}

// Two accesses to one memory block, or an address register modified twice.
bool clash(const Encoding& e, const Decoded& d) {
  const int key = d.k.en ? e.key_blocks : 0;
  const int data = d.d.en ? 1 << d.d_block : 0;
  const int stored = d.s.en ? kSpaceBlocks[d.s_space] : 0;
  return (key & data) || (key & stored) || (data & stored) || modifies_same(d.k, d.d) || modifies_same(d.k, d.s) ||
         modifies_same(d.d, d.s);
}

// A move uses only the slots and the register that it needs; ctr is incremented once.
bool bad_move(const Decoded& d) {
  const bool storing = d.mv == SideMove::Store;
  return (d.d.en ? d.mv != SideMove::HoldRow && !storing : d.mv == SideMove::HoldRow) || d.s.en != storing ||
         (!storing && d.rc != 0) || (d.mv == SideMove::HoldCtr && d.ra == code(VecCode::CTRINC));
}

bool decode_vector(const Encoding& e, std::uint64_t word, Decoded& d) {
  d.ra = static_cast<std::uint8_t>(kField_ra.of(word));
  d.rb = static_cast<std::uint8_t>(kField_rb.of(word));
  d.rd = static_cast<std::uint8_t>(kField_rd.of(word));
  d.w = kField_w.of(word) != 0 && e.w_field;
  d.d_block = static_cast<std::uint8_t>(kField_db.of(word));
  d.s_space = static_cast<std::uint8_t>(kField_sb.of(word));
  if (!all(decode_slot(kField_ks.of(word), d.k), decode_slot(kField_ds.of(word), d.d),
           decode_slot(kField_ss.of(word), d.s)))
    return false;
  const bool names_row = d.ra == code(VecCode::ROW) || d.rb == code(VecCode::ROW);
  if (!all(allows(e.ra_codes, d.ra), allows(e.rb_codes, d.rb), allows(e.rd_codes, d.rd))) return false;
  if (e.k_field && !d.k.en) return false;
  if (e.s_needed && !d.s.en) return false;
  if (!d.s.en && d.s_space != 0) return false;
  if (d.s.en && (kSpaceBlocks[d.s_space] | kSpaceBanks[d.s_space]) == 0) return false;
  if (!d.d.en && d.d_block != 0) return false;
  // The data slot accesses memory only if some operand uses its row.
  if (e.d_field && !e.takes_d && !e.move && d.d.en != names_row) return false;
  if (e.move) {
    d.mv = static_cast<SideMove>(kField_mv.of(word));
    d.rc = static_cast<std::uint8_t>(kField_rc.of(word));
    if (bad_move(d)) return false;
  }
  if (e.third) d.rc = static_cast<std::uint8_t>(kField_rc.of(word));
  if (clash(e, d)) return false;
  if (d.ra == code(VecCode::CTRINC)) {
    d.increment = e.use_a;
    d.ra = code(VecCode::CTR);
  }
  return true;
}

}  // namespace

Decoded decode(std::uint64_t word, int rounds, int contexts) {
  Decoded illegal;
  illegal.word = word;
  const Encoding* e = find(word);
  if (e == nullptr || (rounds < 2 && e->half1 && e->half2)) return illegal;
  Decoded d;
  d.op = e->op;
  d.word = word;
  d.encoding = e;
  std::uint32_t ad, as, n, end, clocked, shown, beside, step;
  if (!all(read_number(e->ad, word, ad), read_number(e->as, word, as), read_number(e->n, word, n),
           read_number(e->e, word, end), read_number(e->c, word, clocked), read_number(e->o, word, shown),
           read_number(e->h, word, beside), read_number(e->g, word, step)))
    return illegal;
  if (e->vector && !decode_vector(*e, word, d)) return illegal;
  if (clocked >> contexts) return illegal;
  if (shown >= static_cast<std::uint32_t>(contexts)) return illegal;
  d.ad = static_cast<std::uint8_t>(ad);
  d.as = static_cast<std::uint8_t>(as);
  d.n = static_cast<std::uint16_t>(n);
  d.e = static_cast<std::uint16_t>(end);
  d.h = static_cast<std::uint8_t>(beside);
  d.g = static_cast<std::uint8_t>(step);
  d.c = static_cast<std::uint8_t>(clocked);
  d.o = static_cast<std::uint8_t>(shown);
  return d;
}

}  // namespace lutra
