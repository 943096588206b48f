// Rings: set-up, jobs in, completions out, abort.
#include "internal.h"

static uint32_t control(const struct lutra_ring* ring) { return LUTRA_RING_AT(ring->number, control); }

static uint16_t in_flight(const struct lutra_ring* ring) { return (uint16_t)(ring->tail - ring->head); }

void lutra_ring_place(struct lutra_ring* ring, struct lutra_soc* soc, const struct lutra_ring_memory* memory) {
  const uint32_t entries = 1u << memory->log2;
  __builtin_memset(ring, 0, sizeof *ring);
  ring->soc = soc;
  ring->log2 = memory->log2;
  ring->mask = entries - 1;
  uint32_t* const words = memory->bytes;
  ring->jobs = words;
  ring->jobs_end = words + entries * LUTRA_JOB_WORDS;
  ring->completions = words + entries * LUTRA_JOB_WORDS;
  ring->row = words + entries * (LUTRA_JOB_WORDS + LUTRA_DONE_WORDS);
  ring->jobs_address = memory->address;
  ring->completions_address = memory->address + (uint64_t)entries * LUTRA_JOB_BYTES;
  ring->row_address = ring->completions_address + (uint64_t)entries * LUTRA_DONE_BYTES;
}

void lutra_ring_clear(const struct lutra_ring* ring) {
  const uint32_t bytes = LUTRA_RING_BYTES(ring->log2);
  __builtin_memset(ring->jobs, 0, bytes);
  lutra_clean(ring->soc, ring->jobs_address, bytes);
  lutra_barrier(ring->soc);
}

enum lutra_soc_result lutra_ring_open(struct lutra_ring* ring, struct lutra_soc* soc, uint32_t number,
                                      const struct lutra_ring_memory* memory) {
  if (number >= LUTRA_RINGS || !lutra_ring_fits(memory) ||
      memory->first_context + memory->contexts > (int)LUTRA_CONTEXTS) {
    return LUTRA_SOC_ARGUMENT;
  }
  lutra_ring_place(ring, soc, memory);
  ring->number = number;
  ring->first_context = memory->first_context;
  ring->contexts = memory->contexts;
  ring->tail_at = LUTRA_RING_AT(number, tail);
  ring->head_at = LUTRA_RING_AT(number, head);
  ring->state_at = LUTRA_RING_AT(number, state);
  if (soc->registers != NULL && soc->clean == NULL && soc->invalidate == NULL && soc->barrier == NULL) {
    ring->page = soc->registers + LUTRA_RING_AT(number, descriptors_low) / sizeof(uint32_t);
  }

  const enum lutra_soc_result closed = lutra_ring_close(ring);
  if (closed != LUTRA_SOC_OK) {
    return closed;
  }
  lutra_ring_clear(ring);
  lutra_put_pair(soc, LUTRA_RING_AT(number, descriptors_low), ring->jobs_address);
  lutra_put_pair(soc, LUTRA_RING_AT(number, completions_low), ring->completions_address);
  lutra_put(soc, LUTRA_RING_AT(number, size), LUTRA_IN_FIELD(memory->log2, LUTRA_AXI__RING_PAGE__SIZE__LOG2));
  lutra_put(soc, ring->tail_at, 0);
  lutra_put(soc, LUTRA_RING_AT(number, interrupt), LUTRA_NOBODY);
  lutra_put(soc, control(ring), LUTRA_AXI__RING_PAGE__CONTROL__ENABLE_bm);
  return LUTRA_SOC_OK;
}

enum lutra_soc_result lutra_ring_close(struct lutra_ring* ring) {
  lutra_put(ring->soc, control(ring), 0);
  const enum lutra_soc_result idle =
      lutra_soc_await(ring->soc, LUTRA_RING_AT(ring->number, state), LUTRA_AXI__RING_PAGE__STATE__IDLE_bm,
                      LUTRA_AXI__RING_PAGE__STATE__IDLE_bm);
  return idle == LUTRA_SOC_LATE ? LUTRA_SOC_STUCK : idle;
}

void lutra_set_interrupts(struct lutra_ring* ring, uint32_t count, uint32_t timer) {
  lutra_put(ring->soc, LUTRA_RING_AT(ring->number, moderation),
            LUTRA_IN_FIELD(count, LUTRA_AXI__RING_PAGE__MODERATION__COUNT) |
                LUTRA_IN_FIELD(timer, LUTRA_AXI__RING_PAGE__MODERATION__TIMER));
  lutra_put(ring->soc, LUTRA_RING_AT(ring->number, interrupt_enable),
            LUTRA_AXI__RING_PAGE__INTERRUPT_ENABLE__COMPLETED_bm | LUTRA_AXI__RING_PAGE__INTERRUPT_ENABLE__STOPPED_bm);
}

void lutra_acknowledge(struct lutra_ring* ring) {
  lutra_put(ring->soc, LUTRA_RING_AT(ring->number, interrupt), LUTRA_AXI__RING_PAGE__INTERRUPT__COMPLETED_bm);
}

// Where a job reads and writes, for the cache. Lists, and what they point to, are the caller's to maintain.
struct places {
  uint32_t control, bytes, aad_bytes, tag_bytes;
  uint64_t source, destination, aad;
};

static uint64_t address_at(const uint32_t* word) { return (uint64_t)lutra_order(word[1]) << 32 | lutra_order(word[0]); }

static struct places places_of(const struct lutra_job* job) {
  const uint32_t extra = lutra_order(LUTRA_JOB_WORD(job, extra));
  struct places p = {
      .control = lutra_order(LUTRA_JOB_WORD(job, control)),
      .bytes = lutra_order(LUTRA_JOB_WORD(job, length)),
      .aad_bytes = LUTRA_FIELD(extra, LUTRA_DESCRIPTOR__EXTRA__AAD),
      .tag_bytes = LUTRA_FIELD(extra, LUTRA_DESCRIPTOR__EXTRA__TAG),
      .source = address_at(&LUTRA_JOB_WORD(job, source_low)),
      .destination = address_at(&LUTRA_JOB_WORD(job, destination_low)),
      .aad = address_at(&LUTRA_JOB_WORD(job, aad_low)),
  };
  return p;
}

// A raw operation has other values in the fields of associated data and tag, and a job that sets a key has no
// addresses: their buffers are their callers' to maintain. A ring of packets has neither.
static bool maintained(const struct lutra_ring* ring, const struct places* p) {
  const uint32_t operation = LUTRA_FIELD(p->control, LUTRA_DESCRIPTOR__CONTROL__OPERATION);
  return ring->cluster || (operation < LUTRA_OPERATIONS && (ring->soc->sets_key >> operation & 1) == 0);
}
static bool has_destination(const struct lutra_ring* ring, const struct places* p) {
  const uint32_t operation = LUTRA_FIELD(p->control, LUTRA_DESCRIPTOR__CONTROL__OPERATION);
  return maintained(ring, p) && (p->control & LUTRA_DESCRIPTOR__CONTROL__SCATTER_bm) == 0 &&
         (ring->cluster || (ring->soc->restores_key >> operation & 1) == 0);
}

// Before the doorbell: what the device reads has to be in memory, and no dirty line may fall on what it writes.
static void clean_buffers(const struct lutra_ring* ring, const struct lutra_job* job) {
  const struct lutra_soc* const soc = ring->soc;
  const struct places p = places_of(job);
  if (!maintained(ring, &p)) {
    return;
  }
  if ((p.control & LUTRA_DESCRIPTOR__CONTROL__INLINE_PAYLOAD_bm) == 0) {
    if ((p.control & LUTRA_DESCRIPTOR__CONTROL__GATHER_bm) == 0) {
      lutra_clean(soc, p.source, p.bytes + p.tag_bytes);
    }
    lutra_clean(soc, p.aad, p.aad_bytes);
  }
  if (has_destination(ring, &p)) {
    lutra_clean(soc, p.destination, p.bytes + p.tag_bytes);
  }
}

enum lutra_soc_result lutra_ring_prepare(struct lutra_ring* ring, const struct lutra_job* jobs, uint32_t n) {
  if (in_flight(ring) != 0) {
    return LUTRA_SOC_BUSY;
  }
  if (n == 0 || (n & (n - 1)) != 0 || n > lutra_free(ring)) {
    return LUTRA_SOC_ARGUMENT;
  }
  for (uint32_t i = 0; i < lutra_free(ring); ++i) {
    *lutra_slot(ring, i) = jobs[i & (n - 1)];
  }
  return LUTRA_SOC_OK;
}

// Where something has to be called: cleans n jobs and what they lead to, and rings.
LUTRA_APART enum lutra_soc_result submit_by_calls(struct lutra_ring* ring, uint32_t n) {
  const struct lutra_soc* const soc = ring->soc;
  for (uint32_t i = 0; soc->clean != NULL && i < n; ++i) {
    clean_buffers(ring, lutra_slot(ring, i));
    lutra_clean(soc, ring->jobs_address + ((ring->tail + i) & ring->mask) * (uint64_t)LUTRA_JOB_BYTES, LUTRA_JOB_BYTES);
  }
  ring->tail = (uint16_t)(ring->tail + n);
  lutra_barrier(soc);
  lutra_put(soc, ring->tail_at, LUTRA_IN_FIELD(ring->tail, LUTRA_AXI__RING_PAGE__TAIL__TAIL));
  return LUTRA_SOC_OK;
}

enum lutra_soc_result lutra_submit(struct lutra_ring* ring, uint32_t n) {
  if (n > lutra_free(ring)) {
    return LUTRA_SOC_FULL;
  }
  if (ring->page == NULL) {
    return submit_by_calls(ring, n);
  }
  const uint16_t tail = (uint16_t)(ring->tail + n);
  ring->tail = tail;
  lutra_fence();
  ring->page[LUTRA_IN_PAGE(tail)] = LUTRA_IN_FIELD(tail, LUTRA_AXI__RING_PAGE__TAIL__TAIL);
  return LUTRA_SOC_OK;
}

// Completions that are wholly in memory. The first one that is missing is seen in memory, without an access to the
// device; the count comes from the device, because the phase may be in memory before the words after it.
LUTRA_INLINE enum lutra_soc_result arrived(const struct lutra_ring* ring, uint32_t* count, bool direct) {
  const uint32_t at = ring->head & ring->mask;
  *count = 0;
  if (in_flight(ring) == 0) {
    return LUTRA_SOC_OK;
  }
  if (!direct) {
    lutra_invalidate(ring->soc, ring->completions_address + at * (uint64_t)LUTRA_DONE_BYTES, LUTRA_DONE_BYTES);
  }
  const volatile uint32_t* const words = ring->completions + at * LUTRA_DONE_WORDS;
  const uint32_t result = lutra_order(words[LUTRA_WORD_OF(lutra_completion_t, result)]);
  const uint32_t old = ((uint32_t)ring->head >> ring->log2) & 1;
  if (LUTRA_FIELD(result, LUTRA_COMPLETION__RESULT__PHASE) == old) {
    return LUTRA_SOC_OK;
  }
  const uint32_t head = direct ? ring->page[LUTRA_IN_PAGE(head)] : lutra_get(ring->soc, ring->head_at);
  const uint32_t found = (uint16_t)(head - ring->head);
  if (head == LUTRA_NOBODY || found > in_flight(ring)) {
    return LUTRA_SOC_DEAD;
  }
  *count = found;
  return LUTRA_SOC_OK;
}

// After the completion: stale lines of the destination.
static void drop_lines(const struct lutra_ring* ring, uint32_t at) {
  const struct lutra_job* const job = (const void*)(ring->jobs + at * LUTRA_JOB_WORDS);
  const struct places p = places_of(job);
  if (has_destination(ring, &p)) {
    lutra_invalidate(ring->soc, p.destination, p.bytes + p.tag_bytes);
  }
}

// At most n completions that are there, with what belongs to them: the host may read both.
LUTRA_INLINE enum lutra_soc_result ready(const struct lutra_ring* ring, uint32_t n, uint32_t* count, bool direct) {
  const enum lutra_soc_result result = arrived(ring, count, direct);
  *count = *count < n ? *count : n;
  if (direct) {
    lutra_fence();
    return result;
  }
  for (uint32_t i = 0; ring->soc->invalidate != NULL && i < *count; ++i) {
    const uint32_t at = (ring->head + i) & ring->mask;
    lutra_invalidate(ring->soc, ring->completions_address + at * (uint64_t)LUTRA_DONE_BYTES, LUTRA_DONE_BYTES);
    drop_lines(ring, at);
  }
  lutra_barrier(ring->soc);
  return result;
}

// Completions that lutra_poll and lutra_take have waited for no longer change.
static const uint32_t* settled(const struct lutra_ring* ring) { return (const uint32_t*)(uintptr_t)ring->completions; }

LUTRA_INLINE enum lutra_soc_result poll(struct lutra_ring* ring, struct lutra_done* done, uint32_t n, uint32_t* count,
                                        bool direct) {
  uint32_t taken;
  const enum lutra_soc_result result = ready(ring, n, &taken, direct);
  const uint32_t* const completions = settled(ring);
  const uint32_t mask = ring->mask;
  for (uint32_t i = 0, at = ring->head & mask; i < taken; ++i, at = (at + 1) & mask) {
    const uint32_t* const words = completions + at * LUTRA_DONE_WORDS;
    done[i].cookie = lutra_order(words[LUTRA_WORD_OF(lutra_completion_t, cookie)]);
    done[i].result = lutra_order(words[LUTRA_WORD_OF(lutra_completion_t, result)]);
    done[i].bytes = lutra_order(words[LUTRA_WORD_OF(lutra_completion_t, bytes)]);
    done[i].cycles = lutra_order(words[LUTRA_WORD_OF(lutra_completion_t, cycles)]);
  }
  *count = taken;
  ring->head = (uint16_t)(ring->head + taken);
  return result;
}

LUTRA_APART enum lutra_soc_result poll_by_calls(struct lutra_ring* ring, struct lutra_done* done, uint32_t n,
                                                uint32_t* count) {
  return poll(ring, done, n, count, false);
}

enum lutra_soc_result lutra_poll(struct lutra_ring* ring, struct lutra_done* done, uint32_t n, uint32_t* count) {
  return ring->page != NULL ? poll(ring, done, n, count, true) : poll_by_calls(ring, done, n, count);
}

// The bits of the statuses of n completions from one on, all in a row: 0 if all jobs are done.
LUTRA_INLINE uint32_t any_failed(const uint32_t* words, uint32_t n) {
  const uint32_t* const end = words + n * LUTRA_DONE_WORDS;
  uint32_t any = 0;
#pragma GCC unroll 4
  for (; words != end; words += LUTRA_DONE_WORDS) {
    any |= words[LUTRA_WORD_OF(lutra_completion_t, result)];
  }
  return LUTRA_FIELD(lutra_order(any), LUTRA_COMPLETION__RESULT__STATUS);
}

LUTRA_INLINE enum lutra_soc_result take(struct lutra_ring* ring, uint32_t n, uint32_t* count, bool direct) {
  uint32_t taken;
  enum lutra_soc_result result = ready(ring, n, &taken, direct);
  const uint32_t* const completions = settled(ring);
  const uint32_t at = ring->head & ring->mask, to_end = ring->mask + 1 - at;
  const uint32_t first = taken < to_end ? taken : to_end;
  if ((any_failed(completions + at * LUTRA_DONE_WORDS, first) | any_failed(completions, taken - first)) != 0) {
    for (taken = 0; result == LUTRA_SOC_OK; ++taken) {
      const uint32_t i = (at + taken) & ring->mask;
      result = (enum lutra_soc_result)any_failed(completions + i * LUTRA_DONE_WORDS, 1);
    }
    --taken;
  }
  *count = taken;
  ring->head = (uint16_t)(ring->head + taken);
  return result;
}

LUTRA_APART enum lutra_soc_result take_by_calls(struct lutra_ring* ring, uint32_t n, uint32_t* count) {
  return take(ring, n, count, false);
}

enum lutra_soc_result lutra_take(struct lutra_ring* ring, uint32_t n, uint32_t* count) {
  return ring->page != NULL ? take(ring, n, count, true) : take_by_calls(ring, n, count);
}

// Memory is cheap to look at: so often before the clock and the state of the ring.
#define LOOKS 16u

enum lutra_soc_result lutra_wait(struct lutra_ring* ring) {
  const struct lutra_soc* const soc = ring->soc;
  const uint32_t begin = soc->time(soc->context);
  for (;;) {
    const uint32_t late = soc->time(soc->context) - begin;
    uint32_t count = 0;
    enum lutra_soc_result result;
    if (ring->page == NULL) {
      result = arrived(ring, &count, false);
    } else {
      uint32_t left = soc->wait == NULL ? LOOKS : 1;
      do {
        result = arrived(ring, &count, true);
      } while (result == LUTRA_SOC_OK && count == 0 && --left != 0);
    }
    if (result != LUTRA_SOC_OK || count != 0 || in_flight(ring) == 0) {
      return result;
    }
    const uint32_t state = lutra_get(soc, ring->state_at);
    if (state == LUTRA_NOBODY) {
      return LUTRA_SOC_DEAD;
    }
    if ((state & LUTRA_AXI__RING_PAGE__STATE__STOPPED_bm) != 0 && (state & LUTRA_AXI__RING_PAGE__STATE__IDLE_bm) != 0) {
      return LUTRA_SOC_STOPPED;
    }
    if (late > soc->patience) {
      if (ring->cluster) {
        return LUTRA_SOC_LATE;
      }
      const enum lutra_soc_result aborted = lutra_abort(ring);
      return aborted == LUTRA_SOC_OK ? LUTRA_SOC_LATE : aborted;
    }
    if (soc->wait != NULL) {
      soc->wait(soc->context);
    }
  }
}

enum lutra_soc_result lutra_abort(struct lutra_ring* ring) {
  const uint32_t enable = LUTRA_AXI__RING_PAGE__CONTROL__ENABLE_bm;
  lutra_put(ring->soc, control(ring), enable | LUTRA_AXI__RING_PAGE__CONTROL__ABORT_bm);
  const enum lutra_soc_result idle =
      lutra_soc_await(ring->soc, LUTRA_RING_AT(ring->number, state), LUTRA_AXI__RING_PAGE__STATE__IDLE_bm,
                      LUTRA_AXI__RING_PAGE__STATE__IDLE_bm);
  if (idle != LUTRA_SOC_OK) {
    return idle == LUTRA_SOC_LATE ? LUTRA_SOC_STUCK : idle;
  }
  lutra_put(ring->soc, control(ring), enable);
  // An idle ring that has not completed all jobs has stopped, or only looks like one.
  const uint32_t state = lutra_get(ring->soc, LUTRA_RING_AT(ring->number, state));
  const uint32_t head = lutra_get(ring->soc, LUTRA_RING_AT(ring->number, head));
  if ((state & LUTRA_AXI__RING_PAGE__STATE__STOPPED_bm) != 0) {
    return LUTRA_SOC_STOPPED;
  }
  return (uint16_t)head == ring->tail ? LUTRA_SOC_OK : LUTRA_SOC_DEAD;
}
