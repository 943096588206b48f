// The memories of the core: their sizes, and copies between their rows and byte strings of a pack.
#include "internal.h"
#include "lutra_isa.h"

_Static_assert(LUTRA_ISA_ROW_BYTES == 16, "the rows of lutra_core in lutra_loader.h");

uint32_t lutra_row_bytes(uint32_t space) {
#define ROW_DATA LUTRA_ISA_ROW_BYTES
#define ROW_TABLE LUTRA_ISA_ROW_BYTES
#define ROW_PROGRAM LUTRA_ISA_WORD_BYTES
#define ROW_OF(code, kind) \
  case code:               \
    return ROW_##kind;
  switch (space) {
    LUTRA_ISA_MEMORIES(ROW_OF)
    default:
      return 0;
  }
}

static uint32_t rows(const struct lutra_core* core, uint32_t space) {
#define ROWS_DATA core->memory_rows
#define ROWS_TABLE LUTRA_ISA_TABLE_ROWS
#define ROWS_PROGRAM core->program_words
#define ROWS_OF(code, kind) \
  case code:                \
    return ROWS_##kind;
  switch (space) {
    LUTRA_ISA_MEMORIES(ROWS_OF)
    default:
      return 0;
  }
}

bool lutra_is_whole(uint32_t space, uint32_t bytes) {
  return lutra_row_bytes(space) == LUTRA_ISA_ROW_BYTES || bytes % LUTRA_ISA_WORD_BYTES == 0;
}

bool lutra_in_memory(const struct lutra_core* core, uint32_t space, uint32_t offset, uint32_t length) {
  const uint32_t size = rows(core, space) * lutra_row_bytes(space);
  return length <= size && offset <= size - length;
}

uint32_t lutra_cbor_space(struct lutra_cursor* cursor) {
  const uint32_t at = cursor->at;
  const uint32_t space = lutra_cbor_uint(cursor, 0, UINT8_MAX);
  if (lutra_row_bytes(space) == 0) {
    lutra_fail(cursor->error, LUTRA_ERROR_BOUNDS, at);
  }
  return space;
}

static void check(struct lutra_error* error, int result) {
  if (result != 0) {
    lutra_fail(error, LUTRA_ERROR_CORE, 0);
  }
}

void lutra_core_clear(const struct lutra_core* core, struct lutra_error* error) {
#define CODE_OF(code, kind) code,
  static const uint8_t spaces[] = {LUTRA_ISA_MEMORIES(CODE_OF)};
  static const uint8_t zeros[LUTRA_ISA_ROW_BYTES];
  check(error, core->reset(core->context));
  for (uint32_t i = 0; i < sizeof spaces; ++i) {
    const uint32_t count = rows(core, spaces[i]);
    for (uint32_t row = 0; row < count && lutra_good(error); ++row) {
      check(error, core->write(core->context, spaces[i], (uint16_t)row, zeros));
    }
  }
}

// Locates a byte of a memory: its row, its offset, and how many of the next `length` bytes are in the same row.
struct piece {
  uint16_t row;
  uint32_t first, length;
};
static struct piece piece_at(uint32_t space, uint32_t offset, uint32_t length) {
  const uint32_t bytes = lutra_row_bytes(space) == LUTRA_ISA_WORD_BYTES ? LUTRA_ISA_WORD_BYTES : LUTRA_ISA_ROW_BYTES;
  const uint32_t first = offset % bytes;
  const uint32_t rest = bytes - first;
  return (struct piece){(uint16_t)(offset / bytes), first, length < rest ? length : rest};
}

void lutra_core_transfer(const struct lutra_core* core, struct lutra_cursor* cursor, uint32_t space, uint32_t offset,
                         uint32_t length, bool compare) {
  for (uint32_t done = 0; done < length && lutra_good(cursor->error);) {
    uint8_t row[LUTRA_ISA_ROW_BYTES], bytes[LUTRA_ISA_ROW_BYTES];
    const struct piece piece = piece_at(space, offset + done, length - done);
    const uint32_t at = cursor->at;
    memset(row, 0, sizeof row);
    lutra_cbor_take(cursor, bytes, piece.length);
    if (lutra_good(cursor->error) && (compare || piece.length < lutra_row_bytes(space))) {
      check(cursor->error, core->read(core->context, (uint8_t)space, piece.row, row));
    }
    if (compare) {
      if (memcmp(row + piece.first, bytes, piece.length) != 0) {
        lutra_fail(cursor->error, LUTRA_ERROR_ANSWER, at);
      }
    } else if (lutra_good(cursor->error)) {
      memcpy(row + piece.first, bytes, piece.length);
      check(cursor->error, core->write(core->context, (uint8_t)space, piece.row, row));
    }
    done += piece.length;
  }
}

void lutra_core_run(const struct lutra_core* core, struct lutra_error* error, uint16_t entry, uint32_t cycles) {
  struct lutra_stop stop = {0, 0, 0, 0};
  if (!lutra_good(error)) {
    return;
  }
  check(error, core->run(core->context, entry, cycles, &stop));
  if (stop.state == LUTRA_ISA_RUNNING || (stop.state == LUTRA_ISA_HALTED && stop.cycles > cycles)) {
    lutra_fail(error, LUTRA_ERROR_CYCLES, 0);
  } else if (stop.state != LUTRA_ISA_HALTED) {
    lutra_fail(error, LUTRA_ERROR_STOPPED, 0);
  }
}

void lutra_core_drop(struct lutra_device* device, struct lutra_error* error) {
  struct lutra_error own = {LUTRA_ERROR_OK, 0, 0, 0};
  device->running = LUTRA_NO_SLOT;
  lutra_core_clear(&device->core, &own);
  if (lutra_good(error)) {
    *error = own;
  }
}
