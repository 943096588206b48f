// Chooses the slot that runs after a reset: the one on test, once; else the confirmed one; else the one confirmed
// before.
#include "internal.h"

static void set_state(const struct lutra_device* device, struct lutra_error* error, struct lutra_record* record,
                      uint8_t slot, enum lutra_slot_state state) {
  record->state[slot] = (uint8_t)state;
  lutra_record_write(&device->flash, error, record);
}

// Puts image 0 of the slot into the core, if the slot may boot.
static void start(struct lutra_device* device, struct lutra_error* error, const struct lutra_record* record,
                  uint8_t slot) {
  const bool trial = record->state[slot] == LUTRA_SLOT_TRIAL;
  struct lutra_pack pack;
  memset(&pack, 0, sizeof pack);  // not what another slot has left
  lutra_slot_accept(device, error, record, slot, &pack);
  if (!lutra_good(error)) {
    return;
  }
  if (trial) {
    lutra_answers_run(&pack, error, &device->core);
  } else {
    lutra_fuses_burn(&device->fuses, error, pack.root, pack.info.counter);
  }
  if (lutra_good(error)) {
    lutra_image_load(&pack, error, &device->core, 0);
  }
  if (lutra_good(error)) {
    lutra_pack_require(&pack, error, &device->core);
    device->running = slot;
  }
}

// Returns whether the slot runs. `error` is set only if the device itself fails, not if the slot may not boot.
static bool runs(struct lutra_device* device, struct lutra_error* error, const struct lutra_record* record,
                 uint8_t slot) {
  struct lutra_error unfit = *error;
  if (lutra_good(&unfit)) {
    start(device, &unfit, record, slot);
  }
  if (lutra_is_broken(&unfit)) {
    *error = unfit;
  }
  return lutra_good(&unfit);
}

enum lutra_result lutra_boot(struct lutra_device* device, struct lutra_error* error) {
  struct lutra_record record;
  memset(error, 0, sizeof *error);
  device->running = LUTRA_NO_SLOT;
  lutra_record_read(&device->flash, error, &record);
  const uint8_t tried = lutra_record_slot(&record, LUTRA_SLOT_TRIAL);
  if (tried != LUTRA_NO_SLOT) {
    set_state(device, error, &record, tried, LUTRA_SLOT_EMPTY);
  }
  const uint8_t trial = lutra_record_slot(&record, LUTRA_SLOT_TEST);
  if (trial != LUTRA_NO_SLOT) {
    set_state(device, error, &record, trial, LUTRA_SLOT_TRIAL);
    if (runs(device, error, &record, trial)) {
      return error->result;
    }
    set_state(device, error, &record, trial, LUTRA_SLOT_EMPTY);
  }
  const uint8_t primary = record.primary;
  if (primary != LUTRA_NO_SLOT && runs(device, error, &record, primary)) {
    return error->result;
  }
  const uint8_t other = primary ^ 1;  // no slot, without a primary
  if (other < LUTRA_SLOTS && record.state[other] == LUTRA_SLOT_CONFIRMED && runs(device, error, &record, other)) {
    record.primary = other;
    set_state(device, error, &record, primary, LUTRA_SLOT_EMPTY);
  } else {
    lutra_fail(error, LUTRA_ERROR_NO_FIRMWARE, 0);
  }
  if (!lutra_good(error)) {
    lutra_core_drop(device, error);
  }
  return error->result;
}
