// Reads the envelope: the places of roots, manifest and parts. Their contents are not read here.
#include "internal.h"

#define FORMATS 2u
#define ENVELOPE_ITEMS 6u
#define ROOT_BYTES 4095u
#define MANIFEST_BYTES 65535u
#define SIGNATURES 8u

static struct lutra_span content(struct lutra_cursor* cursor, uint32_t high) {
  const uint32_t size = lutra_cbor_bytes(cursor, 0, high);
  const struct lutra_span span = {cursor->at, size};
  lutra_cbor_skip(cursor, size);
  return span;
}

// Returns the place of a list of signatures and moves the cursor past it.
static uint32_t signatures(struct lutra_cursor* cursor, uint32_t most) {
  const uint32_t at = cursor->at;
  const uint32_t count = lutra_cbor_array(cursor, 0, most);
  uint32_t next = 0;  // the least key that may follow
  for (uint32_t i = 0; i < count && lutra_good(cursor->error); ++i) {
    const uint32_t item = cursor->at;
    lutra_cbor_items(cursor, 2);
    const uint32_t key = lutra_cbor_uint(cursor, 0, UINT32_MAX - 1);
    if (key < next) {
      lutra_fail(cursor->error, LUTRA_ERROR_ORDER, item);
    }
    next = key + 1;
    lutra_cbor_skip(cursor, lutra_cbor_bytes(cursor, LUTRA_SIGNATURE_BYTES, LUTRA_SIGNATURE_BYTES));
  }
  return at;
}

void lutra_envelope_read(struct lutra_pack* pack, struct lutra_error* error) {
  const struct lutra_span whole = {0, pack->input.size};
  struct lutra_cursor cursor = lutra_cursor_over(&pack->input, error, whole);
  const bool envelope = lutra_cbor_array(&cursor, 0, UINT32_MAX) == ENVELOPE_ITEMS;
  lutra_cbor_word(&cursor, "lutra-pack");
  const uint32_t format = lutra_cbor_number(&cursor);
  if (format < 1 || format > FORMATS || !envelope) {
    lutra_fail(error, LUTRA_ERROR_FORMAT, 0);
  }
  pack->format = (uint8_t)format;
  pack->info.root_version = (uint8_t)lutra_cbor_array(&cursor, 0, LUTRA_PACK_ROOTS);
  for (uint32_t i = 0; i < pack->info.root_version; ++i) {
    struct lutra_signed_root* root = &pack->roots[i];
    lutra_cbor_items(&cursor, 3);
    root->root = content(&cursor, ROOT_BYTES);
    root->by_previous = signatures(&cursor, i == 0 ? 0 : SIGNATURES);
    root->by_own = signatures(&cursor, SIGNATURES);
  }
  pack->manifest = content(&cursor, MANIFEST_BYTES);
  pack->signatures = signatures(&cursor, SIGNATURES);
  pack->part_count = (uint8_t)lutra_cbor_array(&cursor, 1, format == 1 ? LUTRA_PACK_PARTS_1 : LUTRA_PACK_PARTS);
  for (uint32_t i = 0; i < pack->part_count; ++i) {
    pack->parts[i].span = content(&cursor, UINT32_MAX);
  }
  lutra_cbor_end(&cursor);
}
