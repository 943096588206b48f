// The driver of lutra_axi (docs/soc.md): rings of jobs, keys, firmware.
//
// Freestanding C11: no dynamic memory, no state outside of the structs that the host hands in, no library but memcpy
// and memset. Addresses are those of the device's bus; the host knows which memory they mean. Every wait ends: after
// `patience` the job is aborted, and if the device does not even answer to that, the result is LUTRA_SOC_STUCK.
//
//     lutra_soc_open(&soc); lutra_soc_set_window(&soc, 0, base, limit);         the device
//     lutra_ring_open(&ring, &soc, 0, &memory);                         a ring, in memory of the host
//     lutra_soc_core(&port, &core);                                     firmware, by the loader in patch/loader
//     lutra_soc_set_operations(&soc, table, count, stream_reset); lutra_soc_start(&soc);
//     lutra_key_set(&ring, OPERATION_SET_KEY, key, 16, &handle);
//
//     lutra_job_begin(&job, lutra_control(OPERATION, handle), bytes, cookie);   one message
//     lutra_job_move(&job, source, destination); lutra_job_iv(&job, iv);
//     lutra_crypt(&ring, &job, &done);
//
//     slot = lutra_slot(&ring, 0); lutra_job_begin(slot, ..); ..        many: build them in place,
//     slot = lutra_next(&ring, slot); ..
//     lutra_submit(&ring, n); lutra_poll(&ring, done, n, &count);       ring once, collect
//
//     lutra_ring_prepare(&ring, &job, 1);                               many of one kind: entries keep what
//     slot = lutra_slot(&ring, 0); lutra_job_again(slot, ..); ..        all jobs share
//     lutra_submit(&ring, n); lutra_take(&ring, n, &count);
#ifndef LUTRA_SOC_H
#define LUTRA_SOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lutra_job.h"

#ifdef __cplusplus
extern "C" {
#endif

// All results: the status of a completion, then those of the driver, with the message for a user (lutra_soc_text).
#define LUTRA_SOC_ERRORS(X)                                                                                 \
  X(DEAD, 32, "the device does not answer, or it is not of this version")                                   \
  X(LATE, 33, "the job did not end in time and was aborted")                                                \
  X(STUCK, 34, "the device cannot be stopped: it may still write to the buffers, so do not use them again") \
  X(STOPPED, 35, "the ring stopped: its own memory met a bus error, or its doorbell ran ahead; restart it") \
  X(FULL, 36, "the ring has no free entry: poll first")                                                     \
  X(BUSY, 37, "jobs are in flight: poll them first")                                                        \
  X(NO_CONTEXT, 38, "all key contexts of this ring are in use: drop a key first")                           \
  X(ARGUMENT, 39, "an argument is out of its range")                                                        \
  X(NO_HANDLE, 40, "all handles of the free contexts were given out: forget those of dropped keys first")   \
  X(NO_WIPE, 41, "the core has no wipe: write zeros to its memories, or choose a configuration with a wipe")

enum lutra_soc_result {
#define LUTRA_SOC_STATUS(name, value, text) LUTRA_SOC_##name = (value),
  LUTRA_STATUS_CODES(LUTRA_SOC_STATUS) LUTRA_SOC_ERRORS(LUTRA_SOC_STATUS)
#undef LUTRA_SOC_STATUS
};

// Message of a result. It has its own source file, so a host without a user can leave it out.
const char* lutra_soc_text(enum lutra_soc_result result);

// The device. The host fills in everything before the first call.
struct lutra_soc {
  volatile uint32_t* registers;  // NULL: through `read` and `write`
  void* context;                 // of the callbacks
  uint32_t (*read)(void* context, uint32_t offset);
  void (*write)(void* context, uint32_t offset, uint32_t value);
  // Cache maintenance where the device does not see the host's caches: written lines to memory; lines dropped, so that
  // the next read comes from memory. NULL where memory is coherent.
  void (*clean)(void* context, uint64_t address, uint32_t bytes);
  void (*invalidate)(void* context, uint64_t address, uint32_t bytes);
  // After writes to memory and before the doorbell, and after a completion and before its data. NULL: a fence.
  void (*barrier)(void* context);
  uint32_t (*time)(void* context);  // ticks of any length, modulo 2^32
  void (*wait)(void* context);      // in each turn of a wait, for example until an interrupt; may be NULL
  uint32_t patience;                // ticks until a wait ends; longer than the longest job
  // A bit for each operation that sets a key, whose job has no addresses, and for each that restores one, whose job has
  // a source. lutra_soc_set_operations fills them in; a host that has a ring but not the device gets them from whoever
  // has.
  uint32_t sets_key, restores_key;
};

// An entry of the table of operations: entry of the routine, and the flags of the register.
struct lutra_operation {
  uint16_t entry;
  uint32_t flags;
};

// Looks for the device and chooses the byte order of the host.
enum lutra_soc_result lutra_soc_open(struct lutra_soc* soc);
// Where the descriptors of a ring may point, from base to limit, exclusive.
enum lutra_soc_result lutra_soc_set_window(struct lutra_soc* soc, uint32_t ring, uint64_t base, uint64_t limit);
// The operations of the firmware that is loaded, while nothing runs.
enum lutra_soc_result lutra_soc_set_operations(struct lutra_soc* soc, const struct lutra_operation* operations,
                                               uint32_t count, uint16_t stream_reset);
enum lutra_soc_result lutra_soc_start(struct lutra_soc* soc);
// Takes no further descriptors, and waits until none is in work.
enum lutra_soc_result lutra_soc_stop(struct lutra_soc* soc);
// Refuses raw operations from now on.
void lutra_soc_lock(struct lutra_soc* soc);
// Aborts both rings and resets the core; keys and firmware stay, unless the core has a wipe. Rings have to be opened
// again.
enum lutra_soc_result lutra_soc_reset(struct lutra_soc* soc);
// Wipes the core when all jobs have ended: no key, text or context is left, nor what the firmware needs besides its
// program. So it is loaded again, then its operations are set. A core with a wipe is wiped without a call when all
// rings are closed, and before a raw operation that follows jobs.
enum lutra_soc_result lutra_soc_wipe(const struct lutra_soc* soc);
// Wipes the core at once, and locks it until the device is reset: all jobs end with LUTRA_SOC_CORE_FAULT.
enum lutra_soc_result lutra_soc_escalate(const struct lutra_soc* soc);

// Memory of a ring: LUTRA_RING_BYTES, aligned to 64 and to the lines of the cache, in the window of the ring.
struct lutra_ring_memory {
  void* bytes;
  uint64_t address;
  uint32_t log2;          // entries, as a power of two, 1 to 15
  uint8_t first_context;  // key contexts of this ring
  uint8_t contexts;
};
#define LUTRA_RING_BYTES(log2) (LUTRA_RING_FIXED_BYTES + ((LUTRA_JOB_BYTES + LUTRA_DONE_BYTES) << (log2)))

struct lutra_ring {
  struct lutra_soc* soc;
  uint32_t* jobs;  // the descriptors
  uint32_t* jobs_end;
  const volatile uint32_t* completions;
  uint32_t* row;  // for raw operations
  // Registers of the ring, if a batch has nothing to call: neither for registers, nor for caches and barriers.
  volatile uint32_t* page;
  uint64_t jobs_address, completions_address, row_address;
  uint32_t number, mask, log2;
  uint32_t tail_at, head_at, state_at;  // offsets of these registers
  bool cluster;                         // a ring of packets, lutra_cluster.h
  uint16_t tail, head;                  // counts of jobs and of completions
  uint8_t first_context, contexts;
  uint16_t generation[LUTRA_CONTEXTS];
  uint32_t used;  // a bit for each context with a key
};

// How a job ended.
struct lutra_done {
  uint32_t cookie;
  uint32_t result;  // lutra_status of it; of a raw run also the state of the core
  uint32_t bytes;   // written to the destination
  uint32_t cycles;  // of the core
};
static inline enum lutra_soc_result lutra_status_of(const struct lutra_done* done) {
  return (enum lutra_soc_result)LUTRA_FIELD(done->result, LUTRA_COMPLETION__RESULT__STATUS);
}

// Sets a ring up and enables it. A ring that was open begins again: wait for its jobs, or abort it first, and forget
// the handles of its keys, whose numbers come again.
enum lutra_soc_result lutra_ring_open(struct lutra_ring* ring, struct lutra_soc* soc, uint32_t number,
                                      const struct lutra_ring_memory* memory);
enum lutra_soc_result lutra_ring_close(struct lutra_ring* ring);
// Interrupts: by the number of completions, or by a time in units of 64 cycles after one; 0: not.
void lutra_set_interrupts(struct lutra_ring* ring, uint32_t count, uint32_t timer);
// Clears the interrupt; then poll.
void lutra_acknowledge(struct lutra_ring* ring);

// Entries that are free; the i-th of them, and the one after an entry, to build jobs in.
static inline uint32_t lutra_free(const struct lutra_ring* ring) {
  return ring->mask + 1 - (uint16_t)(ring->tail - ring->head);
}
static inline struct lutra_job* lutra_slot(const struct lutra_ring* ring, uint32_t i) {
  return (struct lutra_job*)(void*)(ring->jobs + LUTRA_JOB_WORDS * ((ring->tail + i) & ring->mask));
}
static inline struct lutra_job* lutra_next(const struct lutra_ring* ring, struct lutra_job* slot) {
  uint32_t* const next = slot->word + LUTRA_JOB_WORDS;
  return (struct lutra_job*)(void*)(next == ring->jobs_end ? ring->jobs : next);
}
// Fills the entries of a ring that has nothing in flight with n jobs in turn, a power of two: from the next one on, a
// host writes only what changes.
enum lutra_soc_result lutra_ring_prepare(struct lutra_ring* ring, const struct lutra_job* jobs, uint32_t n);
// Hands the first n free entries to the device.
enum lutra_soc_result lutra_submit(struct lutra_ring* ring, uint32_t n);
// Collects at most n completions, in order. Does not wait.
enum lutra_soc_result lutra_poll(struct lutra_ring* ring, struct lutra_done* done, uint32_t n, uint32_t* count);
// The same without a copy, where all that matters is that the jobs are done: it takes at most n that are. If one has
// failed, the result is its status, count has those before it, and lutra_poll collects it.
enum lutra_soc_result lutra_take(struct lutra_ring* ring, uint32_t n, uint32_t* count);
// Waits until a completion is there. After LUTRA_SOC_LATE all jobs in flight have been aborted, and can be polled;
// those of a cluster are still in flight.
enum lutra_soc_result lutra_wait(struct lutra_ring* ring);
// One job from its descriptor to its end; the result is that of the job. The ring has to be empty.
enum lutra_soc_result lutra_crypt(struct lutra_ring* ring, const struct lutra_job* job, struct lutra_done* done);
// One job that decrypts and checks a tag, of which nothing is written if the tag is wrong. If it is longer than a
// chunk, `verify` goes first, an operation that takes the same and has no output but whether the tag is right; the job
// itself checks the tag again. The cycles are those of both.
enum lutra_soc_result lutra_crypt_verified(struct lutra_ring* ring, const struct lutra_job* job, uint32_t verify,
                                           struct lutra_done* done);
// Takes all jobs back; returns when none is in flight, neither on the bus nor in the core. They can be polled.
enum lutra_soc_result lutra_abort(struct lutra_ring* ring);

// A key to a context that is free; its handle goes into lutra_control. operation: one that sets a key, as its class
// says which operations may use it. The descriptor is wiped.
enum lutra_soc_result lutra_key_set(struct lutra_ring* ring, uint32_t operation, const uint8_t* key, uint32_t bytes,
                                    uint32_t* handle);
// The same as a job for a batch: later jobs of the ring may use the handle at once. Jobs with keys stay in the memory
// of the ring until other jobs overwrite them.
enum lutra_soc_result lutra_key_job(struct lutra_ring* ring, struct lutra_job* job, uint32_t operation,
                                    const uint8_t* key, uint32_t bytes, uint32_t* handle);
// Replaces a handle whose key is no longer wanted by one for another key in the same context. The new one is valid
// after a job that sets its key; from that job on the old one is stale. After LUTRA_SOC_NO_HANDLE it is as before: drop
// the key, and see lutra_keys_forget.
static inline enum lutra_soc_result lutra_key_renew(struct lutra_ring* ring, uint32_t* handle) {
  const uint32_t old = *handle, renewed = old + (1u << LUTRA_DESCRIPTOR__CONTROL__GENERATION_bp);
  if (renewed < old) {  // the generation is the uppermost field
    return LUTRA_SOC_NO_HANDLE;
  }
  ring->generation[LUTRA_FIELD(old, LUTRA_DESCRIPTOR__CONTROL__CONTEXT)] =
      (uint16_t)LUTRA_FIELD(renewed, LUTRA_DESCRIPTOR__CONTROL__GENERATION);
  *handle = renewed;
  return LUTRA_SOC_OK;
}
static_assert(LUTRA_DESCRIPTOR__CONTROL__GENERATION_bp + LUTRA_DESCRIPTOR__CONTROL__GENERATION_bw == 32,
              "a generation after the last one is beyond the word");
// Wipes a key. Its handle is stale from now on.
enum lutra_soc_result lutra_key_drop(struct lutra_ring* ring, uint32_t operation, uint32_t handle);
// A handle has as many numbers as LUTRA_GENERATIONS in each context, and none is given out twice, because a stale one
// would lead to a new key. After LUTRA_SOC_NO_HANDLE the host calls this to say that it has no handle, nor a job with
// one, of a key that was dropped: those numbers may come again.
void lutra_keys_forget(struct lutra_ring* ring);

// The core through raw operations of ring 0, for the loader of patch/loader: the context of its callbacks.
struct lutra_core;
struct lutra_stop;
void lutra_soc_core(struct lutra_ring* ring, struct lutra_core* core);
// Rows of a memory of the core, 16 bytes each; a program word is the first 8 bytes of a row.
enum lutra_soc_result lutra_raw_write(struct lutra_ring* ring, uint32_t space, uint32_t row, const uint8_t bytes[16]);
enum lutra_soc_result lutra_raw_read(struct lutra_ring* ring, uint32_t space, uint32_t row, uint8_t bytes[16]);
// Many rows at once, from an address in the window of the ring; cleaning them from the cache is the caller's.
enum lutra_soc_result lutra_raw_load(struct lutra_ring* ring, uint32_t space, uint32_t row, uint32_t rows,
                                     uint64_t address);
// LUTRA_SOC_TIMEOUT where the core ran longer; it was reset then.
enum lutra_soc_result lutra_raw_run(struct lutra_ring* ring, uint32_t entry, uint32_t max_cycles,
                                    struct lutra_done* done);

#ifdef __cplusplus
}
#endif

#endif
