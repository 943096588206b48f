// Shared by the sources of the driver: registers, waits, cache maintenance.
#ifndef LUTRA_SOC_INTERNAL_H
#define LUTRA_SOC_INTERNAL_H

#include "lutra_soc.h"

#define LUTRA_AT(member) ((uint32_t)offsetof(lutra_axi_t, member))
#define LUTRA_RING_AT(n, member)                                                 \
  (LUTRA_AT(ring) + (n) * (uint32_t)sizeof(lutra_axi__ring_page__stride1000_t) + \
   (uint32_t)offsetof(lutra_axi__ring_page__stride1000_t, member))
#define LUTRA_WINDOW_AT(n, member)                                       \
  (LUTRA_AT(window) + (n) * (uint32_t)sizeof(lutra_axi__window_page_t) + \
   (uint32_t)offsetof(lutra_axi__window_page_t, member))
#define LUTRA_IN_PAGE(member) (offsetof(lutra_axi__ring_page__stride1000_t, member) / sizeof(uint32_t))
#define LUTRA_RINGS ((uint32_t)(sizeof(((lutra_axi_t*)0)->ring) / sizeof(((lutra_axi_t*)0)->ring[0])))
#define LUTRA_OPERATIONS ((uint32_t)(sizeof(((lutra_axi_t*)0)->operation) / sizeof(uint32_t)))
// The value of a read that no device answers.
#define LUTRA_NOBODY 0xffffffffu

// Functions that every batch calls, and functions that only some hosts need.
#define LUTRA_INLINE static inline __attribute__((always_inline))
#define LUTRA_APART static __attribute__((noinline, cold))

static inline uint32_t lutra_get(const struct lutra_soc* soc, uint32_t offset) {
  return soc->registers != NULL ? soc->registers[offset / sizeof(uint32_t)] : soc->read(soc->context, offset);
}
static inline void lutra_put(const struct lutra_soc* soc, uint32_t offset, uint32_t value) {
  if (soc->registers != NULL) {
    soc->registers[offset / sizeof(uint32_t)] = value;
  } else {
    soc->write(soc->context, offset, value);
  }
}
static inline void lutra_put_pair(const struct lutra_soc* soc, uint32_t low, uint64_t value) {
  lutra_put(soc, low, (uint32_t)value);
  lutra_put(soc, low + (uint32_t)sizeof(uint32_t), (uint32_t)(value >> 32));
}

static inline void lutra_clean(const struct lutra_soc* soc, uint64_t address, uint32_t bytes) {
  if (soc->clean != NULL && bytes != 0) {
    soc->clean(soc->context, address, bytes);
  }
}
static inline void lutra_invalidate(const struct lutra_soc* soc, uint64_t address, uint32_t bytes) {
  if (soc->invalidate != NULL && bytes != 0) {
    soc->invalidate(soc->context, address, bytes);
  }
}
static inline void lutra_fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
static inline void lutra_barrier(const struct lutra_soc* soc) {
  if (soc->barrier != NULL) {
    soc->barrier(soc->context);
  } else {
    lutra_fence();
  }
}

// For the rings of devices and of clusters: whether memory can hold a ring, where its parts are, and clearing it.
static inline bool lutra_ring_fits(const struct lutra_ring_memory* memory) {
  return memory->log2 != 0 && memory->log2 < 1u << LUTRA_AXI__RING_PAGE__SIZE__LOG2_bw &&
         memory->address % LUTRA_JOB_BYTES == 0;
}
void lutra_ring_place(struct lutra_ring* ring, struct lutra_soc* soc, const struct lutra_ring_memory* memory);
void lutra_ring_clear(const struct lutra_ring* ring);

// Waits until the bits of a register under a mask have a value: LUTRA_SOC_LATE if they do not, LUTRA_SOC_DEAD if nobody
// answers.
enum lutra_soc_result lutra_soc_await(const struct lutra_soc* soc, uint32_t offset, uint32_t mask, uint32_t value);

#endif
