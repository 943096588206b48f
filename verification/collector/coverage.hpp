// Functional coverage: counts what retires by the coverpoints that isa/isagen/coverage.py makes from the ISA.
// Simulator and RTL are counted by the same class, which sees nothing but records and the host's control.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "decode.hpp"
#include "lutra_coverage.hpp"
#include "retire.hpp"

namespace lutra {

class Coverage {
 public:
  // From a machine after reset. rounds: ROUNDS_PER_INSTR.
  Coverage(int rounds, int memory_rows, int program_words);

  // Host control; `before` is the state in which it comes.
  void reset(CoreState before);
  void start(CoreState before);
  void resume();
  void retire(const Retire& record);

  // (place in the table of counters, count) of all that are not zero.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> counts() const;
  bool operator==(const Coverage& other) const { return counts_ == other.counts_; }

 private:
  // Something on its way, or its traces: what a hazard could be about.
  struct Produced {
    std::uint64_t issue;
    Stall hazard;
    cov::Producer producer;
  };
  struct Access {
    cov::Slot slot;
    const Slot* bits;
    std::uint8_t spaces[2];  // codes
    int count;
    std::uint16_t address;
  };

  template <class... Labels>
  void hit(cov::Point point, Labels... labels);

  const Decoded& decoded(const Retire& r);
  std::vector<Access> accesses(const Decoded& d) const;
  void trapped(const Decoded& d, const Retire& r, bool at_end);
  void vector(const Decoded& d, const Retire& r);
  void slots(const Decoded& d, const std::vector<Access>& accesses);
  void stream(const Decoded& d, const Retire& r);
  void control(const Decoded& d, const Retire& r, cov::End end);
  void consumes(const Decoded& d, const std::vector<Access>& accesses);
  void meets(const Decoded& d, cov::Consumer consumer, const std::optional<Produced>& produced);
  void reads(const Decoded& d, cov::Operand operand, std::uint8_t code);
  void produces(const Decoded& d);
  void forget();
  bool taken(const Decoded& d, const Retire& r) const;
  void host(cov::Effect effect);

  int rounds_;
  std::uint32_t memory_limit_;
  std::vector<std::uint32_t> counts_;
  std::vector<Decoded> seen_;  // by program counter: decoding once is enough

  // What the records have said so far.
  std::array<std::uint16_t, 8> ar_{}, step_{}, window_end_{};
  std::size_t width_ = 0;
  bool flag_ = false;
  std::vector<std::uint16_t> loop_ends_;
  int call_depth_ = 0;

  // Issue: of this instruction, and the first cycle in which it could have been but for hazards.
  std::uint64_t issue_ = 0, earliest_ = 1, last_retired_ = 0;
  std::array<std::optional<Produced>, 16> vectors_{};
  std::array<std::optional<Produced>, 4> memories_{};
  std::array<std::optional<Produced>, 2> banks_{};
  std::array<std::optional<Produced>, 8> addresses_{};
  std::optional<Produced> compared_, looked_up_;
  unsigned contexts_ = 0;  // of the last stream instruction
  bool stream_last_ = false;
};

}  // namespace lutra
