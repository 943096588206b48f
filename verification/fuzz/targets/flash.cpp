// Any contents of flash and fuses, any order of calls: the loader neither reads nor writes out of bounds, and the
// core never runs anything that is in no pack of the corpus.
//
// Signatures are really checked; results of earlier checks are looked up (--wrap).
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>

#include "envelope.hpp"

using namespace fuzz;

namespace {

// Layout of the boot record, as record.c of the loader describes it.
constexpr std::size_t kEntry = 64, kSequence = 4, kPrimary = 8, kState = 9, kSize = 12, kCheck = 56;

Bytes entry_of(std::uint32_t sequence, std::uint8_t primary, const std::uint8_t state[2], const std::uint32_t size[2]) {
  Bytes entry(kCheck);
  const auto put = [&](std::size_t at, std::uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) entry[at + i] = static_cast<std::uint8_t>(value >> 8 * i);
  };
  std::copy_n("LBR1", 4, entry.begin());
  put(kSequence, sequence);
  entry[kPrimary] = primary;
  for (unsigned slot = 0; slot < LUTRA_SLOTS; ++slot) {
    entry[kState + slot] = state[slot];
    put(kSize + 4 * slot, size[slot]);
  }
  const Bytes check = sha512(entry, kEntry - kCheck);
  entry.insert(entry.end(), check.begin(), check.end());
  return entry;
}

// Contents of the corpus, and the part of them that the core has when it runs.
struct Known {
  std::vector<Bytes> packs;
  Bytes fuses;
  std::set<std::uint64_t> firmware;
};

Known learn() {
  const char* folder = std::getenv("LUTRA_FUZZ_PACKS");
  require(folder, "LUTRA_FUZZ_PACKS names the folder of the packs");
  Known known;
  known.fuses = read_file((std::string(folder) + "/provisioned").c_str());
  std::set<std::string> paths;
  for (const auto& file : std::filesystem::directory_iterator(folder))
    if (file.path().extension() == ".pack") paths.insert(file.path());
  for (const std::string& path : paths) {
    const Bytes pack = read_file(path.c_str());
    const lutra_source source = source_of(pack);
    Device device;
    device.fuses = known.fuses;
    device.at_run = [&](const Device& ran) { known.firmware.insert(ran.firmware()); };
    if (lutra_apply(&device.loader, &source, &device.error) == LUTRA_ERROR_OK) {
      const std::uint8_t state[] = {LUTRA_SLOT_TEST, LUTRA_SLOT_EMPTY};
      const std::uint32_t size[] = {source.size, 0};
      const Bytes entry = entry_of(1, LUTRA_NO_SLOT, state, size);
      require(std::equal(entry.begin(), entry.end(), device.flash.begin()), "the record is laid out as here");
    }
    known.packs.push_back(pack);
  }
  require(!known.packs.empty(), "there are packs");
  return known;
}

const Known& known() {
  static const Known found = learn();
  return found;
}

// A pack of the corpus, or one with some bytes changed, or others.
Bytes any_pack(FuzzedDataProvider& from) {
  Bytes pack = from.PickValueInArray({0, 1, 2, 3})
                   ? known().packs[from.ConsumeIntegralInRange<std::size_t>(0, known().packs.size() - 1)]
                   : from.ConsumeBytes<std::uint8_t>(200);
  for (int edits = from.PickValueInArray({0, 0, 0, 1, 3}); edits > 0 && !pack.empty(); --edits)
    pack[from.ConsumeIntegralInRange<std::size_t>(0, pack.size() - 1)] = from.ConsumeIntegral<std::uint8_t>();
  return pack;
}

void fill(Device& device, FuzzedDataProvider& from) {
  const auto put = [&](const Bytes& bytes, std::size_t at) {
    std::copy_n(bytes.begin(), std::min(bytes.size(), device.flash.size() - at),
                device.flash.begin() + static_cast<std::ptrdiff_t>(at));
  };
  device.fuses = known().fuses;
  for (int edits = from.PickValueInArray({0, 0, 0, 1, 4}); edits > 0; --edits)
    device.fuses[from.ConsumeIntegralInRange<std::size_t>(0, LUTRA_FUSE_BYTES - 1)] |=
        from.ConsumeIntegral<std::uint8_t>();
  std::uint32_t sizes[LUTRA_SLOTS];
  for (unsigned slot = 0; slot < LUTRA_SLOTS; ++slot) {
    const Bytes pack = any_pack(from);
    sizes[slot] = static_cast<std::uint32_t>(pack.size());
    put(pack, kSlots + slot * kSlot);
  }
  for (std::size_t place = 0; place < 2 * kSector / kEntry; ++place) {
    const int kind = from.PickValueInArray({0, 0, 1, 1, 2});
    if (kind == 0) continue;  // erased
    const std::uint8_t state[] = {from.ConsumeIntegralInRange<std::uint8_t>(0, 4),
                                  from.ConsumeIntegralInRange<std::uint8_t>(0, 4)};
    std::uint32_t size[] = {sizes[0], sizes[1]};
    if (from.PickValueInArray({0, 0, 0, 1})) size[from.ConsumeBool()] = from.ConsumeIntegral<std::uint32_t>();
    Bytes entry = entry_of(from.PickValueInArray({1u, 2u, 3u, 0u, 0xffffffffu}),
                           from.PickValueInArray<std::uint8_t>({0, 1, 2, 0xff}), state, size);
    if (kind == 2)
      entry[from.ConsumeIntegralInRange<std::size_t>(0, kEntry - 1)] ^= from.ConsumeIntegral<std::uint8_t>();
    put(entry, place * kEntry);
  }
}

// Everything that the last root's pack keys signed, byte by byte. Roots before the trusted one are arbitrary.
bool holds_a_pack(const Device& device, std::uint8_t slot) {
  const auto found = Envelope::open({device.flash.data() + kSlots + slot * kSlot, kSlot});
  return found && std::any_of(known().packs.begin(), known().packs.end(), [&](const Bytes& bytes) {
           const auto pack = Envelope::open(bytes);
           return pack && pack->manifest == found->manifest && pack->signatures == found->signatures &&
                  pack->parts == found->parts;
         });
}

}  // namespace

extern "C" {

bool __real_lutra_ed25519_check(const uint8_t signature[64], const uint8_t key[32], const uint8_t* message,
                                size_t size);

bool __wrap_lutra_ed25519_check(const uint8_t signature[64], const uint8_t key[32], const uint8_t* message,
                                size_t size) {
  static std::map<Bytes, bool> checked;
  Bytes all(signature, signature + 64);
  all.insert(all.end(), key, key + 32);
  all.insert(all.end(), message, message + size);
  if (checked.size() > 10000) checked.clear();
  const auto [found, fresh] = checked.try_emplace(all, false);
  if (fresh) found->second = __real_lutra_ed25519_check(signature, key, message, size);
  return found->second;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedDataProvider from(data, size);
  Device device;
  device.at_run = [](const Device& ran) {
    require(known().firmware.contains(ran.firmware()), "only signed firmware runs");
  };
  fill(device, from);
  for (int calls = 0; calls < 8; ++calls) {
    const int call = calls ? from.ConsumeIntegralInRange(0, 6) : 0;
    const Bytes fuses = device.fuses;
    if (call == 0) {
      device.power_up();
      if (lutra_boot(&device.loader, &device.error) == LUTRA_ERROR_OK) {
        require(device.loader.running < LUTRA_SLOTS, "a boot has a slot");
        require(known().firmware.contains(device.firmware()), "only signed firmware is loaded");
        require(holds_a_pack(device, device.loader.running), "what runs is signed as in the corpus, byte by byte");
      } else {
        require(device.loader.running == LUTRA_NO_SLOT, "nothing runs after a boot that failed");
      }
    } else if (call == 1) {
      const Bytes pack = any_pack(from);
      const lutra_source source = source_of(pack);
      lutra_apply(&device.loader, &source, &device.error);
    } else if (call == 2) {
      lutra_confirm(&device.loader, &device.error);
    } else if (call == 3) {
      lutra_revert(&device.loader, &device.error);
    } else if (call == 4) {
      lutra_status status;
      lutra_get_status(&device.loader, &status, &device.error);
    } else if (call == 5) {
      lutra_self_test(&device.loader, &device.error);
    } else {
      lutra_algorithm found;
      lutra_load(&device.loader, from.ConsumeIntegralInRange<uint8_t>(0, 3), &device.error);
      lutra_find(&device.loader, "xor", from.ConsumeBool(), &found, &device.error);
    }
    for (std::size_t i = 0; i < fuses.size(); ++i) require(!(fuses[i] & ~device.fuses[i]), "fuses stay burnt");
  }
  return 0;
}
}
