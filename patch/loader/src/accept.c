// Every check a device makes before it accepts a pack, in the order of docs/pack-format.md.
#include "internal.h"
#include "lutra_isa.h"

#define PACK_PURPOSE "lutra pack v1"

static void check_signatures(struct lutra_pack* pack, struct lutra_error* error, const struct lutra_fused* fused) {
  uint8_t message[LUTRA_SIGNED_BYTES];
  struct lutra_role pack_keys;
  memset(&pack_keys, 0, sizeof pack_keys);
  lutra_roots_check(pack, error, fused->root == LUTRA_NO_ROOT ? NULL : fused->digest, &pack_keys);
  lutra_purpose(PACK_PURPOSE, message);
  lutra_input_hash(&pack->input, error, pack->manifest, message + LUTRA_PURPOSE_BYTES);
  lutra_signatures_check(&pack->input, error, pack->signatures, &pack_keys, message, LUTRA_ERROR_SIGNATURE,
                         LUTRA_ERROR_THRESHOLD);
  memcpy(pack->info.digest, message + LUTRA_PURPOSE_BYTES, LUTRA_DIGEST_BYTES);
}

static void check_digests(const struct lutra_pack* pack, struct lutra_error* error) {
  uint8_t hash[LUTRA_HASH_BYTES];
  for (uint32_t i = 0; i < pack->part_count && lutra_good(error); ++i) {
    const struct lutra_part* part = &pack->parts[i];
    lutra_input_hash(&pack->input, error, part->span, hash);
    if (part->span.size != part->size || memcmp(hash, part->digest, LUTRA_DIGEST_BYTES) != 0) {
      lutra_fail(error, LUTRA_ERROR_DIGEST, part->span.at);
    }
  }
}

// Refuses a pack of the same name unless its version is greater.
static bool is_no_update(const struct lutra_pack_info* info, const struct lutra_pack_info* primary) {
  if (primary == NULL || memcmp(info->name, primary->name, sizeof info->name) != 0) {
    return false;
  }
  for (uint32_t i = 0; i < 3; ++i) {
    if (info->version[i] != primary->version[i]) {
      return info->version[i] < primary->version[i];
    }
  }
  return true;
}

static void check_fit(const struct lutra_device* device, struct lutra_error* error, const struct lutra_pack* pack,
                      const struct lutra_pack_info* primary, uint32_t counter) {
  const struct lutra_core* core = &device->core;
  const uint32_t has[4] = {core->rounds, core->program_words, core->memory_rows, core->contexts};
  if (pack->info.counter < counter) {
    lutra_fail(error, LUTRA_ERROR_COUNTER, pack->manifest.at);
  }
  if (is_no_update(&pack->info, primary)) {
    lutra_fail(error, LUTRA_ERROR_VERSION, pack->manifest.at);
  }
  if (pack->isa[0] != LUTRA_ISA_MAJOR || pack->isa[1] > LUTRA_ISA_MINOR) {
    lutra_fail(error, LUTRA_ERROR_ISA, pack->manifest.at);
  }
  for (uint32_t i = 0; i < 4; ++i) {
    if (pack->core[i] > has[i]) {
      lutra_fail(error, LUTRA_ERROR_CONFIGURATION, pack->manifest.at);
    }
  }
  if (pack->input.size > device->flash.slot_bytes) {
    lutra_fail(error, LUTRA_ERROR_SIZE, 0);
  }
}

// Adds a step that has been passed to a verdict.
static uint32_t passed(uint32_t verdict, const struct lutra_error* error, uint32_t step) {
  return lutra_good(error) ? verdict + step : 0;
}

// Returns the verdict.
static uint32_t check_all(const struct lutra_device* device, struct lutra_error* error, const struct lutra_input* input,
                          const struct lutra_pack_info* primary, struct lutra_pack* pack) {
  struct lutra_fused fused;
  memset(pack, 0, sizeof *pack);
  pack->input = *input;
  lutra_fuses_read(&device->fuses, error, &fused);
  lutra_envelope_read(pack, error);
  if (!lutra_good(error)) {
    return 0;
  }
  check_signatures(pack, error, &fused);
  uint32_t verdict = passed(0, error, LUTRA_STEP_SIGNED);
  if (!lutra_good(error)) {
    return verdict;
  }
  lutra_manifest_read(pack, error);
  check_digests(pack, error);
  verdict = passed(verdict, error, LUTRA_STEP_DIGESTS);
  check_fit(device, error, pack, primary, fused.counter);
  verdict = passed(verdict, error, LUTRA_STEP_FITS);
  lutra_parts_check(pack, error, &device->core);
  return passed(verdict, error, LUTRA_STEP_PARTS);
}

// A fault in one of the two passes turns its verdict at most: the other has read all again, with an error of its own.
void lutra_pack_accept(const struct lutra_device* device, struct lutra_error* error, const struct lutra_input* input,
                       const struct lutra_pack_info* primary, struct lutra_pack* pack) {
  struct lutra_error again = *error;
  const uint32_t first = check_all(device, error, input, primary, pack);
  lutra_check_again();
  const uint32_t second = lutra_good(error) ? check_all(device, &again, input, primary, pack) : 0;
  if (lutra_good(error)) {
    *error = again;
  }
  pack->verdict[0] = first;
  pack->verdict[1] = second;
}

void lutra_pack_require(const struct lutra_pack* pack, const struct lutra_error* error, const struct lutra_core* core) {
  const volatile uint32_t* const verdict = pack->verdict;
  if (!lutra_good(error) || (verdict[0] == LUTRA_ACCEPTED && verdict[1] == LUTRA_ACCEPTED)) {
    return;
  }
  for (;;) {
    (void)core->reset(core->context);
  }
}

void lutra_slot_accept(const struct lutra_device* device, struct lutra_error* error, const struct lutra_record* record,
                       uint8_t slot, struct lutra_pack* pack) {
  const struct lutra_input input = {NULL, &device->flash, device->flash.slot[slot], record->size[slot]};
  lutra_pack_accept(device, error, &input, NULL, pack);
}

void lutra_running_accept(const struct lutra_device* device, struct lutra_error* error, struct lutra_pack* pack) {
  struct lutra_record record;
  if (device->running >= LUTRA_SLOTS) {
    lutra_fail(error, LUTRA_ERROR_NO_FIRMWARE, 0);
    return;
  }
  lutra_record_read(&device->flash, error, &record);
  lutra_slot_accept(device, error, &record, device->running, pack);
}

bool lutra_is_broken(const struct lutra_error* error) {
  return error->result == LUTRA_ERROR_FLASH || error->result == LUTRA_ERROR_FUSES || error->result == LUTRA_ERROR_CORE;
}
