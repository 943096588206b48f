// A memory behind an AXI4 port: any latency, random stalls on every channel, errors where a test wants them. One that
// stalls takes every other address only after a beat of its burst is shown, as a subordinate may (A3.3.1): a manager
// that waits with its data would wait for ever.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <span>
#include <vector>

namespace lutra::soc {

// Rates: how often, of 100 cycles, a channel stalls. latency: cycles from an address to its first data, from the last
// data to the response.
struct Timing {
  unsigned latency = 0, stalls = 0;
  std::uint32_t seed = 1;
};

// A cycle has two halves: what the memory drives, then what was taken.
class AxiMemory {
 public:
  static constexpr std::size_t kLanes = 8;

  struct Range {
    std::uint64_t first, end;
  };
  // Signals of the manager that are valid in this cycle, and those that the memory drives.
  struct Address {
    bool valid;
    unsigned id;
    std::uint64_t address;
    unsigned beats;
  };
  struct Data {
    bool valid;
    std::uint64_t bytes;
    unsigned strobes;
    bool last;
  };
  struct Driven {
    bool ar_ready, aw_ready, w_ready;
    bool r_valid, r_last, b_valid;
    unsigned r_id, r_response, b_id, b_response;
    std::uint64_t r_data;
  };

  AxiMemory(std::span<std::uint8_t> bytes, std::uint64_t base, const Timing& timing)
      : bytes_(bytes), base_(base), timing_(timing), draw_(timing.seed) {}

  const Driven& drive();
  void take(const Address& ar, const Address& aw, const Data& w, bool r_ready, bool b_ready);

  std::vector<Range> bad_reads, bad_writes;

 private:
  struct Burst {
    unsigned id;
    std::uint64_t address;
    unsigned beats;
    std::uint64_t ready;
    unsigned response = 0;
  };
  static constexpr unsigned kOkay = 0, kSlaveError = 2, kDecodeError = 3;
  // Bursts that are accepted and not answered.
  static constexpr std::size_t kOutstanding = 16;

  bool stalls() { return timing_.stalls != 0 && draw_() % 100 < timing_.stalls; }
  bool has(std::uint64_t beat) const { return beat >= base_ && beat - base_ + kLanes <= bytes_.size(); }
  static bool meets(const std::vector<Range>& bad, std::uint64_t first, std::uint64_t end);
  unsigned write(std::uint64_t beat, const Data& w);
  void choose();

  std::span<std::uint8_t> bytes_;
  std::uint64_t base_, now_ = 0;
  Timing timing_;
  std::mt19937 draw_;
  std::deque<Burst> reads_, writes_, answers_;
  std::deque<Data> waiting_;  // beats that came before their address
  Driven out_{};
  bool late_ = false;  // the next address is taken only when a beat is shown
  bool beat_shown_ = false;
};

}  // namespace lutra::soc
