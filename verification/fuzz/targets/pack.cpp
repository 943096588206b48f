// Any bytes as a pack: the loader neither reads nor writes out of bounds, and a refusal leaves no trace.
//
// In this build, and in no other, a signature counts as valid unless it begins with 0xff: the linker replaces
// lutra_ed25519_check (--wrap). Otherwise no changed manifest would be read. The device trusts the pack's first root.
#include <algorithm>
#include <random>

#include "envelope.hpp"

using namespace fuzz;

extern "C" {

bool __wrap_lutra_ed25519_check(const uint8_t signature[64], const uint8_t*, const uint8_t*, size_t) {
  return signature[0] != 0xff;
}

size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

static Bytes mutated(Bytes data, size_t room, std::minstd_rand& random) {
  // Numbers at and just below powers of two, the sizes of memories: chance rarely finds what takes more than one byte.
  if (random() % 4 == 0 && !data.empty()) {
    for (int tries = 0; tries < 2; ++tries)
      replace_number(data, random() % data.size(), (1u << random() % 32) - static_cast<uint32_t>(random() % 24));
    return data;
  }
  const size_t most = std::min(data.size() + room, data.size() * 2 + 64);
  const size_t size = data.size();
  data.resize(std::max(most, size));
  data.resize(LLVMFuzzerMutate(data.data(), size, data.size()));
  return data;
}

size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  std::minstd_rand random(seed);
  auto found = Envelope::open({data, size});
  const unsigned choice = random() % 10;
  if (!found || choice == 0) return LLVMFuzzerMutate(data, size, max_size);
  const size_t room = max_size > size ? max_size - size : 0;
  const size_t which = found->parts.empty() ? 0 : random() % found->parts.size();
  if (choice < 4) {
    found->manifest = mutated(found->manifest, room, random);
  } else if (choice < 7 && !found->parts.empty()) {
    found->parts[which] = mutated(found->parts[which], room, random);
  } else if (choice == 7) {
    found->head = mutated(found->head, room, random);
  } else if (choice == 8) {
    found->signatures = mutated(found->signatures, room, random);
  } else if (!found->parts.empty()) {
    random() % 2 ? found->parts.push_back(found->parts[which])
                 : void(found->parts.erase(found->parts.begin() + static_cast<std::ptrdiff_t>(which)));
  }
  if (random() % 16) found->close_manifest();
  const Bytes pack = found->pack();
  if (pack.size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
  std::copy(pack.begin(), pack.end(), data);
  return pack.size();
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes pack(data, data + size);
  const lutra_source source = source_of(pack);
  Device device;
  if (const auto root = Envelope::first_root(pack)) {
    std::copy(root->begin(), root->end(), device.fuses.begin());
    device.fuses[LUTRA_FUSE_MARK(0)] = 0xff;
  }
  lutra_pack_info info;
  const lutra_result checked = lutra_check(&device.loader, &source, &info, &device.error);
  require(device.changes == 0, "a check changes nothing");
  require(checked == device.error.result && device.error.offset <= size, "an error within the pack");
  const lutra_result applied = lutra_apply(&device.loader, &source, &device.error);
  if (checked != LUTRA_ERROR_OK) {
    require(applied == checked && device.changes == 0, "what is refused leaves no trace");
    return 0;
  }
  if (applied != LUTRA_ERROR_OK) return 0;
  require(lutra_boot(&device.loader, &device.error) == LUTRA_ERROR_OK, "what was applied boots");
  lutra_algorithm algorithm;
  uint16_t entry = 0;
  for (const char* name : {"xor", "none"}) {
    for (const bool decrypt : {false, true}) {
      lutra_find(&device.loader, name, decrypt, &algorithm, &device.error);
      lutra_find_routine(&device.loader, name, decrypt, "run", &entry, &device.error);
    }
  }
  for (unsigned image = 0; image <= info.images; ++image)
    require((lutra_load(&device.loader, static_cast<uint8_t>(image), &device.error) == LUTRA_ERROR_OK) ==
                (image < info.images),
            "an image is there or not");
  require(lutra_confirm(&device.loader, &device.error) == LUTRA_ERROR_OK, "a trial is confirmed");
  device.power_up();
  require(lutra_boot(&device.loader, &device.error) == LUTRA_ERROR_OK, "what is confirmed boots");
  lutra_status status;
  require(lutra_get_status(&device.loader, &status, &device.error) == LUTRA_ERROR_OK, "the status can be read");
  require(status.counter == info.counter && status.primary == status.running, "the counter is that of the pack");
  lutra_self_test(&device.loader, &device.error);
  lutra_revert(&device.loader, &device.error);
  return 0;
}
}
