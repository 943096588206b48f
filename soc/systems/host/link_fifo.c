/* S3: commands and rows through two FIFOs, by instructions (lutra_link_insn.sv, lutra_attach_fifo.sv). */
#include "link.h"
#include "system.h"

static inline void put(uint32_t word) { __asm__ volatile(".insn r 0x0b, 0, 0, x0, %0, x0" ::"r"(word)); }
static inline void put_command(uint32_t word) { __asm__ volatile(".insn r 0x0b, 1, 0, x0, %0, x0" ::"r"(word)); }
static inline uint32_t get(void) {
  uint32_t word;
  __asm__ volatile(".insn r 0x0b, 2, 0, %0, x0, x0" : "=r"(word));
  return word;
}

enum { START, WRITE, READ, WAIT };

static void command(uint32_t what, size_t rows, unsigned space, unsigned row) {
  put_command(what << 30 | (uint32_t)rows << 20 | space << 16 | row);
}

void link_write(unsigned space, unsigned row, const void* data, size_t rows) {
  const uint32_t* from = data;
  command(WRITE, rows, space, row);
  for (const uint32_t* end = from + 4 * rows; from != end; from += 4) {
    put(from[0]);
    put(from[1]);
    put(from[2]);
    put(from[3]);
  }
}

void link_read(void* data, unsigned space, unsigned row, size_t rows) {
  uint32_t* to = data;
  command(READ, rows, space, row);
  for (uint32_t* end = to + 4 * rows; to != end; to += 4) {
    to[0] = get();
    to[1] = get();
    to[2] = get();
    to[3] = get();
  }
}

void link_read_xor(void* data, const void* with, unsigned space, unsigned row, size_t rows) {
  uint32_t* to = data;
  const uint32_t* text = with;
  command(READ, rows, space, row);
  for (uint32_t* end = to + 4 * rows; to != end; to += 4, text += 4) {
    to[0] = get() ^ text[0];
    to[1] = get() ^ text[1];
    to[2] = get() ^ text[2];
    to[3] = get() ^ text[3];
  }
}

void link_call(unsigned entry) {
  put_command((uint32_t)START << 30 | entry);
  put_command((uint32_t)WAIT << 30);
  uint32_t state = get();
  if (state != STATE_HALTED) finish(state + 100);
}
