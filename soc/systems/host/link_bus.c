/* S1, and S2 with a window of 32 bits: rows as words at an address (lutra_rows.sv). */
#include "link.h"
#include "system.h"

#ifndef LINK_BASE
#define LINK_BASE 0x40000000
#endif
#define CONTROL (*(volatile uint32_t*)(LINK_BASE + 0x800000))

static volatile uint32_t* window(unsigned space, unsigned row) {
  return (volatile uint32_t*)(uintptr_t)(LINK_BASE | space << 20 | row << 4);
}

void link_write(unsigned space, unsigned row, const void* data, size_t rows) {
  const uint32_t* from = data;
  volatile uint32_t* to = window(space, row);
  for (const uint32_t* end = from + 4 * rows; from != end; from += 4, to += 4) {
    uint32_t a = from[0], b = from[1], c = from[2], d = from[3];
    to[0] = a;
    to[1] = b;
    to[2] = c;
    to[3] = d;
  }
}

void link_read(void* data, unsigned space, unsigned row, size_t rows) {
  uint32_t* to = data;
  volatile uint32_t* from = window(space, row);
  for (uint32_t* end = to + 4 * rows; to != end; to += 4, from += 4) {
    uint32_t a = from[0], b = from[1], c = from[2], d = from[3];
    to[0] = a;
    to[1] = b;
    to[2] = c;
    to[3] = d;
  }
}

void link_read_xor(void* data, const void* with, unsigned space, unsigned row, size_t rows) {
  uint32_t* to = data;
  const uint32_t* text = with;
  volatile uint32_t* from = window(space, row);
  for (uint32_t* end = to + 4 * rows; to != end; to += 4, from += 4, text += 4) {
    uint32_t a = from[0], b = from[1], c = from[2], d = from[3];
    to[0] = a ^ text[0];
    to[1] = b ^ text[1];
    to[2] = c ^ text[2];
    to[3] = d ^ text[3];
  }
}

void link_call(unsigned entry) {
  uint32_t state;
  CONTROL = entry;
  do {
    state = CONTROL;
  } while (state == STATE_RUNNING);
  if (state != STATE_HALTED) finish(state + 100);
}
