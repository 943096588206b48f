// Fuses: the root that is trusted, and the security counter. Power may be lost during each burn.
//
// A digest is valid once its mark is burnt, which happens after the digest has been read back. A place with bits that
// the digest does not have, left by an interrupted burn, is skipped. The counter is the highest burnt bit, so an
// interrupted burn leaves a lower counter.
#include "internal.h"

static void read_fuses(const struct lutra_fuses* fuses, struct lutra_error* error, uint32_t offset, uint8_t* bytes,
                       uint32_t length) {
  memset(bytes, 0, length);
  if (lutra_good(error) && fuses->read(fuses->context, offset, bytes, length) != 0) {
    lutra_fail(error, LUTRA_ERROR_FUSES, offset);
  }
}

// Burns the missing bits of `bits`, at most 32 bytes, and reads them back. Other bits may already be burnt.
static void burn(const struct lutra_fuses* fuses, struct lutra_error* error, uint32_t offset, const uint8_t* bits,
                 uint32_t length) {
  uint8_t now[LUTRA_FUSE_COUNTER_BYTES];
  bool burnt = true;
  read_fuses(fuses, error, offset, now, length);
  for (uint32_t i = 0; i < length; ++i) {
    burnt = burnt && (now[i] & bits[i]) == bits[i];
  }
  if (burnt || !lutra_good(error)) {
    return;
  }
  if (fuses->burn(fuses->context, offset, bits, length) != 0) {
    lutra_fail(error, LUTRA_ERROR_FUSES, offset);
  }
  read_fuses(fuses, error, offset, now, length);
  for (uint32_t i = 0; i < length; ++i) {
    if ((now[i] & bits[i]) != bits[i]) {
      lutra_fail(error, LUTRA_ERROR_FUSES, offset + i);
    }
  }
}

void lutra_fuses_read(const struct lutra_fuses* fuses, struct lutra_error* error, struct lutra_fused* fused) {
  uint8_t marks[LUTRA_FUSE_ROOTS], counter[LUTRA_FUSE_COUNTER_BYTES];
  memset(fused, 0, sizeof *fused);
  fused->root = LUTRA_NO_ROOT;
  read_fuses(fuses, error, LUTRA_FUSE_MARK(0), marks, sizeof marks);
  for (uint32_t n = 0; n < LUTRA_FUSE_ROOTS; ++n) {
    if (marks[n] != 0) {
      fused->root = (uint8_t)n;
    }
  }
  if (fused->root != LUTRA_NO_ROOT) {
    read_fuses(fuses, error, LUTRA_FUSE_ROOT(fused->root), fused->digest, LUTRA_DIGEST_BYTES);
  }
  read_fuses(fuses, error, LUTRA_FUSE_COUNTER, counter, sizeof counter);
  for (uint32_t bit = 0; bit < 8 * sizeof counter; ++bit) {
    if ((counter[bit / 8] >> bit % 8 & 1) != 0) {
      fused->counter = bit + 1;
    }
  }
}

// Returns the place for a root: where it is already trusted, or else the first later place whose burnt bits it
// contains; LUTRA_NO_ROOT if none.
static uint8_t place_of(const struct lutra_fuses* fuses, struct lutra_error* error, const struct lutra_fused* fused,
                        const uint8_t root[LUTRA_DIGEST_BYTES]) {
  uint8_t bits[LUTRA_DIGEST_BYTES];
  if (memcmp(fused->digest, root, LUTRA_DIGEST_BYTES) == 0) {
    return fused->root;
  }
  for (uint32_t n = (fused->root + 1u) & UINT8_MAX; n < LUTRA_FUSE_ROOTS; ++n) {
    bool fits = true;
    read_fuses(fuses, error, LUTRA_FUSE_ROOT(n), bits, sizeof bits);
    for (uint32_t i = 0; i < sizeof bits; ++i) {
      fits = fits && (bits[i] & root[i]) == bits[i];
    }
    if (fits) {
      return (uint8_t)n;
    }
  }
  return LUTRA_NO_ROOT;
}

void lutra_fuses_room(const struct lutra_fuses* fuses, struct lutra_error* error,
                      const uint8_t root[LUTRA_DIGEST_BYTES]) {
  struct lutra_fused fused;
  lutra_fuses_read(fuses, error, &fused);
  if (place_of(fuses, error, &fused, root) == LUTRA_NO_ROOT) {
    lutra_fail(error, LUTRA_ERROR_ROOT_FUSES, 0);
  }
}

void lutra_fuses_burn(const struct lutra_fuses* fuses, struct lutra_error* error,
                      const uint8_t root[LUTRA_DIGEST_BYTES], uint32_t counter) {
  static const uint8_t mark = UINT8_MAX;
  struct lutra_fused fused;
  uint8_t bits[LUTRA_FUSE_COUNTER_BYTES];
  lutra_fuses_read(fuses, error, &fused);
  const uint8_t place = place_of(fuses, error, &fused, root);
  if (place == LUTRA_NO_ROOT) {
    lutra_fail(error, LUTRA_ERROR_ROOT_FUSES, 0);
  } else if (place != fused.root) {
    burn(fuses, error, LUTRA_FUSE_ROOT(place), root, LUTRA_DIGEST_BYTES);
    burn(fuses, error, LUTRA_FUSE_MARK(place), &mark, 1);
  }
  memset(bits, 0, sizeof bits);
  for (uint32_t bit = fused.counter; bit < counter; ++bit) {
    bits[bit / 8] = (uint8_t)(bits[bit / 8] | 1u << bit % 8);
  }
  burn(fuses, error, LUTRA_FUSE_COUNTER, bits, sizeof bits);
}
