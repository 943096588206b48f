// Which pieces make up an instruction.
#include "translate/emit.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include "execute_vector.hpp"

namespace lutra {
namespace {

constexpr std::uint32_t vector_at(VecCode code) { return kVectorBytes * static_cast<std::uint32_t>(code); }
constexpr std::uint32_t vector_at(std::uint8_t code) { return std::uint32_t{kVectorBytes} * code; }
constexpr std::uint32_t address_at(std::uint8_t n) { return std::uint32_t{sizeof(std::uint16_t)} * n; }

// The kind that all look-ups of an instruction can use.
Contents looked_up(const Encoding& e, const std::array<Contents, kTableBanks>& contents) {
  if (!e.lookup0) return contents[1];
  return e.lookup1 ? common(contents[0], contents[1]) : contents[0];
}

class Emitter {
 public:
  Emitter(const Pieces& pieces, const Decoded& d, const Place& place, std::vector<Item>& items)
      : pieces_(pieces), d_(d), e_(*d.encoding), place_(place), items_(items) {}

  Item& add(std::string_view name) { return add(pieces_.named(name)); }
  Item& add(const Piece* piece) {
    return items_.emplace_back(Item{piece, {}}).with(Hole::Leave, place_.leave).with(Hole::Pc, place_.pc);
  }

  void control() {
    if (e_.au == Au::Keep) return;
    static constexpr std::array<std::pair<Au, std::string_view>, 4> kNames{
        {{Au::Set, "address_Set"}, {Au::Add, "address_Add"}, {Au::And, "address_And"}, {Au::Shr, "address_Shr"}}};
    const auto found =
        std::find_if(kNames.begin(), kNames.end(), [this](const auto& row) { return row.first == e_.au; });
    add(found->second).with(Hole::Ar, address_at(d_.as)).with(Hole::To, address_at(d_.ad)).with(Hole::N, d_.n);
  }

  void vector() {
    const bool data = e_.d_field && d_.d.en, storing = e_.s_field && d_.s.en;
    if (e_.k_field) address("row_k", "register_k", d_.k);
    if (data) address("row_d", "register_d", d_.d);
    if (storing) address("row_s", "register_s", d_.s);
    if (data) add("load_row").with(Hole::Block, block(d_.d_block));
    if (storing && e_.move) store("store_moved");
    // The unit's registers change after the path has read the sum, and before its end writes them.
    if (!e_.reads_sum) beside();
    path();
    if (e_.reads_sum) beside();
    if (d_.g) add("prime_step");
    if (e_.move && d_.mv == SideMove::HoldRow) add("hold").with(Hole::A, vector_at(VecCode::ROW));
    if (e_.move && d_.mv == SideMove::HoldCtr) add("hold").with(Hole::A, vector_at(VecCode::CTR));
    if (increments()) add("increment");
    if (storing && !e_.move && e_.res != Res::SetFlag) store(e_.res == Res::WriteLane ? "store_lane" : "store_row");
    if (e_.k_field) modify(d_.k);
    if (data) modify(d_.d);
    if (storing) modify(d_.s);
  }

 private:
  std::uint32_t block(std::size_t n) const { return static_cast<std::uint32_t>(n * place_.memory_bytes); }
  std::uint32_t row_at() const { return vector_at(e_.d_field && d_.d.en ? VecCode::ROW : VecCode::ZERO); }

  void address(std::string_view row, std::string_view from_register, const Slot& slot) {
    if (slot.row_en)
      add(row).with(Hole::Row, slot.address);
    else
      add(from_register)
          .with(Hole::Ar, address_at(slot.ar))
          .with(Hole::Limit, static_cast<std::uint32_t>(place_.memory_bytes - kVectorBytes));
  }

  bool increments() const { return d_.increment || (e_.move && d_.mv == SideMove::HoldCtr); }
  // The operands of a move's value, which it stores or adds to the sum of the hash unit.
  Item& moved(Item& item) const {
    return item.with(Hole::C, e_.move ? vector_at(d_.rc) : vector_at(VecCode::ZERO))
        .with(Hole::D, e_.move ? row_at() : vector_at(VecCode::ZERO));
  }

  void path() {
    Item& item = add(pieces_.path(d_.op, looked_up(e_, place_.contents)));
    item.with(Hole::A, vector_at(d_.ra)).with(Hole::B, vector_at(d_.rb)).with(Hole::C, vector_at(d_.rc));
    item.with(Hole::D, row_at()).with(Hole::W, vector_at(d_.w ? VecCode::WK : VecCode::ZERO));
    item.with(Hole::Rd, vector_at(d_.rd)).with(Hole::N, d_.n).with(Hole::Again, block(1));
    item.with(Hole::Ar, address_at(d_.as)).with(Hole::To, address_at(d_.ad));
    item.with(Hole::Shown, d_.o).with(Hole::Clocked, d_.c);
  }

  void beside() {
    static constexpr std::array<std::pair<HashBeside, std::string_view>, 3> kNames{
        {{HashBeside::Step, "hash_step"}, {HashBeside::Sum, "hash_sum"}, {HashBeside::Row, "hash_row"}}};
    for (const auto& [bit, name] : kNames)
      if (d_.h & static_cast<unsigned>(bit)) {
        Item& item = add(name);
        if (bit == HashBeside::Sum)
          moved(item);
        else
          item.with(Hole::D, row_at());
      }
  }

  void store(std::string_view name) {
    for (std::size_t b = 0; b < kMemoryBlocks; ++b)
      if ((kSpaceBlocks[d_.s_space] >> b) & 1) moved(add(name)).with(Hole::Block, block(b)).with(Hole::N, d_.n);
  }

  void modify(const Slot& slot) {
    static constexpr std::array<std::string_view, 3> kWraps{"_None", "_AtOrAbove", "_AtOrBelow"};
    static constexpr std::array<std::string_view, 5> kDeltas{"", "modify_PlusRow", "modify_MinusRow", "modify_PlusStep",
                                                             "modify_MinusStep"};
    if (slot.delta == Delta::None) return;
    const std::string name = std::string(kDeltas[static_cast<std::size_t>(slot.delta)]) +
                             std::string(kWraps[static_cast<std::size_t>(slot.wrap)]);
    add(name).with(Hole::Ar, address_at(slot.ar));
  }

  const Pieces& pieces_;
  const Decoded& d_;
  const Encoding& e_;
  const Place& place_;
  std::vector<Item>& items_;
};

// Whether an instruction could tell that its pieces have another order than the interpreter: ctr and hold change after
// the path, address registers last.
bool order_matters(const Encoding& e, const Decoded& d) {
  const auto is = [](std::uint8_t code, VecCode wanted) { return code == static_cast<std::uint8_t>(wanted); };
  const bool increments = d.increment || (e.move && d.mv == SideMove::HoldCtr);
  const bool sums = (d.h & static_cast<unsigned>(HashBeside::Sum)) != 0;
  const bool writes_moved = d.rc == d.rd || (e.pair && d.rc == d.rd + 1);
  return (increments && (is(d.rd, VecCode::CTR) || (e.move && is(d.rc, VecCode::CTR)))) ||
         (e.reads_sum && ((d.h && e.hashes) || (sums && writes_moved))) ||
         (e.res == Res::ToAddress && d.d.en && !d.d.row_en && d.d.ar == d.ad);
}

}  // namespace

Pieces::Pieces(const Level& level) : level_(level), paths_(kEncodings.size() + 1) {
  for (const Piece& piece : level.pieces) named_.emplace(piece.name, &piece);
#define LUTRA_FIND(record)                                                               \
  for (std::size_t i = 0; i < kContents; ++i) {                                          \
    auto& found = paths_[static_cast<std::size_t>(Op::record)][i];                       \
    found = named("path_" #record "_" + std::string(name_of(static_cast<Contents>(i)))); \
    if (!found) found = paths_[static_cast<std::size_t>(Op::record)][0];                 \
  }
  LUTRA_VECTOR_INSNS(LUTRA_FIND)
#undef LUTRA_FIND
}

const Pieces& Pieces::of(const Level& level) {
  static std::mutex mutex;
  static std::map<const Level*, Pieces> known;
  const std::lock_guard lock(mutex);
  return known.try_emplace(&level, level).first->second;
}

const Piece* Pieces::named(std::string_view name) const {
  const auto found = named_.find(name);
  return found == named_.end() ? nullptr : found->second;
}

bool emit(const Pieces& pieces, const Decoded& d, const Place& place, std::vector<Item>& items) {
  const Encoding& e = *d.encoding;
  Emitter emitter(pieces, d, place, items);
  if (e.vector) {
    if (writes_table(d) || order_matters(e, d)) return false;
    emitter.vector();
    return true;
  }
  if (e.sq == Sq::Notify || e.au == Au::SetStep || e.au == Au::SetWindow || e.au == Au::SetWidth) return false;
  emitter.control();
  return true;
}

void emit_transfer(const Pieces& pieces, const Decoded& d, const Place& place, std::uint32_t taken,
                   std::vector<Item>& items) {
  Emitter emitter(pieces, d, place, items);
  const Encoding& e = *d.encoding;
  const auto tests = static_cast<std::uint32_t>(sizeof(std::uint16_t) * (e.ad_written ? d.ad : d.as));
  const auto end = [&](std::string_view name) -> Item& {
    return emitter.add(name).with(Hole::Taken, taken).with(Hole::End, d.e).with(Hole::N, d.n);
  };
  emitter.control();
  switch (e.sq) {
    case Sq::Repeat:
      end("repeat");
      return;
    case Sq::RepeatAr:
      end("repeat_register").with(Hole::Ar, static_cast<std::uint32_t>(sizeof(std::uint16_t) * d.as));
      return;
    case Sq::Call:
      end("call");
      return;
    default:
      break;
  }
  static constexpr std::array<std::string_view, 5> kBranches{"jump", "branch_Zero", "branch_Nonzero", "branch_Flag",
                                                             "branch_NotFlag"};  // by Cc
  end(kBranches[static_cast<std::size_t>(e.cc)]).with(Hole::Ar, tests);
}

}  // namespace lutra
