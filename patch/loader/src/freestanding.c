// Functions that a compiler calls implicitly, for hosts without a C library; only freestanding builds include them.
#include <stddef.h>
#include <stdint.h>

uint64_t __ashldi3(uint64_t value, int bits);
void* memcpy(void* restrict to, const void* restrict from, size_t length);
void* memset(void* to, int value, size_t length);
int memcmp(const void* a, const void* b, size_t length);

void* memcpy(void* restrict to, const void* restrict from, size_t length) {
  uint8_t* bytes = to;
  const uint8_t* others = from;
  for (size_t i = 0; i < length; ++i) {
    bytes[i] = others[i];
  }
  return to;
}

void* memset(void* to, int value, size_t length) {
  uint8_t* bytes = to;
  for (size_t i = 0; i < length; ++i) {
    bytes[i] = (uint8_t)value;
  }
  return to;
}

int memcmp(const void* a, const void* b, size_t length) {
  const uint8_t* bytes = a;
  const uint8_t* others = b;
  for (size_t i = 0; i < length; ++i) {
    if (bytes[i] != others[i]) {
      return bytes[i] < others[i] ? -1 : 1;
    }
  }
  return 0;
}

// 64-bit shift on a 32-bit core; `bits` is below 64.
uint64_t __ashldi3(uint64_t value, int bits) {
  const uint32_t low = (uint32_t)value;
  const uint32_t high = (uint32_t)(value >> 32);
  if (bits == 0) {
    return value;
  }
  if (bits >= 32) {
    return (uint64_t)(low << (bits - 32)) << 32;
  }
  return (uint64_t)(high << bits | low >> (32 - bits)) << 32 | low << bits;
}
