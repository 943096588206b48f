/* Order of the bits of Trivium's key, IV and keystream, as in the eSTREAM vectors. */
#ifndef TRIVIUM_H
#define TRIVIUM_H

#include "cipher.h"

static inline uint32_t reversed(uint32_t w) {
  w = (w >> 1 & 0x55555555) | (w & 0x55555555) << 1;
  w = (w >> 2 & 0x33333333) | (w & 0x33333333) << 2;
  w = (w >> 4 & 0x0f0f0f0f) | (w & 0x0f0f0f0f) << 4;
  return swapped(w);
}

/* Ten bytes, whose first bit is the first of the last byte, as 80 bits from bit 0 of the first word on. */
static inline void trivium_words(uint32_t words[3], const uint8_t* bytes) {
  words[0] = reversed(load_le(bytes + 6));
  words[1] = reversed(load_le(bytes + 2));
  words[2] = reversed((uint32_t)bytes[1] << 24 | (uint32_t)bytes[0] << 16);
}

#endif
