// Packed vectors of the RTL as words of 32 bit, the form in which Verilated ports and DPI-C pass them.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lutra_retire.hpp"
#include "lutra_state.hpp"

namespace lutra {

inline constexpr std::size_t kWordBits = 32;
inline constexpr std::size_t kRetireWords = (kRetireBits + kWordBits - 1) / kWordBits;
inline constexpr std::size_t kRegistersWords = (kRegistersBits + kWordBits - 1) / kWordBits;

// Byte 0 is the most significant byte of a SystemVerilog vector, whose words are stored least significant first.
inline Vec bits_to_vec(const std::uint32_t* words) {
  static_assert(std::endian::native == std::endian::little);
  Vec v;
  for (std::size_t w = 0; w < 4; ++w) {
    const std::uint32_t bytes = __builtin_bswap32(words[3 - w]);
    std::memcpy(&v[4 * w], &bytes, sizeof bytes);
  }
  return v;
}

inline void vec_to_bits(std::uint32_t* words, const Vec& v) {
  for (std::size_t w = 0; w < 4; ++w) {
    words[3 - w] = 0;
    for (std::size_t i = 0; i < 4; ++i) words[3 - w] = words[3 - w] << 8 | v[4 * w + i];
  }
}

// A number of up to 64 bits that begins at bit `lsb`.
inline std::uint64_t bits_at(const std::uint32_t* words, std::size_t lsb, std::size_t width) {
  std::uint64_t value = 0;
  for (std::size_t done = 0; done < width;) {
    const std::size_t shift = (lsb + done) % kWordBits;
    value |= std::uint64_t{words[(lsb + done) / kWordBits] >> shift} << done;
    done += kWordBits - shift;
  }
  return width < 64 ? value & ((std::uint64_t{1} << width) - 1) : value;
}

// Sets a value from its place in a packed struct; used by the generated unpacking functions. Inlined, its shifts are
// constants, and most are none.
struct Unpack {
  const std::uint32_t* words;

  template <class T>
  [[gnu::always_inline]] void operator()(T& value, std::size_t lsb, std::size_t width) const {
    if constexpr (std::is_same_v<T, Vec>) {
      if (lsb % kWordBits == 0) {
        value = bits_to_vec(words + lsb / kWordBits);
        return;
      }
      std::array<std::uint32_t, sizeof(Vec) / sizeof(std::uint32_t)> aligned;
      for (std::size_t i = 0; i < aligned.size(); ++i)
        aligned[i] = static_cast<std::uint32_t>(bits_at(words, lsb + kWordBits * i, kWordBits));
      value = bits_to_vec(aligned.data());
    } else {
      value = static_cast<T>(bits_at(words, lsb, width));
    }
  }
};

// From the packed structs retire_t and registers_t.
inline void unpack_retire(const std::uint32_t* words, Retire& r) { unpack_retire(r, Unpack{words}); }
inline void unpack_registers(const std::uint32_t* words, Registers& r) { unpack_registers(r, Unpack{words}); }

}  // namespace lutra
