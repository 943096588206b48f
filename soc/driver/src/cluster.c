// A cluster: its ring, its cores, the records of its flows.
#include "lutra_cluster.h"

#include "internal.h"

#define AT(member) ((uint32_t)offsetof(lutra_cluster_t, member))
#define CORES LUTRA_CLUSTER__CONTROL__CORES_bm
// Ring 1 of a core is in the mailbox: its descriptors, then its completions.
#define MAILBOX_RING 1u
#define MAILBOX_BYTES 4096u
// The minor version from which on control.by_flow is there.
#define BY_FLOW_MINOR 1u

// lutra_wait looks at the state of both kinds of ring.
_Static_assert(LUTRA_CLUSTER__STATE__IDLE_bm == LUTRA_AXI__RING_PAGE__STATE__IDLE_bm, "idle is the same bit");
_Static_assert(LUTRA_CLUSTER__STATE__STOPPED_bm == LUTRA_AXI__RING_PAGE__STATE__STOPPED_bm, "stopped is the same bit");
// The jobs of a core's mailbox, as a power of two.
_Static_assert(LUTRA_CLUSTER__CAPABILITIES__JOBS_reset == 1u << 4, "the size of a mailbox");
#define MAILBOX_LOG2 4u
#define MAILBOX_COMPLETIONS (LUTRA_JOB_BYTES << MAILBOX_LOG2)

static void put_control(const struct lutra_soc* soc, uint32_t set, uint32_t clear) {
  lutra_put(soc, AT(control), (lutra_get(soc, AT(control)) & ~clear) | set);
}

enum lutra_soc_result lutra_cluster_open(struct lutra_cluster* cluster, struct lutra_soc* soc,
                                         const struct lutra_cluster_memory* memory) {
  const uint32_t id = lutra_get(soc, AT(id));
  if (LUTRA_FIELD(id, LUTRA_CLUSTER__ID__MAGIC) != LUTRA_CLUSTER__ID__MAGIC_reset ||
      LUTRA_FIELD(id, LUTRA_CLUSTER__ID__MAJOR) != LUTRA_CLUSTER__ID__MAJOR_reset) {
    return LUTRA_SOC_DEAD;
  }
  if (!lutra_ring_fits(&memory->ring) || memory->flows_address % LUTRA_JOB_BYTES != 0 ||
      memory->mailbox % MAILBOX_BYTES != 0) {
    return LUTRA_SOC_ARGUMENT;
  }
  __builtin_memset(cluster, 0, sizeof *cluster);
  lutra_ring_place(&cluster->ring, soc, &memory->ring);
  cluster->ring.cluster = true;
  cluster->ring.tail_at = AT(tail);
  cluster->ring.head_at = AT(head);
  cluster->ring.state_at = AT(state);
  cluster->flows = memory->flows;
  cluster->flows_address = memory->flows_address;
  cluster->mailbox = memory->mailbox;
  const enum lutra_soc_result closed = lutra_cluster_close(cluster);
  if (closed != LUTRA_SOC_OK) {
    return closed;
  }
  __builtin_memset(cluster->flows, 0, LUTRA_FLOWS_BYTES);
  lutra_clean(soc, cluster->flows_address, LUTRA_FLOWS_BYTES);
  lutra_ring_clear(&cluster->ring);
  lutra_put_pair(soc, AT(descriptors_low), cluster->ring.jobs_address);
  lutra_put_pair(soc, AT(completions_low), cluster->ring.completions_address);
  lutra_put_pair(soc, AT(flows_low), cluster->flows_address);
  lutra_put_pair(soc, AT(mailbox_low), cluster->mailbox);
  lutra_put(soc, AT(size), LUTRA_IN_FIELD(memory->ring.log2, LUTRA_CLUSTER__SIZE__LOG2));
  lutra_put(soc, AT(groups), 0);
  lutra_put(soc, AT(tail), 0);
  lutra_put(soc, AT(interrupt), LUTRA_NOBODY);
  put_control(soc, LUTRA_CLUSTER__CONTROL__ENABLE_bm, CORES | LUTRA_CLUSTER__CONTROL__BY_FLOW_bm);
  return LUTRA_SOC_OK;
}

enum lutra_soc_result lutra_cluster_close(struct lutra_cluster* cluster) {
  const struct lutra_soc* const soc = cluster->ring.soc;
  put_control(soc, 0, LUTRA_CLUSTER__CONTROL__ENABLE_bm);
  const uint32_t idle = LUTRA_CLUSTER__STATE__IDLE_bm;
  const enum lutra_soc_result result = lutra_soc_await(soc, AT(state), idle, idle);
  return result == LUTRA_SOC_LATE ? LUTRA_SOC_STUCK : result;
}

void lutra_cluster_set_interrupts(struct lutra_cluster* cluster, bool enabled) {
  lutra_put(cluster->ring.soc, AT(interrupt_enable),
            enabled ? LUTRA_CLUSTER__INTERRUPT_ENABLE__COMPLETED_bm | LUTRA_CLUSTER__INTERRUPT_ENABLE__STOPPED_bm : 0);
}

enum lutra_soc_result lutra_cluster_order_by_flow(struct lutra_cluster* cluster, bool by_flow) {
  const struct lutra_ring* const ring = &cluster->ring;
  const struct lutra_soc* const soc = ring->soc;
  if (soc->invalidate != NULL || LUTRA_FIELD(lutra_get(soc, AT(id)), LUTRA_CLUSTER__ID__MINOR) < BY_FLOW_MINOR) {
    return LUTRA_SOC_ARGUMENT;
  }
  if (ring->head != ring->tail) {
    return LUTRA_SOC_BUSY;
  }
  const uint32_t bit = LUTRA_CLUSTER__CONTROL__BY_FLOW_bm;
  put_control(soc, by_flow ? bit : 0, bit);
  return LUTRA_SOC_OK;
}

void lutra_cluster_acknowledge(struct lutra_cluster* cluster) {
  lutra_put(cluster->ring.soc, AT(interrupt), LUTRA_CLUSTER__INTERRUPT__COMPLETED_bm);
}

// ------------------------------------------------------------------------ cores

// Callbacks of a core: those of the cluster, with its context, and registers from the core's on.
static const struct lutra_cluster_core* of(void* context) { return context; }
static uint32_t core_read(void* context, uint32_t offset) {
  return of(context)->cluster->read(of(context)->cluster->context, of(context)->base + offset);
}
static void core_write(void* context, uint32_t offset, uint32_t value) {
  of(context)->cluster->write(of(context)->cluster->context, of(context)->base + offset, value);
}
static void core_clean(void* context, uint64_t address, uint32_t bytes) {
  of(context)->cluster->clean(of(context)->cluster->context, address, bytes);
}
static void core_invalidate(void* context, uint64_t address, uint32_t bytes) {
  of(context)->cluster->invalidate(of(context)->cluster->context, address, bytes);
}
static void core_barrier(void* context) { of(context)->cluster->barrier(of(context)->cluster->context); }
static uint32_t core_time(void* context) { return of(context)->cluster->time(of(context)->cluster->context); }
static void core_wait(void* context) { of(context)->cluster->wait(of(context)->cluster->context); }

enum lutra_soc_result lutra_cluster_core_at(const struct lutra_cluster* cluster, uint32_t number,
                                            struct lutra_cluster_core* core) {
  const struct lutra_soc* const soc = cluster->ring.soc;
  if (number >= LUTRA_FIELD(lutra_get(soc, AT(capabilities)), LUTRA_CLUSTER__CAPABILITIES__CORES)) {
    return LUTRA_SOC_ARGUMENT;
  }
  const uint32_t places = lutra_get(soc, AT(places));
  __builtin_memset(core, 0, sizeof *core);
  core->cluster = soc;
  core->number = number;
  core->base = (LUTRA_FIELD(places, LUTRA_CLUSTER__PLACES__FIRST) + number)
               << LUTRA_FIELD(places, LUTRA_CLUSTER__PLACES__LOG2);
  core->soc.registers = soc->registers != NULL ? soc->registers + core->base / sizeof(uint32_t) : NULL;
  core->soc.context = core;
  core->soc.read = core_read;
  core->soc.write = core_write;
  core->soc.clean = soc->clean != NULL ? core_clean : NULL;
  core->soc.invalidate = soc->invalidate != NULL ? core_invalidate : NULL;
  core->soc.barrier = soc->barrier != NULL ? core_barrier : NULL;
  core->soc.time = core_time;
  core->soc.wait = soc->wait != NULL ? core_wait : NULL;
  core->soc.patience = soc->patience;
  return LUTRA_SOC_OK;
}

static uint32_t bit(const struct lutra_cluster_core* core, uint32_t lowest) { return 1u << (core->number + lowest); }

enum lutra_soc_result lutra_cluster_join(struct lutra_cluster* cluster, struct lutra_cluster_core* core,
                                         uint32_t group) {
  const struct lutra_soc* const soc = cluster->ring.soc;
  if (group >= 1u << LUTRA_CLUSTER_CONTROL__CONTROL__GROUP_bw) {
    return LUTRA_SOC_ARGUMENT;
  }
  const enum lutra_soc_result left = lutra_cluster_leave(cluster, core);
  if (left != LUTRA_SOC_OK) {
    return left;
  }
  const struct lutra_soc* const own = &core->soc;
  lutra_put_pair(own, LUTRA_RING_AT(MAILBOX_RING, descriptors_low), cluster->mailbox);
  lutra_put_pair(own, LUTRA_RING_AT(MAILBOX_RING, completions_low), cluster->mailbox + MAILBOX_COMPLETIONS);
  lutra_put(own, LUTRA_RING_AT(MAILBOX_RING, size), LUTRA_IN_FIELD(MAILBOX_LOG2, LUTRA_AXI__RING_PAGE__SIZE__LOG2));
  lutra_put(own, LUTRA_RING_AT(MAILBOX_RING, tail), 0);
  lutra_put(own, LUTRA_RING_AT(MAILBOX_RING, control), LUTRA_AXI__RING_PAGE__CONTROL__ENABLE_bm);
  const uint32_t at = core->number * LUTRA_CLUSTER_CONTROL__CONTROL__GROUP_bw;
  const uint32_t others = ~(((1u << LUTRA_CLUSTER_CONTROL__CONTROL__GROUP_bw) - 1) << at);
  lutra_put(soc, AT(groups), (lutra_get(soc, AT(groups)) & others) | group << at);
  put_control(soc, bit(core, LUTRA_CLUSTER__CONTROL__CORES_bp), 0);
  return LUTRA_SOC_OK;
}

enum lutra_soc_result lutra_cluster_leave(struct lutra_cluster* cluster, struct lutra_cluster_core* core) {
  const struct lutra_soc* const soc = cluster->ring.soc;
  put_control(soc, 0, bit(core, LUTRA_CLUSTER__CONTROL__CORES_bp));
  const enum lutra_soc_result done = lutra_soc_await(soc, AT(state), bit(core, LUTRA_CLUSTER__STATE__BUSY_bp), 0);
  if (done != LUTRA_SOC_OK) {
    return done;
  }
  const uint32_t idle = LUTRA_AXI__RING_PAGE__STATE__IDLE_bm;
  lutra_put(&core->soc, LUTRA_RING_AT(MAILBOX_RING, control), 0);
  return lutra_soc_await(&core->soc, LUTRA_RING_AT(MAILBOX_RING, state), idle, idle);
}

// ------------------------------------------------------------------------ flows

static uint32_t* record(const struct lutra_cluster* cluster, uint32_t flow) {
  return cluster->flows + flow * LUTRA_JOB_WORDS;
}

static void clean_record(const struct lutra_cluster* cluster, uint32_t flow) {
  lutra_clean(cluster->ring.soc, cluster->flows_address + flow * (uint64_t)LUTRA_JOB_BYTES, LUTRA_JOB_BYTES);
  lutra_barrier(cluster->ring.soc);
}

enum lutra_soc_result lutra_flow_drop(struct lutra_cluster* cluster, uint32_t flow) {
  if (flow >= LUTRA_FLOWS) {
    return LUTRA_SOC_ARGUMENT;
  }
  volatile uint32_t* const words = record(cluster, flow);
  for (uint32_t i = 0; i < LUTRA_JOB_WORDS; ++i) {
    words[i] = 0;  // no packet has generation 0
  }
  clean_record(cluster, flow);
  return LUTRA_SOC_OK;
}

enum lutra_soc_result lutra_flow_set(struct lutra_cluster* cluster, uint32_t flow, uint32_t operation,
                                     const uint8_t* key, uint32_t bytes, uint32_t* handle) {
  if (bytes == 0 || bytes > LUTRA_JOB_BYTES - offsetof(lutra_descriptor_t, destination_low) ||
      operation >= 1u << LUTRA_CLUSTER_CONTROL__CONTROL__OPERATION_bw) {
    return LUTRA_SOC_ARGUMENT;
  }
  // The old generation goes before its key does, and the new one comes after it.
  const enum lutra_soc_result dropped = lutra_flow_drop(cluster, flow);
  if (dropped != LUTRA_SOC_OK) {
    return dropped;
  }
  if (cluster->generation[flow] >= LUTRA_FLOW_GENERATIONS) {
    return LUTRA_SOC_NO_HANDLE;
  }
  const uint32_t generation = ++cluster->generation[flow];
  *handle = LUTRA_IN_FIELD(flow, LUTRA_CLUSTER_CONTROL__CONTROL__FLOW) |
            LUTRA_IN_FIELD(generation, LUTRA_CLUSTER_CONTROL__CONTROL__GENERATION);
  struct lutra_job* const job = (void*)record(cluster, flow);
  lutra_job_begin(job, 0, bytes, 0);
  lutra_job_key(job, key, bytes);
  clean_record(cluster, flow);
  LUTRA_JOB_WORD(job, control) =
      lutra_order(lutra_packet(operation, 0, *handle) | LUTRA_DESCRIPTOR__CONTROL__INLINE_PAYLOAD_bm);
  clean_record(cluster, flow);
  return LUTRA_SOC_OK;
}

enum lutra_soc_result lutra_flow_saved(struct lutra_cluster* cluster, uint32_t handle, uint32_t operation,
                                       uint64_t address) {
  const uint32_t flow = LUTRA_FIELD(handle, LUTRA_CLUSTER_CONTROL__CONTROL__FLOW);
  const uint32_t generation = LUTRA_FIELD(handle, LUTRA_CLUSTER_CONTROL__CONTROL__GENERATION);
  if (generation == 0 || generation != cluster->generation[flow] ||
      operation >= 1u << LUTRA_CLUSTER_CONTROL__CONTROL__OPERATION_bw) {
    return LUTRA_SOC_ARGUMENT;
  }
  lutra_flow_drop(cluster, flow);
  struct lutra_job* const job = (void*)record(cluster, flow);
  lutra_job_begin(job, 0, LUTRA_SAVED_KEY_BYTES, 0);
  lutra_job_move(job, address, 0);
  clean_record(cluster, flow);
  LUTRA_JOB_WORD(job, control) = lutra_order(lutra_packet(operation, 0, handle));
  clean_record(cluster, flow);
  return LUTRA_SOC_OK;
}

enum lutra_soc_result lutra_flows_forget(struct lutra_cluster* cluster) {
  const uint32_t control = lutra_get(cluster->ring.soc, AT(control));
  if (control == LUTRA_NOBODY) {
    return LUTRA_SOC_DEAD;
  }
  if ((control & CORES) != 0) {
    return LUTRA_SOC_BUSY;
  }
  for (uint32_t flow = 0; flow < LUTRA_FLOWS; ++flow) {
    lutra_flow_drop(cluster, flow);
    cluster->generation[flow] = 0;
  }
  return LUTRA_SOC_OK;
}
