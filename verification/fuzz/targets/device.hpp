// A device in memory for fuzzing: flash, fuses and a core that computes the same as the firmware of the corpus: m3 =
// a row of m2 XOR the row of m0.
#pragma once

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "lutra_loader.h"

namespace fuzz {

using Bytes = std::vector<std::uint8_t>;

// Reports an impossible state: ends the process as a crash, which the fuzzer keeps.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

inline constexpr std::uint32_t kSector = 256, kGranule = 8, kSlot = 8192;
inline constexpr std::uint32_t kSlots = 2 * kSector, kFlash = kSlots + LUTRA_SLOTS * kSlot;

class Device {
 public:
  Device();

  Bytes flash = Bytes(kFlash, 0xff), fuses = Bytes(LUTRA_FUSE_BYTES);
  std::uint32_t changes = 0;  // calls that changed flash or fuses, or ran the core
  lutra_device loader{};
  lutra_error error{};
  std::function<void(const Device&)> at_run = [](const Device&) {};

  std::uint64_t firmware() const;  // a hash of program memory and key
  void power_up();                 // keeps flash and fuses

 private:
  static constexpr std::size_t kSpaces = 8, kRows = 256;
  std::array<std::array<std::array<std::uint8_t, 16>, kRows>, kSpaces> rows_{};
  friend struct Callbacks;
};

// A pack in memory as a source.
lutra_source source_of(const Bytes& pack);
// The first bytes of SHA-512.
Bytes sha512(const Bytes& data, std::size_t size);
Bytes read_file(const char* path);

}  // namespace fuzz
