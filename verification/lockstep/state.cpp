// Comparison of state. After every stop all of it is compared, so it reads the memories where they lie.
#include "state.hpp"

#include "state_text.hpp"

namespace lutra {

namespace {

// An entry of a space: a row by the address of its first byte, a program word by its number.
std::string place(std::size_t space, std::size_t at) {
  return Shown::name(kSpaceNames, space) + "[" + Shown::address(static_cast<std::uint16_t>(at)) + "]";
}

std::string line(const std::string& place, const std::string& iss, const std::string& rtl) {
  return place + ": simulator " + iss + ", RTL " + rtl;
}

bool same(std::span<const std::uint8_t> iss, const Memories::Lanes& rtl) {
  const std::size_t rows = iss.size() / rtl.size();
  unsigned different = 0;
  for (std::size_t l = 0; l < rtl.size(); ++l)
    for (std::size_t row = 0; row < rows; ++row) different |= iss[row * rtl.size() + l] ^ rtl[l][row];
  return different == 0;
}

// The first row that is not the same, with both contents.
void compare(const Machine& machine, std::size_t space, const Memories::Lanes& rtl, std::vector<std::string>& lines) {
  const auto iss = machine.contents(static_cast<Space>(space));
  if (same(iss, rtl)) return;
  for (std::size_t row = 0; row < iss.size() / rtl.size(); ++row) {
    Vec left, right;
    for (std::size_t l = 0; l < rtl.size(); ++l) {
      left[l] = iss[row * rtl.size() + l];
      right[l] = rtl[l][row];
    }
    if (left == right) continue;
    return lines.push_back(line(place(space, row * rtl.size()), Shown::vector(left), Shown::vector(right)));
  }
}

// Of the memory that is this space alone; nullptr for others.
const Memories::Lanes* lanes(const Memories& memories, std::size_t space) {
  for (std::size_t b = 0; b < memories.blocks.size(); ++b)
    if (kSpaceBlocks[space] == 1 << b) return &memories.blocks[b];
  for (std::size_t t = 0; t < memories.banks.size(); ++t)
    if (kSpaceBanks[space] == 1 << t) return &memories.banks[t];
  return nullptr;
}

void compare_program(const Machine& iss, const std::uint64_t* rtl, std::vector<std::string>& lines) {
  for (std::size_t i = 0; i < kProgramWords; ++i) {
    if (iss.word(i) == rtl[i]) continue;
    const auto pm = static_cast<std::size_t>(Space::Program);
    return lines.push_back(line(place(pm, i), Shown::word(iss.word(i)), Shown::word(rtl[i])));
  }
}

}  // namespace

std::vector<std::string> state_differences(const Machine& iss, const Registers& rtl, const Memories& memories) {
  const Registers registers = iss.registers();
  std::vector<std::string> lines;
  if (!(registers == rtl)) lines = differences(registers, rtl);
  for (std::size_t space = 0; space < kSpaceBlocks.size(); ++space)
    if (const auto* memory = lanes(memories, space)) compare(iss, space, *memory, lines);
  compare_program(iss, memories.program, lines);
  return lines;
}

}  // namespace lutra
