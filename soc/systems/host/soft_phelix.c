/* Phelix with a key of 256 bits and a tag of 128 (Whiting, Schneier, Lucks, Muller, eSTREAM 2005) on the host, as its
 * vectors have it: firmware/phelix/README.md. */
#include "cipher.h"

enum { KEY_BYTES = 32, TAG_BITS = 128 };

static uint32_t k[8], x1[8]; /* working key; the sums X1 of key and nonce, without the block's number */
static uint32_t z0, z1, z2, z3, z4, old[4];
static uint32_t number, message_bytes;

/* One half of a block. */
#define HALF(a, b)     \
  do {                 \
    z0 += z3 ^ (a);    \
    z3 = rotl(z3, 15); \
    z1 += z4;          \
    z4 = rotl(z4, 25); \
    z2 ^= z0;          \
    z0 = rotl(z0, 9);  \
    z3 ^= z1;          \
    z1 = rotl(z1, 10); \
    z4 += z2;          \
    z2 = rotl(z2, 17); \
    z0 ^= z3 + (b);    \
    z3 = rotl(z3, 30); \
    z1 ^= z4;          \
    z4 = rotl(z4, 13); \
    z2 += z0;          \
    z0 = rotl(z0, 20); \
    z3 += z1;          \
    z1 = rotl(z1, 11); \
    z4 ^= z2;          \
    z2 = rotl(z2, 5);  \
  } while (0)

void cipher_load(void) {}

void cipher_key(const uint8_t* key) {
  uint32_t mixed[40];
  for (unsigned i = 0; i < 8; i++) mixed[32 + i] = load_le(key + 4 * i);
  for (unsigned i = 8; i-- > 0;) {
    z0 = mixed[4 * i + 4], z1 = mixed[4 * i + 5], z2 = mixed[4 * i + 6], z3 = mixed[4 * i + 7];
    z4 = KEY_BYTES + 64;
    HALF(0, 0);
    HALF(0, 0);
    mixed[4 * i] = z0 ^ mixed[4 * i + 8], mixed[4 * i + 1] = z1 ^ mixed[4 * i + 9];
    mixed[4 * i + 2] = z2 ^ mixed[4 * i + 10], mixed[4 * i + 3] = z3 ^ mixed[4 * i + 11];
  }
  for (unsigned i = 0; i < 8; i++) k[i] = mixed[i];
}

/* A block: returns the keystream of the word p of plaintext. */
static inline uint32_t block(uint32_t p) {
  unsigned i = number % 8;
  HALF(0, k[i]);
  uint32_t stream = z4 + old[i % 4];
  HALF(p, x1[i] + number);
  old[i % 4] = z4;
  number++;
  return stream;
}

void cipher_start(const uint8_t* iv) {
  uint32_t n[8];
  for (unsigned j = 0; j < 4; j++) {
    n[j] = load_le(iv + 4 * j);
    n[j + 4] = j - n[j];
  }
  /* A message shorter than 8 GB never adds to the blocks of number 3 modulo 4. */
  for (unsigned j = 0; j < 8; j++) x1[j] = k[(j + 4) % 8] + n[j];
  x1[1] += 4 * KEY_BYTES + 256 * (TAG_BITS % 128);
  x1[5] += 4 * KEY_BYTES + 256 * (TAG_BITS % 128);
  z0 = k[3] ^ n[0], z1 = k[4] ^ n[1], z2 = k[5] ^ n[2], z3 = k[6] ^ n[3], z4 = k[7];
  for (unsigned j = 0; j < 4; j++) old[j] = 0;
  number = 0;
  message_bytes = 0;
  for (unsigned j = 0; j < 8; j++) block(0);
}

/* Whole words only. */
void cipher_crypt(uint8_t* out, const uint8_t* in, size_t bytes) {
  const uint32_t* from = (const uint32_t*)(const void*)in;
  uint32_t* to = (uint32_t*)(void*)out;
  for (size_t at = 0; at < bytes; at += 4) {
    uint32_t p = *from++;
    *to++ = p ^ block(p);
  }
  message_bytes += bytes;
}

void cipher_tag(uint8_t* tag) {
  uint32_t rest = message_bytes % 4;
  uint32_t* to = (uint32_t*)(void*)tag;
  z0 ^= 0x912d94f1;
  for (unsigned j = 0; j < 8; j++) block(rest);
  for (unsigned j = 0; j < 4; j++) to[j] = rest ^ block(rest);
}
