// The Verilated lutra_axi with a memory, one clock at a time.
#pragma once

#include <cstdint>
#include <memory>

#include "axi_memory.hpp"

class VerilatedContext;
class Vlutra_axi;

namespace lutra::soc {

class RtlDevice {
 public:
  RtlDevice(std::span<std::uint8_t> memory, std::uint64_t base, const Timing& timing);
  ~RtlDevice();

  std::uint32_t read(std::uint32_t offset);
  void write(std::uint32_t offset, std::uint32_t value);
  // Until an interrupt rises or for so many cycles; returns how many have passed.
  std::uint64_t run(std::uint64_t cycles);
  unsigned interrupts() const;
  // A pulse of the pin.
  void escalate();
  bool alert() const;
  std::uint64_t cycles() const { return cycles_; }
  AxiMemory& memory() { return memory_; }

 private:
  // Throws where an assertion of the RTL fails.
  void clock();

  AxiMemory memory_;
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vlutra_axi> top_;
  std::uint64_t cycles_ = 0;
  std::uint32_t read_data_ = 0;
  bool taken_aw_ = false, taken_w_ = false, taken_ar_ = false, answered_b_ = false, answered_r_ = false;
};

}  // namespace lutra::soc
