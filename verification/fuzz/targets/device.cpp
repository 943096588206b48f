#include "device.hpp"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>

#include "lutra_isa.hpp"

extern "C" {
#include "monocypher-ed25519.h"
}

namespace fuzz {

struct Callbacks {
  static Device& of(void* context) { return *static_cast<Device*>(context); }

  template <class Memory>
  static int read(Memory& memory, std::uint32_t at, std::uint8_t* bytes, std::uint32_t length) {
    require(at <= memory.size() && length <= memory.size() - at, "a read within the memory");
    std::copy_n(memory.begin() + at, length, bytes);
    return 0;
  }
  static int erase(void* context, std::uint32_t at) {
    require(at % kSector == 0 && at < kFlash, "an erasure of a sector");
    ++of(context).changes;
    std::fill_n(of(context).flash.begin() + at, kSector, std::uint8_t{0xff});
    return 0;
  }
  static int write(void* context, std::uint32_t at, const std::uint8_t* bytes, std::uint32_t length) {
    require(at % kGranule == 0 && length % kGranule == 0 && at <= kFlash && length <= kFlash - at,
            "a write of whole granules");
    const auto begin = of(context).flash.begin() + at;
    require(std::all_of(begin, begin + length, [](std::uint8_t byte) { return byte == 0xff; }),
            "a write to what is erased");
    ++of(context).changes;
    std::copy_n(bytes, length, begin);
    return 0;
  }
  static int burn(void* context, std::uint32_t at, const std::uint8_t* bytes, std::uint32_t length) {
    require(at <= LUTRA_FUSE_BYTES && length <= LUTRA_FUSE_BYTES - at, "a burn of fuses");
    ++of(context).changes;
    for (std::uint32_t i = 0; i < length; ++i) of(context).fuses[at + i] |= bytes[i];
    return 0;
  }
  // In a single memory, and within it.
  static bool is_row(const Device& device, std::uint8_t code, std::uint16_t row) {
    if (code >= Device::kSpaces || code == static_cast<std::uint8_t>(lutra::Space::BankBoth)) return false;
    if (code == static_cast<std::uint8_t>(lutra::Space::Program)) return row < device.loader.core.program_words;
    return row < (lutra::kSpaceBlocks[code] ? device.loader.core.memory_rows : lutra::kTableRows);
  }
  static int write_row(void* context, std::uint8_t space, std::uint16_t row, const std::uint8_t bytes[16]) {
    require(is_row(of(context), space, row), "a write to a row of the core");
    std::copy_n(bytes, 16, of(context).rows_[space][row].begin());
    return 0;
  }
  static int read_row(void* context, std::uint8_t space, std::uint16_t row, std::uint8_t bytes[16]) {
    require(is_row(of(context), space, row), "a read of a row of the core");
    std::copy_n(of(context).rows_[space][row].begin(), 16, bytes);
    return 0;
  }
  static int run(void* context, std::uint16_t entry, std::uint32_t max_cycles, lutra_stop* stop) {
    Device& device = of(context);
    ++device.changes;
    device.at_run(device);
    for (std::size_t i = 0; i < 16; ++i) device.rows_[3][0][i] = device.rows_[2][0][i] ^ device.rows_[0][0][i];
    // The entry determines the end, so that all ends occur; the firmware of the corpus begins at 0.
    const auto state = entry == 0 ? lutra::CoreState::Halted : static_cast<lutra::CoreState>(entry % 5);
    *stop = {static_cast<std::uint8_t>(state), static_cast<std::uint8_t>(entry % 3), entry, std::min(max_cycles, 5u)};
    return 0;
  }
};

Device::Device() {
  lutra_flash& at = loader.flash;
  at = {this, kSector, kGranule, {0, kSector}, {kSlots, kSlots + kSlot}, kSlot, nullptr, nullptr, nullptr};
  at.read = [](void* context, std::uint32_t address, std::uint8_t* bytes, std::uint32_t length) {
    return Callbacks::read(Callbacks::of(context).flash, address, bytes, length);
  };
  at.erase = Callbacks::erase;
  at.write = Callbacks::write;
  loader.fuses = {this, nullptr, Callbacks::burn};
  loader.fuses.read = [](void* context, std::uint32_t offset, std::uint8_t* bytes, std::uint32_t length) {
    return Callbacks::read(Callbacks::of(context).fuses, offset, bytes, length);
  };
  loader.core = {this,          2, 2, 64, 16, [](void*) { return 0; }, Callbacks::write_row, Callbacks::read_row,
                 Callbacks::run};
  power_up();
}

void Device::power_up() {
  rows_ = {};
  loader.running = LUTRA_NO_SLOT;
}

std::uint64_t Device::firmware() const {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&](const auto& row) {
    for (const std::uint8_t byte : row) hash = (hash ^ byte) * 0x100000001b3;
  };
  for (const auto& row : rows_[static_cast<std::size_t>(lutra::Space::Program)]) add(row);
  add(rows_[0][0]);
  return hash;
}

lutra_source source_of(const Bytes& pack) {
  lutra_source source{};
  source.context = const_cast<Bytes*>(&pack);
  source.size = static_cast<std::uint32_t>(pack.size());
  source.read = [](void* context, std::uint32_t offset, std::uint8_t* bytes, std::uint32_t length) {
    return Callbacks::read(*static_cast<const Bytes*>(context), offset, bytes, length);
  };
  return source;
}

Bytes sha512(const Bytes& data, std::size_t size) {
  Bytes hash(64);
  crypto_sha512(hash.data(), data.data(), data.size());
  hash.resize(size);
  return hash;
}

Bytes read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  require(bool(file), "a file of the corpus can be read");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace fuzz
