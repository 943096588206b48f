// The stage of each instruction in each cycle, and the reason for each wait in ID, derived from retirements alone, for
// simulator and core alike. After issue nothing stalls, so the cycle of WB gives the cycle of issue.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "decode.hpp"
#include "lutra_hazards.hpp"
#include "lutra_retire.hpp"

namespace lutra {

// Cycles that an instruction waited in ID under one cause, and the earlier instruction that it waited for.
struct Wait {
  Stall cause;
  std::uint16_t pc;
  std::uint64_t issue;
  std::uint64_t cycles;
};

// The passage of an instruction. Cycles are those of the retirement record.
struct Passage {
  std::uint16_t pc = 0;
  std::uint64_t word = 0;
  bool first = false;         // of its run: the host has started it
  bool resumed = false;       // the host has resumed before it
  std::uint64_t bubbles = 0;  // cycles between the instruction before and ID, lost by a transfer of that
  std::uint64_t decode = 0;   // the first cycle in ID; the one before is its fetch
  std::uint64_t issue = 0;    // the last cycle in ID
  std::uint64_t retire = 0;   // WB
  std::optional<bool> taken;  // of an instruction that can transfer; empty where the records do not say it yet
  std::vector<Wait> waits;    // in their order; together issue - decode cycles. Of a loop's entry: `transfer`
};

class Pipeline {
 public:
  // rounds: ROUNDS_PER_INSTR, 1 or 2.
  explicit Pipeline(int rounds);

  // The registers are zero from here on.
  void reset();

  // The next retirement. Waits for instructions before the first reported one are unknown; then `decode` is the issue,
  // or the first cycle that is known.
  const Passage& retired(const Retire& r);

 private:
  struct Flight {
    const Decoded* decoded = nullptr;  // null: none
    std::uint16_t pc = 0;
    std::uint64_t issue = 0;
  };

  const Decoded& decoded(const Retire& r);
  void enter(const Retire& r, std::uint64_t issue);
  bool entry(const Decoded& d, const Retire& r) const;
  void wait(const Decoded& d, std::uint64_t entry);
  std::optional<bool> taken(const Decoded& d, const Retire& r) const;
  void follow(const Decoded& d, const Retire& r);

  int rounds_;
  std::uint64_t retire_stage_;
  std::vector<Decoded> seen_;  // by program address: decoding once is enough
  Passage passage_;

  // The instructions before: as many as one in ID can wait for. The next takes the place of the oldest.
  static constexpr std::size_t kFlights = 8;
  std::array<Flight, kFlights> flights_{};
  std::size_t next_ = 0;

  // State derived from the records so far.
  std::uint64_t issued_ = 0;  // when the instruction before did; 0 before the first
  bool waiting_ = false;      // it was a wait
  bool repeats_ = false;      // it began a loop
  std::uint16_t last_pc_ = 0;
  std::uint16_t target_ = 0;  // next address if its transfer is taken
  std::array<std::optional<std::uint16_t>, kAddressRegs> ar_{};
  std::optional<bool> flag_;
};

}  // namespace lutra
