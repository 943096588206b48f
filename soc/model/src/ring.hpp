// One ring: where it is in its descriptors, its completions, its interrupts. Its registers are in the register file.
#pragma once

#include <cstdint>
#include <optional>

#include "bus.hpp"
#include "descriptor.hpp"
#include "registers.hpp"
#include "string.hpp"

namespace lutra::soc {

class Ring {
 public:
  Ring(unsigned number, Registers& registers, Bus& bus) : n_(number), r_(registers), bus_(bus) {}

  // Software has written a register, or a message has ended; quiet: none of this ring is in work.
  void written(bool quiet);
  // Descriptors are waiting, and the ring may take them.
  bool waiting() const { return enabled() && !draining_ && !stopped_ && fetched_ != tail(); }
  bool aborting() const { return LUTRA_GET(r_[at(LUTRA_RING_AT(0, control))], LUTRA_AXI__RING_PAGE__CONTROL__ABORT); }
  bool enabled() const { return LUTRA_GET(r_[at(LUTRA_RING_AT(0, control))], LUTRA_AXI__RING_PAGE__CONTROL__ENABLE); }
  // Completions cannot be written.
  bool lost() const { return lost_; }
  // The next descriptor. Without one the ring has stopped.
  std::optional<Descriptor> fetch(bool big, const Window& window);
  struct Result {
    std::uint32_t cookie, result, bytes, cycles;  // result: without the phase
    bool interrupt;
  };
  void complete(const Result& result, bool big, std::uint64_t now, const Window& window);
  void stop(Status reason);
  // Raises the interrupt whose time has come.
  void tick(std::uint64_t now);
  std::optional<std::uint64_t> deadline() const { return deadline_; }
  bool interrupts() const;
  std::uint32_t head() const { return head_; }
  std::uint32_t state(bool idle) const;

 private:
  std::size_t at(std::size_t of_ring_0) const { return of_ring_0 + n_ * sizeof(lutra_axi_t::ring[0]); }
  std::uint32_t get(std::size_t of_ring_0) const { return r_[at(of_ring_0)]; }
  unsigned log2() const { return LUTRA_GET(get(LUTRA_RING_AT(0, size)), LUTRA_AXI__RING_PAGE__SIZE__LOG2); }
  std::uint32_t slot(std::uint16_t count) const { return count & ((1u << log2()) - 1); }
  std::uint16_t tail() const { return static_cast<std::uint16_t>(get(LUTRA_RING_AT(0, tail))); }
  void raise(std::uint32_t bits) { r_[at(LUTRA_RING_AT(0, interrupt))] |= bits; }

  unsigned n_;
  Registers& r_;
  Bus& bus_;
  std::uint16_t fetched_ = 0, head_ = 0;
  bool stopped_ = false, lost_ = false;
  bool draining_ = false;  // was not enabled: the counts begin again when nothing is in work
  Status reason_ = LUTRA_STATUS_OK;
  unsigned unreported_ = 0;                // completions since the last interrupt
  std::optional<std::uint64_t> deadline_;  // of the interrupt by time
};

}  // namespace lutra::soc
