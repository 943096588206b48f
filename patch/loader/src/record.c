// The boot record: entries appended to two sectors alternately. The newest whole entry counts, so an interrupted write
// leaves the previous state. Sequence numbers wrap from 2^32 - 1 to 0. Of two entries, the newer one is less than 2^31
// steps ahead, so every entry, even a forged one, can be followed by another.
//
// An entry, numbers least significant byte first:
//    0  "LBR1"
//    4  sequence
//    8  primary slot
//    9  state of each slot
//   11  zero
//   12  size of the pack in each slot
//   20  zeros
//   56  first bytes of SHA-512 of the 56 before
#include "internal.h"

#define ENTRY_BYTES 64u
#define SEQUENCE_AT 4u
#define PRIMARY_AT 8u
#define STATE_AT 9u
#define SIZE_AT 12u
#define CHECK_AT 56u
#define CHECK_BYTES 8u
#define ERASED 0xffu

static const uint8_t magic[4] = {'L', 'B', 'R', '1'};

static uint32_t get32(const uint8_t* bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static void put32(uint8_t* bytes, uint32_t value) {
  for (uint32_t i = 0; i < 4; ++i) {
    bytes[i] = (uint8_t)(value >> 8 * i);
  }
}

static void write_entry(uint8_t entry[ENTRY_BYTES], const struct lutra_record* record) {
  uint8_t hash[LUTRA_HASH_BYTES];
  memset(entry, 0, ENTRY_BYTES);
  memcpy(entry, magic, sizeof magic);
  put32(entry + SEQUENCE_AT, record->sequence);
  entry[PRIMARY_AT] = record->primary;
  for (uint32_t slot = 0; slot < LUTRA_SLOTS; ++slot) {
    entry[STATE_AT + slot] = record->state[slot];
    put32(entry + SIZE_AT + 4 * slot, record->size[slot]);
  }
  crypto_sha512(hash, entry, CHECK_AT);
  memcpy(entry + CHECK_AT, hash, CHECK_BYTES);
}

// Decodes an entry; false if its encoding is not canonical or its state is impossible.
static bool read_entry(const struct lutra_flash* flash, const uint8_t entry[ENTRY_BYTES], struct lutra_record* record) {
  uint8_t written[ENTRY_BYTES];
  const uint8_t primary = entry[PRIMARY_AT];
  bool possible =
      primary == LUTRA_NO_SLOT || (primary < LUTRA_SLOTS && entry[STATE_AT + primary] == LUTRA_SLOT_CONFIRMED);
  record->sequence = get32(entry + SEQUENCE_AT);
  record->primary = primary;
  for (uint32_t slot = 0; slot < LUTRA_SLOTS; ++slot) {
    record->state[slot] = entry[STATE_AT + slot];
    record->size[slot] = get32(entry + SIZE_AT + 4 * slot);
    possible = possible && record->state[slot] <= LUTRA_SLOT_CONFIRMED && record->size[slot] <= flash->slot_bytes;
  }
  write_entry(written, record);
  return possible && memcmp(entry, written, ENTRY_BYTES) == 0;
}

static bool is_erased(const uint8_t entry[ENTRY_BYTES]) {
  uint8_t all = ERASED;
  for (uint32_t i = 0; i < ENTRY_BYTES; ++i) {
    all &= entry[i];
  }
  return all == ERASED;
}

static void read_place(const struct lutra_flash* flash, struct lutra_error* error, uint32_t sector, uint32_t place,
                       uint8_t entry[ENTRY_BYTES]) {
  const uint32_t address = flash->record[sector] + place * ENTRY_BYTES;
  memset(entry, 0, ENTRY_BYTES);
  if (lutra_good(error) && flash->read(flash->context, address, entry, ENTRY_BYTES) != 0) {
    lutra_fail(error, LUTRA_ERROR_FLASH, address);
  }
}

static bool is_newer(uint32_t sequence, uint32_t than) {
  return sequence - than - 1 < INT32_MAX;  // equal ones wrap round
}

void lutra_record_read(const struct lutra_flash* flash, struct lutra_error* error, struct lutra_record* record) {
  const uint32_t places = flash->sector_bytes / ENTRY_BYTES;
  struct lutra_record found;
  uint8_t entry[ENTRY_BYTES];
  bool any = false;
  uint32_t free[2] = {0, 0};  // after the last place of each sector that is not erased
  memset(record, 0, sizeof *record);
  record->primary = LUTRA_NO_SLOT;
  for (uint32_t sector = 0; sector < 2; ++sector) {
    for (uint32_t place = 0; place < places && lutra_good(error); ++place) {
      read_place(flash, error, sector, place, entry);
      if (is_erased(entry)) {
        continue;
      }
      free[sector] = place + 1;
      if (read_entry(flash, entry, &found) && (!any || is_newer(found.sequence, record->sequence))) {
        any = true;
        *record = found;
        record->sector = sector;
      }
    }
  }
  record->place = free[record->sector];
}

void lutra_record_write(const struct lutra_flash* flash, struct lutra_error* error, struct lutra_record* record) {
  uint8_t entry[ENTRY_BYTES], back[ENTRY_BYTES];
  if (!lutra_good(error)) {
    return;
  }
  if (record->place == flash->sector_bytes / ENTRY_BYTES) {
    record->sector ^= 1;
    record->place = 0;
    if (flash->erase(flash->context, flash->record[record->sector]) != 0) {
      lutra_fail(error, LUTRA_ERROR_FLASH, flash->record[record->sector]);
      return;
    }
  }
  ++record->sequence;
  write_entry(entry, record);
  const uint32_t address = flash->record[record->sector] + record->place * ENTRY_BYTES;
  if (flash->write(flash->context, address, entry, ENTRY_BYTES) != 0) {
    lutra_fail(error, LUTRA_ERROR_FLASH, address);
  }
  read_place(flash, error, record->sector, record->place, back);
  if (memcmp(entry, back, ENTRY_BYTES) != 0) {
    lutra_fail(error, LUTRA_ERROR_VERIFY, address);
  }
  ++record->place;
}

uint8_t lutra_record_slot(const struct lutra_record* record, enum lutra_slot_state state) {
  for (uint8_t slot = 0; slot < LUTRA_SLOTS; ++slot) {
    if (record->state[slot] == state) {
      return slot;
    }
  }
  return LUTRA_NO_SLOT;
}
