// The core at its ports, as RtlMachine drives it; independent of the compiler of the RTL.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "counts.hpp"
#include "fault.hpp"
#include "lutra_isa.hpp"
#include "lutra_retire.hpp"
#include "lutra_state.hpp"
#include "memories.hpp"

namespace lutra {

class Core {
 public:
  virtual ~Core() = default;

  virtual int rounds() const = 0;  // ROUNDS_PER_INSTR
  virtual void reset() = 0;

  // Host accesses advance the clock until they are granted and done. Program memory and table banks are granted only
  // when the core is not running: std::logic_error then. Rows beyond the depth read zero.
  virtual void write_row(Space space, std::uint16_t row, const Vec& value) = 0;
  virtual Vec read_row(Space space, std::uint16_t row) = 0;
  virtual void write_program(std::uint16_t index, std::uint64_t word) = 0;
  virtual std::uint64_t read_program(std::uint16_t index) = 0;

  virtual void start(std::uint16_t pc) = 0;
  virtual void resume() = 0;
  virtual void clear_irq() = 0;

  // In a core that is not faulted a fault waits for its cycle.
  virtual void inject(const Fault& fault) = 0;
  virtual bool alert() const = 0;
  virtual void clear_alert() = 0;

  // One clock cycle; true, with the record, if an instruction retired in it. The state is that after the cycle.
  // Instructions that retire during a host access while running are not seen here.
  virtual bool clock(Retire& record) = 0;

  virtual CoreState state() const = 0;
  virtual Trap trap() const = 0;
  virtual std::uint16_t pc() const = 0;  // of halt, wait or trap
  virtual std::uint8_t notified() const = 0;
  virtual bool irq() const = 0;
  virtual std::uint64_t cycles() const = 0;
  virtual std::uint64_t instructions() const = 0;
  virtual std::vector<std::uint64_t> stalls() const = 0;  // by cause
  virtual void add_counts(const Counts& more) = 0;        // as if so many more had been counted
  virtual std::uint64_t clocks() const = 0;               // since it was made, running or not

  // The registers, and the memories for as long as the core lives. While it runs, instructions in flight have written
  // some registers and not yet others.
  virtual Registers registers() const = 0;
  virtual const Memories& memories() const = 0;

  // The whole core at one time, including memories, in its own format; waves only go forwards. HostError while waves
  // are written, and for a core that was not built to be saved.
  virtual std::vector<std::uint8_t> save() = 0;
  virtual void restore(std::span<const std::uint8_t> saved) = 0;

  // Waves (FST) from now on.
  virtual void trace(const std::string& path) = 0;
  virtual void trace_close() = 0;
};

}  // namespace lutra
