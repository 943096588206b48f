// The driver of lutra_cluster (docs/cluster.md): packets of many flows, for cores that share a ring.
//
//     lutra_cluster_open(&cluster, &soc, &memory);                      the cluster
//     lutra_cluster_core_at(&cluster, 0, &core);                        a core: a lutra_axi of its own, core.soc
//     lutra_soc_open(&core.soc); lutra_soc_set_window(&core.soc, 1, base, limit);
//     ..                                                                its firmware by ring 0, as lutra_soc.h says
//     lutra_soc_set_operations(&core.soc, ..); lutra_soc_start(&core.soc);
//     lutra_cluster_join(&cluster, &core, GROUP);                       it takes packets from now on
//     lutra_flow_set(&cluster, FLOW, OPERATION_SET_KEY, key, 16, &handle);
//
//     slot = lutra_slot(&cluster.ring, 0);                              packets, as jobs of one core
//     lutra_job_begin(slot, lutra_packet(OPERATION, GROUP, handle), bytes, cookie); ..
//     lutra_submit(&cluster.ring, n); lutra_poll(&cluster.ring, done, n, &count);
//
// These functions work on the ring of a cluster: lutra_free, lutra_slot, lutra_next, lutra_ring_prepare, lutra_submit,
// lutra_poll, lutra_take and lutra_wait; no other function of lutra_soc.h does. Words in memory are little-endian.
#ifndef LUTRA_CLUSTER_DRIVER_H
#define LUTRA_CLUSTER_DRIVER_H

#include "lutra_soc.h"
// After lutra_job.h, which lets C11 have the generated headers.
#include "lutra_cluster_control.h"
#include "lutra_cluster_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LUTRA_FLOWS (1u << LUTRA_CLUSTER__CAPABILITIES__FLOW_BITS_reset)
#define LUTRA_SAVED_KEY_BYTES 256u
#define LUTRA_FLOWS_BYTES (LUTRA_FLOWS * LUTRA_JOB_BYTES)
// Keys of a flow before a handle would come again.
#define LUTRA_FLOW_GENERATIONS ((1u << LUTRA_CLUSTER_CONTROL__CONTROL__GENERATION_bw) - 1)

struct lutra_cluster_memory {
  struct lutra_ring_memory ring;  // it has no contexts
  // Records of flows, LUTRA_FLOWS_BYTES, aligned to 64 and to the lines of the cache.
  void* flows;
  uint64_t flows_address;
  // 4 KB of addresses, aligned, in window 1 of every core. Nothing of it reaches the bus, so it needs no memory.
  uint64_t mailbox;
};

struct lutra_cluster {
  struct lutra_ring ring;
  uint32_t* flows;
  uint64_t flows_address, mailbox;
  uint8_t generation[LUTRA_FLOWS];
};

// A core of the cluster. Its registers are reached through those of the cluster.
struct lutra_cluster_core {
  struct lutra_soc soc;
  const struct lutra_soc* cluster;
  uint32_t number, base;
};

// Looks for the cluster and opens its ring, with no core that takes packets and no key. One that was open begins again:
// wait for its packets, let its cores leave, and forget its handles.
enum lutra_soc_result lutra_cluster_open(struct lutra_cluster* cluster, struct lutra_soc* soc,
                                         const struct lutra_cluster_memory* memory);
// Takes no further packets, and waits until none is in flight. Keys stay in memory and in the cores.
enum lutra_soc_result lutra_cluster_close(struct lutra_cluster* cluster);
// Interrupts after completions, and where the ring stops.
void lutra_cluster_set_interrupts(struct lutra_cluster* cluster, bool enabled);
// From now on completions are in order within each flow only, or, as after lutra_cluster_open, in that of the ring. So
// a packet is known by its cookie, not by its place; one without a flow belongs to the flow of its number, too.
// LUTRA_SOC_BUSY while packets are in flight or completions have not been polled; LUTRA_SOC_ARGUMENT for a cluster that
// has no such order (before version 1.1), or with the callback invalidate: the driver invalidates the destination of
// the packet that has the completion's place, so caches have to see what the device writes.
enum lutra_soc_result lutra_cluster_order_by_flow(struct lutra_cluster* cluster, bool by_flow);
// Clears the interrupt; then poll.
void lutra_cluster_acknowledge(struct lutra_cluster* cluster);

// Fills in a core; both structs stay where they are.
enum lutra_soc_result lutra_cluster_core_at(const struct lutra_cluster* cluster, uint32_t number,
                                            struct lutra_cluster_core* core);
// Lets a core that was started, and whose ring 0 is closed, take the packets of a group of 0 to 15: those cores have
// the same firmware.
enum lutra_soc_result lutra_cluster_join(struct lutra_cluster* cluster, struct lutra_cluster_core* core,
                                         uint32_t group);
// Lets a core take no further packets, and waits until it has none: LUTRA_SOC_LATE if it keeps some. Then it can be
// loaded with other firmware, and join again. The others work on.
enum lutra_soc_result lutra_cluster_leave(struct lutra_cluster* cluster, struct lutra_cluster_core* core);

// The first word of a packet: an operation of the firmware of a group, and the handle of a flow, 0 without one.
static inline uint32_t lutra_packet(uint32_t operation, uint32_t group, uint32_t handle) {
  return LUTRA_IN_FIELD(operation, LUTRA_CLUSTER_CONTROL__CONTROL__OPERATION) |
         LUTRA_IN_FIELD(group, LUTRA_CLUSTER_CONTROL__CONTROL__GROUP) | handle;
}
// The key of a flow, which cores fetch where a packet needs it. Handles of the flow's former keys are stale from now
// on: no packet with one may be in flight. After LUTRA_SOC_NO_HANDLE all handles of the flow were given out, see
// lutra_flows_forget.
enum lutra_soc_result lutra_flow_set(struct lutra_cluster* cluster, uint32_t flow, uint32_t operation,
                                     const uint8_t* key, uint32_t bytes, uint32_t* handle);
// The same key from now on from its saved form: LUTRA_SAVED_KEY_BYTES at `address`, which stay there, and which a
// packet of the flow with an operation that saves keys has written. operation: that restores them. No packet of the
// flow may be in flight. A core then moves the key, which is quicker than to set it.
enum lutra_soc_result lutra_flow_saved(struct lutra_cluster* cluster, uint32_t handle, uint32_t operation,
                                       uint64_t address);
// Takes the key out of memory, but for a saved one, which is the host's. A core that has fetched it keeps it until
// other keys take its place, or until it is wiped after it has left.
enum lutra_soc_result lutra_flow_drop(struct lutra_cluster* cluster, uint32_t flow);
// Drops the keys of all flows, and says that the host has no handle any more: their numbers may come again. No core may
// take packets, LUTRA_SOC_BUSY otherwise, for a core that does could still hold an old key by a number.
enum lutra_soc_result lutra_flows_forget(struct lutra_cluster* cluster);

#ifdef __cplusplus
}
#endif

#endif
