// The device as a whole: presence, windows, table of operations, start and reset.
#include "internal.h"

enum lutra_soc_result lutra_soc_await(const struct lutra_soc* soc, uint32_t offset, uint32_t mask, uint32_t value) {
  const uint32_t begin = soc->time(soc->context);
  for (;;) {
    const uint32_t late = soc->time(soc->context) - begin;
    const uint32_t found = lutra_get(soc, offset);
    if (found == LUTRA_NOBODY) {
      return LUTRA_SOC_DEAD;
    }
    if ((found & mask) == value) {
      return LUTRA_SOC_OK;
    }
    if (late > soc->patience) {
      return LUTRA_SOC_LATE;
    }
    if (soc->wait != NULL) {
      soc->wait(soc->context);
    }
  }
}

// The bits of the control register that a driver sets. raw_lock is among them: writing it again changes nothing.
static void put_control(const struct lutra_soc* soc, uint32_t set, uint32_t clear) {
  lutra_put(soc, LUTRA_AT(control), (lutra_get(soc, LUTRA_AT(control)) & ~clear) | set);
}

enum lutra_soc_result lutra_soc_open(struct lutra_soc* soc) {
  const uint32_t id = lutra_get(soc, LUTRA_AT(id));
  if (LUTRA_FIELD(id, LUTRA_AXI__ID__MAGIC) != LUTRA_AXI__ID__MAGIC_reset ||
      LUTRA_FIELD(id, LUTRA_AXI__ID__MAJOR) != LUTRA_AXI__ID__MAJOR_reset) {
    return LUTRA_SOC_DEAD;
  }
  put_control(soc, LUTRA_IN_FIELD(LUTRA_BIG_ENDIAN, LUTRA_AXI__CONTROL__BIG_ENDIAN),
              LUTRA_AXI__CONTROL__ENABLE_bm | LUTRA_AXI__CONTROL__BIG_ENDIAN_bm);
  return LUTRA_SOC_OK;
}

enum lutra_soc_result lutra_soc_set_window(struct lutra_soc* soc, uint32_t ring, uint64_t base, uint64_t limit) {
  if (ring >= LUTRA_RINGS || limit < base) {
    return LUTRA_SOC_ARGUMENT;
  }
  lutra_put_pair(soc, LUTRA_WINDOW_AT(ring, base_low), base);
  lutra_put_pair(soc, LUTRA_WINDOW_AT(ring, limit_low), limit);
  return LUTRA_SOC_OK;
}

enum lutra_soc_result lutra_soc_set_operations(struct lutra_soc* soc, const struct lutra_operation* operations,
                                               uint32_t count, uint16_t stream_reset) {
  if (count > LUTRA_OPERATIONS) {
    return LUTRA_SOC_ARGUMENT;
  }
  const enum lutra_soc_result stopped = lutra_soc_stop(soc);
  if (stopped != LUTRA_SOC_OK) {
    return stopped;
  }
  lutra_put(soc, LUTRA_AT(stream_reset), LUTRA_IN_FIELD(stream_reset, LUTRA_AXI__STREAM_RESET__ENTRY));
  soc->sets_key = soc->restores_key = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t sets = LUTRA_FIELD(operations[i].flags, LUTRA_AXI__OPERATION__SETS_KEY);
    const uint32_t saved = LUTRA_FIELD(operations[i].flags, LUTRA_AXI__OPERATION__KEY_ROWS);
    soc->sets_key |= (sets & ~saved) << i;
    soc->restores_key |= (sets & saved) << i;
    lutra_put(soc, LUTRA_AT(operation) + i * (uint32_t)sizeof(uint32_t),
              LUTRA_IN_FIELD(operations[i].entry, LUTRA_AXI__OPERATION__ENTRY) |
                  (operations[i].flags & ~(uint32_t)LUTRA_AXI__OPERATION__ENTRY_bm));
  }
  lutra_put(soc, LUTRA_AT(operations), LUTRA_IN_FIELD(count, LUTRA_AXI__OPERATIONS__COUNT));
  return LUTRA_SOC_OK;
}

enum lutra_soc_result lutra_soc_start(struct lutra_soc* soc) {
  put_control(soc, LUTRA_AXI__CONTROL__ENABLE_bm, 0);
  return lutra_soc_await(soc, LUTRA_AT(control), LUTRA_AXI__CONTROL__ENABLE_bm, LUTRA_AXI__CONTROL__ENABLE_bm);
}

enum lutra_soc_result lutra_soc_stop(struct lutra_soc* soc) {
  put_control(soc, 0, LUTRA_AXI__CONTROL__ENABLE_bm);
  return lutra_soc_await(soc, LUTRA_AT(status), LUTRA_AXI__STATUS__BUSY_bm, 0);
}

void lutra_soc_lock(struct lutra_soc* soc) { put_control(soc, LUTRA_AXI__CONTROL__RAW_LOCK_bm, 0); }

enum lutra_soc_result lutra_soc_reset(struct lutra_soc* soc) {
  for (uint32_t n = 0; n < LUTRA_RINGS; ++n) {
    lutra_put(soc, LUTRA_RING_AT(n, control), 0);
  }
  const enum lutra_soc_result stopped = lutra_soc_stop(soc);
  if (stopped != LUTRA_SOC_OK) {
    return stopped == LUTRA_SOC_LATE ? LUTRA_SOC_STUCK : stopped;
  }
  put_control(soc, LUTRA_AXI__CONTROL__CORE_RESET_bm, 0);
  return lutra_soc_stop(soc);  // a core with a wipe is wiped by it
}

static bool has_wipe(const struct lutra_soc* soc) {
  return LUTRA_FIELD(lutra_get(soc, LUTRA_AT(capabilities)), LUTRA_AXI__CAPABILITIES__WIPE) != 0;
}

enum lutra_soc_result lutra_soc_wipe(const struct lutra_soc* soc) {
  if (!has_wipe(soc)) {
    return LUTRA_SOC_NO_WIPE;
  }
  put_control(soc, LUTRA_AXI__CONTROL__WIPE_bm, 0);
  const enum lutra_soc_result idle = lutra_soc_await(soc, LUTRA_AT(status), LUTRA_AXI__STATUS__BUSY_bm, 0);
  return idle == LUTRA_SOC_LATE ? LUTRA_SOC_STUCK : idle;
}

enum lutra_soc_result lutra_soc_escalate(const struct lutra_soc* soc) {
  if (!has_wipe(soc)) {
    return LUTRA_SOC_NO_WIPE;
  }
  put_control(soc, LUTRA_AXI__CONTROL__ESCALATE_bm, 0);
  return LUTRA_SOC_OK;
}
