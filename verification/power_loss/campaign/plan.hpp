// Plan of a campaign, as `python -m power_loss` writes it: one word and its values per line.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "process.hpp"

namespace power_loss {

using Steps = std::vector<std::string>;

// A life that is cut, and the firmware that boots if it is not cut.
struct Cycle {
  std::string expected;
  Steps steps;
};

struct Plan {
  std::string name, device, geometry;
  Bytes fuses;                         // of the device before its first firmware
  std::map<std::string, Bytes> packs;  // by name
  std::vector<Steps> prepare;          // lives before those that are cut
  std::vector<Cycle> cycles;
  std::vector<Steps> recoveries;  // lives that are cut after a cut
  std::string goal;               // the pack that a retry installs

  std::map<std::string, std::string> paths;  // of the packs

  // Steps in the device's form, with packs by path; and the packs that they install, by name.
  Steps resolved(const Steps& steps) const;
  static std::vector<std::string> brought(const Steps& steps);
};

Plan read_plan(const std::string& path);

}  // namespace power_loss
