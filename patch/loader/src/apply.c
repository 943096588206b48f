// Writes a pack into the standby slot. Until the last write of the boot record the device keeps its old boot choice.
#include "internal.h"

#define CHUNK_BYTES 128u  // a multiple of every granule; every sector is a multiple of it

// Sets the manifest that a pack of the same name must be newer than; returns false if no primary can be verified.
static bool read_primary(const struct lutra_device* device, struct lutra_error* error,
                         const struct lutra_record* record, struct lutra_pack* pack, struct lutra_pack_info* info) {
  struct lutra_error unfit = {LUTRA_ERROR_OK, 0, 0, 0};
  if (record->primary == LUTRA_NO_SLOT || !lutra_good(error)) {
    return false;
  }
  lutra_slot_accept(device, &unfit, record, record->primary, pack);
  if (lutra_is_broken(&unfit)) {
    *error = unfit;
  }
  *info = pack->info;
  return lutra_good(&unfit);
}

// Checks `input` against the running firmware, and that its root has a place in the fuses.
static void accept(const struct lutra_device* device, struct lutra_error* error, const struct lutra_record* record,
                   const struct lutra_input* input, struct lutra_pack* pack) {
  struct lutra_pack_info primary;
  const bool known = read_primary(device, error, record, pack, &primary);
  lutra_pack_accept(device, error, input, known ? &primary : NULL, pack);
  if (lutra_good(error)) {
    lutra_fuses_room(&device->fuses, error, pack->root);
  }
}

enum lutra_result lutra_check(struct lutra_device* device, const struct lutra_source* source,
                              struct lutra_pack_info* info, struct lutra_error* error) {
  const struct lutra_input input = {source, NULL, 0, source->size};
  struct lutra_record record;
  struct lutra_pack pack;
  memset(error, 0, sizeof *error);
  lutra_record_read(&device->flash, error, &record);
  accept(device, error, &record, &input, &pack);
  *info = pack.info;
  return error->result;
}

// Erases as much of the slot as the pack needs and copies the pack into it; each chunk is read back.
static void copy(const struct lutra_flash* flash, struct lutra_error* error, const struct lutra_input* input,
                 uint32_t slot) {
  uint8_t chunk[CHUNK_BYTES], back[CHUNK_BYTES];
  for (uint32_t at = 0; at < input->size && lutra_good(error); at += flash->sector_bytes) {
    if (flash->erase(flash->context, slot + at) != 0) {
      lutra_fail(error, LUTRA_ERROR_FLASH, slot + at);
    }
  }
  for (uint32_t at = 0; at < input->size && lutra_good(error); at += CHUNK_BYTES) {
    const uint32_t left = input->size - at;
    const uint32_t length = left < CHUNK_BYTES ? left : CHUNK_BYTES;
    const uint32_t padded = (length + flash->granule_bytes - 1) & ~(flash->granule_bytes - 1u);
    memset(chunk, UINT8_MAX, sizeof chunk);
    lutra_input_read(input, error, at, chunk, length);
    if (lutra_good(error) && (flash->write(flash->context, slot + at, chunk, padded) != 0 ||
                              flash->read(flash->context, slot + at, back, padded) != 0)) {
      lutra_fail(error, LUTRA_ERROR_FLASH, slot + at);
    }
    if (lutra_good(error) && memcmp(chunk, back, padded) != 0) {
      lutra_fail(error, LUTRA_ERROR_VERIFY, slot + at);
    }
  }
}

enum lutra_result lutra_apply(struct lutra_device* device, const struct lutra_source* source,
                              struct lutra_error* error) {
  const struct lutra_input input = {source, NULL, 0, source->size};
  struct lutra_record record;
  struct lutra_pack pack;
  memset(error, 0, sizeof *error);
  lutra_record_read(&device->flash, error, &record);
  if (lutra_record_slot(&record, LUTRA_SLOT_TEST) != LUTRA_NO_SLOT ||
      lutra_record_slot(&record, LUTRA_SLOT_TRIAL) != LUTRA_NO_SLOT) {
    lutra_fail(error, LUTRA_ERROR_PENDING, 0);
  }
  if (lutra_good(error)) {
    accept(device, error, &record, &input, &pack);
  }
  if (!lutra_good(error)) {
    return error->result;
  }
  const uint8_t slot = record.primary == 0 ? 1 : 0;
  const struct lutra_input written = {NULL, &device->flash, device->flash.slot[slot], input.size};
  if (record.state[slot] != LUTRA_SLOT_EMPTY) {
    record.state[slot] = LUTRA_SLOT_EMPTY;
    lutra_record_write(&device->flash, error, &record);
  }
  copy(&device->flash, error, &input, written.base);
  if (lutra_good(error)) {
    accept(device, error, &record, &written, &pack);  // what counts is what is in the flash
  }
  if (!lutra_good(error)) {
    return error->result;
  }
  lutra_answers_run(&pack, error, &device->core);
  lutra_core_drop(device, error);
  record.state[slot] = LUTRA_SLOT_TEST;
  record.size[slot] = input.size;
  lutra_record_write(&device->flash, error, &record);
  return error->result;
}
