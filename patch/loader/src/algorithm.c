// Reads the algorithms of the manifest, which say how a host calls them.
#include "internal.h"

#define ALGORITHMS 128u
#define ALGORITHM_ITEMS 20u  // and another one, if another image decrypts
#define CALL_ITEMS 6u
#define KIND_BYTES 16u
#define LTE_BYTES 16u
#define ROLE_BYTES 16u
#define ROUTINES 16u
#define POLYNOMIAL_ITEMS 6u
#define NO_SPACE 0xffu

// The cursor is after the head of the place.
static struct lutra_place read_place(struct lutra_cursor* cursor, const struct lutra_core* core) {
  struct lutra_place place;
  const uint32_t at = cursor->at;
  place.space = (uint8_t)lutra_cbor_space(cursor);
  place.offset = (uint16_t)lutra_cbor_uint(cursor, 0, UINT16_MAX);
  if (core != NULL && !lutra_in_memory(core, place.space, place.offset, 1)) {
    lutra_fail(cursor->error, LUTRA_ERROR_BOUNDS, at);
  }
  return place;
}

// Whether the array is empty (0) or has `full` items.
static bool is_present(struct lutra_cursor* cursor, uint32_t full) {
  const uint32_t at = cursor->at;
  const uint32_t count = lutra_cbor_array(cursor, 0, full);
  if (count != 0 && count != full) {
    lutra_fail(cursor->error, LUTRA_ERROR_BOUNDS, at);
  }
  return count == full;
}

static struct lutra_place read_optional_place(struct lutra_cursor* cursor, const struct lutra_core* core) {
  const struct lutra_place none = {NO_SPACE, 0};
  return is_present(cursor, 2) ? read_place(cursor, core) : none;
}

static void read_polynomial(struct lutra_cursor* cursor) {
  if (is_present(cursor, POLYNOMIAL_ITEMS)) {
    for (uint32_t i = 0; i < 3; ++i) {  // width, poly, init
      (void)lutra_cbor_number(cursor);
    }
    (void)lutra_cbor_bool(cursor);    // refin
    (void)lutra_cbor_bool(cursor);    // refout
    (void)lutra_cbor_number(cursor);  // xorout
  }
}

// The digest of a specification, which is for those who inspect the pack.
static void read_proof(struct lutra_cursor* cursor) {
  uint8_t specification[LUTRA_DIGEST_BYTES];
  if (is_present(cursor, 1)) {
    (void)lutra_cbor_bytes(cursor, sizeof specification, sizeof specification);
    lutra_cbor_take(cursor, specification, sizeof specification);
  }
}

bool lutra_routine_find(struct lutra_cursor* cursor, const struct lutra_core* core, const char* role, uint16_t* entry) {
  char last[LUTRA_TEXT_SIZE], text[LUTRA_TEXT_SIZE];
  bool found = false;
  const uint32_t count = lutra_cbor_array(cursor, 0, ROUTINES);
  memset(last, 0, sizeof last);
  for (uint32_t i = 0; i < count && lutra_good(cursor->error); ++i) {
    const uint32_t at = cursor->at;
    lutra_cbor_items(cursor, 2);
    lutra_cbor_text(cursor, text, 1, ROLE_BYTES);
    const uint32_t address = lutra_cbor_uint(cursor, 0, UINT16_MAX);
    if (memcmp(last, text, sizeof last) >= 0) {
      lutra_fail(cursor->error, LUTRA_ERROR_ORDER, at);
    }
    if (core != NULL && address >= core->program_words) {
      lutra_fail(cursor->error, LUTRA_ERROR_BOUNDS, at);
    }
    if (role != NULL && memcmp(role, text, sizeof text) == 0) {
      *entry = (uint16_t)address;
      found = true;
    }
    memcpy(last, text, sizeof last);
  }
  return found && lutra_good(cursor->error);
}

static void skip_routines(struct lutra_cursor* cursor, const struct lutra_core* core,
                          struct lutra_algorithm_entry* algorithm, bool decrypt) {
  uint16_t entry;
  const uint32_t at = cursor->at;
  (void)lutra_routine_find(cursor, core, NULL, &entry);
  algorithm->routines[decrypt] = at;
  algorithm->has[decrypt] = cursor->at > at + 1;  // more than the head of the list
}

static void read_places(struct lutra_cursor* cursor, const struct lutra_core* core, struct lutra_algorithm* fields) {
  fields->key = read_optional_place(cursor, core);
  fields->iv = read_optional_place(cursor, core);
  fields->length = read_optional_place(cursor, core);
  lutra_cbor_items(cursor, 3);
  fields->input = read_place(cursor, core);
  fields->job_bytes = lutra_cbor_number(cursor);
  lutra_cbor_items(cursor, 2);
  fields->output = read_place(cursor, core);
}

bool lutra_algorithm_read(struct lutra_cursor* cursor, uint8_t images, const struct lutra_core* core,
                          struct lutra_algorithm_entry* entry) {
  struct lutra_algorithm *fields = &entry->fields[0], *other = &entry->fields[1];
  char text[LUTRA_TEXT_SIZE];
  const bool more = lutra_cbor_array(cursor, ALGORITHM_ITEMS, ALGORITHM_ITEMS + 1) > ALGORITHM_ITEMS;
  lutra_cbor_text(cursor, entry->name, 1, LUTRA_NAME_BYTES);
  lutra_cbor_text(cursor, text, 1, KIND_BYTES);
  fields->image = (uint8_t)lutra_cbor_uint(cursor, 0, images - 1u);
  fields->key_bits = lutra_cbor_number(cursor);
  fields->iv_bytes = lutra_cbor_number(cursor);
  fields->unit_bytes = lutra_cbor_uint(cursor, 1, UINT32_MAX);
  fields->partial = lutra_cbor_bool(cursor);
  fields->streams = lutra_cbor_uint(cursor, 1, UINT32_MAX);
  fields->tag_bits = lutra_cbor_number(cursor);
  lutra_cbor_text(cursor, text, 0, LTE_BYTES);
  (void)lutra_cbor_number(cursor);  // cycles
  read_places(cursor, core, fields);
  skip_routines(cursor, core, entry, false);
  skip_routines(cursor, core, entry, true);
  read_polynomial(cursor);
  read_proof(cursor);
  *other = *fields;
  if (more) {
    const uint32_t at = cursor->at;
    lutra_cbor_items(cursor, CALL_ITEMS);
    other->image = (uint8_t)lutra_cbor_uint(cursor, 0, images - 1u);
    read_places(cursor, core, other);
    if (other->image == fields->image || !entry->has[1]) {
      lutra_fail(cursor->error, LUTRA_ERROR_BOUNDS, at);
    }
  }
  return more;
}

bool lutra_algorithms_check(struct lutra_cursor* cursor, uint8_t images, const struct lutra_core* core,
                            uint8_t* number) {
  struct lutra_algorithm_entry entry;
  bool more = false;
  char last[LUTRA_TEXT_SIZE];
  const uint32_t count = lutra_cbor_array(cursor, 0, ALGORITHMS);
  memset(last, 0, sizeof last);
  for (uint32_t i = 0; i < count && lutra_good(cursor->error); ++i) {
    const uint32_t at = cursor->at;
    more |= lutra_algorithm_read(cursor, images, core, &entry);
    if (memcmp(last, entry.name, sizeof last) >= 0) {
      lutra_fail(cursor->error, LUTRA_ERROR_ORDER, at);
    }
    memcpy(last, entry.name, sizeof last);
  }
  lutra_cbor_end(cursor);
  *number = (uint8_t)count;
  return more;
}
