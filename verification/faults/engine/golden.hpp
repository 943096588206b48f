// The run without faults: the value of every node in every cycle, and what each memory did.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "record.hpp"

namespace faults {

// What a memory does at the end of a cycle.
struct Access {
  enum Kind : std::uint8_t { kNone, kRead, kWrite } kind = kNone;
  std::uint32_t row = 0;
  std::uint64_t value = 0;  // written
};

using Contents = std::vector<std::vector<std::uint64_t>>;  // by memory, then row

// One machine, evaluated gate by gate.
class Machine {
 public:
  explicit Machine(const Netlist& netlist);

  void set_inputs(std::span<const std::uint8_t> bits);
  void settle();  // gates from inputs and state
  void clock();   // flip-flops and memories; accesses() is what the memories did

  const std::vector<std::uint8_t>& values() const { return values_; }
  const std::vector<Access>& accesses() const { return accesses_; }
  const Contents& contents() const { return contents_; }

 private:
  std::uint64_t number(const std::vector<Node>& bits) const;

  const Netlist& netlist_;
  std::vector<std::uint8_t> values_, next_;
  std::vector<Access> accesses_;
  Contents contents_;
};

// Compares with the record in every cycle. Raises InputError that names the first pin that differs.
void check_against(const Netlist& netlist, const Record& record);

// Values of all nodes from a cycle on, one bit each.
class Golden {
 public:
  // rows: inputs of each cycle; kept from row `begin` on.
  Golden(const Netlist& netlist, const std::vector<Bits>& rows, std::size_t begin);

  std::size_t begin() const { return begin_; }
  std::size_t end() const { return begin_ + accesses_.size(); }
  const std::uint64_t* words(std::size_t cycle) const { return bits_.data() + (cycle - begin_) * stride_; }
  bool value(std::size_t cycle, Node node) const { return words(cycle)[node / 64] >> (node % 64) & 1; }
  std::uint64_t number(std::size_t cycle, const std::vector<Node>& bits) const;
  const std::vector<Access>& accesses(std::size_t cycle) const { return accesses_[cycle - begin_]; }
  const Contents& contents() const { return contents_; }  // at the beginning of cycle `begin`

 private:
  std::size_t begin_, stride_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::vector<Access>> accesses_;
  Contents contents_;
};

}  // namespace faults
