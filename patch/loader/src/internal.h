// Interfaces between the parts of the loader. Errors are sticky: after the first error readers return zeros and nothing
// is written, so a caller checks the result where it matters and not after each item.
#ifndef LUTRA_LOADER_INTERNAL_H
#define LUTRA_LOADER_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lutra_loader.h"
#include "monocypher-ed25519.h"

#define LUTRA_PACK_ROOTS 8u
#define LUTRA_PACK_PARTS 24u
#define LUTRA_PACK_PARTS_1 16u  // of format 1
#define LUTRA_HASH_BYTES 64u
#define LUTRA_KEY_BYTES 32u
#define LUTRA_ROLE_KEYS 8u
#define LUTRA_SIGNATURE_BYTES 64u
#define LUTRA_PURPOSE_BYTES 16u
#define LUTRA_SIGNED_BYTES (LUTRA_PURPOSE_BYTES + LUTRA_HASH_BYTES)
#define LUTRA_TEXT_SIZE (LUTRA_NAME_BYTES + 1u)  // of a buffer for any text, filled with zeros after the text
#define LUTRA_NO_ROOT 0xffu

void* memcpy(void* to, const void* from, size_t length);
void* memset(void* to, int value, size_t length);
int memcmp(const void* a, const void* b, size_t length);

// Neither one bit nor one branch decides over a boot. A verdict is the sum of the steps that were passed. Any two sums
// of them, 0 and all ones differ in many bits, so a step that is left out shows.
#define LUTRA_STEP_SIGNED 0x6a6213e1u
#define LUTRA_STEP_DIGESTS 0x2aacba42u
#define LUTRA_STEP_FITS 0x984fbd65u
#define LUTRA_STEP_PARTS 0x22197c77u
#define LUTRA_ACCEPTED (LUTRA_STEP_SIGNED + LUTRA_STEP_DIGESTS + LUTRA_STEP_FITS + LUTRA_STEP_PARTS)

// Stands between two equal checks, so that the compiler does not reuse the result of the first.
static inline void lutra_check_again(void) { __asm__ volatile("" : : : "memory"); }

static inline bool lutra_good(const struct lutra_error* error) { return error->result == LUTRA_ERROR_OK; }

// Keeps the first error.
static inline void lutra_fail(struct lutra_error* error, enum lutra_result result, uint32_t offset) {
  if (lutra_good(error)) {
    error->result = result;
    error->offset = offset;
  }
}

// Input of a pack: the host's source, or a slot (then `source` is NULL).
struct lutra_input {
  const struct lutra_source* source;
  const struct lutra_flash* flash;
  uint32_t base;
  uint32_t size;
};

struct lutra_span {
  uint32_t at;
  uint32_t size;
};

struct lutra_pack;

// --- input.c: bytes, and their hashes
void lutra_input_read(const struct lutra_input* input, struct lutra_error* error, uint32_t at, uint8_t* bytes,
                      uint32_t length);
void lutra_input_hash(const struct lutra_input* input, struct lutra_error* error, struct lutra_span span,
                      uint8_t hash[LUTRA_HASH_BYTES]);

// --- cbor.c: the strict reader
struct lutra_cursor {
  const struct lutra_input* input;
  struct lutra_error* error;
  crypto_sha512_ctx* hash;  // takes every byte that is read; or NULL
  uint32_t at;
  uint32_t end;
};
struct lutra_cursor lutra_cursor_over(const struct lutra_input* input, struct lutra_error* error,
                                      struct lutra_span span);
// From a place in the manifest to the manifest's end.
struct lutra_cursor lutra_cursor_in_manifest(const struct lutra_pack* pack, struct lutra_error* error, uint32_t at);
void lutra_cbor_take(struct lutra_cursor* cursor, uint8_t* bytes, uint32_t length);
void lutra_cbor_skip(struct lutra_cursor* cursor, uint32_t length);  // not of a cursor that hashes
uint32_t lutra_cbor_uint(struct lutra_cursor* cursor, uint32_t low, uint32_t high);
uint32_t lutra_cbor_array(struct lutra_cursor* cursor, uint32_t low, uint32_t high);
uint32_t lutra_cbor_number(struct lutra_cursor* cursor);                              // any below 2^32
void lutra_cbor_items(struct lutra_cursor* cursor, uint32_t count);                   // an array of just so many
uint32_t lutra_cbor_bytes(struct lutra_cursor* cursor, uint32_t low, uint32_t high);  // the content follows
void lutra_cbor_text(struct lutra_cursor* cursor, char text[LUTRA_TEXT_SIZE], uint32_t low, uint32_t high);
bool lutra_cbor_bool(struct lutra_cursor* cursor);
void lutra_cbor_word(struct lutra_cursor* cursor, const char* word);  // that text, or LUTRA_ERROR_FORMAT
void lutra_cbor_end(struct lutra_cursor* cursor);

// --- ed25519.c
bool lutra_ed25519_check(const uint8_t signature[LUTRA_SIGNATURE_BYTES], const uint8_t key[LUTRA_KEY_BYTES],
                         const uint8_t* message, size_t size);

// --- envelope.c, roots.c, signature.c
struct lutra_signed_root {
  struct lutra_span root;
  uint32_t by_previous, by_own;  // places of signatures
};
struct lutra_part {
  struct lutra_span span;
  uint32_t size;  // as signed, and so the digest
  uint8_t digest[LUTRA_DIGEST_BYTES];
  uint32_t map;  // place of the regions
};
struct lutra_pack {
  struct lutra_input input;
  struct lutra_signed_root roots[LUTRA_PACK_ROOTS];
  struct lutra_span manifest;
  uint32_t signatures;
  struct lutra_part parts[LUTRA_PACK_PARTS];  // images, then answers
  uint8_t part_count;
  uint8_t format;
  uint8_t root[LUTRA_DIGEST_BYTES];  // digest of the last root
  uint32_t algorithms;               // place of the list
  uint32_t isa[2];
  uint32_t core[4];  // rounds, program words, memory rows, contexts
  struct lutra_pack_info info;
  uint32_t verdict[2];  // of two checks, one after the other: LUTRA_ACCEPTED, or anything else
};
// The keys themselves, because a second reading of the flash may differ from the one that was hashed.
struct lutra_role {
  uint32_t threshold, count;
  uint8_t keys[LUTRA_ROLE_KEYS][LUTRA_KEY_BYTES];
};
void lutra_envelope_read(struct lutra_pack* pack, struct lutra_error* error);
// Checks that a threshold of the role's keys has signed `message` and that every signature is right; otherwise fails
// with `wrong` or `missing`.
void lutra_signatures_check(const struct lutra_input* input, struct lutra_error* error, uint32_t at,
                            const struct lutra_role* role, const uint8_t message[LUTRA_SIGNED_BYTES],
                            enum lutra_result wrong, enum lutra_result missing);
// The purpose of a signed message, which precedes its hash.
void lutra_purpose(const char* purpose, uint8_t message[LUTRA_SIGNED_BYTES]);
// Reads the roots from the one with digest `trusted` on; gives the pack keys of the last.
void lutra_roots_check(struct lutra_pack* pack, struct lutra_error* error, const uint8_t* trusted,
                       struct lutra_role* pack_keys);

// --- manifest.c, algorithm.c, parts.c
void lutra_manifest_read(struct lutra_pack* pack, struct lutra_error* error);
struct lutra_algorithm_entry {
  char name[LUTRA_TEXT_SIZE];
  struct lutra_algorithm fields[2];  // to encrypt and to decrypt
  uint32_t routines[2];              // places of their lists
  bool has[2];                       // whether there are any
};
// Reads one algorithm. Its places must be in the memories of `core`, unless that is NULL. Returns whether it has
// another image to decrypt.
bool lutra_algorithm_read(struct lutra_cursor* cursor, uint8_t images, const struct lutra_core* core,
                          struct lutra_algorithm_entry* entry);
// Reads all algorithms, up to the end of the manifest, and returns whether any has another image to decrypt. The cursor
// must be at the list; `number` is set to their number.
bool lutra_algorithms_check(struct lutra_cursor* cursor, uint8_t images, const struct lutra_core* core,
                            uint8_t* number);
// Finds the entry of the routine with this role in the list at the cursor; false if there is none. A NULL role fits
// none.
bool lutra_routine_find(struct lutra_cursor* cursor, const struct lutra_core* core, const char* role, uint16_t* entry);
void lutra_parts_check(struct lutra_pack* pack, struct lutra_error* error, const struct lutra_core* core);
// Clears the memories, writes the image, and checks what was written against the digest in the manifest.
void lutra_image_load(const struct lutra_pack* pack, struct lutra_error* error, const struct lutra_core* core,
                      uint32_t image);
void lutra_answers_run(const struct lutra_pack* pack, struct lutra_error* error, const struct lutra_core* core);

// --- core.c: the memories of the core
uint32_t lutra_row_bytes(uint32_t space);             // 0 of a space that is none
bool lutra_is_whole(uint32_t space, uint32_t bytes);  // of the program memory: whole words
bool lutra_in_memory(const struct lutra_core* core, uint32_t space, uint32_t offset, uint32_t length);
uint32_t lutra_cbor_space(struct lutra_cursor* cursor);
void lutra_core_clear(const struct lutra_core* core, struct lutra_error* error);
// Copies the next bytes of the cursor into a memory, or compares them with it.
void lutra_core_transfer(const struct lutra_core* core, struct lutra_cursor* cursor, uint32_t space, uint32_t offset,
                         uint32_t length, bool compare);
void lutra_core_run(const struct lutra_core* core, struct lutra_error* error, uint16_t entry, uint32_t cycles);
// Stops and clears the core, also after an error; the first error is kept.
void lutra_core_drop(struct lutra_device* device, struct lutra_error* error);

// --- fuses.c
struct lutra_fused {
  uint8_t root;  // place of the root that is trusted, LUTRA_NO_ROOT
  uint8_t digest[LUTRA_DIGEST_BYTES];
  uint32_t counter;
};
void lutra_fuses_read(const struct lutra_fuses* fuses, struct lutra_error* error, struct lutra_fused* fused);
void lutra_fuses_room(const struct lutra_fuses* fuses, struct lutra_error* error,
                      const uint8_t root[LUTRA_DIGEST_BYTES]);
void lutra_fuses_burn(const struct lutra_fuses* fuses, struct lutra_error* error,
                      const uint8_t root[LUTRA_DIGEST_BYTES], uint32_t counter);

// --- record.c: the boot record
struct lutra_record {
  uint32_t sequence;
  uint8_t primary;
  uint8_t state[LUTRA_SLOTS];
  uint32_t size[LUTRA_SLOTS];
  uint32_t sector, place;  // of the next entry
};
void lutra_record_read(const struct lutra_flash* flash, struct lutra_error* error, struct lutra_record* record);
void lutra_record_write(const struct lutra_flash* flash, struct lutra_error* error, struct lutra_record* record);
uint8_t lutra_record_slot(const struct lutra_record* record, enum lutra_slot_state state);  // or LUTRA_NO_SLOT

// --- accept.c: all that a device demands
// Checks signatures, manifest and parts of `input` in the order of docs/pack-format.md, twice. `primary` is the
// manifest that a pack of the same name must be newer than, or NULL.
void lutra_pack_accept(const struct lutra_device* device, struct lutra_error* error, const struct lutra_input* input,
                       const struct lutra_pack_info* primary, struct lutra_pack* pack);
void lutra_slot_accept(const struct lutra_device* device, struct lutra_error* error, const struct lutra_record* record,
                       uint8_t slot, struct lutra_pack* pack);
// Verifies the firmware in the core again; LUTRA_ERROR_NO_FIRMWARE if there is none.
void lutra_running_accept(const struct lutra_device* device, struct lutra_error* error, struct lutra_pack* pack);
// Before and after anything of a pack that has no error reaches the core: returns only if both verdicts are good. If
// not, a fault has led here, and the core is kept in reset for ever.
void lutra_pack_require(const struct lutra_pack* pack, const struct lutra_error* error, const struct lutra_core* core);
// Whether an error ends the call because the device itself fails, as opposed to firmware that may not run.
bool lutra_is_broken(const struct lutra_error* error);

#endif
