/* AES-128-CTR (SP 800-38A 6.5) on the host. */
#include "cipher.h"
#include "soft_aes.h"

static uint32_t counter[4];

void cipher_load(void) { aes_load(); }
void cipher_key(const uint8_t* key) { aes_key(key); }

void cipher_start(const uint8_t* iv) {
  for (unsigned i = 0; i < 4; i++) counter[i] = load_be(iv + 4 * i);
}

void cipher_crypt(uint8_t* out, const uint8_t* in, size_t bytes) {
  uint32_t block[4];
  const uint32_t* from = (const uint32_t*)(const void*)in;
  uint32_t* to = (uint32_t*)(void*)out;
  for (size_t at = 0; at < bytes; at += 16, from += 4, to += 4) {
    aes_block(block, counter);
    if (++counter[3] == 0 && ++counter[2] == 0 && ++counter[1] == 0) counter[0]++;
    for (unsigned i = 0; i < 4; i++) to[i] = from[i] ^ swapped(block[i]);
  }
}

void cipher_tag(uint8_t* tag) { (void)tag; }
