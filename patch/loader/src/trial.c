// The end of a trial: the firmware is confirmed, or the device reverts.
#include "internal.h"

enum lutra_result lutra_confirm(struct lutra_device* device, struct lutra_error* error) {
  struct lutra_record record;
  struct lutra_pack pack;
  memset(error, 0, sizeof *error);
  lutra_record_read(&device->flash, error, &record);
  const uint8_t slot = lutra_record_slot(&record, LUTRA_SLOT_TRIAL);
  if (slot == LUTRA_NO_SLOT || slot != device->running) {
    lutra_fail(error, LUTRA_ERROR_NO_TRIAL, 0);
  }
  if (!lutra_good(error)) {
    return error->result;
  }
  lutra_slot_accept(device, error, &record, slot, &pack);
  lutra_fuses_room(&device->fuses, error, pack.root);
  // A single entry makes the switch. The fuses come after it: if they were burnt for firmware that could still be lost,
  // they would refuse the previous firmware. If power fails in between, the next boot burns them.
  record.state[slot] = LUTRA_SLOT_CONFIRMED;
  record.primary = slot;
  lutra_record_write(&device->flash, error, &record);
  lutra_fuses_burn(&device->fuses, error, pack.root, pack.info.counter);
  return error->result;
}

// Drops the pack in a slot on test or on trial.
static void drop(struct lutra_device* device, struct lutra_error* error, struct lutra_record* record, uint8_t slot) {
  record->state[slot] = LUTRA_SLOT_EMPTY;
  lutra_record_write(&device->flash, error, record);
  if (lutra_good(error) && device->running == slot) {
    lutra_core_drop(device, error);
  }
}

// Makes the other slot the primary, if it may boot.
static void go_back(struct lutra_device* device, struct lutra_error* error, struct lutra_record* record) {
  const uint8_t other = record->primary ^ 1;  // no slot, without a primary
  struct lutra_pack pack;
  if (other >= LUTRA_SLOTS || record->state[other] != LUTRA_SLOT_CONFIRMED) {
    lutra_fail(error, LUTRA_ERROR_NO_OTHER, 0);
    return;
  }
  lutra_slot_accept(device, error, record, other, &pack);
  record->primary = other;
  lutra_record_write(&device->flash, error, record);
  if (lutra_good(error)) {
    lutra_core_drop(device, error);
  }
}

enum lutra_result lutra_revert(struct lutra_device* device, struct lutra_error* error) {
  struct lutra_record record;
  memset(error, 0, sizeof *error);
  lutra_record_read(&device->flash, error, &record);
  const uint8_t test = lutra_record_slot(&record, LUTRA_SLOT_TEST);
  const uint8_t pending = test == LUTRA_NO_SLOT ? lutra_record_slot(&record, LUTRA_SLOT_TRIAL) : test;
  if (pending == LUTRA_NO_SLOT) {
    go_back(device, error, &record);
  } else {
    drop(device, error, &record, pending);
  }
  return error->result;
}
