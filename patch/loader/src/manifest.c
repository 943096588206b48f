// Reads the manifest after its signatures have been checked. It is hashed again while it is read, because a second
// reading of the flash may return other bytes than the first.
#include "internal.h"

#define MANIFEST_ITEMS 7u
#define PART_ITEMS 5u
#define REGION_ITEMS 3u
#define REGIONS 8u
#define KIND_IMAGE 0u
#define KIND_ANSWERS 1u

static void read_map(struct lutra_cursor* cursor, uint32_t most) {
  const uint32_t count = lutra_cbor_array(cursor, 0, most);
  uint32_t next = 0;  // the least space that may follow
  for (uint32_t i = 0; i < count && lutra_good(cursor->error); ++i) {
    const uint32_t at = cursor->at;
    lutra_cbor_items(cursor, REGION_ITEMS);
    const uint32_t space = lutra_cbor_space(cursor);
    if (space < next) {
      lutra_fail(cursor->error, LUTRA_ERROR_ORDER, at);
    }
    next = space + 1;
    (void)lutra_cbor_number(cursor);
    (void)lutra_cbor_uint(cursor, 1, UINT32_MAX);
  }
}

// Compares size and digest after the whole entry has been read, because they belong to the envelope's part.
static void read_part(struct lutra_cursor* cursor, struct lutra_part* part, uint32_t kind) {
  char name[LUTRA_TEXT_SIZE];
  lutra_cbor_items(cursor, PART_ITEMS);
  (void)lutra_cbor_uint(cursor, kind, kind);
  lutra_cbor_text(cursor, name, 1, LUTRA_NAME_BYTES);
  part->size = lutra_cbor_uint(cursor, 1, UINT32_MAX);
  lutra_cbor_take(cursor, part->digest, lutra_cbor_bytes(cursor, LUTRA_DIGEST_BYTES, LUTRA_DIGEST_BYTES));
  part->map = cursor->at;
  read_map(cursor, kind == KIND_IMAGE ? REGIONS : 0);
}

static void read_numbers(struct lutra_cursor* cursor, uint32_t* numbers, uint32_t count) {
  lutra_cbor_items(cursor, count);
  for (uint32_t i = 0; i < count; ++i) {
    numbers[i] = lutra_cbor_number(cursor);
  }
}

void lutra_manifest_read(struct lutra_pack* pack, struct lutra_error* error) {
  struct lutra_cursor cursor = lutra_cursor_over(&pack->input, error, pack->manifest);
  struct lutra_pack_info* info = &pack->info;
  uint8_t hash[LUTRA_HASH_BYTES];
  crypto_sha512_ctx context;
  crypto_sha512_init(&context);
  cursor.hash = &context;
  lutra_cbor_items(&cursor, MANIFEST_ITEMS);
  lutra_cbor_text(&cursor, info->name, 1, LUTRA_NAME_BYTES);
  lutra_cbor_items(&cursor, 3);
  for (uint32_t i = 0; i < 3; ++i) {
    info->version[i] = (uint16_t)lutra_cbor_uint(&cursor, 0, UINT16_MAX);
  }
  info->counter = (uint8_t)lutra_cbor_uint(&cursor, 0, UINT8_MAX);
  read_numbers(&cursor, pack->isa, 2);
  const uint32_t core = cursor.at;
  read_numbers(&cursor, pack->core, 4);
  if (pack->core[0] < 1 || pack->core[0] > 2) {
    lutra_fail(error, LUTRA_ERROR_BOUNDS, core);
  }
  const uint32_t parts = cursor.at;
  const uint32_t count = lutra_cbor_array(&cursor, 2, LUTRA_PACK_PARTS);
  if (count != pack->part_count) {
    lutra_fail(error, LUTRA_ERROR_DIGEST, parts);
  }
  info->images = (uint8_t)(pack->part_count - 1);
  for (uint32_t i = 0; i < count && lutra_good(error); ++i) {
    read_part(&cursor, &pack->parts[i], i + 1 < count ? KIND_IMAGE : KIND_ANSWERS);
  }
  pack->algorithms = cursor.at;
  const bool other = lutra_algorithms_check(&cursor, info->images, NULL, &info->algorithms);
  if (pack->format != (other || count > LUTRA_PACK_PARTS_1 ? 2 : 1)) {
    lutra_fail(error, LUTRA_ERROR_FORMAT, pack->manifest.at);
  }
  crypto_sha512_final(&context, hash);
  if (memcmp(hash, info->digest, LUTRA_DIGEST_BYTES) != 0) {
    lutra_fail(error, LUTRA_ERROR_SIGNATURE, pack->manifest.at);
  }
}
