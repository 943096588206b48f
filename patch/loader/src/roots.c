// The chain of roots: one of them is trusted, and each later one is signed by its own keys and by those of its
// predecessor.
//
// Roots before the trusted one are hashed but otherwise ignored: anyone can put roots there, and every signature check
// takes time.
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

// Reads version and roles of a root, and hashes exactly these bytes.
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

// Returns the index of the first root with this digest, or the number of roots if there is none.
static uint32_t find_root(const struct lutra_pack* pack, struct lutra_error* error, const uint8_t* trusted) {
  uint8_t hash[LUTRA_HASH_BYTES];
  uint32_t i = 0;
  for (; i < pack->info.root_version; ++i) {
    lutra_input_hash(&pack->input, error, pack->roots[i].root, hash);
    if (memcmp(hash, trusted, LUTRA_DIGEST_BYTES) == 0) {
      break;
    }
  }
  return i;
}

void lutra_roots_check(struct lutra_pack* pack, struct lutra_error* error, const uint8_t* trusted,
                       struct lutra_role* pack_keys) {
  struct lutra_role before, own;
  const uint32_t count = pack->info.root_version;
  const uint32_t first = trusted == NULL ? count : find_root(pack, error, trusted);
  if (count == 0) {
    lutra_fail(error, LUTRA_ERROR_UNSIGNED, 0);
  }
  if (first == count) {
    lutra_fail(error, LUTRA_ERROR_ROOT_UNKNOWN, 0);
  }
  for (uint32_t i = first; i < count && lutra_good(error); ++i) {
    const struct lutra_signed_root* at = &pack->roots[i];
    uint8_t message[LUTRA_SIGNED_BYTES];
    lutra_purpose(ROOT_PURPOSE, message);
    if (read_root(pack, error, at->root, &own, pack_keys, message + LUTRA_PURPOSE_BYTES) != i + 1) {
      lutra_fail(error, LUTRA_ERROR_ROOT_VERSION, at->root.at);
    }
    memcpy(pack->root, message + LUTRA_PURPOSE_BYTES, LUTRA_DIGEST_BYTES);
    if (i > first) {
      lutra_signatures_check(&pack->input, error, at->by_previous, &before, message, LUTRA_ERROR_ROOT_SIGNATURE,
                             LUTRA_ERROR_ROOT_SIGNATURE);
    } else if (memcmp(pack->root, trusted, LUTRA_DIGEST_BYTES) != 0) {  // another reading of the flash had it
      lutra_fail(error, LUTRA_ERROR_ROOT_UNKNOWN, 0);
    }
    lutra_signatures_check(&pack->input, error, at->by_own, &own, message, LUTRA_ERROR_ROOT_SIGNATURE,
                           LUTRA_ERROR_ROOT_SIGNATURE);
    before = own;
  }
}
