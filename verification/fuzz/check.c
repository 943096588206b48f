// Checks whether the loader accepts a pack, for a comparison with the reader in Python: on a device without firmware,
// whose slot is larger than any pack and whose core is the one given to Python.
#include "lutra_loader.h"

#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

struct memory {
  const uint8_t* bytes;
  uint32_t size;
};

static int read_memory(void* context, uint32_t offset, uint8_t* bytes, uint32_t length) {
  const struct memory* memory = context;
  if (offset > memory->size || length > memory->size - offset) {
    return 1;
  }
  memcpy(bytes, memory->bytes + offset, length);
  return 0;
}

static int read_erased(void* context, uint32_t address, uint8_t* bytes, uint32_t length) {
  (void)context;
  (void)address;
  memset(bytes, 0xff, length);
  return 0;
}

// fuses: as many as a device has. core: rounds, program words, memory rows, contexts. Returns the result; `offset` is
// its place.
EXPORTED int fuzz_check(const uint8_t* pack, uint32_t size, const uint8_t* fuses, const uint16_t core[4],
                        uint32_t* offset) {
  struct memory of_pack = {pack, size}, of_fuses = {fuses, LUTRA_FUSE_BYTES};
  struct lutra_device device;
  memset(&device, 0, sizeof device);  // nothing is written, erased, burnt or run
  device.running = LUTRA_NO_SLOT;
  device.flash.sector_bytes = 256;
  device.flash.granule_bytes = 8;
  device.flash.slot_bytes = 1u << 30;
  device.flash.read = read_erased;
  device.fuses.context = &of_fuses;
  device.fuses.read = read_memory;
  device.core.rounds = (uint8_t)core[0];
  device.core.program_words = core[1];
  device.core.memory_rows = core[2];
  device.core.contexts = (uint8_t)core[3];
  const struct lutra_source source = {&of_pack, size, read_memory};
  struct lutra_pack_info info;
  struct lutra_error error;
  const enum lutra_result result = lutra_check(&device, &source, &info, &error);
  *offset = error.offset;
  return (int)result;
}

EXPORTED const char* fuzz_text(int result) { return lutra_text((enum lutra_result)result); }
