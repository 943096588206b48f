// The chain of roots: one of them is trusted, and each is signed by its own keys and by those of the root before.
//
// All roots of the pack are checked, those before the trusted one too, so that no byte of a pack is of no importance.
#include "internal.h"

#define ROOT_ITEMS 4u
#define ROOT_PURPOSE "lutra root v1"

static void read_role(struct lutra_cursor* cursor, struct lutra_role* role) {
  memset(role, 0, sizeof *role);
  lutra_cbor_items(cursor, 2);
  role->threshold = lutra_cbor_uint(cursor, 1, LUTRA_ROLE_KEYS);
  const uint32_t at = cursor->at;
  role->count = lutra_cbor_array(cursor, 1, LUTRA_ROLE_KEYS);
  if (role->threshold > role->count) {
    lutra_fail(cursor->error, LUTRA_ERROR_BOUNDS, at);
  }
  for (uint32_t i = 0; i < role->count; ++i) {
    const uint32_t item = cursor->at;
    (void)lutra_cbor_bytes(cursor, LUTRA_KEY_BYTES, LUTRA_KEY_BYTES);
    lutra_cbor_take(cursor, role->keys[i], LUTRA_KEY_BYTES);
    if (i > 0 && memcmp(role->keys[i - 1], role->keys[i], LUTRA_KEY_BYTES) >= 0) {
      lutra_fail(cursor->error, LUTRA_ERROR_ORDER, item);
    }
  }
}

// Version and roles of a root, and the hash of just these bytes.
static uint32_t read_root(const struct lutra_pack* pack, struct lutra_error* error, struct lutra_span span,
                          struct lutra_role* root_keys, struct lutra_role* pack_keys, uint8_t hash[LUTRA_HASH_BYTES]) {
  struct lutra_cursor cursor = lutra_cursor_over(&pack->input, error, span);
  crypto_sha512_ctx context;
  crypto_sha512_init(&context);
  cursor.hash = &context;
  lutra_cbor_items(&cursor, ROOT_ITEMS);
  lutra_cbor_word(&cursor, "lutra-root");
  const uint32_t version = lutra_cbor_uint(&cursor, 1, LUTRA_PACK_ROOTS);
  read_role(&cursor, root_keys);
  read_role(&cursor, pack_keys);
  lutra_cbor_end(&cursor);
  crypto_sha512_final(&context, hash);
  return version;
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
  struct lutra_role before, own;
  bool found = false;
  memset(&before, 0, sizeof before);
  if (pack->info.root_version == 0) {
    lutra_fail(error, LUTRA_ERROR_UNSIGNED, 0);
  }
  if (trusted == NULL || !has_root(pack, error, trusted)) {
    lutra_fail(error, LUTRA_ERROR_ROOT_UNKNOWN, 0);
  }
  for (uint32_t i = 0; i < pack->info.root_version && lutra_good(error); ++i) {
    const struct lutra_signed_root* at = &pack->roots[i];
    uint8_t message[LUTRA_SIGNED_BYTES];
    lutra_purpose(ROOT_PURPOSE, message);
    if (read_root(pack, error, at->root, &own, pack_keys, message + LUTRA_PURPOSE_BYTES) != i + 1) {
      lutra_fail(error, LUTRA_ERROR_ROOT_VERSION, at->root.at);
    }
    lutra_signatures_check(&pack->input, error, at->by_previous, &before, message, LUTRA_ERROR_ROOT_SIGNATURE,
                           LUTRA_ERROR_ROOT_SIGNATURE);
    lutra_signatures_check(&pack->input, error, at->by_own, &own, message, LUTRA_ERROR_ROOT_SIGNATURE,
                           LUTRA_ERROR_ROOT_SIGNATURE);
    before = own;
    memcpy(pack->root, message + LUTRA_PURPOSE_BYTES, LUTRA_DIGEST_BYTES);
    found = found || memcmp(pack->root, trusted, LUTRA_DIGEST_BYTES) == 0;
  }
  if (!found) {  // another reading of the flash had it
    lutra_fail(error, LUTRA_ERROR_ROOT_UNKNOWN, 0);
  }
}
