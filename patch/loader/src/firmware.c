// The running firmware: its manifest, images, algorithms and known answers.
#include "internal.h"

enum lutra_result lutra_get_status(struct lutra_device* device, struct lutra_status* status,
                                   struct lutra_error* error) {
  struct lutra_record record;
  struct lutra_fused fused;
  struct lutra_pack pack;
  memset(error, 0, sizeof *error);
  memset(status, 0, sizeof *status);
  lutra_record_read(&device->flash, error, &record);
  lutra_fuses_read(&device->fuses, error, &fused);
  status->primary = record.primary;
  status->running = device->running;
  status->counter = (uint8_t)(fused.counter < UINT8_MAX ? fused.counter : UINT8_MAX);
  status->roots = (uint8_t)(fused.root + 1u);  // 0 of LUTRA_NO_ROOT
  status->sequence = record.sequence;
  for (uint8_t slot = 0; slot < LUTRA_SLOTS; ++slot) {
    struct lutra_error unfit = *error;
    status->state[slot] = (enum lutra_slot_state)record.state[slot];
    status->size[slot] = record.size[slot];
    if (record.state[slot] == LUTRA_SLOT_EMPTY) {
      lutra_fail(&unfit, LUTRA_ERROR_NO_FIRMWARE, 0);
    } else {
      lutra_slot_accept(device, &unfit, &record, slot, &pack);
      status->info[slot] = pack.info;
    }
    if (lutra_is_broken(&unfit)) {
      *error = unfit;
    }
    status->check[slot] = unfit.result;
  }
  return error->result;
}

// Invariant: the core holds complete firmware or none.
static enum lutra_result loaded(struct lutra_device* device, struct lutra_error* error) {
  if (!lutra_good(error)) {
    lutra_core_drop(device, error);
  }
  return error->result;
}

enum lutra_result lutra_load(struct lutra_device* device, uint8_t image, struct lutra_error* error) {
  struct lutra_pack pack;
  memset(error, 0, sizeof *error);
  lutra_running_accept(device, error, &pack);
  if (lutra_good(error) && image >= pack.info.images) {
    lutra_fail(error, LUTRA_ERROR_NO_IMAGE, 0);
    return error->result;
  }
  if (lutra_good(error)) {
    lutra_image_load(&pack, error, &device->core, image);
  }
  return loaded(device, error);
}

enum lutra_result lutra_self_test(struct lutra_device* device, struct lutra_error* error) {
  struct lutra_pack pack;
  memset(error, 0, sizeof *error);
  lutra_running_accept(device, error, &pack);
  if (lutra_good(error)) {
    lutra_answers_run(&pack, error, &device->core);
  }
  if (lutra_good(error)) {
    lutra_image_load(&pack, error, &device->core, 0);
  }
  return loaded(device, error);
}

// Copies `name` into a zero-filled buffer, as the reader does; a name that is too long becomes empty.
static void fill(char text[LUTRA_TEXT_SIZE], const char* name) {
  memset(text, 0, LUTRA_TEXT_SIZE);
  for (uint32_t i = 0; name[i] != '\0'; ++i) {
    if (i == LUTRA_NAME_BYTES) {
      memset(text, 0, LUTRA_TEXT_SIZE);
      return;
    }
    text[i] = name[i];
  }
}

// Finds an algorithm of the running firmware that has a direction.
static void find(struct lutra_device* device, struct lutra_error* error, struct lutra_pack* pack, const char* name,
                 bool decrypt, struct lutra_algorithm_entry* entry) {
  char text[LUTRA_TEXT_SIZE];
  memset(error, 0, sizeof *error);
  fill(text, name);
  lutra_running_accept(device, error, pack);
  if (!lutra_good(error)) {
    return;
  }
  struct lutra_cursor cursor = lutra_cursor_in_manifest(pack, error, pack->algorithms);
  const uint32_t count = lutra_cbor_array(&cursor, 0, UINT8_MAX);
  for (uint32_t i = 0; i < count && lutra_good(error); ++i) {
    (void)lutra_algorithm_read(&cursor, pack->info.images, &device->core, entry);
    if (memcmp(text, entry->name, sizeof text) == 0) {
      if (!entry->has[decrypt]) {
        lutra_fail(error, LUTRA_ERROR_NO_DIRECTION, 0);
      }
      return;
    }
  }
  lutra_fail(error, LUTRA_ERROR_NO_ALGORITHM, 0);
}

enum lutra_result lutra_find(struct lutra_device* device, const char* name, bool decrypt, struct lutra_algorithm* found,
                             struct lutra_error* error) {
  struct lutra_pack pack;
  struct lutra_algorithm_entry entry;
  find(device, error, &pack, name, decrypt, &entry);
  if (lutra_good(error)) {
    *found = entry.fields[decrypt];
  }
  return error->result;
}

enum lutra_result lutra_find_routine(struct lutra_device* device, const char* name, bool decrypt, const char* role,
                                     uint16_t* found, struct lutra_error* error) {
  struct lutra_pack pack;
  struct lutra_algorithm_entry entry;
  char text[LUTRA_TEXT_SIZE];
  find(device, error, &pack, name, decrypt, &entry);
  if (lutra_good(error)) {
    struct lutra_cursor cursor = lutra_cursor_in_manifest(&pack, error, entry.routines[decrypt]);
    fill(text, role);
    if (!lutra_routine_find(&cursor, &device->core, text, found)) {
      lutra_fail(error, LUTRA_ERROR_NO_ROUTINE, 0);
    }
  }
  return error->result;
}
