/* The system as a program sees it: places in RAM, and the console (lutra_system_console.sv). */
#ifndef SYSTEM_H
#define SYSTEM_H

#include <stddef.h>
#include <stdint.h>

/* The message is in RAM before the program starts. */
#define TEXT ((const uint8_t*)0x40000)
#define RESULT ((uint8_t*)0x60000)

#define CONSOLE ((volatile uint32_t*)0x10000000)

static inline void finish(uint32_t code) {
  CONSOLE[1] = code;
  for (;;) {
  }
}
static inline void dump(const void* bytes, uint32_t length) {
  CONSOLE[2] = (uint32_t)(uintptr_t)bytes;
  CONSOLE[3] = length;
}
static inline void mark(uint32_t number) { CONSOLE[4] = number; }
static inline void watch(const void* word) { CONSOLE[5] = (uint32_t)(uintptr_t)word; }

#endif
