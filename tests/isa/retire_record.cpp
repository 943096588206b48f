// What the generated record makes of packed bits, for test_retire.py. Arguments: bits that are set, by number.
#include <cstdio>
#include <cstdlib>
#include <random>

#include "retire_bits.hpp"
#include "retire_text.hpp"

namespace {

using namespace lutra;
using Words = std::array<std::uint32_t, kRetireWords>;

Retire unpacked(const Words& words) {
  Retire r;
  unpack_retire(words.data(), r);
  return r;
}

void flip(Words& words, std::size_t bit) { words[bit / kWordBits] ^= 1u << (bit % kWordBits); }

// Every bit of the record reaches the struct, and a difference in it the report.
void flip_each(const Words& words) {
  const Retire before = unpacked(words);
  for (std::size_t bit = 0; bit < kRetireBits; ++bit) {
    Words other = words;
    flip(other, bit);
    const Retire after = unpacked(other);
    if (after == before || differences(before, after).empty()) std::printf("lost: bit %zu\n", bit);
    if (text(after) == text(before)) std::printf("same text: bit %zu\n", bit);
  }
}

}  // namespace

int main(int count, char** arguments) {
  Words words{};
  flip_each(words);
  for (int i = 1; i < count; ++i) flip(words, static_cast<std::size_t>(std::atoi(arguments[i])));
  flip_each(words);
  const Retire r = unpacked(words);
  each_field(r, [](const char* name, const auto&, auto applies) {
    if (applies) std::printf("field: %s\n", name);
  });
  std::printf("text: %s\n", text(r).c_str());
  for (const std::string& line : differences(Retire{}, r)) std::printf("%s\n", line.c_str());
  std::mt19937 random(8);
  for (int i = 0; i < 8; ++i) {
    for (std::uint32_t& word : words) word = random();
    flip_each(words);
  }
}
