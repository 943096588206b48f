#include "memory_device.h"

#include <stdlib.h>
#include <string.h>

#include "../../patch/loader/src/internal.h"
#include "lutra_isa.h"

// What a word of the toy core's program does, by its first byte; its second is how many cycles it takes.
enum toy { TOY_XOR = 0x11, TOY_WAIT = 0x12, TOY_ENDLESS = 0x13, TOY_IDLE = 0x14, TOY_LATE = 0x15 };

static int call(struct memory_device* memory, char kind) {
  memory->log[memory->calls % MEMORY_LOG] = kind;
  return ++memory->calls == memory->fail_at;
}

static int source_read(void* context, uint32_t offset, uint8_t* bytes, uint32_t length) {
  struct memory_device* memory = context;
  if (call(memory, 'r')) {
    return 1;
  }
  if (offset > memory->source.size || length > memory->source.size - offset) {
    abort();  // the loader never reads beyond the pack
  }
  memcpy(bytes, memory->pack + offset, length);
  return 0;
}

static void check_range(const struct memory_device* memory, uint32_t address, uint32_t length) {
  if (address > memory->flash_bytes || length > memory->flash_bytes - address) {
    abort();
  }
}

static int flash_read(void* context, uint32_t address, uint8_t* bytes, uint32_t length) {
  struct memory_device* memory = context;
  if (call(memory, 'r')) {
    return 1;
  }
  if (++memory->flash_reads == memory->change_at && memory->flash[memory->change_place] != 0xff) {
    memory->flash[memory->change_place] ^= 1;
  }
  check_range(memory, address, length);
  memcpy(bytes, memory->flash + address, length);
  return 0;
}

static int flash_erase(void* context, uint32_t address) {
  struct memory_device* memory = context;
  const uint32_t sector = memory->device.flash.sector_bytes;
  if (call(memory, 'x')) {
    return 1;
  }
  check_range(memory, address, sector);
  if (address % sector != 0) {
    abort();
  }
  ++memory->changes;
  memset(memory->flash + address, 0xff, sector);
  return 0;
}

static int flash_write(void* context, uint32_t address, const uint8_t* bytes, uint32_t length) {
  struct memory_device* memory = context;
  const uint32_t granule = memory->device.flash.granule_bytes;
  if (call(memory, 'x')) {
    return 1;
  }
  check_range(memory, address, length);
  if (address % granule != 0 || length % granule != 0) {
    abort();
  }
  ++memory->changes;
  for (uint32_t i = 0; i < length && !memory->stuck; ++i) {
    if (memory->flash[address + i] != 0xff) {
      abort();  // written twice without an erasure
    }
    memory->flash[address + i] = bytes[i];
  }
  return 0;
}

static int fuses_read(void* context, uint32_t offset, uint8_t* bytes, uint32_t length) {
  struct memory_device* memory = context;
  if (call(memory, 'r')) {
    return 1;
  }
  if (offset + length > LUTRA_FUSE_BYTES) {
    abort();
  }
  memcpy(bytes, memory->fuses + offset, length);
  return 0;
}

static int fuses_burn(void* context, uint32_t offset, const uint8_t* bytes, uint32_t length) {
  struct memory_device* memory = context;
  if (call(memory, 'x')) {
    return 1;
  }
  if (offset + length > LUTRA_FUSE_BYTES) {
    abort();
  }
  ++memory->changes;
  for (uint32_t i = 0; i < length && !memory->fuses_stuck; ++i) {
    memory->fuses[offset + i] |= bytes[i];
  }
  return 0;
}

static int core_reset(void* context) {
  struct memory_device* memory = context;
  if (call(memory, 'x')) {
    return 1;
  }
  ++memory->changes;
  return 0;
}

static int core_write(void* context, uint8_t space, uint16_t row, const uint8_t bytes[16]) {
  struct memory_device* memory = context;
  if (call(memory, 'w')) {
    return 1;
  }
  if (space >= MEMORY_SPACES || row >= MEMORY_ROWS) {
    abort();
  }
  ++memory->changes;
  memcpy(memory->rows[space][row], bytes, 16);
  return 0;
}

static int core_read(void* context, uint8_t space, uint16_t row, uint8_t bytes[16]) {
  struct memory_device* memory = context;
  if (call(memory, 'r')) {
    return 1;
  }
  memcpy(bytes, memory->rows[space][row], 16);
  return 0;
}

// Output, row 0 of space 3: input, row 0 of space 2, xor table, row 0 of space 4.
static int core_run(void* context, uint16_t entry, uint32_t max_cycles, struct lutra_stop* stop) {
  struct memory_device* memory = context;
  const uint8_t* word = memory->rows[7][entry];
  if (call(memory, 'x')) {
    return 1;
  }
  ++memory->changes;
  stop->cycles = word[1];
  stop->state = LUTRA_ISA_TRAPPED;
  stop->trap = 1;
  if (word[0] == TOY_XOR || word[0] == TOY_LATE) {
    stop->state = word[0] == TOY_LATE || word[1] <= max_cycles ? LUTRA_ISA_HALTED : LUTRA_ISA_RUNNING;
    for (uint32_t i = 0; i < 16; ++i) {
      memory->rows[3][0][i] = memory->rows[2][0][i] ^ memory->rows[4][0][i] ^ memory->answers_wrong;
    }
  } else if (word[0] == TOY_WAIT) {
    stop->state = LUTRA_ISA_WAITING;
  } else if (word[0] == TOY_ENDLESS) {
    stop->state = LUTRA_ISA_RUNNING;
  } else if (word[0] == TOY_IDLE) {
    stop->state = LUTRA_ISA_IDLE;
  }
  return 0;
}

struct memory_device* memory_new(uint32_t sector, uint32_t granule, uint32_t slot) {
  struct memory_device* memory = calloc(1, sizeof *memory);
  memory->flash_bytes = 2 * sector + LUTRA_SLOTS * slot;
  memory->flash = malloc(memory->flash_bytes);
  memset(memory->flash, 0xff, memory->flash_bytes);
  memory->source = (struct lutra_source){memory, 0, source_read};
  memory->device = (struct lutra_device){
      .flash = {memory,
                sector,
                granule,
                {0, sector},
                {2 * sector, 2 * sector + slot},
                slot,
                flash_read,
                flash_erase,
                flash_write},
      .fuses = {memory, fuses_read, fuses_burn},
      .core = {memory, 2, LUTRA_ISA_STREAM_CONTEXTS, LUTRA_ISA_PROGRAM_WORDS, LUTRA_ISA_MEMORY_ROWS, core_reset,
               core_write, core_read, core_run},
      .running = LUTRA_NO_SLOT,
  };
  return memory;
}

void memory_free(struct memory_device* memory) {
  free(memory->flash);
  free(memory);
}

// Tries `pack` with each bit flipped in turn; the first bit that did not fail or changed something, or -1.
// `results` counts by result.
int64_t memory_flips(struct memory_device* memory, uint8_t* pack, uint32_t size, uint32_t* results) {
  memory->pack = pack;
  memory->source.size = size;
  for (uint32_t bit = 0; bit < 8 * size; ++bit) {
    const uint32_t changes = memory->changes;
    struct lutra_error error;
    pack[bit / 8] ^= (uint8_t)(1u << bit % 8);
    const enum lutra_result result = lutra_apply(&memory->device, &memory->source, &error);
    pack[bit / 8] ^= (uint8_t)(1u << bit % 8);
    ++results[result];
    if (result == LUTRA_ERROR_OK || result != error.result || memory->changes != changes) {
      return bit;
    }
  }
  return -1;
}

// What lutra_pack_require does with these verdicts of a pack without an error.
void memory_require(struct memory_device* memory, uint32_t first, uint32_t second) {
  const struct lutra_error error = {LUTRA_ERROR_OK, 0, 0, 0};
  struct lutra_pack pack;
  memset(&pack, 0, sizeof pack);
  pack.verdict[0] = first;
  pack.verdict[1] = second;
  lutra_pack_require(&pack, &error, &memory->device.core);
}

uint32_t memory_accepted(void) { return LUTRA_ACCEPTED; }
