// The device loader: writes packs into slots and boots slots on the core, with an atomic switch (docs/pack-format.md).
//
// Freestanding C11, no dynamic memory, no state outside of the structs that the host hands in. The host provides flash,
// fuses and the core as callbacks; each returns 0, or nonzero for a failure, which ends the call with
// LUTRA_ERROR_FLASH, _FUSES, _CORE or _SOURCE. Buffers need no alignment; reads may have any address and length.
//
//     lutra_boot(&device, &error)          after every reset: the trial, or what is confirmed, is then in the core
//     lutra_apply(&device, &pack, &error)  a pack into the standby slot; the next boot tries it
//     lutra_confirm(&device, &error)       the trial stays; without it the next boot goes back
#ifndef LUTRA_LOADER_H
#define LUTRA_LOADER_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LUTRA_SLOTS 2
#define LUTRA_NO_SLOT 0xffu
#define LUTRA_DIGEST_BYTES 32
#define LUTRA_NAME_BYTES 64

// Fuses: bits that can be burnt once, from 0 to 1. They hold digests of roots, a mark for each complete digest, and the
// security counter as a row of burnt bits. The factory burns the digest of the first root (`lutra pack root show`) to
// LUTRA_FUSE_ROOT(0), and then 0xff to LUTRA_FUSE_MARK(0); without a mark no root is trusted.
#define LUTRA_FUSE_ROOTS 8
#define LUTRA_FUSE_ROOT(n) (LUTRA_DIGEST_BYTES * (uint32_t)(n))
#define LUTRA_FUSE_MARK(n) (LUTRA_FUSE_ROOT(LUTRA_FUSE_ROOTS) + (uint32_t)(n))
#define LUTRA_FUSE_COUNTER (LUTRA_FUSE_MARK(LUTRA_FUSE_ROOTS))
#define LUTRA_FUSE_COUNTER_BYTES 32
#define LUTRA_FUSE_BYTES (LUTRA_FUSE_COUNTER + LUTRA_FUSE_COUNTER_BYTES)

// The source of a pack: its exact size, and its bytes from any offset.
struct lutra_source {
  void* context;
  uint32_t size;
  int (*read)(void* context, uint32_t offset, uint8_t* bytes, uint32_t length);
};

// Flash: erased bytes are 0xff; a granule is written once after each erasure of its sector.
struct lutra_flash {
  void* context;
  uint32_t sector_bytes;       // at least 256, a multiple of granule_bytes
  uint32_t granule_bytes;      // 1 to 64, a power of two: what is written at a time
  uint32_t record[2];          // addresses of two sectors for the boot record
  uint32_t slot[LUTRA_SLOTS];  // addresses of the slots
  uint32_t slot_bytes;         // of each; a multiple of sector_bytes
  int (*read)(void* context, uint32_t address, uint8_t* bytes, uint32_t length);
  int (*erase)(void* context, uint32_t address);                                         // the sector that begins there
  int (*write)(void* context, uint32_t address, const uint8_t* bytes, uint32_t length);  // whole granules
};

struct lutra_fuses {
  void* context;
  int (*read)(void* context, uint32_t offset, uint8_t* bytes, uint32_t length);
  int (*burn)(void* context, uint32_t offset, const uint8_t* bytes, uint32_t length);  // ORed to what is burnt
};

// The result of a run of the core: state and trap by the codes of the core's status; the generated lutra_isa.h names
// the states.
struct lutra_stop {
  uint8_t state;
  uint8_t trap;
  uint16_t pc;
  uint32_t cycles;
};

// The core through its host port, by rows; a word of the program memory is the first eight bytes of a row, least
// significant first. `space` is the code of a memory, as on the host port.
struct lutra_core {
  void* context;
  uint8_t rounds;    // ROUNDS_PER_INSTR
  uint8_t contexts;  // STREAM_CONTEXTS
  uint16_t program_words;
  uint16_t memory_rows;
  int (*reset)(void* context);
  int (*write)(void* context, uint8_t space, uint16_t row, const uint8_t bytes[16]);
  int (*read)(void* context, uint8_t space, uint16_t row, uint8_t bytes[16]);
  // Runs until the core stops or this many cycles have passed; in the latter case it is still running, and the loader
  // resets it.
  int (*run)(void* context, uint16_t entry, uint32_t max_cycles, struct lutra_stop* stop);
};

// A device: the host fills in everything before the first call, except `running`, which belongs to the loader.
struct lutra_device {
  struct lutra_flash flash;
  struct lutra_fuses fuses;
  struct lutra_core core;
  uint8_t running;  // the slot whose image is in the core, LUTRA_NO_SLOT without one; set LUTRA_NO_SLOT after power-up
};

// All results, with the message for a user (lutra_text).
#define LUTRA_ERRORS(X)                                                                     \
  X(OK, "no error")                                                                         \
  X(FLASH, "the flash could not be read or written")                                        \
  X(FUSES, "the fuses could not be read or burnt")                                          \
  X(CORE, "the core does not answer")                                                       \
  X(SOURCE, "the pack could not be read")                                                   \
  X(ENCODING, "not the encoding of a pack")                                                 \
  X(TRUNCATED, "the pack ends too early")                                                   \
  X(TRAILING, "there are bytes after the end of the pack")                                  \
  X(FORMAT, "not a pack of this format")                                                    \
  X(BOUNDS, "a value is out of its bounds")                                                 \
  X(ORDER, "a list is not ascending, or its parts overlap")                                 \
  X(UNSIGNED, "the pack has no roots: it has not been signed")                              \
  X(ROOT_UNKNOWN, "none of the pack's roots is the one that this device trusts")            \
  X(ROOT_VERSION, "the versions of the roots do not follow one another")                    \
  X(ROOT_SIGNATURE, "a root is not signed by enough keys of the root before or of its own") \
  X(SIGNATURE, "a signature is wrong, or of a key that the root does not have")             \
  X(THRESHOLD, "the pack is not signed by enough keys")                                     \
  X(DIGEST, "a part is not the one that was signed")                                        \
  X(COUNTER, "the security counter is below this device's")                                 \
  X(VERSION, "this device has the same or a newer version")                                 \
  X(ISA, "the pack is for another version of the instruction set")                          \
  X(CONFIGURATION, "the core has less rounds, memory or contexts than the pack needs")      \
  X(SIZE, "the pack is larger than a slot")                                                 \
  X(ROOT_FUSES, "no fuse is left for another root")                                         \
  X(ANSWER, "a known answer does not come out of the core")                                 \
  X(CYCLES, "a known answer takes more cycles than promised")                               \
  X(STOPPED, "the firmware stopped by a trap or a wait")                                    \
  X(VERIFY, "what was written to the flash is not read back")                               \
  X(NO_FIRMWARE, "no slot holds firmware that may run: apply a pack")                       \
  X(NO_TRIAL, "nothing is on trial")                                                        \
  X(PENDING, "a pack is waiting for its trial or on trial: confirm or revert it first")     \
  X(NO_OTHER, "there is no other firmware to go back to")                                   \
  X(NO_ALGORITHM, "the firmware has no algorithm of this name")                             \
  X(NO_DIRECTION, "the algorithm does not have this direction")                             \
  X(NO_ROUTINE, "the algorithm has no routine of this role in this direction")              \
  X(NO_IMAGE, "the firmware has no image of this number")

enum lutra_result {
#define LUTRA_ERROR(name, text) LUTRA_ERROR_##name,
  LUTRA_ERRORS(LUTRA_ERROR)
#undef LUTRA_ERROR
};

// Location of an error: a byte of the pack and its part; for a known answer, its number and step.
struct lutra_error {
  enum lutra_result result;
  uint32_t offset;
  uint16_t answer;
  uint16_t step;
};

// Message of a result. It has its own source file, so a host without a user can leave it out.
const char* lutra_text(enum lutra_result result);

enum lutra_slot_state {
  LUTRA_SLOT_EMPTY = 0,
  LUTRA_SLOT_TEST = 1,       // complete and checked; the next boot tries it
  LUTRA_SLOT_TRIAL = 2,      // was booted and is not confirmed; the next boot empties it
  LUTRA_SLOT_CONFIRMED = 3,  // is, or was, what runs
};

// Description of a pack, from its manifest.
struct lutra_pack_info {
  char name[LUTRA_NAME_BYTES + 1];
  uint16_t version[3];
  uint8_t counter;
  uint8_t root_version;
  uint8_t images;
  uint8_t algorithms;
  uint16_t answers;
  uint8_t digest[LUTRA_DIGEST_BYTES];  // of the manifest
};

struct lutra_status {
  uint8_t primary;  // the slot that boots without a trial; LUTRA_NO_SLOT
  uint8_t running;
  uint8_t counter;    // of the fuses
  uint8_t roots;      // fuses for roots that are used
  uint32_t sequence;  // of the boot record
  enum lutra_slot_state state[LUTRA_SLOTS];
  uint32_t size[LUTRA_SLOTS];                // of the packs
  enum lutra_result check[LUTRA_SLOTS];      // whether each could boot
  struct lutra_pack_info info[LUTRA_SLOTS];  // where it could
};

// Calling information of an algorithm of the running firmware in one direction; fields as in the format. Places with
// space 0xff are absent.
struct lutra_place {
  uint8_t space;
  uint16_t offset;
};
struct lutra_algorithm {
  uint8_t image;
  uint32_t key_bits, iv_bytes, unit_bytes, streams, tag_bits, job_bytes;
  bool partial;
  struct lutra_place key, iv, length, input, output;
};

// Each function returns the same result as in `error`.

// Authenticate a pack and check it for this device; writes nothing, runs nothing.
enum lutra_result lutra_check(struct lutra_device* device, const struct lutra_source* pack,
                              struct lutra_pack_info* info, struct lutra_error* error);
// Check a pack, write it to the standby slot, check what was written, run its known answers from there, and mark it for
// its trial. The core holds no firmware afterwards: boot.
enum lutra_result lutra_apply(struct lutra_device* device, const struct lutra_source* pack, struct lutra_error* error);
// Boot after a reset. A marked slot gets its trial, once, if its known answers pass again; a slot that was on trial is
// emptied; otherwise the confirmed slot boots. Fuses are updated to the confirmed firmware. Image 0 is then in the
// core.
enum lutra_result lutra_boot(struct lutra_device* device, struct lutra_error* error);
// Confirm the running trial; burns its counter and root.
enum lutra_result lutra_confirm(struct lutra_device* device, struct lutra_error* error);
// Drop the pack on test or on trial; without one, boot the other slot if its counter and root still allow it.
enum lutra_result lutra_revert(struct lutra_device* device, struct lutra_error* error);
enum lutra_result lutra_get_status(struct lutra_device* device, struct lutra_status* status, struct lutra_error* error);
// Load another image of the running firmware; memories are cleared first.
enum lutra_result lutra_load(struct lutra_device* device, uint8_t image, struct lutra_error* error);
// Look up how to call an algorithm of the running firmware in a direction, and the entry of one of its routines there.
// The other direction may be in another image, at other places. After a wrong tag, an image with a routine `open`
// leaves the memories closed, until the host wipes the core or loads an image again.
enum lutra_result lutra_find(struct lutra_device* device, const char* name, bool decrypt, struct lutra_algorithm* found,
                             struct lutra_error* error);
enum lutra_result lutra_find_routine(struct lutra_device* device, const char* name, bool decrypt, const char* role,
                                     uint16_t* entry, struct lutra_error* error);
// Run the known answers of the running firmware on the core: a self-test that a host may request at any time.
enum lutra_result lutra_self_test(struct lutra_device* device, struct lutra_error* error);

#ifdef __cplusplus
}
#endif

#endif
