/* `make soc-demo` on the host: boot signed firmware through the ring, encrypt a file, refuse a changed pack, take a
 * patch while the system runs, and encrypt the file again with what it brought. lutra.soc.demo puts the file, flash and
 * fuses, the new pack and `parameters` into RAM, and reads what `report` and `dump` print.
 *
 * Defined by lutra.soc.demo.program: SECTOR_BYTES, GRANULE_BYTES, SLOT_BYTES, PACK_BYTES, INSTRET (number of the CSR),
 * SLEEPS (the host has wfi, and the device's interrupt), ROUNDS, CONTEXTS, PROGRAM_WORDS, MEMORY_ROWS, TABLE_SPACE.
 */
#include "demo.h"
#include "cipher.h"
#include "lutra_loader.h"
#include "lutra_soc.h"
#include "system.h"

enum { LOG2 = 5, RING_ENTRIES = 1 << LOG2, INTERRUPT_AFTER = 8, DOORBELL_AFTER = 2, ROW = 16, PATIENCE = 10000000 };
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
  device.flash =
      (struct lutra_flash){NULL,       SECTOR_BYTES, GRANULE_BYTES, {0, SECTOR_BYTES}, {first, first + SLOT_BYTES},
                           SLOT_BYTES, flash_read,   flash_erase,   flash_write};
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
  lutra_set_interrupts(&ring, INTERRUPT_AFTER, 0);
  report("table", LUTRA_SOC_OK, rest[1]);
}

// Sleeps until an interrupt, where the host can: the last packet of a file asks for one. Another host waits for the
// next completion.
static void await(void) {
#if SLEEPS
  __asm__ volatile(".option push\n.option arch, +zicsr\ncsrs mie, %0\n.option pop\nwfi" ::"r"(0x800));
  lutra_acknowledge(&ring);
#else
  must("packet", lutra_wait(&ring));
#endif
}

// ------------------------------------------------------------------- a file

// What is left of a file, and what the next packet begins with.
struct stream {
  uint32_t left, source, destination, control, gather, cookie;
  uint32_t iv[4];
  uint32_t* counter;
  uint32_t swapped, next, blocks;  // order of the counter; its value; blocks in a whole packet
};

static void begin(struct stream* stream, const struct demo_cipher* cipher, uint32_t handle) {
  stream->left = parameters.file_bytes;
  stream->source = (uint32_t)(uintptr_t)TEXT + parameters.file_skew;
  stream->destination = (uint32_t)(uintptr_t)RESULT;
  stream->gather = cipher->gather;
  stream->control = lutra_control(cipher->crypt, handle) | (cipher->gather ? LUTRA_DESCRIPTOR__CONTROL__GATHER_bm : 0);
  stream->cookie = 0;
  memcpy(stream->iv, cipher->iv, ROW);
  stream->counter = &stream->iv[cipher->counter_word];
  stream->swapped = cipher->counter_swapped;
  stream->next = stream->swapped ? swapped(*stream->counter) : *stream->counter;
  stream->blocks = parameters.packet_bytes / cipher->block_bytes;
}

// A packet as a network stack has it, in pieces that are not aligned.
static void gather(uint32_t (*list)[4], uint32_t source, uint32_t bytes) {
  const uint32_t first = bytes < ROW ? bytes : bytes / 4 + 3;
  lutra_element(list[0], source, first, bytes < ROW);
  if (bytes < ROW) return;
  const uint32_t second = bytes / 8 + 1;
  lutra_element(list[1], source + first, second, 0);
  lutra_element(list[2], source + first + second, bytes - first - second, 1);
}

static void build(struct stream* stream, struct lutra_job* job, uint32_t (*list)[4]) {
  const uint32_t bytes = stream->left < parameters.packet_bytes ? stream->left : parameters.packet_bytes;
  uint32_t control = stream->control, source = stream->source;
  if (bytes == stream->left) control |= LUTRA_DESCRIPTOR__CONTROL__INTERRUPT_bm;
  if (stream->gather) {
    gather(list, source, bytes);
    source = (uint32_t)(uintptr_t)list;
  }
  lutra_job_begin(job, control, bytes, stream->cookie++);
  lutra_job_move(job, source, stream->destination);
  *stream->counter = stream->swapped ? swapped(stream->next) : stream->next;
  lutra_job_iv(job, stream->iv);
  stream->next += stream->blocks;
  stream->left -= bytes;
  stream->source += bytes;
  stream->destination += bytes;
}

// The file in packets. The device works on the first ones while the host builds more.
static void encrypt(const struct demo_cipher* cipher, uint32_t handle) {
  static struct lutra_done done[RING_ENTRIES];
  struct stream stream;
  begin(&stream, cipher, handle);
  for (uint32_t open = 0; stream.left != 0 || open != 0;) {
    const uint32_t most = RING_ENTRIES - open < DOORBELL_AFTER ? RING_ENTRIES - open : DOORBELL_AFTER;
    uint32_t n = 0, count = 0;
    for (struct lutra_job* job = lutra_slot(&ring, 0); n < most && stream.left != 0; n++, job = lutra_next(&ring, job))
      build(&stream, job, lists[(ring.tail + n) % RING_ENTRIES]);
    if (n != 0) {
      must("packet", lutra_submit(&ring, n));
      open += n;
      continue;
    }
    await();
    must("packet", lutra_poll(&ring, done, RING_ENTRIES, &count));
    for (uint32_t i = 0; i < count; i++) must("packet", lutra_status_of(&done[i]));
    open -= count;
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
  lutra_acknowledge(&ring);  // of what came before
  mark(TRACE_ON);
  const uint32_t before = instructions();
  encrypt(cipher, handle);
  const uint32_t spent = instructions() - before;
  mark(TRACE_OFF);
  report("file", LUTRA_SOC_OK, spent);
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
