#include "axi_memory.hpp"

#include <algorithm>

namespace lutra::soc {

bool AxiMemory::meets(const std::vector<Range>& bad, std::uint64_t first, std::uint64_t end) {
  return std::any_of(bad.begin(), bad.end(), [&](const Range& r) { return first < r.end && end > r.first; });
}

// Bursts of different ids may be answered in any order, beat by beat.
void AxiMemory::choose() {
  const std::size_t at = timing_.stalls == 0 || reads_.size() < 2 ? 0 : draw_() % reads_.size();
  const auto first = std::find_if(reads_.begin(), reads_.end(), [&](const Burst& b) { return b.id == reads_[at].id; });
  std::rotate(reads_.begin(), first, first + 1);
}

// What is valid stays as it is until it is taken.
const AxiMemory::Driven& AxiMemory::drive() {
  out_.ar_ready = reads_.size() < kOutstanding && !stalls();
  out_.aw_ready = writes_.size() < kOutstanding && !stalls() && (!late_ || (beat_shown_ && writes_.empty()));
  out_.w_ready = !stalls() && (!late_ || !writes_.empty());
  if (!out_.r_valid && !reads_.empty() && !stalls()) {
    choose();
    const Burst& burst = reads_.front();
    if (burst.ready <= now_) {
      const std::uint64_t beat = burst.address / kLanes * kLanes;
      out_.r_valid = true;
      out_.r_id = burst.id;
      out_.r_last = burst.beats == 1;
      out_.r_data = 0;
      if (has(beat)) std::memcpy(&out_.r_data, bytes_.data() + (beat - base_), kLanes);
      out_.r_response = !has(beat) ? kDecodeError : meets(bad_reads, beat, beat + kLanes) ? kSlaveError : kOkay;
      // Data with an error has no meaning.
      if (out_.r_response != kOkay) out_.r_data = std::uint64_t{draw_()} << 32 | draw_();
    }
  }
  if (!out_.b_valid && !answers_.empty() && answers_.front().ready <= now_ && !stalls()) {
    out_.b_valid = true;
    out_.b_id = answers_.front().id;
    out_.b_response = answers_.front().response;
  }
  return out_;
}

unsigned AxiMemory::write(std::uint64_t beat, const Data& w) {
  if (w.strobes != 0 && !has(beat)) return kDecodeError;
  unsigned response = kOkay;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if ((w.strobes >> lane & 1) == 0) continue;
    if (meets(bad_writes, beat + lane, beat + lane + 1))
      response = kSlaveError;
    else
      bytes_[beat - base_ + lane] = static_cast<std::uint8_t>(w.bytes >> 8 * lane);
  }
  return response;
}

void AxiMemory::take(const Address& ar, const Address& aw, const Data& w, bool r_ready, bool b_ready) {
  if (out_.r_valid && r_ready) {
    out_.r_valid = false;
    Burst& burst = reads_.front();
    burst.address = burst.address / kLanes * kLanes + kLanes;
    if (--burst.beats == 0) reads_.pop_front();
  }
  if (out_.b_valid && b_ready) {
    out_.b_valid = false;
    answers_.pop_front();
  }
  if (ar.valid && out_.ar_ready) reads_.push_back({ar.id, ar.address, ar.beats, now_ + timing_.latency});
  if (aw.valid && out_.aw_ready) {
    writes_.push_back({aw.id, aw.address, aw.beats, 0});
    late_ = timing_.stalls != 0 && draw_() % 2 != 0;
  }
  beat_shown_ = w.valid && !out_.w_ready;
  if (w.valid && out_.w_ready) waiting_.push_back(w);
  while (!waiting_.empty() && !writes_.empty()) {
    Burst& burst = writes_.front();
    const std::uint64_t beat = burst.address / kLanes * kLanes;
    burst.response = std::max(burst.response, write(beat, waiting_.front()));
    burst.address = beat + kLanes;
    waiting_.pop_front();
    if (--burst.beats == 0) {
      burst.ready = now_ + timing_.latency;
      answers_.push_back(burst);
      writes_.pop_front();
    }
  }
  ++now_;
}

}  // namespace lutra::soc
