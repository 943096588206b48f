/* What the compiler expects of a C library. */
#include <stddef.h>
#include <stdint.h>

void* memset(void* to, int value, size_t bytes);
void* memcpy(void* restrict to, const void* restrict from, size_t bytes);

__attribute__((no_builtin)) void* memset(void* to, int value, size_t bytes) {
  uint8_t* at = to;
  while (bytes-- != 0) *at++ = (uint8_t)value;
  return to;
}

__attribute__((no_builtin)) void* memcpy(void* restrict to, const void* restrict from, size_t bytes) {
  uint8_t* at = to;
  const uint8_t* source = from;
  while (bytes-- != 0) *at++ = *source++;
  return to;
}
