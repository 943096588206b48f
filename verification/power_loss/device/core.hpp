// The simulator as the core of a device.
#pragma once

#include <cstdint>

#include "loader.hpp"
#include "machine.hpp"

namespace power_loss {

class Core {
 public:
  explicit Core(const lutra::Config& config) : machine_(config) {}

  lutra_core callbacks();
  // Of all memories, FNV-1a: two equal ones hold the same firmware.
  std::uint64_t digest() const;

 private:
  lutra::Machine machine_;
};

}  // namespace power_loss
