// The strict CBOR reader: each value has exactly one accepted encoding (docs/pack-format.md, Encoding).
#include "internal.h"

// Major types, the upper three bits of an item's first byte.
#define UINT 0u
#define BYTES 2u
#define TEXT 3u
#define ARRAY 4u
#define FALSE_ITEM 0xf4u
#define TRUE_ITEM 0xf5u

struct lutra_cursor lutra_cursor_over(const struct lutra_input* input, struct lutra_error* error,
                                      struct lutra_span span) {
  return (struct lutra_cursor){.input = input, .error = error, .at = span.at, .end = span.at + span.size};
}

struct lutra_cursor lutra_cursor_in_manifest(const struct lutra_pack* pack, struct lutra_error* error, uint32_t at) {
  const struct lutra_span rest = {at, pack->manifest.at + pack->manifest.size - at};
  return lutra_cursor_over(&pack->input, error, rest);
}

// Fails unless `length` more bytes remain.
static bool holds(struct lutra_cursor* cursor, uint32_t length) {
  if (length > cursor->end - cursor->at) {
    lutra_fail(cursor->error, LUTRA_ERROR_TRUNCATED, cursor->end);
  }
  return lutra_good(cursor->error);
}

void lutra_cbor_take(struct lutra_cursor* cursor, uint8_t* bytes, uint32_t length) {
  memset(bytes, 0, length);
  if (holds(cursor, length)) {
    lutra_input_read(cursor->input, cursor->error, cursor->at, bytes, length);
    if (cursor->hash != NULL) {
      crypto_sha512_update(cursor->hash, bytes, length);
    }
    cursor->at += length;
  }
}

void lutra_cbor_skip(struct lutra_cursor* cursor, uint32_t length) {
  if (holds(cursor, length)) {
    cursor->at += length;
  }
}

// Reads the number in an item's head: the lower five bits of the first byte, or the 1, 2 or 4 bytes after it.
static uint32_t head(struct lutra_cursor* cursor, uint32_t major, uint32_t low, uint32_t high) {
  const uint32_t at = cursor->at;
  uint8_t bytes[4];
  lutra_cbor_take(cursor, bytes, 1);
  if (!lutra_good(cursor->error)) {
    return 0;
  }
  const uint32_t kind = bytes[0] >> 5;
  uint32_t number = bytes[0] & 31u;
  if (kind != major || number > 26) {
    lutra_fail(cursor->error, LUTRA_ERROR_ENCODING, at);
    return 0;
  }
  if (number >= 24) {
    const uint32_t length = 1u << (number - 24);
    const uint32_t least = length == 1 ? 24 : 1u << 4 * length;  // what does not fit the shorter form
    lutra_cbor_take(cursor, bytes, length);
    number = 0;
    for (uint32_t i = 0; i < length; ++i) {
      number = number << 8 | bytes[i];
    }
    if (number < least) {
      lutra_fail(cursor->error, LUTRA_ERROR_ENCODING, at);
    }
  }
  if (number < low || number > high) {
    lutra_fail(cursor->error, LUTRA_ERROR_BOUNDS, at);
  }
  return lutra_good(cursor->error) ? number : 0;
}

uint32_t lutra_cbor_uint(struct lutra_cursor* cursor, uint32_t low, uint32_t high) {
  return head(cursor, UINT, low, high);
}

uint32_t lutra_cbor_array(struct lutra_cursor* cursor, uint32_t low, uint32_t high) {
  return head(cursor, ARRAY, low, high);
}

uint32_t lutra_cbor_number(struct lutra_cursor* cursor) { return head(cursor, UINT, 0, UINT32_MAX); }

void lutra_cbor_items(struct lutra_cursor* cursor, uint32_t count) { (void)head(cursor, ARRAY, count, count); }

uint32_t lutra_cbor_bytes(struct lutra_cursor* cursor, uint32_t low, uint32_t high) {
  const uint32_t length = head(cursor, BYTES, low, high);
  return holds(cursor, length) ? length : 0;
}

void lutra_cbor_text(struct lutra_cursor* cursor, char text[LUTRA_TEXT_SIZE], uint32_t low, uint32_t high) {
  uint8_t bytes[LUTRA_NAME_BYTES];
  memset(text, 0, LUTRA_TEXT_SIZE);
  const uint32_t length = head(cursor, TEXT, low, high);
  const uint32_t at = cursor->at;
  lutra_cbor_take(cursor, bytes, length);
  for (uint32_t i = 0; i < length; ++i) {
    if (bytes[i] < 0x20 || bytes[i] > 0x7e) {
      lutra_fail(cursor->error, LUTRA_ERROR_ENCODING, at + i);
    }
    text[i] = (char)bytes[i];
  }
}

bool lutra_cbor_bool(struct lutra_cursor* cursor) {
  const uint32_t at = cursor->at;
  uint8_t byte;
  lutra_cbor_take(cursor, &byte, 1);
  if (byte != FALSE_ITEM && byte != TRUE_ITEM) {
    lutra_fail(cursor->error, LUTRA_ERROR_ENCODING, at);
  }
  return byte == TRUE_ITEM;
}

void lutra_cbor_word(struct lutra_cursor* cursor, const char* word) {
  const uint32_t at = cursor->at;
  char text[LUTRA_TEXT_SIZE];
  lutra_cbor_text(cursor, text, 0, LUTRA_NAME_BYTES);
  uint32_t i = 0;
  while (word[i] != '\0' && text[i] == word[i]) {
    ++i;
  }
  if (text[i] != word[i]) {
    lutra_fail(cursor->error, LUTRA_ERROR_FORMAT, at);
  }
}

void lutra_cbor_end(struct lutra_cursor* cursor) {
  if (cursor->at != cursor->end) {
    lutra_fail(cursor->error, LUTRA_ERROR_TRAILING, cursor->at);
  }
}
