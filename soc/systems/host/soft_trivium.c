/* Trivium (De Canniere and Preneel, eSTREAM 2005) on the host, 32 steps at a time: no step needs a bit that one of the
 * 65 before it has made.
 *
 * A register is an array of words, the newest bit lowest, so 32 steps of a tap are two words shifted into one. Bits are
 * in the order of the eSTREAM vectors: key and IV begin with the first bit of their last byte, the keystream with the
 * last bit of its first byte.
 */
#include "trivium.h"

static uint32_t a[4], b[4], c[4];
static const uint8_t* key_bytes;

/* Bits i - 31 to i of a register: what 32 steps see at i, that of the first step in bit 31. */
static inline uint32_t tap(const uint32_t* r, unsigned i) {
  unsigned word = (i - 1) / 32, bit = (i - 1) % 32;
  return bit == 31 ? r[word] : r[word] << (31 - bit) | r[word - 1] >> (bit + 1);
}

/* The keystream of 32 steps, that of the first one in bit 31. */
static inline uint32_t steps(void) {
  uint32_t t1 = tap(a, 66) ^ tap(a, 93), t2 = tap(b, 69) ^ tap(b, 84), t3 = tap(c, 66) ^ tap(c, 111);
  uint32_t z = t1 ^ t2 ^ t3;
  t1 ^= (tap(a, 91) & tap(a, 92)) ^ tap(b, 78);
  t2 ^= (tap(b, 82) & tap(b, 83)) ^ tap(c, 87);
  t3 ^= (tap(c, 109) & tap(c, 110)) ^ tap(a, 69);
  a[3] = a[2], a[2] = a[1], a[1] = a[0], a[0] = t3;
  b[3] = b[2], b[2] = b[1], b[1] = b[0], b[0] = t1;
  c[3] = c[2], c[2] = c[1], c[1] = c[0], c[0] = t2;
  return z;
}

void cipher_load(void) {}
void cipher_key(const uint8_t* key) { key_bytes = key; }

void cipher_start(const uint8_t* iv) {
  for (unsigned i = 0; i < 4; i++) a[i] = b[i] = c[i] = 0;
  trivium_words(a, key_bytes);
  trivium_words(b, iv);
  c[3] = 7u << (108 - 96); /* bits 109 to 111 */
  for (unsigned i = 0; i < 4 * 288 / 32; i++) steps();
}

void cipher_crypt(uint8_t* out, const uint8_t* in, size_t bytes) {
  const uint32_t* from = (const uint32_t*)(const void*)in;
  uint32_t* to = (uint32_t*)(void*)out;
  for (size_t at = 0; at < bytes; at += 4) *to++ = *from++ ^ reversed(steps());
}

void cipher_tag(uint8_t* tag) { (void)tag; }
