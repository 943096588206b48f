/* `make soc-demo` on the host: boot signed firmware through the ring, encrypt a file, refuse a changed pack, take a
 * patch while the system runs, and encrypt the file again with what it brought. lutra.soc.demo puts the file, flash and
 * fuses, the new pack and `parameters` into RAM, and reads what `report` and `dump` print.
 *
 * Defined by lutra.soc.demo.program: SECTOR_BYTES, GRANULE_BYTES, SLOT_BYTES, PACK_BYTES, INSTRET (number of the CSR),
 * SLEEPS (the host has wfi, and the device's interrupt), ROUNDS, CONTEXTS, PROGRAM_WORDS, MEMORY_ROWS, TABLE_SPACE.
 */
#include "demo.h"

#include "lutra_loader.h"
#include "lutra_soc.h"
#include "system.h"

enum { LOG2 = 5, RING_ENTRIES = 1 << LOG2, INTERRUPT_AFTER = 8, ROW = 16, PATIENCE = 10000000 };
enum { PIECES = 3, RAM_BYTES = 0x80000, REGISTERS = 0x60000000, OPERATIONS = 16, TRACE_ON = 8, TRACE_OFF = 9 };

void* memcpy(void* restrict to, const void* restrict from, size_t bytes);
void* memset(void* to, int value, size_t bytes);

struct demo_parameters parameters;
uint8_t inbox[PACK_BYTES];
uint8_t flash[2 * (SECTOR_BYTES + SLOT_BYTES)] __attribute__((aligned(16)));
uint8_t fuses[LUTRA_FUSE_BYTES];

static uint8_t memory[LUTRA_RING_BYTES(LOG2)] __attribute__((aligned(64)));
static uint32_t lists[RING_ENTRIES][PIECES][4] __attribute__((aligned(16)));
static struct lutra_soc soc;
static struct lutra_ring ring;
static struct lutra_device device;

// ----------------------------------------------------------------- console

static uint32_t now(void* context) {
  (void)context;
  return CONSOLE[0];
}

static uint32_t instructions(void) {
  uint32_t count;
  __asm__ volatile(".option push\n.option arch, +zicsr\ncsrr %0, %1\n.option pop" : "=r"(count) : "i"(INSTRET));
  return count;
}

static void text(const char* from) {
  while (*from != '\0') CONSOLE[0] = (uint32_t)*from++;
}

static void number(uint32_t value) {
  char digits[11];
  char* at = &digits[sizeof digits - 1];
  *at = '\0';
  do *--at = (char)('0' + value % 10);
  while ((value /= 10) != 0);
  text(at);
}

// "@name result detail cycle instructions": the end of a step.
static void report(const char* name, uint32_t result, uint32_t detail) {
  const uint32_t cycle = now(NULL), count = instructions();
  text("@");
  text(name);
  const uint32_t values[] = {result, detail, cycle, count};
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    text(" ");
    number(values[i]);
  }
  text("\n");
}

static void must(const char* name, enum lutra_soc_result result) {
  if (result == LUTRA_SOC_OK) return;
  report(name, result, 0);
  finish(1);
}

// ------------------------------------------------ flash, fuses, what arrives

static int flash_read(void* context, uint32_t address, uint8_t* bytes, uint32_t length) {
  (void)context;
  memcpy(bytes, flash + address, length);
  return 0;
}
static int flash_erase(void* context, uint32_t address) {
  (void)context;
  memset(flash + address, UINT8_MAX, SECTOR_BYTES);
  return 0;
}
static int flash_write(void* context, uint32_t address, const uint8_t* bytes, uint32_t length) {
  (void)context;
  for (uint32_t i = 0; i < length; i++) flash[address + i] &= bytes[i];
  return 0;
}
static int fuses_read(void* context, uint32_t offset, uint8_t* bytes, uint32_t length) {
  (void)context;
  memcpy(bytes, fuses + offset, length);
  return 0;
}
static int fuses_burn(void* context, uint32_t offset, const uint8_t* bytes, uint32_t length) {
  (void)context;
  for (uint32_t i = 0; i < length; i++) fuses[offset + i] |= bytes[i];
  return 0;
}
static int inbox_read(void* context, uint32_t offset, uint8_t* bytes, uint32_t length) {
  (void)context;
  memcpy(bytes, inbox + offset, length);
  return 0;
}

static void prepare(void) {
  const uint32_t first = 2 * SECTOR_BYTES;
  device.flash = (struct lutra_flash){NULL,        SECTOR_BYTES, GRANULE_BYTES, {0, SECTOR_BYTES},
                                      {first, first + SLOT_BYTES}, SLOT_BYTES,   flash_read,    flash_erase,
                                      flash_write};
  device.fuses = (struct lutra_fuses){NULL, fuses_read, fuses_burn};
  device.core.rounds = ROUNDS;
  device.core.contexts = CONTEXTS;
  device.core.program_words = PROGRAM_WORDS;
  device.core.memory_rows = MEMORY_ROWS;
  lutra_soc_core(&ring, &device.core);
  device.running = LUTRA_NO_SLOT;
}

// --------------------------------------------------------------- the device

static void start(void) {
  const struct lutra_ring_memory place = {memory, (uintptr_t)memory, LOG2, 0, 8};
  soc.registers = (volatile uint32_t*)REGISTERS;
  soc.time = now;
  soc.patience = PATIENCE;
  must("device", lutra_soc_open(&soc));
  must("device", lutra_soc_set_window(&soc, 0, 0, RAM_BYTES));
  must("device", lutra_ring_open(&ring, &soc, 0, &place));
  must("device", lutra_soc_start(&soc));
  report("device", LUTRA_SOC_OK, 0);
}

// The image brings its table of operations, in the first rows of TABLE_SPACE: the registers, then the entry of the
// stream's reset and how many operations there are. Jobs overwrite them.
static void configure(void) {
  uint32_t words[OPERATIONS + ROW / 4];
  struct lutra_operation operations[OPERATIONS];
  for (uint32_t row = 0; row < sizeof words / ROW; row++)
    must("table", lutra_raw_read(&ring, TABLE_SPACE, row, (uint8_t*)&words[row * ROW / 4]));
  for (unsigned i = 0; i < OPERATIONS; i++)
    operations[i] = (struct lutra_operation){(uint16_t)LUTRA_FIELD(words[i], LUTRA_AXI__OPERATION__ENTRY),
                                             words[i] & ~LUTRA_AXI__OPERATION__ENTRY_bm};
  const uint32_t* const rest = words + OPERATIONS;
  must("table", lutra_soc_set_operations(&soc, operations, rest[1], (uint16_t)rest[0]));
  must("table", lutra_soc_start(&soc));
  lutra_set_interrupts(&ring, INTERRUPT_AFTER, 8);
  report("table", LUTRA_SOC_OK, rest[1]);
}

// Until an interrupt, where the host can sleep; a host that polls has nothing to do here.
static void await(void) {
#if SLEEPS
  __asm__ volatile(".option push\n.option arch, +zicsr\ncsrs mie, %0\n.option pop\nwfi" ::"r"(0x800));
  lutra_acknowledge(&ring);
#endif
}

// ------------------------------------------------------------------- a file

static void set_counter(const struct demo_cipher* cipher, uint32_t bytes, uint32_t iv[4]) {
  memcpy(iv, cipher->iv, ROW);
  uint32_t* const counter = &iv[cipher->counter_word];
  const uint32_t blocks = bytes / cipher->block_bytes;
  *counter = cipher->counter_swapped ? __builtin_bswap32(__builtin_bswap32(*counter) + blocks) : *counter + blocks;
}

static void build(const struct demo_cipher* cipher, uint32_t handle, uint32_t at, uint32_t bytes, uint32_t n) {
  struct lutra_job* const job = lutra_slot(&ring, n);
  uint32_t iv[4];
  uintptr_t source = (uintptr_t)TEXT + parameters.file_skew + at;
  uint32_t control = lutra_control(cipher->crypt, handle);
  if (cipher->gather) {
    // A packet as a network stack has it: headers, a short piece, the rest; none of them is aligned.
    uint32_t(*list)[4] = lists[(ring.tail + n) % RING_ENTRIES];
    const uint32_t pieces[PIECES] = {bytes / 3, bytes / 7, bytes - bytes / 3 - bytes / 7};
    control |= LUTRA_DESCRIPTOR__CONTROL__GATHER_bm;
    uint32_t offset = 0, used = 0;
    for (unsigned i = 0; i < PIECES; offset += pieces[i++])
      if (pieces[i] != 0) lutra_element(list[used++], source + offset, pieces[i], i == PIECES - 1);
    source = (uintptr_t)list;
  }
  lutra_job_begin(job, control, bytes, at / parameters.packet_bytes);
  lutra_job_move(job, source, (uintptr_t)RESULT + at);
  set_counter(cipher, at, iv);
  lutra_job_iv(job, iv);
}

// The first `bytes` of the file in packets, as many at a time as the ring takes.
static void encrypt(const struct demo_cipher* cipher, uint32_t handle, uint32_t bytes) {
  static struct lutra_done done[RING_ENTRIES];
  uint32_t built = 0, ended = 0;
  while (ended < bytes) {
    uint32_t n = 0, count = 0;
    for (; built < bytes && n < INTERRUPT_AFTER && n < lutra_free(&ring); n++) {
      const uint32_t left = bytes - built;
      const uint32_t packet = left < parameters.packet_bytes ? left : parameters.packet_bytes;
      build(cipher, handle, built, packet, n);
      built += packet;
    }
    if (n != 0) {  // the device works on these while the host builds more
      must("packet", lutra_submit(&ring, n));
      continue;
    }
    await();
    must("packet", lutra_wait(&ring));
    must("packet", lutra_poll(&ring, done, RING_ENTRIES, &count));
    for (uint32_t i = 0; i < count; i++) {
      must("packet", lutra_status_of(&done[i]));
      ended += done[i].bytes;
    }
  }
}

static uint32_t set_key(const struct demo_cipher* cipher) {
  uint32_t handle = 0;
  must("key", lutra_key_set(&ring, cipher->set_key, cipher->key, cipher->key_bytes, &handle));
  report("key", LUTRA_SOC_OK, cipher->key_bytes);
  return handle;
}

static void encrypt_file(const struct demo_cipher* cipher, uint32_t handle) {
  memset(RESULT, 0, parameters.file_bytes);
  report("begin", LUTRA_SOC_OK, 0);
  mark(TRACE_ON);
  encrypt(cipher, handle, parameters.file_bytes);
  mark(TRACE_OFF);
  report("file", LUTRA_SOC_OK, parameters.file_bytes);
  dump(RESULT, parameters.file_bytes);
}

// -------------------------------------------------------------------- story

static void must_load(const char* name, enum lutra_result result, const struct lutra_error* error) {
  report(name, result, error->offset);
  if (result != LUTRA_ERROR_OK) finish(1);
}

int main(void) {
  const struct lutra_source pack = {NULL, parameters.pack_bytes, inbox_read};
  struct lutra_pack_info info;
  struct lutra_error error;
  start();
  prepare();
  must_load("boot", lutra_boot(&device, &error), &error);
  configure();
  uint32_t handle = set_key(&parameters.cipher[0]);
  encrypt_file(&parameters.cipher[0], handle);

  inbox[parameters.flip_byte] ^= 1u << parameters.flip_bit;
  const enum lutra_result refused = lutra_check(&device, &pack, &info, &error);
  report("refused", refused, error.offset);
  if (refused == LUTRA_ERROR_OK) finish(1);
  inbox[parameters.flip_byte] ^= 1u << parameters.flip_bit;
  encrypt_file(&parameters.cipher[0], handle);  // what ran before runs on

  must("key", lutra_key_drop(&ring, parameters.cipher[0].set_key, handle));
  must_load("apply", lutra_apply(&device, &pack, &error), &error);
  must_load("trial", lutra_boot(&device, &error), &error);
  configure();
  handle = set_key(&parameters.cipher[1]);
  encrypt_file(&parameters.cipher[1], handle);
  must_load("confirm", lutra_confirm(&device, &error), &error);
  return 0;
}
