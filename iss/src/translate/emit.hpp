// One instruction as pieces of machine code.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "decode.hpp"
#include "translate/contents.hpp"
#include "translate/piece.hpp"
#include "translate/program.hpp"

namespace lutra {

// A copy of a piece, with what its holes hold. Those from Next on hold the number of another item.
struct Item {
  const Piece* piece = nullptr;
  std::array<std::uint32_t, kHoles> holes{};

  Item& with(Hole hole, std::uint32_t number) {
    holes[static_cast<std::size_t>(hole)] = number;
    return *this;
  }
};

// The pieces of a level by name and by instruction.
class Pieces {
 public:
  explicit Pieces(const Level& level);
  // Those of a level, which all simulators have in common.
  static const Pieces& of(const Level& level);

  const Level& level() const { return level_; }
  const Piece* named(std::string_view name) const;  // null where the level has none
  // The path of an instruction for these contents, or for any where the level has no better one.
  const Piece* path(Op op, Contents contents) const {
    return paths_[static_cast<std::size_t>(op)][static_cast<std::size_t>(contents)];
  }

 private:
  const Level& level_;
  std::unordered_map<std::string_view, const Piece*> named_;
  std::vector<std::array<const Piece*, kContents>> paths_;
};

// Where an instruction is translated, and for what.
struct Place {
  std::uint16_t pc;
  std::size_t memory_bytes;
  std::array<Contents, kTableBanks> contents;
  std::uint32_t leave;  // item that leaves before the instruction
};

// Appends the pieces of an instruction that is not of the sequencer; false where the interpreter has to execute it.
bool emit(const Pieces& pieces, const Decoded& d, const Place& place, std::vector<Item>& items);

// Likewise of an instruction of the sequencer; `taken` is the item of its target.
void emit_transfer(const Pieces& pieces, const Decoded& d, const Place& place, std::uint32_t taken,
                   std::vector<Item>& items);

}  // namespace lutra
