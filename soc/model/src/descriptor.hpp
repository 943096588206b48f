// A descriptor in fields, and the operation that it names.
#pragma once

#include <array>
#include <cstdint>

#include "keys.hpp"
#include "layout.hpp"

namespace lutra::soc {

// An entry of the table of operations.
struct Operation {
  explicit Operation(std::uint32_t word = 0) : word_(word) {}
#define LUTRA_OPERATION(name, NAME) \
  bool name() const { return LUTRA_GET(word_, LUTRA_AXI__OPERATION__##NAME) != 0; }
  LUTRA_OPERATION(sets_key, SETS_KEY)
  LUTRA_OPERATION(uses_key, USES_KEY)
  LUTRA_OPERATION(takes_aad, TAKES_AAD)
  LUTRA_OPERATION(makes_tag, MAKES_TAG)
  LUTRA_OPERATION(checks_tag, CHECKS_TAG)
  LUTRA_OPERATION(mac, MAC)
  LUTRA_OPERATION(whole_blocks, WHOLE_BLOCKS)
  LUTRA_OPERATION(inline_key, INLINE_KEY)
  LUTRA_OPERATION(key_rows, KEY_ROWS)
#undef LUTRA_OPERATION
  bool restores() const { return sets_key() && key_rows(); }
  // What is in the context afterwards is this message's.
  bool overwrites() const { return sets_key() || (inline_key() && uses_key()); }
  std::uint16_t entry() const { return static_cast<std::uint16_t>(LUTRA_GET(word_, LUTRA_AXI__OPERATION__ENTRY)); }
  std::uint32_t kind() const { return LUTRA_GET(word_, LUTRA_AXI__OPERATION__CLASS); }

 private:
  std::uint32_t word_;
};

struct Descriptor {
  using Bytes = std::array<std::uint8_t, sizeof(lutra_descriptor_t)>;

  Bytes raw{};
  std::uint32_t operation = 0, cookie = 0, bytes = 0, aad = 0, tag = 0;
  bool gather = false, scatter = false, inlined = false, interrupt = false;
  bool reserved = false;  // a bit without a meaning is set
  Handle key{};
  std::uint64_t source = 0, destination = 0, aad_address = 0;

  Descriptor() = default;
  Descriptor(const Bytes& bytes, bool big);

  bool is_raw() const { return operation == kRawWrite || operation == kRawRead || operation == kRawRun; }
  const std::uint8_t* iv() const { return raw.data() + offsetof(lutra_descriptor_t, iv); }
  // Inline payloads are byte strings, whatever the order of words.
  static constexpr std::uint32_t kInlineKeyBytes =
      sizeof(lutra_descriptor_t) - offsetof(lutra_descriptor_t, destination_low);
  static constexpr std::uint32_t kInlineBytes = sizeof(lutra_descriptor_t) - offsetof(lutra_descriptor_t, source_low);
  const std::uint8_t* key_bytes() const { return raw.data() + offsetof(lutra_descriptor_t, destination_low); }
  const std::uint8_t* payload() const { return raw.data() + offsetof(lutra_descriptor_t, source_low); }
  const std::uint8_t* inline_key() const { return raw.data() + offsetof(lutra_descriptor_t, aad_low); }
};

}  // namespace lutra::soc
