// Comparison of state. Every stop compares all of it, so it reads the memories in place.
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

// Sixteen values as rows of a matrix of bytes.
using Tile = std::array<Value, sizeof(Value)>;

// Interleaves the bytes of rows i and i + 8; doing this four times transposes the matrix.
Tile interleaved(const Tile& in) {
  Tile out;
  for (std::size_t i = 0; i < in.size() / 2; ++i) {
    const Value &a = in[i], &b = in[i + in.size() / 2];
    out[2 * i] = __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    out[2 * i + 1] = __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31);
  }
  return out;
}

static_assert(kMemoryRows % sizeof(Value) == 0 && kTableRows % sizeof(Value) == 0);

// Sixteen rows at a time; byte by byte this would dominate the time of a stop.
bool same(std::span<const std::uint8_t> iss, const Memories::Lanes& rtl) {
  Value different{};
  for (std::size_t row = 0; row < iss.size() / sizeof(Value); row += sizeof(Value)) {
    Tile tile;
    for (std::size_t l = 0; l < rtl.size(); ++l) tile[l] = load(rtl[l] + row);
    tile = interleaved(interleaved(interleaved(interleaved(tile))));
    for (std::size_t r = 0; r < tile.size(); ++r) different |= tile[r] ^ load(&iss[(row + r) * sizeof(Value)]);
  }
  return is_zero(different);
}

// The first row that differs, with both contents.
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

// The memory that is exactly this space; nullptr for others.
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

// State that instructions behind the one with the fault may have changed: everything that is written before X1.
void take_before_x1(Registers& to, const Registers& from, std::size_t r) {
  each_written([&]<auto Field>(const auto&... stages) {
    if (((stages[r] < kStageX1[r]) || ...)) to.*Field = from.*Field;
  });
}

}  // namespace

std::vector<std::string> state_differences(const Machine& iss, const Registers& rtl, const Memories& memories) {
  Registers registers = iss.registers();
  if (iss.state() == CoreState::Faulted && !iss.config().wipe)
    take_before_x1(registers, rtl, static_cast<std::size_t>(iss.config().rounds - 1));
  std::vector<std::string> lines;
  if (!(registers == rtl)) lines = differences(registers, rtl);
  for (std::size_t space = 0; space < kSpaceBlocks.size(); ++space)
    if (const auto* memory = lanes(memories, space)) compare(iss, space, *memory, lines);
  compare_program(iss, memories.program, lines);
  return lines;
}

}  // namespace lutra
