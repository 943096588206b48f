// Flips every bit of the packed state and prints what the comparison says of it, for test_state.py: the lines of the
// values before, then a line a bit.
#include <cstdio>
#include <random>

#include "retire_bits.hpp"
#include "state_text.hpp"

int main() {
  using namespace lutra;
  using Words = std::array<std::uint32_t, kRegistersWords>;
  const auto unpacked = [](const Words& words) {
    Registers r;
    unpack_registers(words.data(), r);
    return r;
  };
  Words words{};
  std::mt19937 random(9);
  for (int round = 0; round < 2; ++round) {
    const Registers before = unpacked(words);
    for (std::size_t bit = 0; bit < kRegistersBits; ++bit) {
      Words other = words;
      other[bit / kWordBits] ^= 1u << (bit % kWordBits);
      const Registers after = unpacked(other);
      const auto lines = differences(before, after);
      if (after == before || lines.size() != 1) std::printf("lost: bit %zu\n", bit);
      for (const std::string& line : lines) std::printf("%s\n", line.c_str());
    }
    for (std::uint32_t& word : words) word = static_cast<std::uint32_t>(random());
  }
}
