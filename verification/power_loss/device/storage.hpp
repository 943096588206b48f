// Flash and fuses of a device as two files, and the moment at which the power fails.
//
// The files are mapped and there is no other state: every access of the loader goes to the files, so only they are
// left when the process ends.
#pragma once

#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "lutra_loader.h"

namespace power_loss {

// Two sectors of the boot record, then the slots; the campaign chooses the layout of the flash.
struct Geometry {
  std::uint32_t sector = 512, granule = 8, slot = 16384;
  std::uint32_t bytes() const { return 2 * sector + LUTRA_SLOTS * slot; }
};

// Content of the rest of a granule during a cut write, or of a sector during a cut erasure.
enum class Tear {
  Old,     // as it was before
  Bits,    // any subset of the bits to be changed
  Random,  // any bits
  Unit,    // any bits, and the part already done is lost as well
};
inline constexpr const char* kTears[] = {"old", "bits", "random", "unit"};

// Power fails in access `number` of those that change something, before its byte `place`. The place of a burn is one
// of burn_places.
struct Cut {
  std::uint32_t number = 0, place = 0;
  Tear tear = Tear::Old;
  std::uint64_t seed = 0;
};

// Bits burnt together may have been burnt in any subset: all subsets of a few bits, or this many random ones of more.
inline constexpr std::uint32_t kBurnPlaces = 256;
inline std::uint32_t burn_places(std::uint32_t bits) { return bits < 8 ? 1u << bits : kBurnPlaces; }

// Exit codes of a device.
inline constexpr int kDone = 0, kFailed = 1, kWrongUse = 2, kPowerLost = 9;

class Storage {
 public:
  // The files `flash` and `fuses` of a folder. trace: receives a line for each access that changes something.
  Storage(const std::string& folder, const Geometry& geometry, const std::optional<Cut>& cut, std::FILE* trace);

  lutra_flash flash();
  lutra_fuses fuses();

 private:
  void change(char kind, std::uint32_t address, const std::vector<std::uint8_t>& bytes, std::uint32_t unit);
  int burn(std::uint32_t offset, const std::uint8_t* bytes, std::uint32_t length);
  bool cut_here(char kind, std::uint32_t address, std::uint32_t length, std::uint32_t places);

  Geometry geometry_;
  std::span<std::uint8_t> flash_, fuses_;
  std::optional<Cut> cut_;
  std::FILE* trace_;
  std::uint32_t number_ = 0;
};

}  // namespace power_loss
