// Verifies the signatures of a role: Ed25519 over purpose and hash.
#include "internal.h"

#define LIST_MOST 8u

void lutra_purpose(const char* purpose, uint8_t message[LUTRA_SIGNED_BYTES]) {
  memset(message, 0, LUTRA_PURPOSE_BYTES);
  for (uint32_t i = 0; purpose[i] != '\0'; ++i) {
    message[i] = (uint8_t)purpose[i];
  }
}

void lutra_signatures_check(const struct lutra_input* input, struct lutra_error* error, uint32_t at,
                            const struct lutra_role* role, const uint8_t message[LUTRA_SIGNED_BYTES],
                            enum lutra_result wrong, enum lutra_result missing) {
  const struct lutra_span rest = {at, input->size - at};
  struct lutra_cursor cursor = lutra_cursor_over(input, error, rest);
  uint8_t signature[LUTRA_SIGNATURE_BYTES];
  const uint32_t count = lutra_cbor_array(&cursor, 0, LIST_MOST);
  for (uint32_t i = 0; i < count && lutra_good(error); ++i) {
    const uint32_t item = cursor.at;
    lutra_cbor_items(&cursor, 2);
    const uint32_t index = lutra_cbor_number(&cursor);
    (void)lutra_cbor_bytes(&cursor, LUTRA_SIGNATURE_BYTES, LUTRA_SIGNATURE_BYTES);
    lutra_cbor_take(&cursor, signature, LUTRA_SIGNATURE_BYTES);
    if (index >= role->count) {
      lutra_fail(error, wrong, item);
      return;
    }
    if (!lutra_ed25519_check(signature, role->keys[index], message, LUTRA_SIGNED_BYTES)) {
      lutra_fail(error, wrong, item);
    }
  }
  if (count < role->threshold) {
    lutra_fail(error, missing, at);
  }
}
