// The host as a script: the rows of a record, made to wait for the machine instead of for a number of cycles.
#pragma once

#include "golden.hpp"

namespace faults {

// Inputs of each cycle of the run that faults are tried in, and what the host does in a cycle. The host polls the state
// and goes on in the cycle after the machine has stopped, so there is one more row per wait than in the record.
class Script {
 public:
  Script(const Netlist& netlist, const Record& record);

  struct Step {
    bool requests = false, writes = false, waits = false;
    std::size_t granted = 0;  // of a request: the row in which it is granted without a fault
    std::size_t after = 0;    // of a wait: the row after it
    Look look = Look::kTake;  // of a read, as in the record
    std::size_t slot = 0;
    bool releases = false;
  };

  const std::vector<Bits>& rows() const { return rows_; }
  const Step& step(std::size_t row) const { return steps_[row]; }
  std::size_t begin() const { return begin_; }
  // The row after the host's last one. Idle rows follow, until a machine that is not through has twice the cycles.
  std::size_t end() const { return end_; }

 private:
  std::vector<Bits> rows_;
  std::vector<Step> steps_;
  std::size_t begin_ = 0, end_ = 0;
};

}  // namespace faults
