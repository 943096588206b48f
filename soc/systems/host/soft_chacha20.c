/* ChaCha20 (RFC 8439) on the host; the IV is block counter and nonce. */
#include "cipher.h"

static uint32_t matrix[16];

void cipher_load(void) {
  matrix[0] = 0x61707865;
  matrix[1] = 0x3320646e;
  matrix[2] = 0x79622d32;
  matrix[3] = 0x6b206574;
}

void cipher_key(const uint8_t* key) {
  for (unsigned i = 0; i < 8; i++) matrix[4 + i] = load_le(key + 4 * i);
}

void cipher_start(const uint8_t* iv) {
  for (unsigned i = 0; i < 4; i++) matrix[12 + i] = load_le(iv + 4 * i);
}

#define QUARTER(a, b, c, d) \
  (a += b, d = rotl(d ^ a, 16), c += d, b = rotl(b ^ c, 12), a += b, d = rotl(d ^ a, 8), c += d, b = rotl(b ^ c, 7))

static void block(uint32_t x[16]) {
  for (unsigned i = 0; i < 16; i++) x[i] = matrix[i];
  for (unsigned i = 0; i < 10; i++) {
    QUARTER(x[0], x[4], x[8], x[12]);
    QUARTER(x[1], x[5], x[9], x[13]);
    QUARTER(x[2], x[6], x[10], x[14]);
    QUARTER(x[3], x[7], x[11], x[15]);
    QUARTER(x[0], x[5], x[10], x[15]);
    QUARTER(x[1], x[6], x[11], x[12]);
    QUARTER(x[2], x[7], x[8], x[13]);
    QUARTER(x[3], x[4], x[9], x[14]);
  }
  for (unsigned i = 0; i < 16; i++) x[i] += matrix[i];
  matrix[12]++;
}

void cipher_crypt(uint8_t* out, const uint8_t* in, size_t bytes) {
  uint32_t x[16];
  const uint32_t* from = (const uint32_t*)(const void*)in;
  uint32_t* to = (uint32_t*)(void*)out;
  for (size_t at = 0; at < bytes; at += 64, from += 16, to += 16) {
    block(x);
    for (unsigned i = 0; i < 16; i++) to[i] = from[i] ^ x[i];
  }
}

void cipher_tag(uint8_t* tag) { (void)tag; }
