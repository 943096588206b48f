/* Salsa20/20 with a key of 256 bits (Bernstein 2005) on the host. */
#include "cipher.h"

static uint32_t matrix[16];

void cipher_load(void) {
  matrix[0] = 0x61707865;
  matrix[5] = 0x3320646e;
  matrix[10] = 0x79622d32;
  matrix[15] = 0x6b206574;
}

void cipher_key(const uint8_t* key) {
  for (unsigned i = 0; i < 4; i++) {
    matrix[1 + i] = load_le(key + 4 * i);
    matrix[11 + i] = load_le(key + 16 + 4 * i);
  }
}

void cipher_start(const uint8_t* iv) {
  matrix[6] = load_le(iv);
  matrix[7] = load_le(iv + 4);
  matrix[8] = matrix[9] = 0;
}

#define QUARTER(a, b, c, d) (b ^= rotl(a + d, 7), c ^= rotl(b + a, 9), d ^= rotl(c + b, 13), a ^= rotl(d + c, 18))

static void block(uint32_t x[16]) {
  for (unsigned i = 0; i < 16; i++) x[i] = matrix[i];
  for (unsigned i = 0; i < 10; i++) {
    QUARTER(x[0], x[4], x[8], x[12]);
    QUARTER(x[5], x[9], x[13], x[1]);
    QUARTER(x[10], x[14], x[2], x[6]);
    QUARTER(x[15], x[3], x[7], x[11]);
    QUARTER(x[0], x[1], x[2], x[3]);
    QUARTER(x[5], x[6], x[7], x[4]);
    QUARTER(x[10], x[11], x[8], x[9]);
    QUARTER(x[15], x[12], x[13], x[14]);
  }
  for (unsigned i = 0; i < 16; i++) x[i] += matrix[i];
  if (++matrix[8] == 0) matrix[9]++;
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
