// The chain of roots: one of them is trusted, and each is signed by its own keys and by those of the root before.
//
// All roots of the pack are checked, those before the trusted one too, so that no byte of a pack is of no importance.
#include "internal.h"

#define ROOT_ITEMS 4u
#define ROLE_KEYS 8u
#define ROOT_PURPOSE "lutra root v1"

struct root {
  uint32_t version;
  struct lutra_role root_keys, pack_keys;
};

static struct lutra_role read_role(struct lutra_cursor* cursor) {
  struct lutra_role role;
  uint8_t last[LUTRA_KEY_BYTES], key[LUTRA_KEY_BYTES];
  memset(last, 0, sizeof last);
  lutra_cbor_items(cursor, 2);
  role.threshold = lutra_cbor_uint(cursor, 1, ROLE_KEYS);
  const uint32_t at = cursor->at;
  role.count = lutra_cbor_array(cursor, 1, ROLE_KEYS);
  if (role.threshold > role.count) {
    lutra_fail(cursor->error, LUTRA_ERROR_BOUNDS, at);
  }
  role.keys = cursor->at;
  for (uint32_t i = 0; i < role.count; ++i) {
    const uint32_t item = cursor->at;
    (void)lutra_cbor_bytes(cursor, LUTRA_KEY_BYTES, LUTRA_KEY_BYTES);
    lutra_cbor_take(cursor, key, LUTRA_KEY_BYTES);
    if (i > 0 && memcmp(last, key, LUTRA_KEY_BYTES) >= 0) {
      lutra_fail(cursor->error, LUTRA_ERROR_ORDER, item);
    }
    memcpy(last, key, LUTRA_KEY_BYTES);
  }
  return role;
}

static struct root read_root(const struct lutra_pack* pack, struct lutra_error* error, struct lutra_span span) {
  struct lutra_cursor cursor = lutra_cursor_over(&pack->input, error, span);
  struct root root;
  lutra_cbor_items(&cursor, ROOT_ITEMS);
  lutra_cbor_word(&cursor, "lutra-root");
  root.version = lutra_cbor_uint(&cursor, 1, LUTRA_PACK_ROOTS);
  root.root_keys = read_role(&cursor);
  root.pack_keys = read_role(&cursor);
  lutra_cbor_end(&cursor);
  return root;
}

// One of the roots has this digest.
static bool has_root(const struct lutra_pack* pack, struct lutra_error* error, const uint8_t* trusted) {
  uint8_t hash[LUTRA_HASH_BYTES];
  bool found = false;
  for (uint32_t i = 0; i < pack->info.root_version; ++i) {
    lutra_input_hash(&pack->input, error, pack->roots[i].root, hash);
    found = found || memcmp(hash, trusted, LUTRA_DIGEST_BYTES) == 0;
  }
  return found;
}

void lutra_roots_check(struct lutra_pack* pack, struct lutra_error* error, const uint8_t* trusted,
                       struct lutra_role* pack_keys) {
  struct lutra_role before = {0, 0, 0};
  if (pack->info.root_version == 0) {
    lutra_fail(error, LUTRA_ERROR_UNSIGNED, 0);
  }
  if (trusted == NULL || !has_root(pack, error, trusted)) {
    lutra_fail(error, LUTRA_ERROR_ROOT_UNKNOWN, 0);
  }
  for (uint32_t i = 0; i < pack->info.root_version && lutra_good(error); ++i) {
    const struct lutra_signed_root* at = &pack->roots[i];
    uint8_t message[LUTRA_SIGNED_BYTES];
    const struct root root = read_root(pack, error, at->root);
    if (root.version != i + 1) {
      lutra_fail(error, LUTRA_ERROR_ROOT_VERSION, at->root.at);
    }
    lutra_signed_message(&pack->input, error, at->root, ROOT_PURPOSE, message);
    lutra_signatures_check(&pack->input, error, at->by_previous, &before, message, LUTRA_ERROR_ROOT_SIGNATURE,
                           LUTRA_ERROR_ROOT_SIGNATURE);
    lutra_signatures_check(&pack->input, error, at->by_own, &root.root_keys, message, LUTRA_ERROR_ROOT_SIGNATURE,
                           LUTRA_ERROR_ROOT_SIGNATURE);
    before = root.root_keys;
    *pack_keys = root.pack_keys;
    memcpy(pack->root, message + LUTRA_PURPOSE_BYTES, LUTRA_DIGEST_BYTES);
  }
}
