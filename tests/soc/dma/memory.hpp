// Memory behind AXI for the bench of the DMA units: bytes, granules whose accesses fail, and the five channels with
// latency and back-pressure. It checks the rules of AXI that a manager has to keep (IHI 0022, A3).
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <unordered_map>

[[noreturn]] inline void fail(const std::string& what) {
  std::fprintf(stderr, "dma_bench: %s\n", what.c_str());
  std::exit(1);
}
inline void require(bool holds, const char* what) {
  if (!holds) fail(what);
}

inline std::string hex(uint64_t value) {
  char text[20];
  std::snprintf(text, sizeof text, "%#llx", static_cast<unsigned long long>(value));
  return text;
}

using Random = std::mt19937_64;
inline uint64_t below(Random& random, uint64_t bound) { return random() % bound; }
inline bool chance(Random& random, unsigned percent) { return below(random, 100) < percent; }

class Memory {
 public:
  unsigned bad_permille = 0;  // of granules of 16 bytes
  uint64_t seed = 0;

  // A byte that was never written is a function of its address.
  uint8_t read(uint64_t address) const {
    auto found = bytes_.find(address);
    return found == bytes_.end() ? static_cast<uint8_t>(hash(address)) : found->second;
  }
  void write(uint64_t address, uint8_t value) { bytes_[address] = value; }
  bool bad(uint64_t address) const { return hash(~(address / 16)) % 1000 < bad_permille; }

 private:
  uint64_t hash(uint64_t value) const {
    value = (value ^ seed) * 0x9e3779b97f4a7c15u;
    value = (value ^ (value >> 29)) * 0xbf58476d1ce4e5b9u;
    return value ^ (value >> 32);
  }
  std::unordered_map<uint64_t, uint8_t> bytes_;
};

// One beat of a write as it is expected; owner: whose response it waits for.
struct WriteBeat {
  uint64_t address = 0;
  uint32_t strobe = 0;
  std::array<uint8_t, 16> data{};
  size_t owner = 0;
};

enum class Order : uint8_t { kAny, kAfterValid, kAddressFirst, kDataFirst };

template <typename Dut>
class Axi {
 public:
  Memory memory;
  unsigned latency = 0;
  unsigned stall = 0;  // percent of cycles in which a channel waits
  Order order = Order::kAny;
  std::array<std::deque<uint64_t>, 4> expected_reads;    // addresses of beats, by id
  std::array<std::deque<WriteBeat>, 2> expected_writes;  // by id
  std::array<std::map<size_t, size_t>, 2> answered;      // beats by owner, by id

  Axi(Dut& dut, unsigned lanes, Random& random) : dut_(dut), lanes_(lanes), random_(random) {}

  bool idle() const {
    for (auto& reads : reads_)
      if (!reads.empty()) return false;
    return writes_.empty() && beats_.empty() && answers_[0].empty() && answers_[1].empty();
  }

  void drive(uint64_t now) {
    // A subordinate may wait for VALID, and for one channel of a write before it takes the other (A3.3).
    dut_.arready_i = go() && (order == Order::kAny || dut_.arvalid_o);
    dut_.awready_i =
        go() && (order == Order::kAny || dut_.awvalid_o) && (order != Order::kDataFirst || !beats_.empty());
    dut_.wready_i =
        go() && (order == Order::kAny || dut_.wvalid_o) && (order != Order::kAddressFirst || !writes_.empty());
    if (!r_held_) choose_read(now);
    if (!b_held_) choose_answer(now);
  }

  void sample(uint64_t now) {
    check_stable(ar_before_, dut_.arvalid_o, dut_.arready_i, {dut_.arid_o, dut_.araddr_o, dut_.arlen_o}, "AR");
    check_stable(aw_before_, dut_.awvalid_o, dut_.awready_i, {dut_.awid_o, dut_.awaddr_o, dut_.awlen_o}, "AW");
    check_stable(w_before_, dut_.wvalid_o, dut_.wready_i,
                 {lane_word(0) ^ (lane_word(1) * 3), dut_.wstrb_o, dut_.wlast_o}, "W");
    if (dut_.arvalid_o && dut_.arready_i) take_read(now);
    if (dut_.awvalid_o && dut_.awready_i) take_write();
    if (dut_.wvalid_o && dut_.wready_i) take_beat();
    match(now);
    if (dut_.rvalid_i && dut_.rready_o) finish_read();
    if (dut_.bvalid_i && dut_.bready_o) finish_answer();
  }

 private:
  struct Read {
    uint64_t address = 0;
    unsigned beats = 0;
    uint64_t from = 0;
  };
  struct Write {
    unsigned id = 0;
    uint64_t address = 0;
    unsigned beats = 0, taken = 0;
    bool error = false;
    std::map<size_t, size_t> owners;
  };
  struct Answer {
    uint64_t from = 0;
    bool error = false;
    std::map<size_t, size_t> owners;
  };
  struct Beat {
    std::array<uint8_t, 16> data{};
    uint32_t strobe = 0;
    bool last = false;
  };
  struct Before {
    bool waiting = false;
    std::array<uint64_t, 3> payload{};
  };

  bool go() { return !chance(random_, stall); }

  static void check_stable(Before& before, bool valid, bool ready, const std::array<uint64_t, 3>& payload,
                           const char* channel) {
    if (before.waiting && !valid) fail(std::string(channel) + ": VALID falls before READY (A3.2.1)");
    if (before.waiting && payload != before.payload) fail(std::string(channel) + ": payload changes (A3.2.1)");
    before = {valid && !ready, payload};
  }

  uint64_t lane_word(unsigned i) const { return dut_.wdata_o[2 * i] | uint64_t(dut_.wdata_o[2 * i + 1]) << 32; }

  void check_burst(uint64_t address, unsigned beats, unsigned size, unsigned burst) const {
    require(beats <= 16, "a burst of more than 16 beats");
    require(burst == 1, "a burst that is not INCR");
    require(1u << size == lanes_, "a narrow burst");
    require(address % lanes_ == 0, "an address that is not aligned to the bus");
    require(address >> 12 == (address + beats * lanes_ - 1) >> 12, "a burst across 4 KB (A3.4.1)");
  }

  void take_read(uint64_t now) {
    unsigned beats = dut_.arlen_o + 1;
    require(dut_.arid_o < 4, "ARID of no client");
    check_burst(dut_.araddr_o, beats, dut_.arsize_o, dut_.arburst_o);
    auto& expected = expected_reads[dut_.arid_o];
    for (unsigned i = 0; i < beats; i++) {
      require(!expected.empty(), "a read that nothing asked for");
      uint64_t address = dut_.araddr_o + i * lanes_;
      if (expected.front() != address)
        fail("client " + std::to_string(dut_.arid_o) + " reads " + hex(address) + " instead of " +
             hex(expected.front()));
      expected.pop_front();
    }
    reads_[dut_.arid_o].push_back({dut_.araddr_o, beats, now + latency});
  }

  void choose_read(uint64_t now) {
    std::array<unsigned, 4> ready{};
    unsigned count = 0;
    for (unsigned id = 0; id < 4; id++)
      if (!reads_[id].empty() && reads_[id].front().from <= now) ready[count++] = id;
    dut_.rvalid_i = count && go();
    if (!dut_.rvalid_i) {  // the payload means nothing now
      for (unsigned i = 0; i < 4; i++) dut_.rdata_i[i] = random_();
      dut_.rid_i = random_() % 8;
      dut_.rlast_i = random_() % 2;
      dut_.rresp_i = random_() % 4;
      return;
    }
    unsigned id = ready[below(random_, count)];
    const Read& read = reads_[id].front();
    bool bad = memory.bad(read.address);
    for (unsigned i = 0; i < 4; i++) dut_.rdata_i[i] = random_();
    for (unsigned i = 0; i < lanes_ && !bad; i++) {
      dut_.rdata_i[i / 4] &= ~(0xffu << 8 * (i % 4));
      dut_.rdata_i[i / 4] |= uint32_t(memory.read(read.address + i)) << 8 * (i % 4);
    }
    dut_.rid_i = id;
    dut_.rresp_i = bad ? 2 + below(random_, 2) : 0;
    dut_.rlast_i = read.beats == 1;
    r_held_ = true;
  }

  void finish_read() {
    auto& reads = reads_[dut_.rid_i];
    reads.front().address += lanes_;
    if (--reads.front().beats == 0) reads.pop_front();
    r_held_ = false;
  }

  void take_write() {
    require(dut_.awid_o < 2, "AWID of no client");
    check_burst(dut_.awaddr_o, dut_.awlen_o + 1u, dut_.awsize_o, dut_.awburst_o);
    writes_.push_back({dut_.awid_o, dut_.awaddr_o, dut_.awlen_o + 1u, 0, false, {}});
  }

  void take_beat() {
    Beat beat;
    for (unsigned i = 0; i < lanes_; i++) beat.data[i] = dut_.wdata_o[i / 4] >> 8 * (i % 4);
    beat.strobe = dut_.wstrb_o;
    beat.last = dut_.wlast_o;
    beats_.push_back(beat);
  }

  void match(uint64_t now) {
    while (!writes_.empty() && !beats_.empty()) {
      Write& write = writes_.front();
      const Beat& beat = beats_.front();
      uint64_t address = write.address + write.taken * lanes_;
      auto& expected = expected_writes[write.id];
      require(!expected.empty(), "a write that nothing asked for");
      const WriteBeat& want = expected.front();
      require(want.address == address, "a write to another address");
      require(want.strobe == beat.strobe, "a write with other strobes");
      require(want.data == beat.data, "a write of other bytes");
      require(beat.last == (write.taken + 1 == write.beats), "WLAST is not with the last beat (A3.2.2)");
      write.error |= memory.bad(address);
      write.owners[want.owner]++;
      write.taken++;
      bool last = beat.last;
      expected.pop_front();
      beats_.pop_front();
      if (last) {
        answers_[write.id].push_back({now + 1 + latency, write.error, write.owners});
        writes_.pop_front();
      }
    }
  }

  void choose_answer(uint64_t now) {
    unsigned id = below(random_, 2);
    if (answers_[id].empty() || answers_[id].front().from > now) id = 1 - id;
    dut_.bvalid_i = !answers_[id].empty() && answers_[id].front().from <= now && go();
    dut_.bid_i = dut_.bvalid_i ? id : below(random_, 8);
    dut_.bresp_i = below(random_, 4);
    if (!dut_.bvalid_i) return;
    dut_.bresp_i = answers_[id].front().error ? 2 + below(random_, 2) : 0;
    b_held_ = true;
  }

  void finish_answer() {
    auto& answers = answers_[dut_.bid_i];
    for (auto [owner, beats] : answers.front().owners) answered[dut_.bid_i][owner] += beats;
    answers.pop_front();
    b_held_ = false;
  }

  Dut& dut_;
  unsigned lanes_;
  Random& random_;
  std::array<std::deque<Read>, 4> reads_;
  std::deque<Write> writes_;
  std::deque<Beat> beats_;
  std::array<std::deque<Answer>, 2> answers_;
  Before ar_before_, aw_before_, w_before_;
  bool r_held_ = false, b_held_ = false;
};
