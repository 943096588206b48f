/* AES-128 (FIPS 197), encryption, by tables. */
#ifndef SOFT_AES_H
#define SOFT_AES_H

#include <stdint.h>

void aes_load(void);
void aes_key(const uint8_t* key);
/* Words big-endian. */
void aes_block(uint32_t out[4], const uint32_t in[4]);

#endif
