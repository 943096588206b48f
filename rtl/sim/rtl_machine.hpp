// The core as a machine, with the interface of lutra::Machine; independent of Verilator.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core.hpp"
#include "host.hpp"
#include "observer.hpp"

namespace lutra {

class RtlMachine : public Observed {
 public:
  explicit RtlMachine(std::unique_ptr<Core> core) : core_(std::move(core)) {}

  void reset();

  // Host access in bytes; program words are 8 bytes, little-endian. Throws HostError out of range.
  void write(Space space, std::size_t offset, std::span<const std::uint8_t> bytes);
  std::vector<std::uint8_t> read(Space space, std::size_t offset, std::size_t length);
  std::size_t size(Space space) const { return space_bytes(space); }
  // The same directly from the SRAMs, without a clock.
  std::vector<std::uint8_t> contents(Space space, std::size_t offset, std::size_t length) const;
  // Rows of the host port, whether they exist or not; of a program word the first 8 bytes.
  void write_row(Space space, std::size_t row, const Vec& value);
  Vec read_row(Space space, std::size_t row);

  void start(std::uint16_t pc);
  void resume();

  void inject(const Fault& fault);
  bool alert() const { return core_->alert(); }
  void clear_alert();

  // One clock cycle; true, with the record, if an instruction retired in it.
  bool clock(Retire& record);
  // To the next retirement. False when the machine is not running.
  bool step(Retire& record);
  // Until the program stops or `limit` cycles are used; returns how many instructions have retired.
  std::uint64_t run(std::uint64_t limit);

  CoreState state() const { return core_->state(); }
  Trap trap() const { return core_->trap(); }
  std::uint16_t pc() const { return core_->pc(); }
  std::uint8_t notified() const { return core_->notified(); }
  std::uint64_t cycles() const { return core_->cycles(); }
  std::uint64_t instructions() const { return core_->instructions(); }
  std::vector<std::uint64_t> stalls() const { return core_->stalls(); }
  void add_counts(const Counts& more) { core_->add_counts(more); }

  Registers registers() const { return core_->registers(); }
  const Memories& memories() const { return core_->memories(); }

  // Interrupt, waves, clock: what only the core has.
  Core& core() { return *core_; }
  const Core& core() const { return *core_; }

 private:
  std::unique_ptr<Core> core_;
};

}  // namespace lutra
