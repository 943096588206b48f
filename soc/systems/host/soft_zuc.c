/* ZUC-128 (TS 35.222) on the host. The S-boxes come from the firmware's image: S0 and S1 of a byte, alternately. */
#include IMAGE_HEADER

#include "cipher.h"

#define MOST 0x7fffffffu /* 2^31 - 1, the modulus */

static uint32_t s[16], r1, r2;
static const uint8_t* key_bytes;
static uint32_t table[4][256];

void cipher_load(void) {
  for (unsigned i = 0; i < 256; i++) {
    table[0][i] = (uint32_t)core_m0_0[2 * i] << 24;
    table[1][i] = (uint32_t)core_m0_0[2 * i + 1] << 16;
    table[2][i] = (uint32_t)core_m0_0[2 * i] << 8;
    table[3][i] = core_m0_0[2 * i + 1];
  }
}

void cipher_key(const uint8_t* key) { key_bytes = key; }

static inline uint32_t substituted(uint32_t w) {
  return table[0][w >> 24] | table[1][w >> 16 & 255] | table[2][w >> 8 & 255] | table[3][w & 255];
}
static inline uint32_t sum(uint32_t a, uint32_t b) {
  uint32_t t = a + b;
  return (t & MOST) + (t >> 31);
}
static inline uint32_t turned(uint32_t a, unsigned n) { return (a << n & MOST) | a >> (31 - n); }

/* Word n of the LFSR after i steps. */
#define S(n) s[(i + (n)) % 16]
#define HIGH(x) ((x) >> 15)
#define LOW(x) ((x) & 0xffff)

/* W; then the registers go on (3.4). */
static inline uint32_t nonlinear(unsigned i) {
  uint32_t w = (((HIGH(S(15)) << 16) | LOW(S(14))) ^ r1) + r2;
  uint32_t w1 = r1 + (S(11) << 16 | HIGH(S(9))), w2 = r2 ^ (S(7) << 16 | HIGH(S(5)));
  uint32_t u = w1 << 16 | w2 >> 16, v = w2 << 16 | w1 >> 16;
  r1 = substituted(u ^ rotl(u, 2) ^ rotl(u, 10) ^ rotl(u, 18) ^ rotl(u, 24));
  r2 = substituted(v ^ rotl(v, 8) ^ rotl(v, 14) ^ rotl(v, 22) ^ rotl(v, 30));
  return w;
}

static inline uint32_t fed_back(unsigned i) {
  uint32_t v = sum(S(0), turned(S(0), 8));
  v = sum(v, turned(S(4), 20));
  v = sum(v, turned(S(10), 21));
  v = sum(v, turned(S(13), 17));
  return sum(v, turned(S(15), 15));
}

void cipher_start(const uint8_t* iv) {
  static const uint16_t d[16] = {0x44d7, 0x26bc, 0x626b, 0x135e, 0x5789, 0x35e2, 0x7135, 0x09af,
                                 0x4d78, 0x2f13, 0x6bc4, 0x1af1, 0x5e26, 0x3c4d, 0x789a, 0x47ac};
  for (unsigned j = 0; j < 16; j++) s[j] = (uint32_t)key_bytes[j] << 23 | (uint32_t)d[j] << 8 | iv[j];
  r1 = r2 = 0;
  for (unsigned i = 0; i < 32; i++) {
    uint32_t w = nonlinear(i);
    uint32_t v = sum(fed_back(i), w >> 1);
    S(0) = v == 0 ? MOST : v;
  }
  nonlinear(0);
  s[0] = fed_back(0);
}

/* The LFSR has moved by one word, which start leaves to the index. No sum of words other than 0 is 0 here. */
void cipher_crypt(uint8_t* out, const uint8_t* in, size_t bytes) {
  const uint32_t* from = (const uint32_t*)(const void*)in;
  uint32_t* to = (uint32_t*)(void*)out;
  for (size_t at = 0; at < bytes; at += 64, from += 16, to += 16) {
#pragma clang loop unroll(full)
    for (unsigned j = 0; j < 16; j++) {
      unsigned i = j + 1;
      uint32_t x3 = S(2) << 16 | HIGH(S(0));
      uint32_t z = nonlinear(i) ^ x3;
      S(0) = fed_back(i);
      to[j] = from[j] ^ swapped(z);
      if (j % 4 == 3 && at + 4 * j + 4 >= bytes) return;
    }
  }
}

void cipher_tag(uint8_t* tag) { (void)tag; }
