/* A cipher on the core: its firmware image, driven as firmware/README.md says, through whatever link_*.c is there.
 *
 * The image's header, the addresses and the entries are defined by the compiler's command line, which
 * soc/lutra/soc/programs.py makes of the cipher's manifest:
 *
 *   IMAGE_HEADER                         of `lutra image --format c --name core`
 *   KEY_SPACE KEY_AT KEY_ROWS, IV_.., LENGTH_SPACE LENGTH_AT
 *   ENTRY_TABLES ENTRY_KEY ENTRY_START ENTRY_BEGIN ENTRY_RUN ENTRY_FINISH   -1 where there is none
 *   UNIT_BYTES JOB_BYTES                 what lengths count, and the most that a job takes
 *   KEYSTREAM                            1: the core adds its keystream to zeros, the host adds the text
 *   STATELESS                            1: nothing stays in the core from one STATELESS_BYTES to the next
 */
#include IMAGE_HEADER

#include "cipher.h"
#include "link.h"

#define ROW 16
#define ROWS(bytes) (((bytes) + ROW - 1) / ROW)
#define ROW_OF(at) ((at) / ROW)

typedef struct {
  uint8_t bytes[ROW];
} __attribute__((aligned(ROW))) row_t;

void cipher_load(void) {
  static const row_t zeros[64];
  uint32_t word[4] __attribute__((aligned(ROW))) = {0};
  for (unsigned i = 0; i < core_program_words; i++) {
    word[2] = swapped((uint32_t)(core_program[i] >> 32));
    word[3] = swapped((uint32_t)core_program[i]);
    link_write(SPACE_PROGRAM, i, word, 1);
  }
  for (unsigned i = 0; i < core_part_count; i++) {
    const struct lutra_image_part* part = &core_parts[i];
    for (unsigned r = 0; r < part->rows; r++) {
      row_t row;
      for (unsigned j = 0; j < ROW; j++) row.bytes[j] = part->bytes[ROW * r + j];
      link_write(part->space, part->row + r, &row, 1);
    }
  }
  if (KEYSTREAM)
    for (unsigned i = 0; i < 4; i++) link_write(SPACE_M2, 64 * i, zeros, 64);
  if (ENTRY_TABLES >= 0) link_call(ENTRY_TABLES);
}

void cipher_key(const uint8_t* key) {
  if (KEY_ROWS) link_write(KEY_SPACE, ROW_OF(KEY_AT), key, KEY_ROWS);
  if (ENTRY_KEY >= 0) link_call(ENTRY_KEY);
}

static const uint8_t* message_iv;
static uint32_t message_bytes;

void cipher_start(const uint8_t* iv) {
  message_iv = iv;
  message_bytes = 0;
  if (IV_ROWS) link_write(IV_SPACE, ROW_OF(IV_AT), iv, IV_ROWS);
  if (ENTRY_START >= 0) link_call(ENTRY_START);
#ifdef AEAD
  /* GCM's block J0 is a nonce of 12 bytes and 1; a cipher of its own kind has the bits of the tag in the next row. */
  static row_t begin[2];
  for (unsigned i = 0; i < NONCE_BYTES; i++) begin[0].bytes[i] = iv[i];
  if (NONCE_BYTES < ROW) begin[0].bytes[ROW - 1] = 1;
  begin[1].bytes[ROW - 1] = 128;
  link_write(SPACE_M2, 0, begin, 2);
  link_call(ENTRY_BEGIN);
#endif
}

/* 16-bit lane 7: whole units, lane 6: bytes of a last one. */
static void set_length(size_t bytes) {
  row_t row = {0};
  store_be(row.bytes + 12, (uint32_t)(bytes % UNIT_BYTES) << 16 | (uint32_t)(bytes / UNIT_BYTES));
  link_write(LENGTH_SPACE, ROW_OF(LENGTH_AT), &row, 1);
}

static void job(uint8_t* out, const uint8_t* in, size_t bytes) {
  if (!KEYSTREAM) link_write(SPACE_M2, 0, in, ROWS(bytes));
  link_call(ENTRY_RUN);
  if (KEYSTREAM)
    link_read_xor(out, in, SPACE_M3, 0, ROWS(bytes));
  else
    link_read(out, SPACE_M3, 0, ROWS(bytes));
}

#if STATELESS
#define LENGTH_MOST STATELESS_BYTES
#ifdef CIPHER_SALSA20
/* A block's state is key, nonce and number; the core makes the matrix of them. */
static void restore(unsigned number) {
  extern const uint8_t* const study_key;
  row_t counter = {0};
  store_be(counter.bytes + 12, number);
  link_write(KEY_SPACE, ROW_OF(KEY_AT), study_key, KEY_ROWS);
  link_write(IV_SPACE, ROW_OF(IV_AT), message_iv, IV_ROWS);
  link_call(ENTRY_START);
  link_write(SPACE_M1, ROW_OF(core_at_salsa20_counter), &counter, 1);
}
static void save(void) {}
#else
/* Registers of the rounds; sums of key and nonce, and old words; and, which no block changes, the working key. */
enum {
  STATE = ROW_OF(core_at_phelix_state),
  STATE_ROWS = ROW_OF(core_at_phelix_length - core_at_phelix_state),
  KEYS = ROW_OF(core_at_phelix_size),
  KEYS_ROWS = ROW_OF(core_at_phelix_sums - core_at_phelix_size),
  SUMS = ROW_OF(core_at_phelix_sums),
  SUMS_ROWS = ROW_OF(core_at_phelix_text - core_at_phelix_sums)
};
static row_t state[STATE_ROWS], keys[KEYS_ROWS], sums[SUMS_ROWS];
static void restore(unsigned number) {
  if (number == 0) return;
  link_write(SPACE_M1, STATE, state, STATE_ROWS);
  link_write(SPACE_M1, KEYS, keys, KEYS_ROWS);
  link_write(SPACE_M1, SUMS, sums, SUMS_ROWS);
}
static void save(void) {
  link_read(state, SPACE_M1, STATE, STATE_ROWS);
  link_read(keys, SPACE_M1, KEYS, KEYS_ROWS);
  link_read(sums, SPACE_M1, SUMS, SUMS_ROWS);
}
#endif
#else
#define LENGTH_MOST JOB_BYTES
#endif

void cipher_crypt(uint8_t* out, const uint8_t* in, size_t bytes) {
  size_t length = 0;
#if STATELESS
  unsigned number = 0;
#endif
  message_bytes += bytes;
  for (size_t size; bytes != 0; out += size, in += size, bytes -= size) {
    size = bytes < LENGTH_MOST ? bytes : LENGTH_MOST;
#if STATELESS
    restore(number++);
#endif
    if (size != length) set_length(size);
    length = size;
    job(out, in, size);
#if STATELESS
    save();
#endif
  }
}

void cipher_tag(uint8_t* tag) {
#ifdef AEAD
  /* Bits of associated data, of which there are none, and of the text: 64 each. */
  row_t lengths = {0};
  store_be(lengths.bytes + 12, 8 * message_bytes);
  link_write(SPACE_M2, 0, &lengths, 1);
  link_call(ENTRY_FINISH);
  link_read(tag, SPACE_M3, 0, 1);
#else
  (void)tag;
#endif
}
