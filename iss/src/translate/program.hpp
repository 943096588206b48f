// The shape of a program: where its blocks begin and end.
#pragma once

#include <span>
#include <vector>

#include "decode.hpp"

namespace lutra {

// How an instruction ends a block.
enum class Ending : std::uint8_t {
  No,        // it does not
  Loop,      // the last of a loop's body: back to its start, or on
  Transfer,  // of the sequencer: to its target, or on
  Before,    // it is left to the interpreter
};

class Shape {
 public:
  // writes_tables: whether what writes a table is translated.
  Shape(std::span<const Decoded> program, bool writes_tables);

  Ending ending(std::size_t pc) const { return endings_[pc]; }
  bool begins_block(std::size_t pc) const { return begins_[pc]; }
  // Of the loop that ends there; only with Ending::Loop.
  std::uint16_t loop_start(std::size_t pc) const { return starts_[pc]; }
  // Whether a loop is one of the program's.
  bool knows_loop(std::uint16_t start, std::uint16_t end) const {
    return end < starts_.size() && endings_[end] == Ending::Loop && starts_[end] == start;
  }

 private:
  std::vector<Ending> endings_;
  std::vector<bool> begins_;
  std::vector<std::uint16_t> starts_;
};

// Whether it writes a table, in whatever way.
bool writes_table(const Decoded& d);

}  // namespace lutra
