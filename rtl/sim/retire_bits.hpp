// Packed vectors of the RTL as words of 32 bit, the form in which Verilated ports and DPI-C pass them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "retire.hpp"

namespace lutra {

// Byte 0 is the most significant byte of a SystemVerilog vector, whose words stand least significant first.
inline Vec bits_to_vec(const std::uint32_t* words) {
  Vec v;
  for (std::size_t i = 0; i < v.size(); ++i) v[i] = static_cast<std::uint8_t>(words[3 - i / 4] >> (8 * (3 - i % 4)));
  return v;
}

inline void vec_to_bits(std::uint32_t* words, const Vec& v) {
  for (std::size_t w = 0; w < 4; ++w) {
    words[3 - w] = 0;
    for (std::size_t i = 0; i < 4; ++i) words[3 - w] = words[3 - w] << 8 | v[4 * w + i];
  }
}

// The packed struct retire_t of rtl/lutra_pkg.sv, last field first, as words of 32 bit.
inline constexpr std::size_t kRetireBits = 1855;
inline constexpr std::size_t kRetireWords = (kRetireBits + 31) / 32;

inline void unpack_retire(const std::uint32_t* w, Retire& r) {
  const auto pair = [&w](std::size_t i) { return std::uint64_t{w[i + 1]} << 32 | w[i]; };
  const auto low = [&w](std::size_t i) { return static_cast<std::uint16_t>(w[i]); };
  const auto high = [&w](std::size_t i) { return static_cast<std::uint16_t>(w[i] >> 16); };
  const auto byte = [&w](std::size_t i, int n) { return static_cast<std::uint8_t>(w[i] >> (8 * n)); };
  for (std::size_t i = 0; i < r.context_state.size(); ++i) {
    r.context_lfsr[i] = bits_to_vec(w);
    r.context_buffer[i] = bits_to_vec(w + 4);
    r.context_state[i] = bits_to_vec(w + 8);
    w += 12;
  }
  r.cycle = pair(0);
  r.insn = pair(2);
  r.store_value = bits_to_vec(w + 4);
  r.ctr_value = bits_to_vec(w + 8);
  r.rd_value = bits_to_vec(w + 12);
  r.hold_value = bits_to_vec(w + 16);
  r.partner_value = bits_to_vec(w + 20);
  for (std::size_t i = 0; i < r.ar_value.size(); ++i) r.ar_value[i] = i % 2 ? high(24 + i / 2) : low(24 + i / 2);
  r.data_address = low(28);
  r.key_address = high(28);
  r.config_e = low(29);
  r.config_n = high(29);
  r.store_lanes = low(30);
  r.store_address = high(30);
  r.pc = low(31);
  r.loop_remaining = high(31);
  r.loop_depth = byte(32, 0);
  r.call_depth = byte(32, 1);
  r.notify = byte(32, 2);
  r.ar_mask = byte(32, 3);
  std::uint32_t rest = w[33];
  const auto take = [&rest](int bits) {
    const auto value = static_cast<std::uint8_t>(rest & ((1u << bits) - 1));
    rest >>= bits;
    return value;
  };
  r.wait = take(1);
  r.halt = take(1);
  r.notify_en = take(1);
  r.flag = take(1);
  r.flag_en = take(1);
  r.width_en = take(1);
  r.window_en = take(1);
  r.step_en = take(1);
  r.key_en = take(1);
  r.data_en = take(1);
  r.store_en = take(1);
  r.ctr_en = take(1);
  r.rd_en = take(1);
  r.hold_en = take(1);
  r.partner_en = take(1);
  r.config_ar = take(3);
  r.store_space = take(3);
  r.rd = take(4);
  r.trap = take(4);
  r.context_mask = take(2);
}

}  // namespace lutra
