// The collector: what a record says, in the labels of the coverpoints.
#include "coverage.hpp"

#include <algorithm>

namespace lutra {

using cov::Consumer;
using cov::Point;

namespace {

constexpr auto kRowCode = static_cast<std::uint8_t>(VecCode::ROW);
constexpr auto kNoneCode = static_cast<std::uint8_t>(VecCode::NONE);
constexpr auto kCtrCode = static_cast<std::uint8_t>(VecCode::CTR);
constexpr auto kWkCode = static_cast<std::uint8_t>(VecCode::WK);
constexpr auto kIncrementCode = static_cast<std::uint8_t>(VecCode::CTRINC);
constexpr std::uint32_t kTableLimit = kVectorBytes * (kTableRows - 1);

bool repeats(Sq sq) { return sq == Sq::Repeat || sq == Sq::RepeatAr; }

// Zero, one, two, or the last label for all that is more.
template <class Label>
Label few(std::uint32_t n, Label most) {
  return static_cast<Label>(std::min(n, static_cast<std::uint32_t>(most)));
}

std::uint8_t source_code(const Decoded& d) { return d.increment ? kIncrementCode : d.ra; }

}  // namespace

Coverage::Coverage(int rounds, int memory_rows, int program_words)
    : rounds_(rounds),
      memory_limit_(static_cast<std::uint32_t>(kVectorBytes * (memory_rows - 1))),
      counts_(cov::kCounters),
      seen_(static_cast<std::size_t>(program_words)) {}

template <class... Labels>
void Coverage::hit(Point point, Labels... labels) {
  const cov::PointInfo& info = cov::kPoints[static_cast<std::size_t>(point)];
  static_assert(sizeof...(labels) <= 4);
  std::size_t place = 0, n = 0;
  ((place = place * info.size[n++] + static_cast<std::size_t>(labels)), ...);
  std::uint32_t& count = counts_[info.offset + place];
  if (count != UINT32_MAX) ++count;
}

std::vector<std::pair<std::uint32_t, std::uint32_t>> Coverage::counts() const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> out;
  for (std::uint32_t i = 0; i < counts_.size(); ++i)
    if (counts_[i]) out.emplace_back(i, counts_[i]);
  return out;
}

void Coverage::host(cov::Effect effect) {
  const int inside = (loop_ends_.empty() ? 0 : 1) + (call_depth_ ? 2 : 0);
  hit(Point::HostEffect, effect, inside);
}

void Coverage::forget() {
  vectors_ = {};
  memories_ = {};
  banks_ = {};
  addresses_ = {};
  compared_.reset();
  looked_up_.reset();
  contexts_ = 0;
}

void Coverage::reset(CoreState before) {
  hit(Point::HostControl, cov::Event::Reset, before);
  ar_ = step_ = window_end_ = {};
  width_ = 0;
  flag_ = false;
  forget();
}

void Coverage::start(CoreState before) {
  hit(Point::HostControl, cov::Event::Start, before);
  loop_ends_.clear();
  call_depth_ = 0;
  earliest_ = 1;
  forget();
}

void Coverage::resume() {
  host(cov::Effect::Resume);
  earliest_ = last_retired_ + 2;  // the state changes behind the retirement, then the fetch
}

const Decoded& Coverage::decoded(const Retire& r) {
  static const Decoded kIllegal;
  if (r.pc >= seen_.size()) return kIllegal;
  Decoded& d = seen_[r.pc];
  if (d.word != r.insn || d.encoding == nullptr) d = decode(r.insn, rounds_);
  return d;
}

std::vector<Coverage::Access> Coverage::accesses(const Decoded& d) const {
  std::vector<Access> out;
  const Encoding& e = *d.encoding;
  const auto address = [this](const Slot& s) { return s.row_en ? s.address : ar_[s.ar]; };
  if (e.k_field && d.k.en) {
    Access a{cov::Slot::Key, &d.k, {}, 0, address(d.k)};
    for (std::size_t b = 0; b < cov::kBlockSpace.size(); ++b)
      if ((e.key_blocks >> b) & 1) a.spaces[a.count++] = cov::kBlockSpace[b];
    out.push_back(a);
  }
  if (e.d_field && d.d.en) out.push_back({cov::Slot::Data, &d.d, {cov::kBlockSpace[d.d_block]}, 1, address(d.d)});
  if (e.s_field && d.s.en) out.push_back({cov::Slot::Store, &d.s, {d.s_space}, 1, address(d.s)});
  return out;
}

void Coverage::retire(const Retire& r) {
  const Decoded& d = decoded(r);
  const bool at_end = !loop_ends_.empty() && loop_ends_.back() == r.pc;
  issue_ = r.cycle - static_cast<std::uint64_t>(kRetireStage[rounds_ - 1]);
  last_retired_ = r.cycle;
  if (r.trap) return trapped(d, r, at_end);

  const std::size_t depth = loop_ends_.size();
  const cov::End end = !at_end ? cov::End::Elsewhere : r.loop_depth < depth ? cov::End::Leaves : cov::End::GoesBack;
  const Encoding& e = *d.encoding;
  const int op = static_cast<int>(d.op) - 1;
  if (at_end) hit(Point::InsnLoopEnd, op, end);
  if (e.n.bits.width) {
    const std::uint32_t between = cov::kEveryValue, last = cov::kEveryValue + 1;
    const std::uint32_t value = d.n;
    hit(Point::InsnImmediate, op,
        e.n.high < cov::kEveryValue || value == 0 ? value
        : value == e.n.high                       ? last
                                                  : between);
  }
  if (e.as_read) hit(Point::AddressRegister, cov::AddressRole::Source, d.as);
  if (e.ad_written || e.ad.bits.width) hit(Point::AddressRegister, cov::AddressRole::Destination, d.ad);

  const std::vector<Access> used = accesses(d);
  consumes(d, used);
  if (e.vector) {
    slots(d, used);
    vector(d, r);
  } else {
    control(d, r, end);
  }
  if (e.stateful) stream(d, r);
  stream_last_ = e.stateful;

  const bool gone = taken(d, r);
  produces(d);
  for (std::size_t i = 0; i < ar_.size(); ++i)
    if ((r.ar_mask >> i) & 1) ar_[i] = r.ar_value[i];
  if (r.step_en) step_[r.config_ar] = r.config_n;
  if (r.window_en) window_end_[r.config_ar] = r.config_e;
  if (r.width_en) width_ = r.config_n;
  if (r.flag_en) flag_ = r.flag;
  call_depth_ = r.call_depth;
  loop_ends_.resize(std::min<std::size_t>(loop_ends_.size(), r.loop_depth));
  if (loop_ends_.size() < r.loop_depth) loop_ends_.push_back(d.e);
  hit(Point::LoopDepth, r.loop_depth, r.call_depth);
  earliest_ = issue_ + 1 + (gone ? kTakenBubbles : 0);
}

void Coverage::trapped(const Decoded& d, const Retire& r, bool at_end) {
  hit(Point::TrapCause, r.trap - 1, at_end ? cov::Place::LoopEnd : cov::Place::Elsewhere);
  host(cov::Effect::Trap);
  switch (static_cast<Trap>(r.trap)) {
    case Trap::AddressRange:
      for (const Access& a : accesses(d)) {
        const bool table = kSpaceBanks[a.spaces[0]] != 0;
        if (a.address <= (table ? kTableLimit : memory_limit_)) continue;
        for (int i = 0; i < a.count; ++i) hit(Point::TrapSlot, a.slot, cov::kSpace[a.spaces[i]]);
        break;
      }
      break;
    case Trap::LoopNesting:
      if (at_end) hit(Point::TrapNesting, cov::Nesting::AtEnd);
      if (!loop_ends_.empty() && loop_ends_.back() == d.e) hit(Point::TrapNesting, cov::Nesting::SameEnd);
      if (d.e <= r.pc) hit(Point::TrapNesting, cov::Nesting::BeforeBody);
      break;
    default:
      break;
  }
}

// Operands, results, slots and side effects of a vector instruction.
void Coverage::vector(const Decoded& d, const Retire& r) {
  const Encoding& e = *d.encoding;
  const int op = static_cast<int>(d.op) - 1;
  const int a = e.a_field ? cov::kSource[source_code(d)] : 0;
  const int b = e.b_field ? cov::kSource[d.rb] : 0;
  hit(Point::InsnOperands, op, a, b, d.w);
  const int store = e.s_field && d.s.en ? cov::kSpace[d.s_space] : 0;
  hit(Point::InsnResults, op, e.rd_field ? cov::kDestination[d.rd] : 0, store);
  const int data = e.d_field && d.d.en ? cov::kSpace[cov::kBlockSpace[d.d_block]] : 0;
  hit(Point::MemoryPorts, cov::kKey[e.k_field ? e.key_blocks : 0], data, store);
  if (e.res == Res::WriteLane) hit(Point::MemoryLane, d.n, store);

  const auto role = [this](cov::VectorRole role, std::uint8_t code) {
    if (code < kVectorRegs) hit(Point::VectorRegister, role, code);
  };
  if (e.use_a) role(cov::VectorRole::A, d.ra);
  if (e.use_b) role(cov::VectorRole::B, d.rb);
  if (r.rd_en) role(cov::VectorRole::Destination, r.rd);
  if (r.partner_en) role(cov::VectorRole::Partner, static_cast<std::uint8_t>(r.rd + 1));
  if (e.move) {
    const bool sum = d.mv == SideMove::Store && d.d.en;
    hit(Point::InsnMove, op, sum ? cov::kStoreSum : static_cast<std::size_t>(d.mv));
    if (d.mv == SideMove::Store) role(cov::VectorRole::Moved, d.rc);
  }
  if (r.ctr_en) {
    const int bytes = kCounterBytes[width_];
    int zeros = 0;
    while (zeros < bytes && r.ctr_value[static_cast<std::size_t>(15 - zeros)] == 0) ++zeros;
    const auto carry = zeros == 0 ? cov::Wraps::None : zeros == bytes ? cov::Wraps::Wraps : cov::Wraps::Carry;
    hit(Point::CounterIncrement, width_, d.increment ? cov::By::Operand : cov::By::Move, carry);
  }
  if (r.flag_en) hit(Point::FlagCompare, r.flag);
}

// Where the slots' accesses go, and what becomes of their address registers.
void Coverage::slots(const Decoded& d, const std::vector<Access>& accesses) {
  for (const Access& a : accesses) {
    const Slot& s = *a.bits;
    std::size_t addressing = cov::kRowAddressing;
    for (std::size_t code = 0; !s.row_en && code < kPatterns.size(); ++code)
      if (kPatterns[code].legal && kPatterns[code].delta == s.delta && kPatterns[code].wrap == s.wrap)
        addressing = cov::kAddressing[code];
    hit(Point::InsnAddressing, static_cast<int>(d.op) - 1, a.slot, addressing);
    for (int i = 0; i < a.count; ++i)
      hit(Point::MemoryAlignment, a.slot, cov::kSpace[a.spaces[i]], a.address % kVectorBytes);
    if (s.row_en) continue;
    hit(Point::AddressRegister, a.slot, s.ar);
    if (s.delta == Delta::None) continue;
    const bool up = s.delta == Delta::PlusRow || s.delta == Delta::PlusStep;
    const bool row = s.delta == Delta::PlusRow || s.delta == Delta::MinusRow;
    const std::int32_t change = row ? kVectorBytes : step_[s.ar];
    const std::int32_t sum = ar_[s.ar] + (up ? change : -change);
    const auto next = static_cast<std::uint16_t>(sum);
    hit(Point::AddressCarry, addressing, a.slot, sum == next ? cov::Carry::None : cov::Carry::Carry);
    if (s.wrap == Wrap::None) continue;
    const std::uint16_t end = window_end_[s.ar];
    const bool beyond = s.wrap == Wrap::AtOrAbove ? next > end : next < end;
    hit(Point::AddressWindow, addressing, a.slot,
        next == end ? cov::Window::AtEnd
        : beyond    ? cov::Window::Beyond
                    : cov::Window::Inside);
  }
  for (std::size_t i = 0; i < accesses.size(); ++i)
    for (std::size_t j = i + 1; j < accesses.size(); ++j) {
      const Slot &first = *accesses[i].bits, &second = *accesses[j].bits;
      if (first.row_en || second.row_en || first.ar != second.ar) continue;
      const auto slots = accesses[j].slot == cov::Slot::Data  ? cov::Slots::KeyData
                         : accesses[i].slot == cov::Slot::Key ? cov::Slots::KeyStore
                                                              : cov::Slots::DataStore;
      hit(Point::AddressShared, slots,
          first.delta != Delta::None    ? cov::Modifier::First
          : second.delta != Delta::None ? cov::Modifier::Second
                                        : cov::Modifier::Neither);
    }
}

void Coverage::stream(const Decoded& d, const Retire&) {
  const Encoding& e = *d.encoding;
  const int op = static_cast<int>(d.op) - 1;
  const bool shows = e.o.bits.width != 0;
  if (e.clocks)
    hit(Point::StreamClock, op, d.c - 1, shows ? d.o + 1 : 0);
  else
    hit(Point::StreamRow, op, d.o, d.n);
  const unsigned contexts = e.clocks ? d.c : 1u << d.o;
  if (contexts_) hit(Point::StreamSwitch, contexts - 1, contexts_ - 1, stream_last_ ? cov::Gap::Next : cov::Gap::Later);
  contexts_ = contexts;
}

// Whether a transfer is taken, from the state before it and the record.
bool Coverage::taken(const Decoded& d, const Retire& r) const {
  const Encoding& e = *d.encoding;
  if (e.vector || e.sq == Sq::Next || e.sq == Sq::Wait || e.sq == Sq::Notify || e.sq == Sq::Halt) return false;
  if (repeats(e.sq)) return (e.sq == Sq::RepeatAr ? ar_[d.as] : d.n) == 0;
  const std::uint16_t value = e.ad_written ? r.ar_value[d.ad] : ar_[d.as];
  switch (e.cc) {
    case Cc::Always:
      return true;
    case Cc::Zero:
      return value == 0;
    case Cc::Nonzero:
      return value != 0;
    case Cc::Flag:
      return flag_;
    case Cc::NotFlag:
      return !flag_;
  }
  return false;
}

void Coverage::control(const Decoded& d, const Retire& r, cov::End end) {
  const Encoding& e = *d.encoding;
  const int op = static_cast<int>(d.op) - 1;
  if (repeats(e.sq)) {
    const std::uint32_t count = e.sq == Sq::RepeatAr ? ar_[d.as] : d.n;
    const std::uint32_t body = static_cast<std::uint32_t>(d.e) - r.pc;
    hit(Point::LoopRepeat, op, few(count, cov::Count::Many), few(body - 1, cov::Body::More));
  }
  if (repeats(e.sq) || e.sq == Sq::Jump || e.sq == Sq::Call || e.sq == Sq::Return)
    hit(Point::BranchTaken, op, taken(d, r) ? cov::Taken::Taken : cov::Taken::NotTaken, end);
  if (r.notify_en) host(cov::Effect::Notify);
  if (r.wait) host(cov::Effect::Wait);
  if (r.halt) host(cov::Effect::Halt);
}

void Coverage::meets(const Decoded& d, Consumer consumer, const std::optional<Produced>& produced) {
  if (!produced) return;
  // In cycles from the producer's issue to the first in which the consumer could issue but for hazards; what is farther
  // than the least distance is alike.
  const auto least = static_cast<std::uint64_t>(kDistance[rounds_ - 1][static_cast<int>(produced->hazard)]);
  const std::uint64_t distance = std::min(earliest_ - produced->issue, least + 1);
  hit(Point::InsnHazard, static_cast<int>(d.op) - 1, consumer, produced->hazard, distance - 1);
  hit(Point::HazardDistance, produced->hazard, produced->producer, consumer, distance - 1);
}

// A source: its hazard, and where its value comes from.
void Coverage::reads(const Decoded& d, cov::Operand operand, std::uint8_t code) {
  const std::optional<Produced>& produced = vectors_[code];
  meets(d, operand == cov::Operand::A ? Consumer::A : Consumer::B, produced);
  if (!produced || code >= kVectorRegs) return;
  const std::uint64_t distance = issue_ - produced->issue;
  const auto from = [distance](const auto& stages) {
    return stages[std::min<std::size_t>(distance, stages.size()) - 1];
  };
  const int stage = rounds_ == 2 ? from(cov::kBypass2) : from(cov::kBypass1);
  hit(Point::InsnBypass, static_cast<int>(d.op) - 1, operand, stage);
  hit(Point::HazardBypass, operand, produced->hazard == Stall::VectorHalf2 ? cov::Half::Half2 : cov::Half::Half1,
      produced->producer == cov::Producer::Partner ? cov::Result::Partner : cov::Result::Result, stage);
}

void Coverage::consumes(const Decoded& d, const std::vector<Access>& accesses) {
  const Encoding& e = *d.encoding;
  if (e.use_a && e.a_field && d.ra != kRowCode) reads(d, cov::Operand::A, d.ra);
  if (e.use_b && e.b_field && d.rb != kRowCode) reads(d, cov::Operand::B, d.rb);
  if (e.w_field && d.w) meets(d, Consumer::Wk, vectors_[kWkCode]);
  for (const Access& a : accesses) {
    const auto consumer = static_cast<Consumer>(static_cast<int>(Consumer::Key) + static_cast<int>(a.slot));
    if (a.slot != cov::Slot::Store)
      for (std::size_t b = 0; b < memories_.size(); ++b)
        if (((kSpaceBlocks[a.spaces[0]] | kSpaceBlocks[a.spaces[a.count - 1]]) >> b) & 1)
          meets(d, consumer, memories_[b]);
    if (!a.bits->row_en) meets(d, consumer, addresses_[a.bits->ar]);
  }
  const auto bank = [this](std::size_t n, Stall hazard) {
    std::optional<Produced> p = banks_[n];
    if (p) p->hazard = hazard;
    return p;
  };
  if (e.lookup0) meets(d, Consumer::Path, bank(0, Stall::Table0));
  if (e.lookup1) meets(d, Consumer::Path, bank(1, Stall::Table1));
  if (e.clocks && (d.c & 1)) meets(d, Consumer::C0, bank(0, Stall::Table0));
  if (e.clocks && (d.c & 2)) {
    meets(d, Consumer::C1, bank(1, Stall::Table1Parallel));
    meets(d, Consumer::C1, looked_up_);
  }
  if (e.as_read) meets(d, Consumer::As, addresses_[d.as]);
  if (e.ad_written) meets(d, Consumer::Ad, addresses_[d.ad]);
  if (e.cc == Cc::Flag || e.cc == Cc::NotFlag) meets(d, Consumer::Condition, compared_);
  if (e.move && d.mv == SideMove::HoldCtr) meets(d, Consumer::Move, vectors_[kCtrCode]);
  if (e.move && d.mv == SideMove::Store) {
    std::optional<Produced> p = vectors_[d.rc];
    if (p) p->hazard = Stall::Stored;
    meets(d, Consumer::Move, p);
  }
}

void Coverage::produces(const Decoded& d) {
  const Encoding& e = *d.encoding;
  if (!e.vector) return;
  if (e.rd_field && d.rd != kNoneCode) {
    const bool special = d.rd == kCtrCode || d.rd == kWkCode;
    const Stall hazard = special ? Stall::Special : e.half2 ? Stall::VectorHalf2 : Stall::VectorHalf1;
    vectors_[d.rd] = {issue_, hazard,
                      !special           ? cov::Producer::Result
                      : d.rd == kCtrCode ? cov::Producer::Ctr
                                         : cov::Producer::Wk};
    if (e.pair) vectors_[d.rd + 1u] = {issue_, hazard, cov::Producer::Partner};
  }
  if (e.s_field && d.s.en) {
    const auto producer = static_cast<cov::Producer>(cov::kStored[d.s_space]);
    for (std::size_t b = 0; b < memories_.size(); ++b)
      if ((kSpaceBlocks[d.s_space] >> b) & 1) memories_[b] = {issue_, Stall::Memory, producer};
    for (std::size_t t = 0; t < banks_.size(); ++t)
      if ((kSpaceBanks[d.s_space] >> t) & 1) banks_[t] = {issue_, Stall::Table0, producer};
  }
  if (e.lookup1) looked_up_ = {issue_, Stall::Table1Port, cov::Producer::LookUp};
  if (e.res == Res::ToAddress) addresses_[d.ad] = {issue_, Stall::Address, cov::Producer::Lane};
  if (e.res == Res::SetFlag) compared_ = {issue_, Stall::Flag, cov::Producer::Compare};
}

}  // namespace lutra
