/* AES-128-GCM (SP 800-38D) with a nonce of 12 bytes and without associated data, on the host. GHASH takes four bits at
 * a time, by a table of the multiples of H. */
#include "cipher.h"
#include "soft_aes.h"

static uint32_t multiple[16][4]; /* of H: the most significant bit of the index is x^0 */
static uint32_t folded[16];      /* what four bits shifted out add to the first word */
static uint32_t start[4], counter[4], hash[4];
static uint32_t message_bytes;

static uint32_t halved(uint32_t x[4]) {
  uint32_t out = x[3] & 1;
  x[3] = x[3] >> 1 | x[2] << 31;
  x[2] = x[2] >> 1 | x[1] << 31;
  x[1] = x[1] >> 1 | x[0] << 31;
  x[0] >>= 1;
  return out;
}

void cipher_load(void) {
  aes_load();
  for (uint32_t i = 0; i < 16; i++) {
    uint32_t x[4] = {0, 0, 0, i};
    for (unsigned j = 0; j < 4; j++)
      if (halved(x)) x[0] ^= 0xe1000000;
    folded[i] = x[0];
  }
}

void cipher_key(const uint8_t* key) {
  static const uint32_t zero[4];
  uint32_t x[4];
  aes_key(key);
  aes_block(x, zero);
  for (unsigned power = 8; power; power >>= 1) {
    for (unsigned w = 0; w < 4; w++) multiple[power][w] = x[w];
    if (halved(x)) x[0] ^= 0xe1000000;
  }
  for (unsigned i = 1; i < 16; i++)
    for (unsigned w = 0; w < 4; w++) {
      uint32_t sum = 0;
      for (unsigned power = 1; power < 16; power <<= 1)
        if (i & power) sum ^= multiple[power][w];
      if (i & (i - 1)) multiple[i][w] = sum;
    }
}

/* hash = (hash ^ x) H */
static void absorb(const uint32_t x[4]) {
  uint32_t a = 0, b = 0, c = 0, d = 0;
  for (unsigned w = 4; w-- > 0;) {
    uint32_t word = hash[w] ^ x[w];
    for (unsigned i = 0; i < 8; i++, word >>= 4) {
      const uint32_t* m = multiple[word & 15];
      uint32_t low = folded[d & 15];
      d = (d >> 4 | c << 28) ^ m[3];
      c = (c >> 4 | b << 28) ^ m[2];
      b = (b >> 4 | a << 28) ^ m[1];
      a = (a >> 4) ^ low ^ m[0];
    }
  }
  hash[0] = a, hash[1] = b, hash[2] = c, hash[3] = d;
}

void cipher_start(const uint8_t* iv) {
  for (unsigned i = 0; i < 3; i++) start[i] = counter[i] = load_be(iv + 4 * i);
  start[3] = 1;
  counter[3] = 2;
  for (unsigned i = 0; i < 4; i++) hash[i] = 0;
  message_bytes = 0;
}

/* `bytes` is a multiple of 4, as all of the study's lengths. */
void cipher_crypt(uint8_t* out, const uint8_t* in, size_t bytes) {
  const uint32_t* from = (const uint32_t*)(const void*)in;
  uint32_t* to = (uint32_t*)(void*)out;
  message_bytes += bytes;
  for (size_t at = 0; at < bytes; at += 16, from += 4, to += 4) {
    uint32_t block[4];
    aes_block(block, counter);
    counter[3]++;
    for (unsigned i = 0; i < 4; i++) {
      uint32_t c = at + 4 * i < bytes ? from[i] ^ swapped(block[i]) : 0;
      to[i] = c;
      block[i] = swapped(c);
    }
    absorb(block);
  }
}

void cipher_tag(uint8_t* tag) {
  uint32_t lengths[4] = {0, 0, message_bytes >> 29, message_bytes << 3}, mask[4];
  absorb(lengths);
  aes_block(mask, start);
  for (unsigned i = 0; i < 4; i++) store_be(tag + 4 * i, hash[i] ^ mask[i]);
}
