// Words, fields and offsets by the names of the register description.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "lutra_axi.h"
#include "lutra_codes.h"
#include "lutra_completion.h"
#include "lutra_descriptor.h"
#include "lutra_element.h"
#include "lutra_raw.h"

// A field of a word, and a value in its place: `name` as in the generated headers, without the suffix.
#define LUTRA_GET(word, name) (((word) & name##_bm) >> name##_bp)
#define LUTRA_PUT(value, name) ((static_cast<std::uint32_t>(value) << name##_bp) & name##_bm)

namespace lutra::soc {

using Status = lutra_status_code;

inline constexpr unsigned kRings = sizeof(lutra_axi_t::ring) / sizeof(lutra_axi_t::ring[0]);
inline constexpr unsigned kOperations = sizeof(lutra_axi_t::operation) / sizeof(lutra_axi_t::operation[0]);
inline constexpr std::uint32_t kRawWrite = LUTRA_RAW__CODES__WRITE_reset;
inline constexpr std::uint32_t kRawRead = LUTRA_RAW__CODES__READ_reset;
inline constexpr std::uint32_t kRawRun = LUTRA_RAW__CODES__RUN_reset;
inline constexpr std::size_t kRow = 16;

// Offsets in a record or a page, in bytes.
#define LUTRA_AT(member) offsetof(lutra_axi_t, member)
#define LUTRA_RING_AT(n, member)                                      \
  (offsetof(lutra_axi_t, ring) + (n) * sizeof(lutra_axi_t::ring[0]) + \
   offsetof(lutra_axi__ring_page__stride1000_t, member))
#define LUTRA_WINDOW_AT(n, member) \
  (offsetof(lutra_axi_t, window) + (n) * sizeof(lutra_axi_t::window[0]) + offsetof(lutra_axi__window_page_t, member))

// A word in memory, in the byte order that control.big_endian chooses.
inline std::uint32_t word_at(const std::uint8_t* bytes, bool big) {
  std::uint32_t word = 0;
  for (unsigned i = 0; i < sizeof word; ++i)
    word |= static_cast<std::uint32_t>(bytes[i]) << 8 * (big ? sizeof word - 1 - i : i);
  return word;
}
inline void put_word(std::uint8_t* bytes, std::uint32_t word, bool big) {
  for (unsigned i = 0; i < sizeof word; ++i)
    bytes[i] = static_cast<std::uint8_t>(word >> 8 * (big ? sizeof word - 1 - i : i));
}
inline std::uint64_t joined(std::uint32_t low, std::uint32_t high) { return std::uint64_t{high} << 32 | low; }

}  // namespace lutra::soc
