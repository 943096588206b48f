// Functional coverage: counts retirements by the coverpoints that isa/isagen/coverage/ makes from the ISA. The same
// class counts simulator and RTL; it sees only records and the host's control.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "counts.hpp"
#include "decode.hpp"
#include "lutra_address.hpp"
#include "lutra_coverage.hpp"
#include "lutra_hazards.hpp"
#include "observer.hpp"

namespace lutra {

class Coverage : public Observer {
 public:
  // Starts from a machine after reset. rounds: ROUNDS_PER_INSTR.
  explicit Coverage(int rounds, int memory_rows = kMemoryRows, int program_words = kProgramWords);

  void reset(CoreState before) override;
  void start(CoreState before) override;
  void resume() override;
  void wiped(CoreState before, bool escalated) override;
  void retired(const Retire& record) override;

  // (place in the table of counters, count) for every nonzero counter.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> counts() const;

 private:
  // The last write of a cell: the possible subject of a hazard.
  struct Produced {
    std::uint64_t issue;
    hazard::Access access;
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
  void hit(cov::Coverpoint point, Labels... labels);

  const Decoded& decoded(const Retire& r);
  std::vector<Access> accesses(const Decoded& d) const;
  void trapped(const Decoded& d, const Retire& r, bool at_end);
  bool nesting(const Decoded& d, const Retire& r, bool at_end, cov::Reported reported);
  void vector(const Decoded& d, const Retire& r);
  void slots(const Decoded& d, const std::vector<Access>& accesses);
  void stream(const Decoded& d, const Retire& r);
  void control(const Decoded& d, const Retire& r, cov::End end);
  void consumes(const Decoded& d);
  void bypass(const Decoded& d, Stall hazard, cov::Operand operand, const Produced& produced);
  void produces(const Decoded& d);
  void forget();
  void zero();
  bool taken(const Decoded& d, const Retire& r) const;
  void host(cov::Effect effect);

  int rounds_;
  std::uint32_t memory_limit_;
  std::vector<std::uint32_t> counts_;
  std::vector<Decoded> seen_;  // by program counter: decoding once is enough

  // State derived from the records so far.
  std::array<AddressRegister, kAddressRegs> addresses_{};
  std::size_t width_ = 0;
  bool flag_ = false;
  std::vector<std::uint16_t> loop_ends_;
  int call_depth_ = 0;

  // Issue of this instruction, and the first cycle in which it could have been but for hazards.
  std::uint64_t issue_ = 0, earliest_ = 1, last_retired_ = 0;
  std::uint16_t entered_ = 0;  // the last address of the body of a loop that the instruction before has entered
  std::array<std::optional<Produced>, hazard::kCells> produced_{};
  unsigned contexts_ = 0;  // of the last stream instruction
  bool stream_last_ = false;
};

}  // namespace lutra
