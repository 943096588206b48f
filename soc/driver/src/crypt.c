// One job at a time, and keys.
#include "internal.h"

enum lutra_soc_result lutra_crypt(struct lutra_ring* ring, const struct lutra_job* job, struct lutra_done* done) {
  if (ring->tail != ring->head) {
    return LUTRA_SOC_BUSY;
  }
  __builtin_memcpy(lutra_slot(ring, 0), job, sizeof *job);
  enum lutra_soc_result result = lutra_submit(ring, 1);
  if (result == LUTRA_SOC_OK) {
    result = lutra_wait(ring);
  }
  uint32_t count = 0;
  if (result == LUTRA_SOC_OK || result == LUTRA_SOC_LATE) {
    const enum lutra_soc_result polled = lutra_poll(ring, done, 1, &count);
    if (polled != LUTRA_SOC_OK || count == 0) {
      return polled == LUTRA_SOC_OK ? LUTRA_SOC_DEAD : polled;
    }
  }
  return result == LUTRA_SOC_OK ? lutra_status_of(done) : result;
}

static uint32_t rows_of(uint32_t bytes) { return bytes / 16 + (bytes % 16 != 0); }

enum lutra_soc_result lutra_crypt_verified(struct lutra_ring* ring, const struct lutra_job* job, uint32_t verify,
                                           struct lutra_done* done) {
  const uint32_t extra = lutra_order(LUTRA_JOB_WORD(job, extra));
  const uint32_t text = rows_of(lutra_order(LUTRA_JOB_WORD(job, length)));
  const uint32_t aad = rows_of(LUTRA_FIELD(extra, LUTRA_DESCRIPTOR__EXTRA__AAD));
  uint32_t cycles = 0;
  // Text of one chunk is written after its tag was found right, or not at all.
  if (text + aad > LUTRA_AXI__CAPABILITIES__CHUNK_ROWS_reset) {
    struct lutra_job first = *job;
    const uint32_t control = lutra_order(LUTRA_JOB_WORD(job, control));
    const uint32_t others = control & ~(uint32_t)LUTRA_DESCRIPTOR__CONTROL__OPERATION_bm;
    LUTRA_JOB_WORD(&first, control) = lutra_order(lutra_control(verify, others));
    const enum lutra_soc_result result = lutra_crypt(ring, &first, done);
    if (result != LUTRA_SOC_OK) {
      return result;
    }
    cycles = done->cycles;
  }
  const enum lutra_soc_result result = lutra_crypt(ring, job, done);
  done->cycles += cycles;
  return result;
}

// A free context with a handle that was not given out yet.
static enum lutra_soc_result key_control(const struct lutra_ring* ring, uint32_t* context) {
  enum lutra_soc_result result = LUTRA_SOC_NO_CONTEXT;
  for (uint32_t i = ring->first_context; i < (uint32_t)ring->first_context + ring->contexts; ++i) {
    if ((ring->used >> i & 1) == 0) {
      if (ring->generation[i] < LUTRA_GENERATIONS) {
        *context = i;
        return LUTRA_SOC_OK;
      }
      result = LUTRA_SOC_NO_HANDLE;
    }
  }
  return result;
}

void lutra_keys_forget(struct lutra_ring* ring) {
  for (uint32_t i = 0; i < LUTRA_CONTEXTS; ++i) {
    if ((ring->used >> i & 1) == 0) {
      ring->generation[i] = 0;
    }
  }
}

enum lutra_soc_result lutra_key_job(struct lutra_ring* ring, struct lutra_job* job, uint32_t operation,
                                    const uint8_t* key, uint32_t bytes, uint32_t* handle) {
  uint32_t context = 0;
  if (bytes == 0 || bytes > LUTRA_JOB_BYTES - offsetof(lutra_descriptor_t, destination_low)) {
    return LUTRA_SOC_ARGUMENT;
  }
  const enum lutra_soc_result found = key_control(ring, &context);
  if (found != LUTRA_SOC_OK) {
    return found;
  }
  // A handle of an earlier key in this context has another generation.
  ring->generation[context] = (uint16_t)(ring->generation[context] + 1);
  ring->used |= 1u << context;
  *handle = lutra_context(context) | LUTRA_IN_FIELD(ring->generation[context], LUTRA_DESCRIPTOR__CONTROL__GENERATION);
  lutra_job_begin(job, lutra_control(operation, *handle) | LUTRA_DESCRIPTOR__CONTROL__INLINE_PAYLOAD_bm, bytes, 0);
  __builtin_memset(&LUTRA_JOB_WORD(job, iv), 0, 16);
  lutra_job_key(job, key, bytes);
  return LUTRA_SOC_OK;
}

static uint32_t context_of(uint32_t handle) { return LUTRA_FIELD(handle, LUTRA_DESCRIPTOR__CONTROL__CONTEXT); }

// The key in a job that has been done, in the ring and in the caller's copy.
static void wipe(const struct lutra_ring* ring, struct lutra_job* job) {
  const uint32_t at = (uint32_t)(ring->tail - 1) & ring->mask;
  volatile uint32_t* const slot = ring->jobs + at * LUTRA_JOB_WORDS;
  volatile uint32_t* const copy = job->word;
  for (uint32_t i = 0; i < LUTRA_JOB_WORDS; ++i) {
    slot[i] = copy[i] = 0;
  }
  lutra_clean(ring->soc, ring->jobs_address + at * (uint64_t)LUTRA_JOB_BYTES, LUTRA_JOB_BYTES);
}

enum lutra_soc_result lutra_key_set(struct lutra_ring* ring, uint32_t operation, const uint8_t* key, uint32_t bytes,
                                    uint32_t* handle) {
  struct lutra_job job;
  struct lutra_done done;
  if (ring->tail != ring->head) {
    return LUTRA_SOC_BUSY;
  }
  enum lutra_soc_result result = lutra_key_job(ring, &job, operation, key, bytes, handle);
  if (result != LUTRA_SOC_OK) {
    return result;
  }
  result = lutra_crypt(ring, &job, &done);
  wipe(ring, &job);
  if (result != LUTRA_SOC_OK) {
    ring->used &= ~(1u << context_of(*handle));
  }
  return result;
}

enum lutra_soc_result lutra_key_drop(struct lutra_ring* ring, uint32_t operation, uint32_t handle) {
  struct lutra_job job;
  struct lutra_done done;
  static const uint8_t nothing[1] = {0};
  lutra_job_begin(&job, lutra_control(operation, handle) | LUTRA_DESCRIPTOR__CONTROL__INLINE_PAYLOAD_bm, 0, 0);
  __builtin_memset(&LUTRA_JOB_WORD(&job, iv), 0, 16);
  lutra_job_key(&job, nothing, 0);
  const enum lutra_soc_result result = lutra_crypt(ring, &job, &done);
  if (result == LUTRA_SOC_OK) {
    ring->used &= ~(1u << context_of(handle));
  }
  return result;
}
