// When instructions issue: the interlock of docs/microarchitecture.md as times instead of pipeline stages.
#pragma once

#include <algorithm>
#include <array>

#include "decode.hpp"

namespace lutra {

class Timing {
 public:
  explicit Timing(int rounds) : distance_(kDistance[rounds - 1]), retire_stage_(kRetireStage[rounds - 1]) {}

  // From state running's first cycle, in which the entry is fetched.
  void start() { *this = Timing(distance_, retire_stage_); }

  void resume() { earliest_ = cycles_ + 1; }

  // Issue of an instruction, stalls accounted; vector instructions only wait for operands here.
  template <class Encodings>
  void issue_vector(const Encodings& e, const Decoded& d) {
    std::uint64_t need = earliest_;
    if (reads_ctr(e, d)) need = std::max(need, vector_[kCtr].ready);
    if (e.move && d.mv == SideMove::Store) need = std::max(need, stored_[d.rc]);
    if (e.use_a) need = std::max(need, vector_[d.ra].ready);
    if (e.use_b) need = std::max(need, vector_[d.rb].ready);
    if (e.w_field && d.w) need = std::max(need, vector_[kWk].ready);
    if (e.k_field) need = std::max({need, memory(e.key_blocks), slot(d.k)});
    if (e.d_field && d.d.en) need = std::max({need, memory_[d.d_block], slot(d.d)});
    if (e.s_field && d.s.en) need = std::max(need, slot(d.s));
    if (e.lookup0) need = std::max(need, bank_[0]);
    if (e.lookup1) need = std::max(need, bank_[1]);
    if (e.clocks && (d.c & 1)) need = std::max(need, bank_[0]);
    if (e.clocks && (d.c & 2)) need = std::max({need, bank1_parallel_, port1_});
    if (e.as_read) need = std::max(need, address_[d.as]);
    if (e.ad_written) need = std::max(need, address_[d.ad]);
    if (need > earliest_) account(e, d, need);
    issue_at(need);
    if (e.lookup1) port1_ = after(Stall::Table1Port);
  }

  void issue_control(const Encoding& e, const Decoded& d) {
    const std::uint64_t from = earliest_;
    std::uint64_t need = from;
    if (e.as_read) need = std::max(need, address_[d.as]);
    if (e.ad_written) need = std::max(need, address_[d.ad]);
    const std::uint64_t address = need;
    if (e.cc == Cc::Flag || e.cc == Cc::NotFlag) need = std::max(need, flag_);
    // Causes in the order of isa/pipeline.td: address before flag.
    stalls_[static_cast<int>(Stall::Address)] += address - from;
    stalls_[static_cast<int>(Stall::Flag)] += need - address;
    issue_at(need);
  }

  // A trap that no operand can delay.
  void issue_trap() { issue_at(earliest_); }

  void wrote_vector(std::uint8_t rd, bool half2) {
    if (rd == kCtr || rd == kWk)
      set(vector_[rd], Stall::Special);
    else
      set(vector_[rd], half2 ? Stall::VectorHalf2 : Stall::VectorHalf1);
    stored_[rd] = after(Stall::Stored);
  }

  void wrote_space(std::uint8_t space) {
    for (int b = 0; b < 4; ++b)
      if ((kSpaceBlocks[space] >> b) & 1) memory_[b] = after(Stall::Memory);
    if (kSpaceBanks[space] & 1) bank_[0] = after(Stall::Table0);
    if (kSpaceBanks[space] & 2) bank_[1] = after(Stall::Table1), bank1_parallel_ = after(Stall::Table1Parallel);
  }

  void wrote_address(std::uint8_t ar) { address_[ar] = after(Stall::Address); }
  void wrote_flag() { flag_ = after(Stall::Flag); }

  void taken() {
    earliest_ = issued_ + 1 + kTakenBubbles;
    stalls_[static_cast<int>(Stall::Transfer)] += kTakenBubbles;
  }

  std::uint64_t retired() const { return issued_ + static_cast<std::uint64_t>(retire_stage_); }
  std::uint64_t cycles() const { return cycles_; }
  const std::array<std::uint64_t, kStallCauses>& stalls() const { return stalls_; }

 private:
  static constexpr auto kCtr = static_cast<std::uint8_t>(VecCode::CTR);
  static constexpr auto kWk = static_cast<std::uint8_t>(VecCode::WK);

  struct Ready {
    std::uint64_t ready = 0;
    Stall cause = Stall::VectorHalf1;
  };

  Timing(const int* distance, int retire_stage) : distance_(distance), retire_stage_(retire_stage) {}

  std::uint64_t after(Stall cause) const {
    return issued_ + static_cast<std::uint64_t>(distance_[static_cast<int>(cause)]);
  }
  template <class Encodings>
  static bool reads_ctr(const Encodings& e, const Decoded& d) {
    return e.move && d.mv == SideMove::HoldCtr;
  }
  void set(Ready& r, Stall cause) { r = {after(cause), cause}; }
  std::uint64_t slot(const Slot& s) const { return s.row_en ? 0 : address_[s.ar]; }
  std::uint64_t memory(std::uint8_t blocks) const {
    std::uint64_t t = 0;
    for (int b = 0; b < 4; ++b)
      if ((blocks >> b) & 1) t = std::max(t, memory_[b]);
    return t;
  }
  void issue_at(std::uint64_t t) {
    issued_ = t;
    earliest_ = t + 1;
    cycles_ = t + static_cast<std::uint64_t>(retire_stage_) + 1;
  }

  // Every stall cycle counts under the first cause that holds in it.
  template <class Encodings>
  void account(const Encodings& e, const Decoded& d, std::uint64_t until) {
    std::array<std::uint64_t, kStallCauses> ready{};
    auto wait = [&](Stall cause, std::uint64_t t) {
      auto& r = ready[static_cast<std::size_t>(cause)];
      r = std::max(r, t);
    };
    if (reads_ctr(e, d)) wait(Stall::Special, vector_[kCtr].ready);
    if (e.move && d.mv == SideMove::Store) wait(Stall::Stored, stored_[d.rc]);
    if (e.use_a) wait(vector_[d.ra].cause, vector_[d.ra].ready);
    if (e.use_b) wait(vector_[d.rb].cause, vector_[d.rb].ready);
    if (e.w_field && d.w) wait(Stall::Special, vector_[kWk].ready);
    if (e.k_field) wait(Stall::Memory, memory(e.key_blocks)), wait(Stall::Address, slot(d.k));
    if (e.d_field && d.d.en) wait(Stall::Memory, memory_[d.d_block]), wait(Stall::Address, slot(d.d));
    if (e.s_field && d.s.en) wait(Stall::Address, slot(d.s));
    if (e.lookup0) wait(Stall::Table0, bank_[0]);
    if (e.lookup1) wait(Stall::Table1, bank_[1]);
    if (e.clocks && (d.c & 1)) wait(Stall::Table0, bank_[0]);
    if (e.clocks && (d.c & 2)) wait(Stall::Table1Parallel, bank1_parallel_), wait(Stall::Table1Port, port1_);
    if (e.as_read) wait(Stall::Address, address_[d.as]);
    if (e.ad_written) wait(Stall::Address, address_[d.ad]);
    for (std::uint64_t t = earliest_; t < until; ++t)
      ++stalls_[static_cast<std::size_t>(
          std::find_if(ready.begin(), ready.end(), [t](std::uint64_t r) { return r > t; }) - ready.begin())];
  }

  const int* distance_;
  int retire_stage_;
  std::uint64_t earliest_ = 1, issued_ = 0, cycles_ = 0;
  std::array<Ready, 16> vector_{};
  std::array<std::uint64_t, 16> stored_{};
  std::array<std::uint64_t, 4> memory_{};
  std::array<std::uint64_t, 2> bank_{};
  std::uint64_t bank1_parallel_ = 0, port1_ = 0;
  std::array<std::uint64_t, 8> address_{};
  std::uint64_t flag_ = 0;
  std::array<std::uint64_t, kStallCauses> stalls_{};
};

}  // namespace lutra
