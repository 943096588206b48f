// The interlock of docs/microarchitecture.md, reconstructed from its outcome.
#include "pipeline.hpp"

#include <algorithm>

namespace lutra {

Pipeline::Pipeline(int rounds)
    : rounds_(rounds),
      retire_stage_(static_cast<std::uint64_t>(kRetireStage[rounds - 1])),
      seen_(static_cast<std::size_t>(kProgramWords)) {}

void Pipeline::reset() {
  ar_.fill(0);
  flag_ = false;
}

const Decoded& Pipeline::decoded(const Retire& r) {
  static const Decoded kIllegal;
  if (r.pc >= seen_.size()) return kIllegal;
  Decoded& d = seen_[r.pc];
  if (d.word != r.insn || d.encoding == nullptr) d = lutra::decode(r.insn, rounds_);
  return d;
}

const Passage& Pipeline::retired(const Retire& r) {
  const Decoded& d = decoded(r);
  const std::uint64_t issue = r.cycle - retire_stage_;
  enter(r, issue);
  passage_.pc = r.pc;
  passage_.word = r.insn;
  passage_.issue = issue;
  passage_.retire = r.cycle;
  passage_.waits.clear();
  if (passage_.decode < issue) wait(d, entry(d, r) ? kEntryBubbles : 0);
  passage_.taken = r.trap ? std::nullopt : taken(d, r);

  flights_[next_++ % kFlights] = {r.trap || !d.encoding ? nullptr : &d, r.pc, issue};
  issued_ = issue;
  waiting_ = r.wait_en;
  follow(d, r);
  return passage_;
}

// The cycle in which the instruction enters ID.
void Pipeline::enter(const Retire& r, std::uint64_t issue) {
  // Cycle 0 fetches the entry, and in cycle 1 ID holds nothing else.
  passage_.first = issue == 1;
  passage_.resumed = !passage_.first && waiting_;
  passage_.bubbles = 0;
  if (passage_.first || !issued_) {
    flights_ = {};
    passage_.decode = issue;
  } else if (waiting_) {
    // The state changes after the retirement, then the instruction is fetched.
    passage_.decode = issued_ + retire_stage_ + 2;
  } else {
    // If the records do not tell whether it was taken: it is the only possible cause.
    const bool gap = issue > issued_ + kTakenBubbles;
    if (passage_.taken.value_or(gap && r.pc == target_)) passage_.bubbles = kTakenBubbles;
    passage_.decode = issued_ + 1 + passage_.bubbles;
  }
}

// Whether it needs, immediately, the loop that the previous instruction has entered.
bool Pipeline::entry(const Decoded& d, const Retire& r) const {
  const bool enters = issued_ && !passage_.first && !passage_.resumed && !passage_.bubbles && repeats_;
  return enters && (repeats(d) || r.pc + 1u == target_);
}

// Counts stalls as the simulator does (timing.hpp): first the entry of a loop, then each cycle under the first cause
// that holds.
void Pipeline::wait(const Decoded& d, std::uint64_t entry) {
  std::array<const Flight*, hazard::kPlaces> writer{};
  for (std::size_t i = 0; i < kFlights; ++i)  // from the oldest on: a later write takes the place of an earlier one
    if (const Flight& f = flights_[(next_ + i) % kFlights]; f.decoded)
      hazard::each_write(*f.decoded->encoding, *f.decoded, [&](Stall cause, hazard::Access access, std::size_t cell) {
        writer[hazard::place(cause, access, cell)] = &f;
      });
  std::array<const Flight*, kStallCauses> last{};
  if (d.encoding)
    hazard::each_read(*d.encoding, d, [&](Stall cause, hazard::Access access, std::size_t cell) {
      const Flight* f = writer[hazard::place(cause, access, cell)];
      const Flight*& most = last[static_cast<std::size_t>(cause)];
      if (f && (!most || f->issue > most->issue)) most = f;
    });
  if (entry) passage_.waits.push_back({Stall::Transfer, last_pc_, issued_, entry});
  for (std::uint64_t t = passage_.decode + entry; t < passage_.issue; ++t) {
    std::size_t cause = 0;
    for (; cause < kStallCauses - 1; ++cause) {
      const auto distance = static_cast<std::uint64_t>(kDistance[rounds_ - 1][cause]);
      if (last[cause] && last[cause]->issue + distance > t) break;
    }
    auto& waits = passage_.waits;
    if (cause == kStallCauses - 1) {  // for what came before the first record
      waits.clear();
      passage_.decode = t + 1;
    } else if (const Flight& f = *last[cause];
               !waits.empty() && waits.back().cause == static_cast<Stall>(cause) && waits.back().issue == f.issue) {
      ++waits.back().cycles;
    } else {
      waits.push_back({static_cast<Stall>(cause), f.pc, f.issue, 1});
    }
  }
}

// Whether a transfer is taken, from the state before it and the record.
std::optional<bool> Pipeline::taken(const Decoded& d, const Retire& r) const {
  if (!d.encoding || d.encoding->vector) return false;
  const Encoding& e = *d.encoding;
  switch (e.sq) {
    case Sq::Call:
    case Sq::Return:
      return true;
    case Sq::Repeat:
      return d.n == 0;
    case Sq::RepeatAr:
      return ar_[d.as] ? std::optional(*ar_[d.as] == 0) : std::nullopt;
    case Sq::Jump:
      break;
    default:
      return false;
  }
  const std::optional<std::uint16_t> value = e.ad_written ? r.ar_value[d.ad] : ar_[d.as];
  switch (e.cc) {
    case Cc::Always:
      return true;
    case Cc::Zero:
      return value ? std::optional(*value == 0) : std::nullopt;
    case Cc::Nonzero:
      return value ? std::optional(*value != 0) : std::nullopt;
    case Cc::Flag:
      return flag_;
    case Cc::NotFlag:
      return flag_ ? std::optional(!*flag_) : std::nullopt;
  }
  return false;
}

void Pipeline::follow(const Decoded& d, const Retire& r) {
  repeats_ = repeats(d);
  last_pc_ = r.pc;
  target_ = static_cast<std::uint16_t>(d.e + (repeats_ ? 1 : 0));
  for (std::size_t i = 0; i < ar_.size(); ++i)
    if ((r.ar_mask >> i) & 1) ar_[i] = r.ar_value[i];
  if (r.flag_en) flag_ = r.flag;
}

}  // namespace lutra
