/* What the compiler and the loader expect of a C library, by words where both ends are aligned: the host copies and
 * compares more than it computes. */
#include <stddef.h>
#include <stdint.h>

void* memcpy(void* restrict to, const void* restrict from, size_t length);
void* memset(void* to, int value, size_t length);
int memcmp(const void* a, const void* b, size_t length);

enum { WORD = sizeof(uint32_t) };

void* memcpy(void* restrict to, const void* restrict from, size_t length) {
  uint8_t* bytes = to;
  const uint8_t* others = from;
  if ((((uintptr_t)bytes | (uintptr_t)others) & (WORD - 1)) == 0)
    for (; length >= WORD; length -= WORD, bytes += WORD, others += WORD)
      *(uint32_t*)(void*)bytes = *(const uint32_t*)(const void*)others;
  while (length-- != 0) *bytes++ = *others++;
  return to;
}

void* memset(void* to, int value, size_t length) {
  uint8_t* bytes = to;
  const uint32_t word = (uint8_t)value * 0x01010101u;
  for (; length != 0 && ((uintptr_t)bytes & (WORD - 1)) != 0; length--) *bytes++ = (uint8_t)value;
  for (; length >= WORD; length -= WORD, bytes += WORD) *(uint32_t*)(void*)bytes = word;
  while (length-- != 0) *bytes++ = (uint8_t)value;
  return to;
}

int memcmp(const void* a, const void* b, size_t length) {
  const uint8_t* bytes = a;
  const uint8_t* others = b;
  for (; length != 0; length--, bytes++, others++)
    if (*bytes != *others) return *bytes < *others ? -1 : 1;
  return 0;
}
