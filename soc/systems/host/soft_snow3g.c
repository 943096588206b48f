/* SNOW 3G (TS 35.216) on the host: S1 and S2 by a table of 256 words each, multiplication by alpha and its inverse by
 * one each. The sixteen words of the LFSR move by an index instead of by copies. */
#include "cipher.h"

static uint32_t table1[256], table2[256], alpha[256], alpha_inverse[256];
static uint32_t s[16], r1, r2, r3;
static const uint8_t* key_bytes;

/* x times 2 modulo x^8 and a polynomial. */
static uint8_t doubled(uint8_t x, uint8_t polynomial) { return (uint8_t)(x << 1 ^ (x >> 7) * polynomial); }

static uint8_t times(uint8_t x, uint8_t y, uint8_t polynomial) {
  uint8_t sum = 0;
  for (; y; y >>= 1, x = doubled(x, polynomial))
    if (y & 1) sum ^= x;
  return sum;
}

/* SR is Rijndael's S-box; SQ(x) is the Dickson polynomial x + x^9 + x^13 + x^15 + x^33 + x^41 + x^45 + x^47 + x^49 plus
 * 0x25, in the field of x^8 + x^6 + x^5 + x^3 + 1 (TS 35.216 3.3). */
static uint8_t power(uint8_t x, unsigned n, uint8_t polynomial) {
  uint8_t product = 1;
  for (; n; n >>= 1, x = times(x, x, polynomial))
    if (n & 1) product = times(product, x, polynomial);
  return product;
}

static uint8_t sr(uint8_t x) {
  uint8_t v = power(x, 254, 0x1b);
  return (uint8_t)(v ^ (v << 1 | v >> 7) ^ (v << 2 | v >> 6) ^ (v << 3 | v >> 5) ^ (v << 4 | v >> 4) ^ 0x63);
}

static uint8_t sq(uint8_t x) {
  static const uint8_t powers[] = {1, 9, 13, 15, 33, 41, 45, 47, 49};
  uint8_t sum = 0x25;
  for (unsigned i = 0; i < sizeof powers; i++) sum ^= power(x, powers[i], 0x69);
  return sum;
}

static uint32_t columns(uint8_t y, uint8_t polynomial) {
  uint8_t two = doubled(y, polynomial);
  return (uint32_t)two << 24 | (uint32_t)(two ^ y) << 16 | (uint32_t)y << 8 | y;
}

void cipher_load(void) {
  static const uint8_t up[] = {23, 245, 48, 239}, down[] = {16, 39, 6, 64};
  for (unsigned i = 0; i < 256; i++) {
    /* What the most significant byte of a word adds to its column; those of the others are rotated. */
    table1[i] = columns(sr((uint8_t)i), 0x1b);
    table2[i] = columns(sq((uint8_t)i), 0x69);
  }
  /* MULxPOW(c, n, 0xa9) = c times 2^n (3.4). */
  for (unsigned j = 0; j < 4; j++) {
    uint8_t u = power(2, up[j], 0xa9), d = power(2, down[j], 0xa9);
    for (unsigned i = 0; i < 256; i++) {
      alpha[i] |= (uint32_t)times((uint8_t)i, u, 0xa9) << (24 - 8 * j);
      alpha_inverse[i] |= (uint32_t)times((uint8_t)i, d, 0xa9) << (24 - 8 * j);
    }
  }
}

void cipher_key(const uint8_t* key) { key_bytes = key; }

static inline uint32_t mixed(const uint32_t* table, uint32_t w) {
  uint32_t a = table[w >> 24], b = table[w >> 16 & 255], c = table[w >> 8 & 255], d = table[w & 255];
  return a ^ rotl(b, 24) ^ rotl(c, 16) ^ rotl(d, 8);
}

#define S(n) s[(i + (n)) % 16]

/* The FSM's word F; then its registers go on (3.4.6). */
static inline uint32_t fsm(unsigned i) {
  uint32_t f = (S(15) + r1) ^ r2, r = r2 + (r3 ^ S(5));
  r3 = mixed(table2, r2);
  r2 = mixed(table1, r1);
  r1 = r;
  return f;
}

static inline uint32_t fed_back(unsigned i) {
  return S(0) << 8 ^ alpha[S(0) >> 24] ^ S(2) ^ S(11) >> 8 ^ alpha_inverse[S(11) & 255];
}

void cipher_start(const uint8_t* iv) {
  uint32_t k[4], v[4];
  for (unsigned j = 0; j < 4; j++) {
    k[j] = load_be(key_bytes + 4 * j);
    v[j] = load_be(iv + 4 * j);
  }
  for (unsigned j = 0; j < 4; j++) {
    s[j] = s[8 + j] = ~k[j];
    s[4 + j] = s[12 + j] = k[j];
  }
  s[15] ^= v[0];
  s[12] ^= v[1];
  s[10] ^= v[2];
  s[9] ^= v[3];
  r1 = r2 = r3 = 0;
  for (unsigned i = 0; i < 32; i++) {
    uint32_t f = fsm(i);
    S(0) = fed_back(i) ^ f;
  }
  fsm(0);
  s[0] = fed_back(0);
}

void cipher_crypt(uint8_t* out, const uint8_t* in, size_t bytes) {
  const uint32_t* from = (const uint32_t*)(const void*)in;
  uint32_t* to = (uint32_t*)(void*)out;
  /* The LFSR has moved by one word, which start leaves to the index. */
  for (size_t at = 0; at < bytes; at += 64, from += 16, to += 16) {
#pragma clang loop unroll(full)
    for (unsigned j = 0; j < 16; j++) {
      unsigned i = j + 1;
      uint32_t z = fsm(i) ^ S(0);
      S(0) = fed_back(i);
      to[j] = from[j] ^ swapped(z);
      if (j % 4 == 3 && at + 4 * j + 4 >= bytes) return;
    }
  }
}

void cipher_tag(uint8_t* tag) { (void)tag; }
