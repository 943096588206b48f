// What an application does for a batch of packets, on a host without an operating system.
#include "lutra_soc.h"

struct packet {
  uint32_t source, destination, bytes, iv[4];
};

static struct lutra_soc soc;
static struct lutra_ring ring;
static uint32_t ticks;

static uint32_t now(void* context) {
  (void)context;
  return ++ticks;
}

// The rings are below 64 KB, which the program and its stack do not use.
uint32_t begin(volatile uint32_t* registers, uint32_t* memory, uint32_t log2, uint32_t limit) {
  const struct lutra_ring_memory place = {memory, (uint32_t)memory, log2, 0, 4};
  soc.registers = registers;
  soc.time = now;
  soc.patience = 1000;
  enum lutra_soc_result result = lutra_soc_open(&soc);
  if (result == LUTRA_SOC_OK) {
    result = lutra_soc_set_window(&soc, 0, 0, limit);
  }
  if (result == LUTRA_SOC_OK) {
    result = lutra_ring_open(&ring, &soc, 0, &place);
  }
  return result == LUTRA_SOC_OK ? lutra_soc_start(&soc) : result;
}

uint32_t send(const struct packet* packets, uint32_t n, uint32_t control) {
  struct lutra_job* job = lutra_slot(&ring, 0);
  for (uint32_t i = 0; i < n; ++i, job = lutra_next(&ring, job)) {
    const struct packet* const p = &packets[i];
    lutra_job_begin(job, control, p->bytes, i);
    lutra_job_move(job, p->source, p->destination);
    lutra_job_iv(job, p->iv);
  }
  return lutra_submit(&ring, n);
}

// The same where the entries already hold what all packets share, and nothing of a completion but its status matters.
uint32_t prepare(uint32_t control, uint32_t n) {
  static struct lutra_job jobs[4];
  for (uint32_t i = 0; i < sizeof jobs / sizeof *jobs; ++i) {
    lutra_job_begin(&jobs[i], control, 0, i);
    lutra_job_move(&jobs[i], 0, 0);
    lutra_job_iv(&jobs[i], (const uint32_t[4]){0});
  }
  return lutra_ring_prepare(&ring, jobs, n);
}

uint32_t send_again(const struct packet* packets, uint32_t n, uint32_t control) {
  struct lutra_job* job = lutra_slot(&ring, 0);
  for (uint32_t i = 0; i < n; ++i, job = lutra_next(&ring, job)) {
    const struct packet* const p = &packets[i];
    lutra_job_again(job, control, p->bytes);
    lutra_job_move_low(job, p->source, p->destination);
    lutra_job_iv(job, p->iv);
  }
  return lutra_submit(&ring, n);
}

// A key of its own for each packet, all in the context of one handle, which changes.
uint32_t send_with_keys(const struct packet* packets, uint32_t n, uint32_t set_key, uint32_t crypt, uint32_t* handle,
                        const uint32_t* keys) {
  struct lutra_job* job = lutra_slot(&ring, 0);
  uint32_t key = *handle;
  for (uint32_t i = 0; i < n; ++i, job = lutra_next(&ring, job), keys += 4) {
    const struct packet* const p = &packets[i];
    const enum lutra_soc_result renewed = lutra_key_renew(&ring, &key);
    if (renewed != LUTRA_SOC_OK) {
      return renewed;
    }
    lutra_job_again(job, lutra_control(set_key, key) | LUTRA_DESCRIPTOR__CONTROL__INLINE_PAYLOAD_bm, 16);
    lutra_job_key_words(job, keys, 4);
    job = lutra_next(&ring, job);
    lutra_job_again(job, lutra_control(crypt, key), p->bytes);
    lutra_job_move_low(job, p->source, p->destination);
    lutra_job_iv(job, p->iv);
  }
  *handle = key;
  return lutra_submit(&ring, 2 * n);
}

uint32_t take(uint32_t n) {
  uint32_t count;
  const enum lutra_soc_result result = lutra_take(&ring, n, &count);
  return result << 16 | count;
}

uint32_t receive(struct lutra_done* done, uint32_t n) {
  uint32_t count;
  const enum lutra_soc_result result = lutra_poll(&ring, done, n, &count);
  return result == LUTRA_SOC_OK ? count : 0;
}
