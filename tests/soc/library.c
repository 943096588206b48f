// What clang calls on a host without a C library.
#include <stddef.h>

void* memcpy(void* to, const void* from, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    ((volatile unsigned char*)to)[i] = ((const unsigned char*)from)[i];
  }
  return to;
}

void* memset(void* to, int value, size_t length) {
  for (size_t i = 0; i < length; ++i) {
    ((volatile unsigned char*)to)[i] = (unsigned char)value;
  }
  return to;
}
