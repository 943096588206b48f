/* Messages of SIZES bytes with the key kept, then of COLD_SIZES bytes with the key new. Each is between two marks, and
   its result, with the tag if there is one, is dumped after them. */
#include "cipher.h"
#include "system.h"

static const uint32_t sizes[] = {SIZES};
static const uint32_t cold_sizes[] = {COLD_SIZES};
static const uint8_t key[32] __attribute__((aligned(16))) = {KEY};
const uint8_t* const study_key = key;
static const uint8_t iv[16] __attribute__((aligned(16))) = {IV};

static void message(size_t bytes, int cold) {
  static uint8_t tag[16] __attribute__((aligned(16)));
  watch(RESULT);
  mark(0);
  if (cold) cipher_key(key);
  cipher_start(iv);
  cipher_crypt(RESULT, TEXT, bytes);
  if (TAG_BYTES) cipher_tag(tag);
  mark(1);
  dump(RESULT, bytes);
  if (TAG_BYTES) dump(tag, TAG_BYTES);
}

int main(void) {
  cipher_load();
  cipher_key(key);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) message(sizes[i], 0);
  for (size_t i = 0; i < sizeof cold_sizes / sizeof *cold_sizes; i++) message(cold_sizes[i], 1);
  return 0;
}
