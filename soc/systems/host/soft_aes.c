/* AES-128 on the host: SubBytes, ShiftRows and MixColumns of a column are look-ups in four tables of 1 KB. */
#include "soft_aes.h"

#include "cipher.h"

static uint8_t sbox[256];
static uint32_t table[4][256];
static uint32_t round_key[44];

static uint8_t doubled(uint8_t x) { return (uint8_t)(x << 1 ^ (x >> 7) * 0x1b); }

/* The S-box from powers of 3 and their inverses (FIPS 197 5.1.1). */
void aes_load(void) {
  uint8_t power = 1, inverse = 1;
  do {
    power ^= doubled(power);
    inverse ^= inverse << 1;
    inverse ^= inverse << 2;
    inverse ^= inverse << 4;
    if (inverse & 0x80) inverse ^= 0x09;
    uint8_t x = inverse;
    sbox[power] = (uint8_t)(x ^ (x << 1 | x >> 7) ^ (x << 2 | x >> 6) ^ (x << 3 | x >> 5) ^ (x << 4 | x >> 4) ^ 0x63);
  } while (power != 1);
  sbox[0] = 0x63;
  for (unsigned i = 0; i < 256; i++) {
    uint32_t s = sbox[i], two = doubled(sbox[i]);
    uint32_t word = two << 24 | s << 16 | s << 8 | (two ^ s);
    for (unsigned t = 0; t < 4; t++) table[t][i] = t == 0 ? word : rotl(word, 32 - 8 * t);
  }
}

static uint32_t substituted(uint32_t w) {
  return (uint32_t)sbox[w >> 24] << 24 | (uint32_t)sbox[w >> 16 & 255] << 16 | (uint32_t)sbox[w >> 8 & 255] << 8 |
         sbox[w & 255];
}

void aes_key(const uint8_t* key) {
  uint8_t rcon = 1;
  for (unsigned i = 0; i < 4; i++) round_key[i] = load_be(key + 4 * i);
  for (unsigned i = 4; i < 44; i++) {
    uint32_t t = round_key[i - 1];
    if (i % 4 == 0) {
      t = substituted(rotl(t, 8)) ^ (uint32_t)rcon << 24;
      rcon = doubled(rcon);
    }
    round_key[i] = round_key[i - 4] ^ t;
  }
}

static inline uint32_t column(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t key) {
  return table[0][a >> 24] ^ table[1][b >> 16 & 255] ^ table[2][c >> 8 & 255] ^ table[3][d & 255] ^ key;
}
static inline uint32_t last(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t key) {
  return ((uint32_t)sbox[a >> 24] << 24 | (uint32_t)sbox[b >> 16 & 255] << 16 | (uint32_t)sbox[c >> 8 & 255] << 8 |
          sbox[d & 255]) ^
         key;
}

void aes_block(uint32_t out[4], const uint32_t in[4]) {
  const uint32_t* key = round_key;
  uint32_t a = in[0] ^ key[0], b = in[1] ^ key[1], c = in[2] ^ key[2], d = in[3] ^ key[3];
  for (unsigned round = 1; round < 10; round++) {
    key += 4;
    uint32_t e = column(a, b, c, d, key[0]), f = column(b, c, d, a, key[1]);
    uint32_t g = column(c, d, a, b, key[2]), h = column(d, a, b, c, key[3]);
    a = e;
    b = f;
    c = g;
    d = h;
  }
  out[0] = last(a, b, c, d, key[4]);
  out[1] = last(b, c, d, a, key[5]);
  out[2] = last(c, d, a, b, key[6]);
  out[3] = last(d, a, b, c, key[7]);
}
