// Raw operations: the core's memories and runs, as the loader of firmware needs them.
#include "internal.h"
#include "lutra_loader.h"
#include "lutra_raw.h"

_Static_assert(LUTRA_JOB_BYTES % 16 == 0, "rows of 16 bytes");
#define ROW_BYTES 16u

// A raw operation keeps a row in the field of associated data, and a memory in that of the tag.
static void begin(struct lutra_job* job, uint32_t control, uint32_t bytes, uint32_t space, uint32_t row) {
  lutra_job_begin(job, control, bytes, 0);
  __builtin_memset(&LUTRA_JOB_WORD(job, iv), 0, 16);
  lutra_job_move(job, 0, 0);
  lutra_job_aad(job, 0, row, space);
}

enum lutra_soc_result lutra_raw_load(struct lutra_ring* ring, uint32_t space, uint32_t row, uint32_t rows,
                                     uint64_t address) {
  struct lutra_job job;
  struct lutra_done done;
  begin(&job, LUTRA_RAW__CODES__WRITE_reset, rows * ROW_BYTES, space, row);
  lutra_job_move(&job, address, 0);
  return lutra_crypt(ring, &job, &done);
}

enum lutra_soc_result lutra_raw_write(struct lutra_ring* ring, uint32_t space, uint32_t row, const uint8_t bytes[16]) {
  __builtin_memcpy(ring->row, bytes, ROW_BYTES);
  lutra_clean(ring->soc, ring->row_address, ROW_BYTES);
  return lutra_raw_load(ring, space, row, 1, ring->row_address);
}

enum lutra_soc_result lutra_raw_read(struct lutra_ring* ring, uint32_t space, uint32_t row, uint8_t bytes[16]) {
  struct lutra_job job;
  struct lutra_done done;
  begin(&job, LUTRA_RAW__CODES__READ_reset, ROW_BYTES, space, row);
  lutra_job_move(&job, 0, ring->row_address);
  const enum lutra_soc_result result = lutra_crypt(ring, &job, &done);
  lutra_invalidate(ring->soc, ring->row_address, ROW_BYTES);
  __builtin_memcpy(bytes, ring->row, ROW_BYTES);
  return result;
}

enum lutra_soc_result lutra_raw_run(struct lutra_ring* ring, uint32_t entry, uint32_t max_cycles,
                                    struct lutra_done* done) {
  struct lutra_job job;
  begin(&job, LUTRA_RAW__CODES__RUN_reset, max_cycles, 0, entry);
  return lutra_crypt(ring, &job, done);
}

static int core_reset(void* context) {
  const struct lutra_ring* const ring = context;
  const struct lutra_soc* const soc = ring->soc;
  const enum lutra_soc_result idle = lutra_soc_await(soc, LUTRA_AT(status), LUTRA_AXI__STATUS__BUSY_bm, 0);
  lutra_put(soc, LUTRA_AT(control), lutra_get(soc, LUTRA_AT(control)) | LUTRA_AXI__CONTROL__CORE_RESET_bm);
  return (int)idle;
}

static int core_write(void* context, uint8_t space, uint16_t row, const uint8_t bytes[16]) {
  return (int)lutra_raw_write(context, space, row, bytes);
}

static int core_read(void* context, uint8_t space, uint16_t row, uint8_t bytes[16]) {
  return (int)lutra_raw_read(context, space, row, bytes);
}

static int core_run(void* context, uint16_t entry, uint32_t max_cycles, struct lutra_stop* stop) {
  struct lutra_done done;
  const enum lutra_soc_result result = lutra_raw_run(context, entry, max_cycles, &done);
  if (result != LUTRA_SOC_OK && result != LUTRA_SOC_TIMEOUT && result != LUTRA_SOC_CORE_TRAP) {
    return (int)result;
  }
  // After a timeout the device has reset the core, which the loader would do.
  stop->state = result == LUTRA_SOC_TIMEOUT ? (uint8_t)LUTRA_CORE_STATE_RUNNING
                                            : (uint8_t)LUTRA_FIELD(done.result, LUTRA_COMPLETION__RESULT__CORE);
  stop->trap = (uint8_t)LUTRA_FIELD(done.result, LUTRA_COMPLETION__RESULT__TRAP);
  stop->pc = 0;
  stop->cycles = done.cycles;
  return 0;
}

void lutra_soc_core(struct lutra_ring* ring, struct lutra_core* core) {
  core->context = ring;
  core->reset = core_reset;
  core->write = core_write;
  core->read = core_read;
  core->run = core_run;
}
