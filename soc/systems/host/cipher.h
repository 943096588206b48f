/* A cipher, wherever it runs: on the host (soft_*.c), on the core (core_message.c) or in an instruction. */
#ifndef CIPHER_H
#define CIPHER_H

#include <stddef.h>
#include <stdint.h>

/* Once: firmware and tables. */
void cipher_load(void);
void cipher_key(const uint8_t* key);
/* A message: begins with its IV, is encrypted as a whole (at most 64 KB), and has a tag of 16 bytes if the cipher makes
   one. Buffers are aligned to 16 bytes and have room for whole blocks of the cipher. */
void cipher_start(const uint8_t* iv);
void cipher_crypt(uint8_t* out, const uint8_t* in, size_t bytes);
void cipher_tag(uint8_t* tag);

static inline uint32_t load_le(const uint8_t* p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint32_t load_be(const uint8_t* p) {
  return (uint32_t)p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
}
static inline void store_be(uint8_t* p, uint32_t word) {
  p[0] = (uint8_t)(word >> 24);
  p[1] = (uint8_t)(word >> 16);
  p[2] = (uint8_t)(word >> 8);
  p[3] = (uint8_t)word;
}
static inline uint32_t rotl(uint32_t word, unsigned n) { return word << n | word >> (32 - n); }
static inline uint32_t swapped(uint32_t word) {
  return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}

#endif
