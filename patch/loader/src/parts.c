// Parts: images and known answers. A single walk checks them or, given the core, loads and runs them.
#include "internal.h"

#define SEGMENTS 64u
#define ANSWERS 64u
#define STEPS 64u
#define STEP_BYTES 4096u
#define REGIONS 8u

enum step { STEP_WRITE = 0, STEP_RUN = 1, STEP_COMPARE = 2 };

static bool within(uint32_t offset, uint32_t length, uint32_t first, uint32_t bytes) {
  return offset >= first && length <= bytes && offset - first <= bytes - length;
}

// Whether a region of the image's map contains all these bytes.
static bool is_mapped(const struct lutra_pack* pack, struct lutra_error* error, const struct lutra_part* image,
                      uint32_t space, uint32_t offset, uint32_t length) {
  struct lutra_cursor cursor = lutra_cursor_in_manifest(pack, error, image->map);
  const uint32_t count = lutra_cbor_array(&cursor, 0, REGIONS);
  bool mapped = false;
  for (uint32_t i = 0; i < count; ++i) {
    lutra_cbor_items(&cursor, 3);
    const uint32_t region = lutra_cbor_uint(&cursor, 0, UINT8_MAX);
    const uint32_t first = lutra_cbor_number(&cursor);
    const uint32_t bytes = lutra_cbor_uint(&cursor, 1, UINT32_MAX);
    mapped = mapped || (region == space && within(offset, length, first, bytes));
  }
  return mapped;
}

static void check_map(const struct lutra_pack* pack, struct lutra_error* error, const struct lutra_core* core,
                      const struct lutra_part* image) {
  struct lutra_cursor cursor = lutra_cursor_in_manifest(pack, error, image->map);
  const uint32_t count = lutra_cbor_array(&cursor, 0, REGIONS);
  for (uint32_t i = 0; i < count && lutra_good(error); ++i) {
    const uint32_t at = cursor.at;
    lutra_cbor_items(&cursor, 3);
    const uint32_t space = lutra_cbor_uint(&cursor, 0, UINT8_MAX);
    const uint32_t first = lutra_cbor_number(&cursor);
    if (!lutra_in_memory(core, space, first, lutra_cbor_uint(&cursor, 1, UINT32_MAX))) {
      lutra_fail(error, LUTRA_ERROR_BOUNDS, at);
    }
  }
}

// Checks that segments ascend without overlap, each within the map and the memories; with `load` they are written.
static void walk_image(struct lutra_cursor* cursor, const struct lutra_pack* pack, const struct lutra_part* image,
                       const struct lutra_core* core, bool load) {
  uint32_t last = 0, free = 0;  // the space of the segment before, and what follows that segment
  const uint32_t count = lutra_cbor_array(cursor, 1, SEGMENTS);
  for (uint32_t i = 0; i < count && lutra_good(cursor->error); ++i) {
    const uint32_t at = cursor->at;
    lutra_cbor_items(cursor, 3);
    const uint32_t space = lutra_cbor_space(cursor);
    const uint32_t offset = lutra_cbor_number(cursor);
    const uint32_t length = lutra_cbor_bytes(cursor, 1, UINT32_MAX);
    if (space < last || (space == last && offset < free)) {
      lutra_fail(cursor->error, LUTRA_ERROR_ORDER, at);
    }
    if (!lutra_in_memory(core, space, offset, length) || !lutra_is_whole(space, offset | length) ||
        !is_mapped(pack, cursor->error, image, space, offset, length)) {
      lutra_fail(cursor->error, LUTRA_ERROR_BOUNDS, at);
    }
    last = space;
    free = offset + length;
    if (load) {
      lutra_core_transfer(core, cursor, space, offset, length, false);
    } else {
      lutra_cbor_skip(cursor, length);
    }
  }
  lutra_cbor_end(cursor);
}

// Checks what the cursor has read against the manifest's digest of the part.
static void check_digest(struct lutra_cursor* cursor, const struct lutra_part* part) {
  uint8_t hash[LUTRA_HASH_BYTES];
  crypto_sha512_final(cursor->hash, hash);
  if (memcmp(hash, part->digest, LUTRA_DIGEST_BYTES) != 0) {
    lutra_fail(cursor->error, LUTRA_ERROR_DIGEST, part->span.at);
  }
}

void lutra_image_load(const struct lutra_pack* pack, struct lutra_error* error, const struct lutra_core* core,
                      uint32_t image) {
  const struct lutra_part* part = &pack->parts[image];
  struct lutra_cursor cursor = lutra_cursor_over(&pack->input, error, part->span);
  crypto_sha512_ctx hash;
  crypto_sha512_init(&hash);
  cursor.hash = &hash;
  lutra_core_clear(core, error);
  lutra_pack_require(pack, error, core);
  walk_image(&cursor, pack, part, core, true);
  check_digest(&cursor, part);
  lutra_check_again();
  lutra_pack_require(pack, error, core);
}

// Reads one step and returns its kind.
static uint32_t walk_step(struct lutra_cursor* cursor, const struct lutra_core* core, bool run) {
  const uint32_t at = cursor->at;
  const uint32_t items = lutra_cbor_array(cursor, 3, 4);
  const uint32_t kind = lutra_cbor_uint(cursor, STEP_WRITE, STEP_COMPARE);
  if ((kind == STEP_RUN) != (items == 3)) {
    lutra_fail(cursor->error, LUTRA_ERROR_BOUNDS, at);
  }
  if (kind == STEP_RUN) {
    const uint32_t entry = lutra_cbor_uint(cursor, 0, UINT16_MAX);
    const uint32_t cycles = lutra_cbor_number(cursor);
    if (entry >= core->program_words) {
      lutra_fail(cursor->error, LUTRA_ERROR_BOUNDS, at);
    }
    if (run) {
      lutra_core_run(core, cursor->error, (uint16_t)entry, cycles);
    }
    return kind;
  }
  const uint32_t space = lutra_cbor_space(cursor);
  const uint32_t offset = lutra_cbor_number(cursor);
  const uint32_t length = lutra_cbor_bytes(cursor, 1, STEP_BYTES);
  if (!lutra_in_memory(core, space, offset, length)) {
    lutra_fail(cursor->error, LUTRA_ERROR_BOUNDS, at);
  }
  if (run) {
    lutra_core_transfer(core, cursor, space, offset, length, kind == STEP_COMPARE);
  } else {
    lutra_cbor_skip(cursor, length);
  }
  return kind;
}

static void walk_answer(struct lutra_cursor* cursor, const struct lutra_pack* pack, const struct lutra_core* core,
                        bool run) {
  char name[LUTRA_TEXT_SIZE];
  uint32_t at = cursor->at, kind = STEP_COMPARE;
  lutra_cbor_items(cursor, 3);
  lutra_cbor_text(cursor, name, 1, LUTRA_NAME_BYTES);
  const uint32_t image = lutra_cbor_uint(cursor, 0, pack->info.images - 1u);
  const uint32_t steps = lutra_cbor_array(cursor, 1, STEPS);
  if (run && lutra_good(cursor->error)) {
    lutra_image_load(pack, cursor->error, core, image);
  }
  for (uint32_t i = 0; i < steps && lutra_good(cursor->error); ++i) {
    at = cursor->at;
    kind = walk_step(cursor, core, run);
    cursor->error->step = (uint16_t)i;
  }
  if (kind != STEP_COMPARE) {
    lutra_fail(cursor->error, LUTRA_ERROR_BOUNDS, at);
  }
}

static uint16_t walk_answers(struct lutra_cursor* cursor, const struct lutra_pack* pack, const struct lutra_core* core,
                             bool run) {
  const uint32_t count = lutra_cbor_array(cursor, 1, ANSWERS);
  for (uint32_t i = 0; i < count && lutra_good(cursor->error); ++i) {
    cursor->error->answer = (uint16_t)i;
    cursor->error->step = 0;
    walk_answer(cursor, pack, core, run);
  }
  lutra_cbor_end(cursor);
  return (uint16_t)count;
}

// Answer and step mean nothing for a failure elsewhere.
static void forget_place(struct lutra_error* error) {
  if (lutra_good(error)) {
    error->answer = 0;
    error->step = 0;
  }
}

void lutra_answers_run(const struct lutra_pack* pack, struct lutra_error* error, const struct lutra_core* core) {
  const struct lutra_part* part = &pack->parts[pack->info.images];
  struct lutra_cursor cursor = lutra_cursor_over(&pack->input, error, part->span);
  crypto_sha512_ctx hash;
  crypto_sha512_init(&hash);
  cursor.hash = &hash;
  (void)walk_answers(&cursor, pack, core, true);
  check_digest(&cursor, part);
  forget_place(error);
}

void lutra_parts_check(struct lutra_pack* pack, struct lutra_error* error, const struct lutra_core* core) {
  struct lutra_cursor algorithms = lutra_cursor_in_manifest(pack, error, pack->algorithms);
  (void)lutra_algorithms_check(&algorithms, pack->info.images, core, &pack->info.algorithms);
  for (uint32_t i = 0; i < pack->info.images && lutra_good(error); ++i) {
    struct lutra_cursor cursor = lutra_cursor_over(&pack->input, error, pack->parts[i].span);
    check_map(pack, error, core, &pack->parts[i]);
    walk_image(&cursor, pack, &pack->parts[i], core, false);
  }
  struct lutra_cursor cursor = lutra_cursor_over(&pack->input, error, pack->parts[pack->info.images].span);
  pack->info.answers = walk_answers(&cursor, pack, core, false);
  forget_place(error);
}
