// The simulator as the core of a device.
#pragma once

#include <cstdint>
#include <cstdio>

#include "lutra_loader.h"
#include "machine.hpp"

namespace power_loss {

class Core {
 public:
  // told: receives a line for each run; may be null.
  Core(const lutra::Config& config, std::FILE* told) : machine_(config), told_(told) {}

  lutra_core callbacks();
  // FNV-1a of all memories: equal values mean the same firmware.
  std::uint64_t digest() const;

 private:
  lutra::Machine machine_;
  std::FILE* told_;
};

}  // namespace power_loss
