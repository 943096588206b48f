/* S2 with a window of 128 bits: a store moves a row between RAM and the core (lutra_attach_local.sv). */
#include "link.h"
#include "system.h"

#define LINK_BASE 0x50000000
#define TO_CORE (LINK_BASE | 1u << 24)
#define FROM_CORE (LINK_BASE | 3u << 24)
#define CONTROL (*(volatile uint32_t*)(LINK_BASE + 0x800000))
/* What the attachment does to RAM the compiler does not see. */
#define RAM_IS_READ_OR_WRITTEN __asm__ volatile("" ::: "memory")

static void move(uint32_t way, unsigned space, unsigned row, const void* data, size_t rows) {
  volatile uint32_t* window = (volatile uint32_t*)(uintptr_t)(way | space << 20 | row << 4);
  uint32_t at = (uint32_t)(uintptr_t)data;
  RAM_IS_READ_OR_WRITTEN;
  for (; rows >= 4; rows -= 4, window += 16, at += 64) {
    window[0] = at;
    window[4] = at + 16;
    window[8] = at + 32;
    window[12] = at + 48;
  }
  for (; rows != 0; rows--, window += 4, at += 16) window[0] = at;
  RAM_IS_READ_OR_WRITTEN;
}

void link_write(unsigned space, unsigned row, const void* data, size_t rows) { move(TO_CORE, space, row, data, rows); }

void link_read(void* data, unsigned space, unsigned row, size_t rows) { move(FROM_CORE, space, row, data, rows); }

void link_read_xor(void* data, const void* with, unsigned space, unsigned row, size_t rows) {
  uint32_t* to = data;
  const uint32_t* text = with;
  link_read(data, space, row, rows);
  for (uint32_t* end = to + 4 * rows; to != end; to += 4, text += 4) {
    to[0] ^= text[0];
    to[1] ^= text[1];
    to[2] ^= text[2];
    to[3] ^= text[3];
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
