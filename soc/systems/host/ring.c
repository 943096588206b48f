/* S5: messages through the ring of descriptors, by the driver in soc/driver. One at a time as by the other attachments,
 * then BATCH of them at once with one key, then each with a key of its own that was never seen before.
 *
 * Defined by soc/lutra/soc/ring.py: IMAGE_HEADER, OPERATIONS, STREAM_RESET, SET_KEY and CRYPT (numbers of operations),
 * KEY_BYTES, TAG_BYTES, SIZES, COLD_SIZE, KEY, IV.
 */
#include IMAGE_HEADER

#include "cipher.h"
#include "lutra_soc.h"
#include "system.h"

enum { LOG2 = 5, BATCH = 16, COLD_BATCH = 8, ROW = 16, RAM_BYTES = 0x80000, PATIENCE = 1000000 };

static const uint32_t sizes[] = {SIZES};
static const uint8_t key[32] __attribute__((aligned(16))) = {KEY};
static const uint32_t iv[4] = {IV};
static const struct lutra_operation operations[] = {OPERATIONS};
static uint8_t memory[LUTRA_RING_BYTES(LOG2)] __attribute__((aligned(64)));
static struct lutra_soc soc;
static struct lutra_ring ring;

static void must(enum lutra_soc_result result) {
  if (result != LUTRA_SOC_OK) finish(200 + result);
}

static uint32_t now(void* context) {
  (void)context;
  return CONSOLE[0];
}

static void load(void) {
  const struct lutra_ring_memory place = {memory, (uintptr_t)memory, LOG2, 0, 20};
  soc.registers = (volatile uint32_t*)0x60000000;
  soc.time = now;
  soc.patience = PATIENCE;
  must(lutra_soc_open(&soc));
  must(lutra_soc_set_window(&soc, 0, 0, RAM_BYTES));
  must(lutra_ring_open(&ring, &soc, 0, &place));
  must(lutra_soc_start(&soc));
  for (uint32_t i = 0; i < core_program_words; i++) {
    uint8_t row[ROW] = {0};
    for (unsigned j = 0; j < 8; j++) row[j] = (uint8_t)(core_program[i] >> (56 - 8 * j));
    must(lutra_raw_write(&ring, core_program_space, i, row));
  }
  for (uint32_t i = 0; i < core_part_count; i++)
    for (uint32_t r = 0; r < core_parts[i].rows; r++)
      must(lutra_raw_write(&ring, core_parts[i].space, core_parts[i].row + r, core_parts[i].bytes + ROW * r));
  must(lutra_soc_stop(&soc));
  must(lutra_soc_set_operations(&soc, operations, sizeof operations / sizeof *operations, STREAM_RESET));
  must(lutra_soc_start(&soc));
}

static uint32_t stride(uint32_t bytes) { return (bytes + TAG_BYTES + ROW - 1) / ROW * ROW; }

static inline void build(struct lutra_job* job, uint32_t handle, uint32_t bytes, uint32_t n) {
  lutra_job_begin(job, lutra_control(CRYPT, handle), bytes, n);
  lutra_job_move(job, (uintptr_t)TEXT, (uintptr_t)RESULT + n * stride(bytes));
  lutra_job_iv(job, iv);
  if (TAG_BYTES) lutra_job_aad(job, 0, 0, TAG_BYTES);
}

static void show(uint32_t bytes, uint32_t n) {
  dump(RESULT + n * stride(bytes), bytes);
  if (TAG_BYTES) dump(RESULT + n * stride(bytes) + bytes, TAG_BYTES);
}

static void collect(uint32_t n) {
  static struct lutra_done done[2 * BATCH];
  for (uint32_t have = 0, count; have < n; have += count) {
    must(lutra_wait(&ring));
    must(lutra_poll(&ring, done, n - have, &count));
    for (uint32_t i = 0; i < count; i++) must(lutra_status_of(&done[i]));
  }
}

static void one(uint32_t bytes, uint32_t* handle, int cold) {
  struct lutra_job job;
  struct lutra_done done;
  if (cold) must(lutra_key_drop(&ring, SET_KEY, *handle));
  watch(RESULT);
  mark(0);
  if (cold) must(lutra_key_set(&ring, SET_KEY, key, KEY_BYTES, handle));
  build(&job, *handle, bytes, 0);
  must(lutra_crypt(&ring, &job, &done));
  mark(1);
  show(bytes, 0);
}

static void batch(uint32_t bytes, uint32_t handle) {
  mark(2);
  for (uint32_t i = 0; i < BATCH; i++) build(lutra_slot(&ring, i), handle, bytes, i);
  must(lutra_submit(&ring, BATCH));
  mark(3);
  collect(BATCH);
  mark(4);
  for (uint32_t i = 0; i < BATCH; i++) show(bytes, i);
}

static void cold_batch(uint32_t bytes) {
  uint32_t handles[COLD_BATCH];
  mark(5);
  for (uint32_t i = 0; i < COLD_BATCH; i++) {
    must(lutra_key_job(&ring, lutra_slot(&ring, 2 * i), SET_KEY, key, KEY_BYTES, &handles[i]));
    build(lutra_slot(&ring, 2 * i + 1), handles[i], bytes, i);
  }
  must(lutra_submit(&ring, 2 * COLD_BATCH));
  mark(6);
  collect(2 * COLD_BATCH);
  mark(7);
  for (uint32_t i = 0; i < COLD_BATCH; i++) show(bytes, i);
  for (uint32_t i = 0; i < COLD_BATCH; i++) must(lutra_key_drop(&ring, SET_KEY, handles[i]));
}

int main(void) {
  uint32_t handle;
  load();
  must(lutra_key_set(&ring, SET_KEY, key, KEY_BYTES, &handle));
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    one(sizes[i], &handle, 0);
    if (sizes[i] == COLD_SIZE) one(sizes[i], &handle, 1);
    if (stride(sizes[i]) * BATCH <= 0x10000) {
      batch(sizes[i], handle);
      cold_batch(sizes[i]);
    }
  }
  return 0;
}
