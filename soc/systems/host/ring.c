/* S5: messages through the ring of descriptors, by the driver in soc/driver. For each size: one message at a time, its
 * key kept and new; then many at once, with one key, with keys that are all in the device, and with a key each that the
 * device has not seen. The number in a mark is the count of instructions.
 *
 * Defined by soc/lutra/soc/ring.py: IMAGE_HEADER, OPERATIONS, STREAM_RESET, SET_KEY, CRYPT and INLINE (numbers of
 * operations; INLINE is -1 where a new key is a job of its own), KEY_BYTES, TAG_BYTES, PLAN, KEY, IV, MESSAGES (the
 * most at once), AHEAD (batches in the device while the host works on another), INSTRUCTIONS (the CSR that counts them,
 * or 0).
 */
#include IMAGE_HEADER

#include "cipher.h"
#include "lutra_soc.h"
#include "system.h"

enum { LOG2 = 7, ROW = 16, RAM_BYTES = 0x80000, PATIENCE = 1000000, QUIET = 500 };
enum { KEYS = MESSAGES, KEY_WORDS = KEY_BYTES / 4 };

/* Messages of a length: how many at once, how often, one batch after the other, and a bit for each of enum keys. */
static const struct {
  uint32_t bytes, count, batches, keys;
} plan[] = {PLAN};
static const uint32_t key[8] = {KEY};
static const uint32_t iv[4] = {IV};
static const struct lutra_operation operations[] = {OPERATIONS};

/* What an application knows of a message. */
struct packet {
  uint32_t source, destination, bytes, handle;
  uint32_t iv[4];
  uint32_t key[KEY_WORDS];
};
static struct packet packets[MESSAGES];
static uint32_t memory[LUTRA_RING_BYTES(LOG2) / 4] __attribute__((aligned(64)));
static struct lutra_soc soc;
static struct lutra_ring ring;
enum keys { KEPT, CACHED, NEW };

static void must(enum lutra_soc_result result) {
  if (result != LUTRA_SOC_OK) finish(200 + result);
}

static uint32_t now(void* context) {
  (void)context;
  return CONSOLE[0];
}

static inline void measured(void) {
  uint32_t count = 0;
#if INSTRUCTIONS
  __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, %1\n.option pop" : "=r"(count) : "i"(INSTRUCTIONS));
#endif
  mark(count);
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
  must(lutra_raw_load(&ring, core_program_space, 0, core_program_words, (uintptr_t)core_program_rows));
  for (uint32_t i = 0; i < core_part_count; i++) {
    const struct lutra_image_part* part = &core_parts[i];
    must(lutra_raw_load(&ring, part->space, part->row, part->rows, (uintptr_t)part->bytes));
  }
  must(lutra_soc_stop(&soc));
  must(lutra_soc_set_operations(&soc, operations, sizeof operations / sizeof *operations, STREAM_RESET));
  must(lutra_soc_start(&soc));
}

static uint32_t stride(uint32_t bytes) { return (bytes + TAG_BYTES + ROW - 1) / ROW * ROW; }

/* Message n has an IV and a key of its own; its result is overwritten, so that it has to be made again. */
static void describe(uint32_t n, uint32_t bytes, uint32_t handle) {
  struct packet* const p = &packets[n];
  uint32_t* const result = (uint32_t*)(uintptr_t)(RESULT + n * stride(bytes));
  *p = (struct packet){(uintptr_t)TEXT, (uintptr_t)result, bytes, handle, {iv[0], iv[1], iv[2] ^ n, iv[3]}, {0}};
  for (unsigned i = 0; i < KEY_WORDS; i++) p->key[i] = key[i] ^ (i == 0 ? n : 0);
  result[0] = result[stride(bytes) / 4 - 1] = 0;
}

static void show(uint32_t bytes, uint32_t n) {
  dump(RESULT + n * stride(bytes), bytes);
  if (TAG_BYTES) dump(RESULT + n * stride(bytes) + bytes, TAG_BYTES);
}

/* ------------------------------------------------------------------------------------------------- one at a time */

static void build(struct lutra_job* job, const struct packet* p) {
  lutra_job_begin(job, lutra_control(CRYPT, p->handle), p->bytes, 0);
  lutra_job_move(job, p->source, p->destination);
  lutra_job_iv(job, p->iv);
  if (TAG_BYTES) lutra_job_aad(job, 0, 0, TAG_BYTES);
}

static void one(uint32_t bytes, uint32_t* handle, int cold) {
  struct lutra_job job;
  struct lutra_done done;
  describe(0, bytes, *handle);
  if (cold) must(lutra_key_drop(&ring, SET_KEY, *handle));
  watch(RESULT);
  measured();
  if (cold) must(lutra_key_set(&ring, SET_KEY, (const uint8_t*)packets[0].key, KEY_BYTES, &packets[0].handle));
  build(&job, &packets[0]);
  must(lutra_crypt(&ring, &job, &done));
  measured();
  *handle = packets[0].handle;
  show(bytes, 0);
}

/* ------------------------------------------------------------------------------------------------- many at once */

static uint32_t jobs_of(enum keys keys) { return keys == NEW && INLINE < 0 ? 2 : 1; }

/* Entries hold what the jobs of a kind share. */
static void prepare(enum keys keys) {
  struct lutra_job jobs[2];
  build(&jobs[jobs_of(keys) - 1], &packets[0]);
  if (jobs_of(keys) == 2) {
    lutra_job_begin(&jobs[0], 0, KEY_BYTES, 0);
    lutra_job_iv(&jobs[0], (const uint32_t[4]){0});
    lutra_job_key(&jobs[0], (const uint8_t*)packets[0].key, KEY_BYTES);
  }
  must(lutra_ring_prepare(&ring, jobs, jobs_of(keys)));
}

/* The words are read before any is written, since the compiler cannot know that packet and job are different memory. */
static inline void again(struct lutra_job* job, uint32_t control, const struct packet* p) {
  const uint32_t source = p->source, destination = p->destination, bytes = p->bytes;
  lutra_job_again(job, control, bytes);
  lutra_job_move_low(job, source, destination);
  lutra_job_iv(job, p->iv);
}

/* What a host does for each message of a batch before the doorbell. */
static void send(enum keys keys, uint32_t n) {
  struct lutra_job* job = lutra_slot(&ring, 0);
  struct packet* const end = packets + n;
  if (keys != NEW) {
    for (struct packet* p = packets; p != end; p++, job = lutra_next(&ring, job))
      again(job, lutra_control(CRYPT, p->handle), p);
  } else if (INLINE >= 0) {
    for (struct packet* p = packets; p != end; p++, job = lutra_next(&ring, job)) {
      again(job, lutra_control((uint32_t)INLINE, 0), p);
      lutra_job_inline_key_words(job, p->key);
    }
  } else {
    for (struct packet* p = packets; p != end; p++, job = lutra_next(&ring, job)) {
      must(lutra_key_renew(&ring, &p->handle));
      const uint32_t control = lutra_control(SET_KEY, p->handle) | LUTRA_DESCRIPTOR__CONTROL__INLINE_PAYLOAD_bm;
      lutra_job_again(job, control, KEY_BYTES);
      lutra_job_key_words(job, p->key, KEY_WORDS);
      job = lutra_next(&ring, job);
      again(job, lutra_control(CRYPT, p->handle), p);
    }
  }
  must(lutra_submit(&ring, n * jobs_of(keys)));
}

static void collect(uint32_t n) {
  for (uint32_t count; n != 0; n -= count) {
    must(lutra_take(&ring, n, &count));
    if (count == 0) must(lutra_wait(&ring));
  }
}

/* Without an access to the device, which would be counted; then until nothing is left to do. */
static void wait_for_last(uint32_t n) {
  const uint32_t at = (ring.head + n - 1) & ring.mask;
  const volatile uint32_t* const word =
      ring.completions + at * LUTRA_DONE_WORDS + LUTRA_WORD_OF(lutra_completion_t, result);
  const uint32_t old = ((uint32_t)ring.head + n - 1) >> LOG2 & 1;
  while (LUTRA_FIELD(*word, LUTRA_COMPLETION__RESULT__PHASE) == old) {
  }
  measured();
  for (const uint32_t begin = CONSOLE[0]; CONSOLE[0] - begin < QUIET;) {
  }
}

static void batches(uint32_t bytes, uint32_t n, uint32_t repeats, enum keys keys, uint32_t* handles) {
  const uint32_t jobs = n * jobs_of(keys);
  for (uint32_t i = 0; i < n; i++) describe(i, bytes, handles[keys == KEPT ? 0 : i]);
  prepare(keys);
  measured();
  send(keys, n);
  measured();
  wait_for_last(jobs);
  measured();
  collect(jobs);
  measured();
  for (uint32_t i = 0; i < n; i++) show(bytes, i);
  /* In turn: the host builds a batch and collects one while the device has AHEAD others. */
  for (uint32_t i = 0; i < n; i++) describe(i, bytes, packets[i].handle);
  for (uint32_t i = 0; i < AHEAD; i++) send(keys, n);
  for (uint32_t i = AHEAD; i < repeats; i++) {
    send(keys, n);
    collect(jobs);
    measured();
  }
  collect(AHEAD * jobs);
  for (uint32_t i = 0; i < n; i++) show(bytes, i);
  if (keys == NEW)
    for (uint32_t i = 0; i < n; i++) handles[i] = packets[i].handle;
}

int main(void) {
  uint32_t handles[KEYS];
  load();
  for (uint32_t i = 0; i < KEYS; i++) {
    describe(i, ROW, 0);
    must(lutra_key_set(&ring, SET_KEY, (const uint8_t*)packets[i].key, KEY_BYTES, &handles[i]));
  }
  for (unsigned i = 0; i < sizeof plan / sizeof *plan; i++) {
    one(plan[i].bytes, &handles[0], 0);
    one(plan[i].bytes, &handles[0], 1);
    for (enum keys keys = KEPT; keys <= NEW; keys++)
      if (plan[i].keys >> keys & 1) batches(plan[i].bytes, plan[i].count, plan[i].batches, keys, handles);
  }
  return 0;
}
