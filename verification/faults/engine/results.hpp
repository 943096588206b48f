// Which faults are tried, and what became of each.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "host.hpp"

namespace faults {

// Values of the class files; verification/faults/classes.py names them.
enum Class : std::uint8_t {
  kUntried = 0,
  kMasked = 1,     // no effect: the state is again as without the fault
  kLatent = 2,     // no effect: something differs at the end that nobody has seen
  kAlert = 3,      // an alert, and no wrong output before it
  kNoticed = 4,    // the host sees a wrong state, or no answer to a read, and no wrong output before
  kLate = 5,       // detected after a wrong output
  kSilent = 6,     // a wrong output, and nobody notices
  kHang = 7,       // the machine does not stop
  kPending = 254,  // to be tried
  kAlias = 255,    // as another fault
};

enum class Kind : std::uint8_t { kFlip, kStuck0, kStuck1, kMemory, kPair };

// A flip in a cycle at a site, or at a memory's bit just before it is read; stuck from the first cycle on; two flips.
struct Fault {
  Kind kind = Kind::kFlip;
  std::uint32_t site = 0;  // of kMemory: the read's number times 64, and the bit; of kPair: its number
  std::size_t cycle = 0;
};

// A read of a memory's row in the run without faults. A flip in any of the `cycles` since the access before it has the
// same effect.
struct Read {
  std::uint32_t memory, row;
  std::size_t cycle, cycles;
};

struct Flip {
  std::uint32_t site;
  std::size_t cycle;
};

// Two flips, the second in the cycle of the first or later.
struct Pair {
  Flip first, second;
};

struct Choice {
  std::size_t first = 0, last = 0;  // cycles
  bool flips = true, stuck = true, memories = true;
  double part = 1;  // of the faults, chosen by the seed
  std::uint64_t seed = 0;
  std::size_t pairs = 0;                 // drawn by the seed, each first one in the cycles
  std::size_t window = ~std::size_t{0};  // cycles in which the second one is, from that of the first on
};

class Results {
 public:
  Results(const Netlist& netlist, const Golden& golden, const Script& script, const Choice& choice);

  bool pending(std::size_t cycle) const { return !queues_[cycle - begin_].empty(); }
  // The next fault of a cycle that is to be tried.
  std::optional<Fault> next(std::size_t cycle);
  std::size_t first_pending() const;  // the first cycle with faults to try, or the end
  void put(const Fault& fault, Class result);
  // The fault has left the state that a flip of `site` at the beginning of `cycle` makes.
  void put_alias(const Fault& fault, std::uint32_t site, std::size_t cycle);
  void resolve();  // aliases, when all is tried

  const std::vector<Read>& reads() const { return reads_; }
  const std::vector<Pair>& pairs() const { return pairs_; }
  Class result_of_pair(std::size_t number) const { return static_cast<Class>(pair_results_[number].result); }
  std::size_t wanted() const { return wanted_; }
  std::size_t done() const { return done_; }
  // Classes in the order of the file: flips by cycle, stuck-at-0, stuck-at-1, bits by read.
  std::vector<std::uint8_t> bytes() const;

 private:
  struct Entry {
    std::uint8_t result = kUntried;
    bool wanted = false;
    std::uint32_t site = 0, cycle = 0;  // of an alias
  };
  Entry& entry(const Fault& fault);
  const std::vector<Entry>& row(std::size_t cycle) const;
  void want(const Fault& fault);
  bool chosen(const Fault& fault) const;
  void draw_pairs();

  const Netlist& netlist_;
  const Choice choice_;
  std::size_t begin_, end_, wanted_ = 0, done_ = 0;
  std::vector<Read> reads_;
  std::vector<Pair> pairs_;
  mutable std::vector<std::vector<Entry>> flips_;  // by cycle from begin_ on, made when needed
  std::vector<Entry> stuck_[2], memory_, pair_results_;
  std::vector<std::vector<Fault>> queues_;  // by cycle, the next one last
};

}  // namespace faults
