// A job as it is in memory: a descriptor, built field by field, in place or not. All of it is inline, because it is
// what a host does for every packet.
#ifndef LUTRA_JOB_H
#define LUTRA_JOB_H

#include <stddef.h>
#include <stdint.h>

// The generated headers are C23.
#if !defined(__cplusplus) && !defined(static_assert)
#define static_assert _Static_assert
#endif
#include "lutra_axi.h"
#include "lutra_codes.h"
#include "lutra_completion.h"
#include "lutra_descriptor.h"
#include "lutra_element.h"

#ifdef __cplusplus
extern "C" {
#endif

// A field of a word, and a value in its place: `name` as in the generated headers, without the suffix.
#define LUTRA_FIELD(word, name) (((word) & name##_bm) >> name##_bp)
#define LUTRA_IN_FIELD(value, name) (((uint32_t)(value) << name##_bp) & name##_bm)
#define LUTRA_WORD_OF(record, member) (offsetof(record, member) / sizeof(uint32_t))

#define LUTRA_JOB_BYTES ((uint32_t)sizeof(lutra_descriptor_t))
#define LUTRA_JOB_WORDS (LUTRA_JOB_BYTES / 4)
#define LUTRA_DONE_BYTES ((uint32_t)sizeof(lutra_completion_t))
#define LUTRA_DONE_WORDS (LUTRA_DONE_BYTES / 4)
// A row for raw operations, which no other data shares a line with.
#define LUTRA_RING_FIXED_BYTES 64u
// Keys that a context can have before a handle would come again.
#define LUTRA_GENERATIONS ((1u << LUTRA_DESCRIPTOR__CONTROL__GENERATION_bw) - 1)
// Contexts that a handle can name.
#define LUTRA_CONTEXTS (1u << LUTRA_DESCRIPTOR__CONTROL__CONTEXT_bw)

// Words are in the order of the host, unless LUTRA_SOC_SWAP is defined for all sources: then in the other one.
#ifdef LUTRA_SOC_SWAP
#define LUTRA_SWAPPED 1
#else
#define LUTRA_SWAPPED 0
#endif
#define LUTRA_BIG_ENDIAN ((__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) != LUTRA_SWAPPED)

static inline uint32_t lutra_order(uint32_t word) { return LUTRA_SWAPPED ? __builtin_bswap32(word) : word; }

struct lutra_job {
  uint32_t word[sizeof(lutra_descriptor_t) / 4];
};
#define LUTRA_JOB_WORD(job, member) ((job)->word[LUTRA_WORD_OF(lutra_descriptor_t, member)])

// The first word of a job: an operation of the table, and the handle of its key, 0 without one. Flags are ORed to it.
static inline uint32_t lutra_control(uint32_t operation, uint32_t handle) {
  return LUTRA_IN_FIELD(operation, LUTRA_DESCRIPTOR__CONTROL__OPERATION) | handle;
}
// An entry of the table of operations that wants its context but no key in it: to set one, or an inline key.
static inline uint32_t lutra_context(uint32_t context) {
  return LUTRA_IN_FIELD(context, LUTRA_DESCRIPTOR__CONTROL__CONTEXT);
}

static inline void lutra_put_address(uint32_t* word, uint64_t address) {
  word[0] = lutra_order((uint32_t)address);
  word[1] = lutra_order((uint32_t)(address >> 32));
}

// Every field of a job: those that the following functions do not set are zero.
static inline void lutra_job_begin(struct lutra_job* job, uint32_t control, uint32_t bytes, uint32_t cookie) {
  LUTRA_JOB_WORD(job, control) = lutra_order(control);
  LUTRA_JOB_WORD(job, cookie) = lutra_order(cookie);
  LUTRA_JOB_WORD(job, length) = lutra_order(bytes);
  LUTRA_JOB_WORD(job, extra) = 0;
  LUTRA_JOB_WORD(job, aad_low) = 0;
  LUTRA_JOB_WORD(job, aad_high) = 0;
  LUTRA_JOB_WORD(job, reserved[0]) = 0;
  LUTRA_JOB_WORD(job, reserved[1]) = 0;
}
// Source and destination: addresses, or of lists where the control word has `gather` or `scatter`.
static inline void lutra_job_move(struct lutra_job* job, uint64_t source, uint64_t destination) {
  lutra_put_address(&LUTRA_JOB_WORD(job, destination_low), destination);
  lutra_put_address(&LUTRA_JOB_WORD(job, source_low), source);
}
// Four words, all read before the first is written: a host with a pipeline then does not wait for each.
static inline void lutra_put_row(uint32_t* to, const uint32_t* from) {
  const uint32_t a = from[0], b = from[1], c = from[2], d = from[3];
  to[0] = a;
  to[1] = b;
  to[2] = c;
  to[3] = d;
}
static inline void lutra_job_iv(struct lutra_job* job, const uint32_t iv[4]) {
  lutra_put_row(&LUTRA_JOB_WORD(job, iv), iv);
}
// Associated data; bytes of the tag that is appended or checked.
static inline void lutra_job_aad(struct lutra_job* job, uint64_t address, uint32_t bytes, uint32_t tag) {
  lutra_put_address(&LUTRA_JOB_WORD(job, aad_low), address);
  LUTRA_JOB_WORD(job, extra) = lutra_order(LUTRA_IN_FIELD(bytes, LUTRA_DESCRIPTOR__EXTRA__AAD) |
                                           LUTRA_IN_FIELD(tag, LUTRA_DESCRIPTOR__EXTRA__TAG));
}
// A payload in the job itself, with LUTRA_DESCRIPTOR__CONTROL__INLINE_PAYLOAD_bm: at most 24 bytes instead of a source,
// or the 32 bytes of a key. After lutra_job_move.
static inline void lutra_job_payload(struct lutra_job* job, const uint8_t* bytes, uint32_t length) {
  __builtin_memcpy(&LUTRA_JOB_WORD(job, source_low), bytes, length);
}
static inline void lutra_job_key(struct lutra_job* job, const uint8_t* key, uint32_t length) {
  __builtin_memset(&LUTRA_JOB_WORD(job, destination_low), 0, 32);
  __builtin_memcpy(&LUTRA_JOB_WORD(job, destination_low), key, length);
}
// The key of an operation with an inline key.
static inline void lutra_job_inline_key(struct lutra_job* job, const uint8_t key[16]) {
  __builtin_memcpy(&LUTRA_JOB_WORD(job, aad_low), key, 16);
}

// In an entry that lutra_ring_prepare has filled, a host writes only what is another value than there: the functions
// above, or these. The high words of addresses stay.
static inline void lutra_job_again(struct lutra_job* job, uint32_t control, uint32_t bytes) {
  LUTRA_JOB_WORD(job, control) = lutra_order(control);
  LUTRA_JOB_WORD(job, length) = lutra_order(bytes);
}
static inline void lutra_job_move_low(struct lutra_job* job, uint32_t source, uint32_t destination) {
  LUTRA_JOB_WORD(job, destination_low) = lutra_order(destination);
  LUTRA_JOB_WORD(job, source_low) = lutra_order(source);
}
// The key of a job that sets one, or of one with an inline key: as many words as there were. They are bytes, as an IV.
static inline void lutra_job_key_words(struct lutra_job* job, const uint32_t* key, uint32_t words) {
  uint32_t* to = &LUTRA_JOB_WORD(job, destination_low);
  for (; words >= 4; words -= 4, to += 4, key += 4) {
    lutra_put_row(to, key);
  }
  for (; words != 0; --words) {
    *to++ = *key++;
  }
}
static inline void lutra_job_inline_key_words(struct lutra_job* job, const uint32_t key[4]) {
  lutra_put_row(&LUTRA_JOB_WORD(job, aad_low), key);
}

// An element of a list.
static inline void lutra_element(uint32_t word[4], uint64_t address, uint32_t bytes, int last) {
  lutra_put_address(word, address);
  word[LUTRA_WORD_OF(lutra_element_t, length)] = lutra_order(bytes);
  word[LUTRA_WORD_OF(lutra_element_t, flags)] = lutra_order(LUTRA_IN_FIELD(last, LUTRA_ELEMENT__FLAGS__LAST));
}

#ifdef __cplusplus
}
#endif

#endif
