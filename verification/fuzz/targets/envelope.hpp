// A pack taken apart and put together again, for a fuzzer that changes one part of it: the lengths, sizes and digests
// around the part are corrected, so that the change is not refused before it is examined.
//
// It reads leniently, with its own code: it must pass what the loader refuses.
#pragma once

#include <optional>
#include <span>

#include "device.hpp"

namespace fuzz {

struct Envelope {
  Bytes head;  // up to the manifest, with the roots
  Bytes manifest;
  Bytes signatures;
  std::vector<Bytes> parts;

  static std::optional<Envelope> open(std::span<const std::uint8_t> pack);
  void close_manifest();  // sizes and digests are those of the parts
  Bytes pack() const;
  // Hash of the first root, as the fuses hold it.
  static std::optional<Bytes> first_root(std::span<const std::uint8_t> pack);
};

// Replaces a byte that may begin an unsigned integer, and the rest of it, by another number in its shortest form.
void replace_number(Bytes& data, std::size_t at, std::uint32_t number);

}  // namespace fuzz
