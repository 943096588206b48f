// What the RTL's pins did in a run, cycle by cycle, and what the pins mean to a host.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "netlist.hpp"

namespace faults {

using Bits = std::vector<std::uint8_t>;  // one value per bit, inputs or outputs of a netlist in their order

// How the host takes the data of a read: as a result; as something that it knows; as a result once they have come a
// second time.
enum class Look : std::uint8_t { kTake, kKnow, kFirst, kAgain };

struct Row {
  Bits inputs;   // at the clock edge that ends the cycle
  Bits after;    // inputs after that edge, where outputs are
  Bits outputs;  // after that edge; none where they are not known
  Look look = Look::kTake;
  std::size_t slot = 0;   // of a first read, and of the second one of the same place
  bool releases = false;  // with the data of this read, what was read before is used
};

// Ports by their role. A port that the netlist lacks has no bits.
struct Roles {
  std::vector<Node> request, write, grant, valid, data;  // the host's accesses; data is looked at while valid
  std::vector<Node> state;                               // what the host polls; it waits while this is `busy`
  std::uint64_t busy = 0;
  std::vector<Node> pulses;  // inputs that are an event in each cycle in which they are set
  std::vector<Node> alerts;  // outputs of which each one alone says that a fault was found
};

struct Record {
  // Raises InputError where the file does not fit the netlist.
  Record(const std::string& path, const Netlist& netlist);

  Roles roles;
  std::size_t begin = 0;  // the first cycle that faults are tried in
  std::size_t slots = 0;
  std::vector<Row> rows;
};

}  // namespace faults
