// The device in memory as a program of a bare RV32 hart, whose flash and fuses the test fills in: it boots once.
#include "memory_device.h"

#include <stdlib.h>

struct memory_device* memory_new(uint32_t sector, uint32_t granule, uint32_t slot);

struct memory_device* memory;
struct lutra_error error;
uint8_t *flash, *fuses, *running, *table;

static uint8_t heap[0x60000];
static size_t used;

void* malloc(size_t size) {
  void* const place = heap + used;
  used += (size + 15u) & ~(size_t)15u;
  return place;
}
void* calloc(size_t count, size_t size) { return malloc(count * size); }
void free(void* place) { (void)place; }
_Noreturn void abort(void) { __builtin_trap(); }

// Small memories of the core, which take less time to clear.
void make(uint32_t sector, uint32_t granule, uint32_t slot) {
  memory = memory_new(sector, granule, slot);
  memory->device.core.program_words = 8;
  memory->device.core.memory_rows = 4;
  flash = memory->flash;
  fuses = memory->fuses;
  running = &memory->device.running;
  table = memory->rows[4][0];
}

uint32_t boot(void) { return lutra_boot(&memory->device, &error); }
