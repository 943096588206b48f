// A device in memory for the tests: flash, fuses and a toy core behind the loader's callbacks, each of which can fail.
#ifndef LUTRA_MEMORY_DEVICE_H
#define LUTRA_MEMORY_DEVICE_H

#include "lutra_loader.h"

#define MEMORY_SPACES 8u
#define MEMORY_ROWS 1024u
#define MEMORY_LOG 65536u

struct memory_device {
  struct lutra_device device;
  struct lutra_source source;
  uint8_t* flash;
  const uint8_t* pack;
  uint32_t flash_bytes;
  uint8_t fuses[LUTRA_FUSE_BYTES];
  uint8_t rows[MEMORY_SPACES][MEMORY_ROWS][16];
  uint32_t calls;    // of callbacks
  uint32_t fail_at;  // this call fails; 0: none
  uint32_t changes;  // calls that changed flash, fuses or core
  uint32_t flash_reads;
  uint32_t change_at;  // before this read of the flash a byte that was written is changed; 0: never
  uint32_t change_place;
  uint8_t stuck;          // writes to the flash that are lost, by their parity: 0 none, 1 all
  uint8_t fuses_stuck;    // burns are lost
  uint8_t answers_wrong;  // what the toy core computes is wrong by this mask
  char log[MEMORY_LOG];   // of each call since `calls` was 0: r read, w write of the core, x anything else
};

#endif
