// Bytes of a pack, from the host's source or from a slot, and their hashes.
#include "internal.h"

#define CHUNK_BYTES 128u  // a block of SHA-512

void lutra_input_read(const struct lutra_input* input, struct lutra_error* error, uint32_t at, uint8_t* bytes,
                      uint32_t length) {
  memset(bytes, 0, length);
  if (input->source != NULL) {
    if (input->source->read(input->source->context, at, bytes, length) != 0) {
      lutra_fail(error, LUTRA_ERROR_SOURCE, at);
    }
  } else if (input->flash->read(input->flash->context, input->base + at, bytes, length) != 0) {
    lutra_fail(error, LUTRA_ERROR_FLASH, at);
  }
}

void lutra_input_hash(const struct lutra_input* input, struct lutra_error* error, struct lutra_span span,
                      uint8_t hash[LUTRA_HASH_BYTES]) {
  uint8_t chunk[CHUNK_BYTES];
  crypto_sha512_ctx context;
  crypto_sha512_init(&context);
  for (uint32_t done = 0; done < span.size && lutra_good(error);) {
    const uint32_t left = span.size - done;
    const uint32_t length = left < CHUNK_BYTES ? left : CHUNK_BYTES;
    lutra_input_read(input, error, span.at + done, chunk, length);
    crypto_sha512_update(&context, chunk, length);
    done += length;
  }
  crypto_sha512_final(&context, hash);
}
