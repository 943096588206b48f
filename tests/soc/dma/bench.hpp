// The DMA units with what they are connected to, cycle by cycle: strings and rows go in, and what comes out is
// compared.
#pragma once

#include <cstring>
#include <memory>

#include "Vdma_bench.h"
#include "strings.hpp"
#include "verilated.h"

using Dut = Vdma_bench;
constexpr unsigned kFetchBytes = 64, kPostBytes = 16;

struct Row {
  std::array<uint8_t, 16> data{};
  bool last = false;
  bool fault_by_now = false;
  Fault fault = Fault::kNone;  // of the string
};
struct Done {
  Fault fault = Fault::kNone;
  size_t beats = 0;
};
struct Fetched {
  uint64_t address = 0;
  bool last = false;
};
struct Post {
  uint64_t address = 0;
  std::array<uint8_t, 16> data{};
};

class Bench {
 public:
  Random random;
  Dut dut;
  unsigned lanes;
  Axi<Dut> axi;
  std::array<Window, 2> windows;
  bool big_endian = false;
  unsigned stall = 0;  // of rows
  std::array<std::vector<String>, 2> strings;
  uint64_t now = 0;
  uint64_t rows_end = 0, done_end = 0;  // cycles of the last row and the last pulse

  Bench(uint64_t seed, VerilatedContext& context)
      : random(seed), dut(&context), lanes(DATA_WIDTH / 8), axi(dut, lanes, random) {}

  // What has to happen, from strings and memory.
  void expect() {
    for (const String& string : strings[0]) expect_rows(string);
    for (const String& string : strings[1]) expect_done(string);
    for (unsigned i = 0; i < 2; i++)
      for (uint64_t element : references_[i].elements)
        for (unsigned at = 0; at < 16; at += lanes) axi.expected_reads[1 + i].push_back(element + at);
  }

  void add_fetch(uint64_t address) {
    fetches_.push_back(address);
    for (unsigned at = 0; at < kFetchBytes; at += lanes) {
      axi.expected_reads[0].push_back(address + at);
      fetched_.push_back({address + at, at + lanes == kFetchBytes});
    }
  }

  void add_post(uint64_t address) {
    Post post{address, {}};
    for (auto& byte : post.data) byte = random();
    for (unsigned at = 0; at < kPostBytes; at += lanes) {
      WriteBeat beat{address + at, (1u << lanes) - 1, {}, posts_.size()};
      std::memcpy(beat.data.data(), post.data.data() + at, lanes);
      axi.expected_writes[1].push_back(beat);
      post_beats_.push_back(beat);
    }
    posts_.push_back(post);
    posted_.push_back(axi.memory.bad(address));
  }

  void reset() {
    dut.rst_ni = 0;
    for (unsigned i = 0; i < 3; i++) clock();
    require(!dut.arvalid_o && !dut.awvalid_o && !dut.wvalid_o, "VALID in reset (A3.1.2)");
    require(!dut.row_valid_o && !dut.done_valid_o, "a row or a pulse in reset");
    dut.rst_ni = 1;
    dut.string_valid_i = dut.row_valid_i = dut.fetch_valid_i = dut.post_valid_i = dut.post_beat_valid_i = 0;
    dut.rvalid_i = dut.bvalid_i = 0;
    for (unsigned i = 0; i < 2; i++) {
      set_place(4 * i, windows[i].base);
      set_place(4 * i + 2, windows[i].limit);
    }
  }

  bool finished() const {
    return next_string_[0] == strings[0].size() && next_string_[1] == strings[1].size() && rows_.empty() &&
           done_.empty() && given_.empty() && fetched_.empty() && posted_.empty() && axi.idle();
  }

  void step() {
    drive();
    dut.eval();
    sample();
    clock();
  }

  void check_end() {
    for (auto& reads : axi.expected_reads) require(reads.empty(), "a read did not happen");
    for (auto& writes : axi.expected_writes) require(writes.empty(), "a write did not happen");
  }

 private:
  // Two registers: an address, low word first.
  void set_place(unsigned word, uint64_t value) {
    for (unsigned i = 0; i < 2; i++) {
      dut.register_valid_i = 1;
      dut.register_word_i = word + i;
      dut.register_data_i = static_cast<uint32_t>(value >> 32 * i);
      for (dut.eval(); !dut.register_ready_o; dut.eval()) clock();
      clock();
    }
    dut.register_valid_i = 0;
  }

  bool go() { return !chance(random, stall); }
  // VALID, which stays until it is taken.
  bool offer(bool& held, bool there) { return held = held || (there && go()); }

  void clock() {
    dut.clk_i = 1;
    dut.eval();
    dut.clk_i = 0;
    dut.eval();
    now++;
  }

  void expect_rows(const String& string) {
    Fault fault = Fault::kNone;
    std::vector<Row> rows;
    uint64_t beat = ~0ull;
    unsigned i = 0;
    for (const Place& place : references_[0].places(string, axi.memory, windows[string.ring], big_endian)) {
      if (i % 16 == 0) rows.emplace_back();
      bool bad = place.fault == Fault::kNone && axi.memory.bad(place.address);
      if (fault == Fault::kNone) fault = bad ? Fault::kBus : place.fault;
      if (place.fault == Fault::kNone) {
        if (!bad) rows.back().data[i % 16] = axi.memory.read(place.address);
        if (place.begins || place.address / lanes != beat) {
          beat = place.address / lanes;
          axi.expected_reads[3].push_back(beat * lanes);
        }
      }
      rows.back().fault_by_now = fault != Fault::kNone;
      i++;
    }
    if (!rows.empty()) rows.back().last = true;
    for (Row& row : rows) {
      row.fault = fault;
      rows_.push_back(row);
    }
  }

  void expect_done(const String& string) {
    Done done;
    bool bad = false;
    unsigned i = 0;
    WriteBeat* beat = nullptr;
    for (const Place& place : references_[1].places(string, axi.memory, windows[string.ring], big_endian)) {
      if (i % 16 == 0) {
        given_.emplace_back();
        for (auto& byte : given_.back()) byte = random();
      }
      if (done.fault == Fault::kNone) done.fault = place.fault;
      if (place.fault == Fault::kNone) {
        bad |= axi.memory.bad(place.address);
        if (place.begins || place.address / lanes != beat->address / lanes) {
          axi.expected_writes[0].push_back({place.address / lanes * lanes, 0, {}, destinations_});
          beat = &axi.expected_writes[0].back();
          done.beats++;
        }
        beat->strobe |= 1u << place.address % lanes;
        beat->data[place.address % lanes] = given_.back()[i % 16];
      }
      i++;
    }
    if (string.bytes == 0) done.fault = references_[1].fault();
    if (done.fault == Fault::kNone && bad) done.fault = Fault::kBus;
    done_.push_back(done);
    destinations_++;
  }

  void drive() {
    axi.drive(now);
    dut.big_endian_i = big_endian;
    for (unsigned i = 0; i < 2; i++) drive_string(i);
    dut.row_ready_i = go();
    dut.row_valid_i = offer(row_held_, !given_.empty());
    for (unsigned i = 0; i < 4; i++) dut.row_i[i] = random();
    if (dut.row_valid_i)
      for (unsigned i = 0; i < 16; i++) set8(dut.row_i, 15 - i, given_.front()[i]);
    dut.fetch_valid_i = offer(fetch_held_, !fetches_.empty());
    dut.fetch_address_i = fetches_.empty() ? random() % kSpace : fetches_.front();
    dut.fetch_beats_i = kFetchBytes / lanes - 1;
    dut.post_valid_i = offer(post_held_, next_post_ < posts_.size());
    dut.post_address_i = next_post_ < posts_.size() ? posts_[next_post_].address : random() % kSpace;
    dut.post_beats_i = kPostBytes / lanes - 1;
    dut.post_beat_valid_i = offer(post_beat_held_, !post_beats_.empty());
    for (unsigned i = 0; i < 16; i++) set8(dut.post_beat_i, i, post_beats_.empty() ? random() : post_beats_[0].data[i]);
    dut.post_last_i = !post_beats_.empty() && (post_beats_[0].address + lanes) % kPostBytes == 0;
  }

  void drive_string(unsigned i) {
    unsigned bit = 1u << i;
    offer(string_held_[i], next_string_[i] < strings[i].size());
    dut.string_valid_i = (dut.string_valid_i & ~bit) | (string_held_[i] ? bit : 0);
    String string{random(), static_cast<uint32_t>(random()), chance(random, 50), chance(random, 50), false};
    if (string_held_[i]) string = strings[i][next_string_[i]];
    if (string.goes_on) string.address = random(), string.list = chance(random, 50);
    set64(dut.string_address_i, i, string.address);
    dut.string_bytes_i = (dut.string_bytes_i & ~(0xffffffffull << 32 * i)) | uint64_t(string.bytes) << 32 * i;
    dut.string_list_i = (dut.string_list_i & ~bit) | (string.list ? bit : 0);
    dut.string_ring_i = (dut.string_ring_i & ~bit) | (string.ring ? bit : 0);
    dut.string_continue_i = (dut.string_continue_i & ~bit) | (string.goes_on ? bit : 0);
  }

  void sample() {
    axi.sample(now);
    for (unsigned i = 0; i < 2; i++) {
      if (dut.string_valid_i & dut.string_ready_o & (1u << i)) {
        next_string_[i]++;
        string_held_[i] = false;
      }
    }
    sample_rows();
    if (dut.done_valid_o) {
      require(!done_.empty(), "a pulse without a string");
      if (Fault(dut.done_fault_o) != done_.front().fault)
        fail("done " + std::to_string(done_count_) + ": fault " + std::to_string(dut.done_fault_o) + " instead of " +
             std::to_string(static_cast<int>(done_.front().fault)));
      require(axi.answered[0][done_count_] == done_.front().beats, "done before all responses");
      done_.pop_front();
      done_count_++;
      done_end = now;
    }
    if (dut.row_valid_i && dut.row_ready_o) {
      given_.pop_front();
      row_held_ = false;
    }
    if (dut.fetch_valid_i && dut.fetch_ready_o) {
      fetches_.pop_front();
      fetch_held_ = false;
    }
    if (dut.fetched_valid_o) {
      require(!fetched_.empty(), "a beat that was not fetched");
      uint64_t address = fetched_.front().address;
      require(axi.memory.bad(address) == dut.fetched_error_o, "fetched: another error");
      require(fetched_.front().last == dut.fetched_last_o, "fetched: another last beat");
      for (unsigned i = 0; i < lanes && !dut.fetched_error_o; i++)
        require(get8(dut.fetched_o, i) == axi.memory.read(address + i), "fetched: another byte");
      fetched_.pop_front();
    }
    if (dut.post_valid_i && dut.post_ready_o) {
      next_post_++;
      post_held_ = false;
    }
    if (dut.post_beat_valid_i && dut.post_beat_ready_o) {
      post_beats_.pop_front();
      post_beat_held_ = false;
    }
    if (dut.posted_valid_o) {
      require(!posted_.empty() && posted_.front() == bool(dut.posted_error_o), "posted: another error");
      posted_.pop_front();
    }
  }

  void sample_rows() {
    Before row{bool(dut.row_valid_o) && !dut.row_ready_i, bool(dut.row_last_o), dut.row_fault_o, {}};
    for (unsigned i = 0; i < 16; i++) row.data[i] = get8(dut.row_o, 15 - i);
    if (before_.waiting) {
      require(dut.row_valid_o, "a row is taken back");
      require(row.last == before_.last && row.fault == before_.fault && row.data == before_.data, "a row changes");
    }
    before_ = row;
    if (!dut.row_valid_o || !dut.row_ready_i) return;
    require(!rows_.empty(), "a row of no string");
    const Row& want = rows_.front();
    require(row.data == want.data, "another row");
    require(row.last == want.last, "another last row");
    Fault fault = Fault(row.fault);
    bool may_be_late = !want.last && !want.fault_by_now;
    require(fault == want.fault || (may_be_late && fault == Fault::kNone), "a row with another fault");
    rows_.pop_front();
    rows_end = now;
  }

  template <typename Wide>
  static void set64(Wide& wide, unsigned i, uint64_t value) {
    wide[2 * i] = static_cast<uint32_t>(value);
    wide[2 * i + 1] = static_cast<uint32_t>(value >> 32);
  }
  template <typename Wide>
  static void set8(Wide& wide, unsigned i, uint8_t value) {
    wide[i / 4] = (wide[i / 4] & ~(0xffu << 8 * (i % 4))) | uint32_t(value) << 8 * (i % 4);
  }
  template <typename Wide>
  static uint8_t get8(const Wide& wide, unsigned i) {
    return static_cast<uint8_t>(wide[i / 4] >> 8 * (i % 4));
  }

  struct Before {
    bool waiting = false, last = false;
    uint8_t fault = 0;
    std::array<uint8_t, 16> data{};
  };

  std::array<Reference, 2> references_;
  std::array<size_t, 2> next_string_{};
  std::array<bool, 2> string_held_{};
  std::deque<Row> rows_;
  std::deque<Done> done_;
  size_t destinations_ = 0, done_count_ = 0, next_post_ = 0;
  std::deque<std::array<uint8_t, 16>> given_;
  std::deque<uint64_t> fetches_;
  std::deque<Fetched> fetched_;
  std::vector<Post> posts_;
  std::deque<WriteBeat> post_beats_;
  std::deque<bool> posted_;
  bool row_held_ = false, fetch_held_ = false, post_held_ = false, post_beat_held_ = false;
  Before before_;
};
