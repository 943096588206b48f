// The device: registers, rings and core, functional, with an estimate of the cycles.
#pragma once

#include <array>
#include <cstdint>
#include <deque>

#include "keys.hpp"
#include "message.hpp"
#include "registers.hpp"
#include "ring.hpp"
#include "stream.hpp"

namespace lutra::soc {

struct Options {
  bool exact = true;           // see Stream
  std::uint64_t latency = 30;  // cycles from a read on the bus to its first data, and from a write to its response
  bool wipe = kCoreWipe;       // the core has a wipe
};

class Device {
 public:
  explicit Device(Bus& bus, const Options& options = {});
  Device(const Device&) = delete;

  std::uint32_t read(std::uint32_t offset) const;
  void write(std::uint32_t offset, std::uint32_t value);

  // Works until an interrupt rises or about so many cycles have passed; returns how many have.
  std::uint64_t run(std::uint64_t cycles);
  // A bit for each ring whose interrupt is pending.
  unsigned interrupts() const;
  // The pins: a pulse that locks a core with a wipe, and the alert of the core until the host has cleared it.
  void escalate();
  bool alert() const;
  // Nothing is in work, nothing can be taken.
  bool idle() const;
  std::uint64_t cycles() const { return now_; }
  const Machine& machine() const { return stream_.machine(); }

 private:
  bool step();
  bool quiet(unsigned ring) const;
  bool fetch();
  bool issue();
  void start(Message& m);
  bool place(Message& m);
  bool raw(Message& m);
  void raw_rows(Message& m);
  bool raw_run(Message& m);
  bool core();
  void output(bool mismatch);
  void fail(Status why);
  bool complete();
  bool due() const;
  bool clean();
  void wipe();
  void wiped();
  void lose(Status why);
  void notice();
  void closed();
  bool big() const { return LUTRA_GET(r_[LUTRA_AT(control)], LUTRA_AXI__CONTROL__BIG_ENDIAN); }
  std::uint64_t watchdog() const;
  Window window(unsigned ring) const;
  // Cycles of a transfer on the data bus.
  static std::uint64_t beats(std::uint64_t bytes) { return (bytes + kBusBytes - 1) / kBusBytes; }
  static constexpr std::uint64_t kBusBytes = 8;

  Bus& bus_;
  Options options_;
  Registers r_;
  std::array<Ring, kRings> rings_;
  Keys keys_;
  Stream stream_;
  std::deque<Message> queue_;  // in order of both rings
  unsigned turn_ = 0;          // the ring that is asked first
  bool asked_ = false;         // for a wipe
  // Messages, or raw runs, have left something in the core that raw operations can read.
  bool messages_ = false, runs_ = false;
  bool alert_ = false;  // noticed
  bool escalated_ = false;
  std::uint64_t now_ = 0, budget_ = 0;
  std::uint64_t reader_ = 0, core_ = 0, writer_ = 0;  // when each is free
};

}  // namespace lutra::soc
