// The Verilated lutra_cluster, each of its managers with a port of one memory, one clock at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "axi_memory.hpp"

class VerilatedContext;
class Vlutra_cluster;

namespace lutra::soc {

class RtlCluster {
 public:
  RtlCluster(std::span<std::uint8_t> memory, const Timing& timing);
  ~RtlCluster();

  std::uint32_t read(std::uint32_t offset);
  void write(std::uint32_t offset, std::uint32_t value);
  // Until the interrupt rises or for so many cycles; returns how many have passed.
  std::uint64_t run(std::uint64_t cycles);
  bool interrupt() const;
  std::uint64_t cycles() const { return cycles_; }
  std::vector<AxiMemory>& ports() { return ports_; }

 private:
  // Throws where an assertion of the RTL fails.
  void clock();

  std::vector<AxiMemory> ports_;  // of the cores, then of the ring
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vlutra_cluster> top_;
  std::uint64_t cycles_ = 0;
  std::uint32_t read_data_ = 0;
  bool taken_aw_ = false, taken_w_ = false, taken_ar_ = false, answered_b_ = false, answered_r_ = false;
};

}  // namespace lutra::soc
