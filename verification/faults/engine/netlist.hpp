// A netlist of gates with up to three inputs, flip-flops and single-port memories, levelised.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace faults {

// What a user can mend: a file that is missing or does not fit. The text is one line.
struct InputError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A value of one bit that something drives. Nodes are numbered in the order of their evaluation: the constants 0 and 1,
// inputs, flip-flops, outputs of memories, then gates by level, and by truth table within a level.
using Node = std::uint32_t;
constexpr Node kZero = 0, kOne = 1, kInputs = 2;

struct Gate {
  std::array<Node, 3> in;  // kZero where it has fewer
  std::uint8_t table;      // bit i: the output for inputs i, in[0] being the lowest bit
};

struct FlipFlop {
  Node d;
  Node reset = kZero;        // active where it equals reset_active
  bool reset_active = true;  // so that kZero never resets
  bool reset_value = false;
};

// Reads and writes at the clock; its output holds until the next read.
struct Memory {
  std::string name;
  std::uint32_t depth, width;
  Node req, we;
  std::vector<Node> index, wdata;
  Node rdata;  // the first of `width` nodes
};

struct Port {
  std::string name;
  std::vector<Node> bits;  // lowest first
};

class Netlist {
 public:
  // Raises InputError with the line at fault.
  explicit Netlist(const std::string& path);

  std::vector<Port> inputs, outputs;
  std::vector<FlipFlop> flip_flops;
  std::vector<Memory> memories;
  std::vector<Gate> gates;
  // Nodes that faults are put on, in the order of the file: gates, flip-flops, outputs of memories.
  std::vector<Node> sites;

  Node first_state() const { return first_state_; }  // flip-flops, then outputs of memories
  Node first_memory_output() const { return first_state_ + static_cast<Node>(flip_flops.size()); }
  Node first_gate() const { return first_gate_; }
  Node nodes() const { return first_gate_ + static_cast<Node>(gates.size()); }

  // Who reads a node: gates, then flip-flops, then memories, in one numbering.
  std::uint32_t sinks() const { return static_cast<std::uint32_t>(gates.size() + flip_flops.size() + memories.size()); }
  const std::uint32_t* sinks_begin(Node node) const { return fanout_.data() + fanout_at_[node]; }
  const std::uint32_t* sinks_end(Node node) const { return fanout_.data() + fanout_at_[node + 1]; }

  const Port* find(const std::vector<Port>& ports, const std::string& name) const;

 private:
  void connect();

  Node first_state_ = 0, first_gate_ = 0;
  std::vector<std::uint32_t> fanout_, fanout_at_;
};

}  // namespace faults
