// The collector: translates a record into the labels of the coverpoints.
#include "coverage.hpp"

#include <algorithm>

namespace lutra {

using cov::Coverpoint;

namespace {

constexpr auto kIncrementCode = static_cast<std::uint8_t>(VecCode::CTRINC);
constexpr std::uint32_t kTableLimit = kVectorBytes * (kTableRows - 1);

// Zero, one, two, or the last label for anything more.
template <class Label>
Label bounded(std::uint32_t n, Label most) {
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
void Coverage::hit(Coverpoint point, Labels... labels) {
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
  hit(Coverpoint::HostEffect, effect, inside);
}

void Coverage::forget() {
  produced_ = {};
  contexts_ = 0;
}

// Registers are as after a reset.
void Coverage::zero() {
  addresses_ = {};
  width_ = 0;
  flag_ = false;
  forget();
}

void Coverage::reset(CoreState before) {
  hit(Coverpoint::HostControl, cov::Event::Reset, before);
  zero();
}

void Coverage::wiped(CoreState before, bool escalated) {
  hit(Coverpoint::HostControl, escalated ? cov::Event::Escalate : cov::Event::Wipe, before);
  zero();
}

void Coverage::start(CoreState before) {
  hit(Coverpoint::HostControl, cov::Event::Start, before);
  loop_ends_.clear();
  call_depth_ = 0;
  last_retired_ = 0;
  earliest_ = 1;
  entered_ = 0;
  forget();
}

void Coverage::resume() {
  host(cov::Effect::Resume);
  earliest_ = last_retired_ + 2;  // the state changes after the retirement, then the fetch
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
  const auto address = [this](const Slot& s) { return s.row_en ? s.address : addresses_[s.ar].ar; };
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

void Coverage::retired(const Retire& r) {
  const Decoded& d = decoded(r);
  const bool at_end = !loop_ends_.empty() && loop_ends_.back() == r.pc;
  last_retired_ += wrapped(r.cycle - last_retired_, kPerfBits);
  issue_ = last_retired_ - static_cast<std::uint64_t>(kRetireStage[rounds_ - 1]);
  if (entered_ && (entered_ == r.pc || repeats(d))) earliest_ += kEntryBubbles;
  entered_ = 0;
  if (r.trap) return trapped(d, r, at_end);

  const std::size_t depth = loop_ends_.size();
  const cov::End end = !at_end ? cov::End::Elsewhere : r.loop_depth < depth ? cov::End::Leaves : cov::End::GoesBack;
  const Encoding& e = *d.encoding;
  const int op = static_cast<int>(d.op) - 1;
  if (at_end) hit(Coverpoint::InsnLoopEnd, op, end);
  if (e.n.bits.width) {
    const std::uint32_t between = cov::kEveryValue, last = cov::kEveryValue + 1;
    const std::uint32_t value = d.n;
    hit(Coverpoint::InsnImmediate, op,
        e.n.high < cov::kEveryValue || value == 0 ? value
        : value == e.n.high                       ? last
                                                  : between);
  }
  if (e.h.bits.width) hit(Coverpoint::InsnBeside, op, d.h);
  if (e.g.bits.width) hit(Coverpoint::InsnBeside, op, d.g);
  if (e.as_read) hit(Coverpoint::AddressRegister, cov::AddressRole::Source, d.as);
  if (e.ad_written || e.ad.bits.width) hit(Coverpoint::AddressRegister, cov::AddressRole::Destination, d.ad);

  const std::vector<Access> used = accesses(d);
  consumes(d);
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
  for (std::size_t i = 0; i < addresses_.size(); ++i)
    if ((r.ar_mask >> i) & 1) addresses_[i].ar = r.ar_value[i];
  if (r.step_en) addresses_[r.config_ar].step = r.config_n;
  if (r.window_en) {
    addresses_[r.config_ar].window_start = r.config_n;
    addresses_[r.config_ar].window_end = r.config_e;
  }
  if (r.width_en) width_ = r.config_n;
  if (r.flag_en) flag_ = r.flag;
  call_depth_ = r.call_depth;
  loop_ends_.resize(std::min<std::size_t>(loop_ends_.size(), r.loop_depth));
  if (loop_ends_.size() < r.loop_depth) loop_ends_.push_back(d.e);
  hit(Coverpoint::LoopDepth, r.loop_depth, r.call_depth);
  earliest_ = issue_ + 1 + (gone ? kTakenBubbles : 0);
  if (repeats(d) && !gone) entered_ = d.e;
}

// The nesting rules that a REPEAT breaks; true where it breaks one.
bool Coverage::nesting(const Decoded& d, const Retire& r, bool at_end, cov::Reported reported) {
  const bool same_end = !loop_ends_.empty() && loop_ends_.back() == d.e;
  const bool before_body = d.e <= r.pc;
  if (at_end) hit(Coverpoint::TrapNesting, cov::Nesting::AtEnd, reported);
  if (same_end) hit(Coverpoint::TrapNesting, cov::Nesting::SameEnd, reported);
  if (before_body) hit(Coverpoint::TrapNesting, cov::Nesting::BeforeBody, reported);
  return at_end || same_end || before_body;
}

void Coverage::trapped(const Decoded& d, const Retire& r, bool at_end) {
  const cov::Place place = at_end ? cov::Place::LoopEnd : cov::Place::Elsewhere;
  host(cov::Effect::Trap);
  if (const int fault = r.trap - cov::kFirstFault; fault >= 0) {
    hit(Coverpoint::TrapFault, fault, place);
    return zero();  // a core with a wipe begins one, another one has to be reset
  }
  hit(Coverpoint::TrapCause, r.trap - 1, place);
  switch (static_cast<Trap>(r.trap)) {
    case Trap::AddressRange:
      for (const Access& a : accesses(d)) {
        const bool table = kSpaceBanks[a.spaces[0]] != 0;
        if (a.address <= (table ? kTableLimit : memory_limit_)) continue;
        for (int i = 0; i < a.count; ++i) hit(Coverpoint::TrapSlot, a.slot, cov::kSpace[a.spaces[i]]);
        break;
      }
      for (const Access& a : accesses(d))
        if (kSpaceBanks[a.spaces[0]] != 0 && a.address % kVectorBytes)
          hit(Coverpoint::TrapMeeting, cov::Meeting::AddressOutOfRangeTableMisaligned);
      break;
    case Trap::LoopOverflow:
      if (nesting(d, r, at_end, cov::Reported::Overflow))
        hit(Coverpoint::TrapMeeting, cov::Meeting::LoopStackOverflowLoopNesting);
      break;
    case Trap::LoopNesting:
      nesting(d, r, at_end, cov::Reported::Nesting);
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
  hit(Coverpoint::InsnOperands, op, a, b, d.w);
  const int store = e.s_field && d.s.en ? cov::kSpace[d.s_space] : 0;
  hit(Coverpoint::InsnResults, op, e.rd_field ? cov::kDestination[d.rd] : 0, store);
  const int data = e.d_field && d.d.en ? cov::kSpace[cov::kBlockSpace[d.d_block]] : 0;
  hit(Coverpoint::MemoryPorts, cov::kKey[e.k_field ? e.key_blocks : 0], data, store);
  if (e.res == Res::WriteLane) hit(Coverpoint::MemoryLane, d.n, store);

  const auto role = [this](cov::VectorRole role, std::uint8_t code) {
    if (code < kVectorRegs) hit(Coverpoint::VectorRegister, role, code);
  };
  if (e.use_a) role(cov::VectorRole::A, d.ra);
  if (e.use_b) role(cov::VectorRole::B, d.rb);
  if (r.rd_en) role(cov::VectorRole::Destination, r.rd);
  if (e.third) role(cov::VectorRole::Third, d.rc);
  if (r.partner_en) role(cov::VectorRole::Partner, static_cast<std::uint8_t>(r.rd + 1));
  if (e.move) {
    const bool sum = d.mv == SideMove::Store && d.d.en;
    hit(Coverpoint::InsnMove, op, sum ? cov::kStoreSum : static_cast<std::size_t>(d.mv));
    if (d.mv == SideMove::Store) role(cov::VectorRole::Moved, d.rc);
  }
  if (r.ctr_en) {
    const int bytes = kCounterBytes[width_];
    int zeros = 0;
    while (zeros < bytes && r.ctr_value[static_cast<std::size_t>(15 - zeros)] == 0) ++zeros;
    const auto carry = zeros == 0 ? cov::Wraps::None : zeros == bytes ? cov::Wraps::Wraps : cov::Wraps::Carry;
    hit(Coverpoint::CounterIncrement, width_, d.increment ? cov::By::Operand : cov::By::Move, carry);
  }
  if (r.flag_en) hit(Coverpoint::FlagCompare, r.flag);
}

// Targets of the slots' accesses, and updates of their address registers.
void Coverage::slots(const Decoded& d, const std::vector<Access>& accesses) {
  for (const Access& a : accesses) {
    const Slot& s = *a.bits;
    std::size_t addressing = cov::kRowAddressing;
    for (std::size_t code = 0; !s.row_en && code < kPatterns.size(); ++code)
      if (kPatterns[code].legal && kPatterns[code].delta == s.delta && kPatterns[code].wrap == s.wrap)
        addressing = cov::kAddressing[code];
    hit(Coverpoint::InsnAddressing, static_cast<int>(d.op) - 1, a.slot, addressing);
    for (int i = 0; i < a.count; ++i)
      hit(Coverpoint::MemoryAlignment, a.slot, cov::kSpace[a.spaces[i]], a.address % kVectorBytes);
    if (s.row_en) continue;
    hit(Coverpoint::AddressRegister, a.slot, s.ar);
    if (s.delta == Delta::None) continue;
    const AddressRegister& of = addresses_[s.ar];
    const std::int32_t sum = moved(s.delta, of);
    const auto next = static_cast<std::uint16_t>(sum);
    hit(Coverpoint::AddressCarry, addressing, a.slot, sum == next ? cov::Carry::None : cov::Carry::Carry);
    if (s.wrap == Wrap::None) continue;
    hit(Coverpoint::AddressWindow, addressing, a.slot,
        next == bound(s.wrap, next, of) ? cov::Window::AtEnd
        : wraps(s.wrap, next, of)       ? cov::Window::Beyond
                                        : cov::Window::Inside);
  }
  for (std::size_t i = 0; i < accesses.size(); ++i)
    for (std::size_t j = i + 1; j < accesses.size(); ++j) {
      const Slot &first = *accesses[i].bits, &second = *accesses[j].bits;
      if (first.row_en || second.row_en || first.ar != second.ar) continue;
      const auto slots = accesses[j].slot == cov::Slot::Data  ? cov::Slots::KeyData
                         : accesses[i].slot == cov::Slot::Key ? cov::Slots::KeyStore
                                                              : cov::Slots::DataStore;
      hit(Coverpoint::AddressShared, slots,
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
    hit(Coverpoint::StreamClock, op, d.c - 1, shows ? d.o + 1 : 0);
  else
    hit(Coverpoint::StreamRow, op, d.o, d.n);
  const unsigned contexts = e.clocks ? d.c : 1u << d.o;
  if (contexts_)
    hit(Coverpoint::StreamSwitch, contexts - 1, contexts_ - 1, stream_last_ ? cov::Gap::Next : cov::Gap::Later);
  contexts_ = contexts;
}

// Whether it goes elsewhere, always or on a condition; a repeat is not meant.
static bool transfers(const Encoding& e) { return e.sq == Sq::Jump || e.sq == Sq::Call || e.sq == Sq::Return; }

// Whether a transfer is taken, from the state before it and the record.
bool Coverage::taken(const Decoded& d, const Retire& r) const {
  const Encoding& e = *d.encoding;
  if (repeats(d)) return (e.sq == Sq::RepeatAr ? addresses_[d.as].ar : d.n) == 0;
  if (!transfers(e)) return false;
  const std::uint16_t value = e.ad_written ? r.ar_value[d.ad] : addresses_[d.as].ar;
  return holds(e.cc, value, flag_);
}

void Coverage::control(const Decoded& d, const Retire& r, cov::End end) {
  const Encoding& e = *d.encoding;
  const int op = static_cast<int>(d.op) - 1;
  if (repeats(d)) {
    const std::uint32_t count = e.sq == Sq::RepeatAr ? addresses_[d.as].ar : d.n;
    const std::uint32_t body = static_cast<std::uint32_t>(d.e) - r.pc;
    hit(Coverpoint::LoopRepeat, op, bounded(count, cov::Count::Many), bounded(body - 1, cov::Body::More));
  }
  if (repeats(d) || transfers(e))
    hit(Coverpoint::BranchTaken, op, taken(d, r) ? cov::Taken::Taken : cov::Taken::NotTaken, end);
  if (r.notify_en) host(cov::Effect::Notify);
  if (r.wait_en) host(cov::Effect::Wait);
  if (r.halt_en) host(cov::Effect::Halt);
}

// For each read of an earlier result: its distance, and the hazard that it belongs to.
void Coverage::consumes(const Decoded& d) {
  hazard::each_read(*d.encoding, d, [&](Stall hazard, hazard::Access access, std::size_t cell) {
    const std::optional<Produced>& produced = produced_[hazard::cell(access, cell)];
    if (!produced || !hazard::is_write(hazard, produced->access)) return;
    // Cycles from the producer's issue to the first in which the consumer could issue but for hazards; anything beyond
    // the least distance counts the same.
    const auto least = static_cast<std::uint64_t>(kDistance[rounds_ - 1][static_cast<std::size_t>(hazard)]);
    const std::uint64_t distance = std::min(earliest_ - produced->issue, least + 1);
    const auto consumer = static_cast<cov::Consumer>(cov::kConsumer[static_cast<std::size_t>(access)]);
    hit(Coverpoint::InsnHazard, static_cast<int>(d.op) - 1, consumer, hazard, distance - 1);
    hit(Coverpoint::HazardDistance, hazard, produced->producer, consumer, distance - 1);
    if (cov::kBypassed[static_cast<std::size_t>(hazard)])
      bypass(d, hazard, consumer == cov::Consumer::A ? cov::Operand::A : cov::Operand::B, *produced);
  });
}

// Origin of a source's value.
void Coverage::bypass(const Decoded& d, Stall hazard, cov::Operand operand, const Produced& produced) {
  const auto h = static_cast<std::size_t>(hazard);
  const auto mode = static_cast<std::size_t>(rounds_ - 1);
  const std::uint64_t beyond = issue_ - produced.issue - static_cast<std::uint64_t>(kDistance[mode][h]);
  const int from = cov::kFrom[mode][h][std::min<std::size_t>(beyond, cov::kFromMost - 1)];
  hit(Coverpoint::InsnBypass, static_cast<int>(d.op) - 1, operand, from);
  hit(Coverpoint::HazardBypass, operand, cov::kReady[h],
      produced.producer == cov::Producer::Partner ? cov::Result::Partner : cov::Result::Result, from);
}

void Coverage::produces(const Decoded& d) {
  hazard::each_write(*d.encoding, d, [&](Stall, hazard::Access access, std::size_t cell) {
    const std::uint8_t label = cov::kProducer[static_cast<std::size_t>(access)];
    const auto producer = static_cast<cov::Producer>(label == cov::kBySpace ? cov::kStored[d.s_space] : label);
    produced_[hazard::cell(access, cell)] = {issue_, access, producer};
  });
}

}  // namespace lutra
