/* The instructions of lutra_trivium_insn.sv. */
#ifndef INSN_TRIVIUM_H
#define INSN_TRIVIUM_H

#include <stdint.h>

#define LOAD(word, index) __asm__ volatile(".insn r 0x2b, 0, 0, x0, %0, %1" ::"r"(word), "r"(index))

static inline uint32_t advance(void) {
  uint32_t word;
  __asm__ volatile(".insn r 0x2b, 1, 0, %0, x0, x0" : "=r"(word));
  return word;
}
static inline uint32_t second(void) {
  uint32_t word;
  __asm__ volatile(".insn r 0x2b, 2, 0, %0, x0, x0" : "=r"(word));
  return word;
}
/* Both return the address after what they wrote, or read. */
static inline uint8_t* store(uint8_t* to) {
  __asm__ volatile(".insn r 0x2b, 3, 0, %0, %0, x0" : "+r"(to)::"memory");
  return to;
}
static inline const uint8_t* add(const uint8_t* from, uint8_t* to) {
  __asm__ volatile(".insn r 0x2b, 4, 0, %0, %0, %1" : "+r"(from) : "r"(to) : "memory");
  return from;
}

#endif
