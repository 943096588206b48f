// A copy of the core's state: the core continues, and its memories change, before it is compared.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "machine.hpp"
#include "memories.hpp"
#include "retire_bits.hpp"

namespace lutra::uvm {

struct Observed {
  Registers registers{};

  // registers_t as DPI passes it, and the memories as they are now.
  void take(const std::uint32_t* words, const Memories& now) {
    unpack_registers(words, registers);
    bytes_.clear();
    for (const auto& block : now.blocks) keep(block, kMemoryRows);
    for (const auto& bank : now.banks) keep(bank, kTableRows);
    program_.assign(now.program, now.program + kProgramWords);
  }

  Memories memories() const {
    Memories m;
    const std::uint8_t* next = bytes_.data();
    for (auto& block : m.blocks) next = lanes(block, next, kMemoryRows);
    for (auto& bank : m.banks) next = lanes(bank, next, kTableRows);
    m.program = program_.data();
    return m;
  }

 private:
  void keep(const Memories::Lanes& lanes, std::size_t rows) {
    for (const std::uint8_t* lane : lanes) bytes_.insert(bytes_.end(), lane, lane + rows);
  }
  static const std::uint8_t* lanes(Memories::Lanes& out, const std::uint8_t* next, std::size_t rows) {
    for (auto& lane : out) lane = std::exchange(next, next + rows);
    return next;
  }

  std::vector<std::uint8_t> bytes_;
  std::vector<std::uint64_t> program_;
};

// Copies the initial contents of the core into the simulator.
inline void copy_memories(const Memories& from, Machine& to) {
  const auto copy = [&to](std::size_t space, const Memories::Lanes& lanes) {
    for (std::size_t row = 0; row < to.size(static_cast<Space>(space)) / kVectorBytes; ++row) {
      Vec v;
      for (std::size_t l = 0; l < v.size(); ++l) v[l] = lanes[l][row];
      to.write(static_cast<Space>(space), row * v.size(), v);
    }
  };
  for (std::size_t b = 0; b < from.blocks.size(); ++b)
    copy(static_cast<std::size_t>(std::find(kSpaceBlocks.begin(), kSpaceBlocks.end(), 1 << b) - kSpaceBlocks.begin()),
         from.blocks[b]);
  for (std::size_t t = 0; t < from.banks.size(); ++t)
    copy(static_cast<std::size_t>(std::find(kSpaceBanks.begin(), kSpaceBanks.end(), 1 << t) - kSpaceBanks.begin()),
         from.banks[t]);
  for (std::size_t i = 0; i < kProgramWords; ++i) {
    std::array<std::uint8_t, kInsnBytes> word;
    for (std::size_t b = 0; b < word.size(); ++b) word[b] = static_cast<std::uint8_t>(from.program[i] >> (8 * b));
    to.write(Space::Program, i * word.size(), word);
  }
}

}  // namespace lutra::uvm
