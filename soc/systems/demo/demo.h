// What lutra.soc.demo.program puts into RAM for demo.c: words of 32 bits, little-endian.
#ifndef DEMO_H
#define DEMO_H

#include <stdint.h>

// A cipher as the operations of the firmware that is loaded. A packet's counter is that of the file plus the blocks
// before it: a word of the IV, in the order of the host or swapped.
struct demo_cipher {
  uint32_t set_key, crypt, key_bytes, block_bytes, counter_word, counter_swapped, gather;
  uint8_t key[32];
  uint8_t iv[16];
};

struct demo_parameters {
  uint32_t file_bytes, file_skew, packet_bytes, pack_bytes, flip_byte, flip_bit;
  struct demo_cipher cipher[2];  // before and after the patch
};

#endif
