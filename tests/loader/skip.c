// A RV32IM hart that leaves out instructions: `skip MEMORY PC STACK CHECK RUNNING TABLE TIMES BEGIN-END ...`.
//
// It runs a function to its end. Of each instruction in the ranges it leaves out the first TIMES executions, one in
// each run, and of each branch it also takes the other way. Prints the place of each fault after which the byte at
// RUNNING is not 0xff, or the row at TABLE is other than zero; then how all runs ended. CHECK is the function that
// checks a signature: what it has said once it says again without a computation.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES (1u << 20)
#define RETURN 0xfffffff0u
#define CHECKS 16
#define MESSAGE 80
#define BEYOND 40000000ull  // instructions of a run that does not end
#define ROW 16
#define SLOTS 2

enum { Refused, Boots, Crash, Endless };
enum fault { None, Skipped, Turned };

static uint8_t memory[BYTES];
static uint32_t x[32], pc, check, running, table;

enum mode { Learning, Faultless, Faulty };
static enum mode mode;

static struct checked {
  uint8_t of[64 + 32 + MESSAGE];
  uint32_t result, back;
  bool computed;
} checked[CHECKS];
static unsigned checks;

static _Noreturn void end(int how) { _exit(how); }

static uint8_t* at(uint32_t address, uint32_t size) {
  if (address > BYTES - size || address % size != 0) end(Crash);
  return memory + address;
}

static uint32_t load(uint32_t address, unsigned kind) {
  uint32_t value = 0;
  memcpy(&value, at(address, 1u << (kind & 3)), 1u << (kind & 3));
  if (kind == 0) return (uint32_t)(int8_t)value;
  if (kind == 1) return (uint32_t)(int16_t)value;
  return value;
}

static uint32_t multiplied(unsigned kind, uint32_t a, uint32_t b) {
  const int64_t s = (int32_t)a, t = (int32_t)b;
  switch (kind) {
    case 0:
      return a * b;
    case 1:
      return (uint32_t)(s * t >> 32);
    case 2:
      return (uint32_t)(s * (int64_t)b >> 32);
    case 3:
      return (uint32_t)((uint64_t)a * b >> 32);
    case 4:
      return b == 0 ? ~0u : (uint32_t)(s / t);
    case 5:
      return b == 0 ? ~0u : a / b;
    case 6:
      return b == 0 ? a : (uint32_t)(s % t);
    default:
      return b == 0 ? a : a % b;
  }
}

static uint32_t computed(unsigned kind, bool other, uint32_t a, uint32_t b) {
  switch (kind) {
    case 0:
      return other ? a - b : a + b;
    case 1:
      return a << (b & 31);
    case 2:
      return (int32_t)a < (int32_t)b;
    case 3:
      return a < b;
    case 4:
      return a ^ b;
    case 5:
      return other ? (uint32_t)((int32_t)a >> (b & 31)) : a >> (b & 31);
    case 6:
      return a | b;
    default:
      return a & b;
  }
}

static bool taken(unsigned kind, uint32_t a, uint32_t b) {
  switch (kind) {
    case 0:
      return a == b;
    case 1:
      return a != b;
    case 4:
      return (int32_t)a < (int32_t)b;
    case 5:
      return (int32_t)a >= (int32_t)b;
    case 6:
      return a < b;
    default:
      return a >= b;
  }
}

static void step(enum fault fault) {
  const uint32_t word = load(pc, 2), rd = word >> 7 & 31, kind = word >> 12 & 7, high = word >> 25;
  const uint32_t a = x[word >> 15 & 31], b = x[word >> 20 & 31], i = (uint32_t)((int32_t)word >> 20);
  uint32_t next = pc + 4, value = 0;
  bool writes = true;
  if (fault == Skipped) {
    pc = next;
    return;
  }
  switch (word & 0x7f) {
    case 0x33:
      value = high == 1 ? multiplied(kind, a, b) : computed(kind, high == 0x20, a, b);
      break;
    case 0x13:
      value = computed(kind, kind == 5 && high == 0x20, a, i);
      break;
    case 0x03:
      value = load(a + i, kind);
      break;
    case 0x23: {
      const uint32_t place = a + ((i & ~31u) | rd);
      memcpy(at(place, 1u << kind), &b, 1u << kind);
      writes = false;
      break;
    }
    case 0x63:
      if (taken(kind, a, b) != (fault == Turned)) {
        next = pc + (((uint32_t)((int32_t)word >> 31) << 12) | (word << 4 & 0x800) | (word >> 20 & 0x7e0) |
                     (word >> 7 & 0x1e));
      }
      writes = false;
      break;
    case 0x6f:
      value = next;
      next = pc +
             (((uint32_t)((int32_t)word >> 31) << 20) | (word & 0xff000) | (word >> 9 & 0x800) | (word >> 20 & 0x7fe));
      break;
    case 0x67:
      value = next;
      next = (a + i) & ~1u;
      break;
    case 0x37:
      value = word & 0xfffff000;
      break;
    case 0x17:
      value = pc + (word & 0xfffff000);
      break;
    default:
      end(Crash);
  }
  if (writes && rd != 0) x[rd] = value;
  pc = next;
}

// Whether the check that begins here is not computed: in the first run all are, then each once, so that its
// instructions are left out, too. After a fault, what it has not seen is not signed.
static bool known(void) {
  struct checked asked = {.back = x[1]};
  memcpy(asked.of, at(x[10], 1), 64);
  memcpy(asked.of + 64, at(x[11], 1), 32);
  memcpy(asked.of + 96, at(x[12], 1), MESSAGE);
  for (unsigned n = 0; n < checks; ++n) {
    struct checked* const c = &checked[n];
    if (memcmp(c->of, asked.of, sizeof c->of) != 0) continue;
    if (mode == Faultless && !c->computed) {
      c->computed = true;
      return false;
    }
    x[10] = c->result;
    pc = x[1];
    return true;
  }
  if (mode == Learning && checks < CHECKS) {
    checked[checks++] = asked;
    return false;
  }
  x[10] = 0;
  pc = x[1];
  return true;
}

static void turn(enum fault fault) {
  if (pc == check && x[13] == MESSAGE && known()) return;
  for (unsigned n = 0; mode == Learning && n < checks; ++n) {
    if (checked[n].back == pc) {
      checked[n].result = x[10];
      checked[n].back = 0;
    }
  }
  step(fault);
}

static bool boots(void) {
  static const uint8_t zeros[ROW];
  return memory[running] < SLOTS || memcmp(at(table, 1), zeros, ROW) != 0;
}

static _Noreturn void finish(enum fault fault) {
  mode = Faulty;
  turn(fault);
  for (unsigned long long n = 0; pc != RETURN; ++n) {
    if (n > BEYOND) end(Endless);
    turn(None);
  }
  end(boots() ? Boots : Refused);
}

int main(int count, char** argument) {
  static uint8_t executed[BYTES / 4], ranged[BYTES / 4];
  FILE* const file = fopen(argument[1], "rb");
  if (count < 8 || file == NULL || fread(memory, 1, BYTES, file) != BYTES) return 2;
  const uint32_t entry = (uint32_t)strtoul(argument[2], NULL, 0);
  x[2] = (uint32_t)strtoul(argument[3], NULL, 0);
  check = (uint32_t)strtoul(argument[4], NULL, 0);
  running = (uint32_t)strtoul(argument[5], NULL, 0);
  table = (uint32_t)strtoul(argument[6], NULL, 0);
  const unsigned times = (unsigned)strtoul(argument[7], NULL, 0);
  for (int n = 8; n < count; ++n) {
    char* rest;
    const uint32_t begin = (uint32_t)strtoul(argument[n], &rest, 0);
    const uint32_t after = (uint32_t)strtoul(rest + 1, NULL, 0);
    for (uint32_t place = begin; place < after; place += 4) ranged[place / 4] = 1;
  }
  unsigned long faults = 0, ends[4] = {0};
  static uint8_t before[BYTES];
  uint32_t registers[32];
  x[1] = RETURN;
  memcpy(before, memory, BYTES);
  memcpy(registers, x, sizeof x);
  for (pc = entry; pc != RETURN;) turn(None);
  memcpy(memory, before, BYTES);
  memcpy(x, registers, sizeof x);
  mode = Faultless;
  for (pc = entry; pc != RETURN; turn(None)) {
    if (pc >= BYTES || !ranged[pc / 4] || executed[pc / 4] >= times) continue;
    ++executed[pc / 4];
    const bool branch = (memory[pc] & 0x7f) == 0x63;
    for (enum fault fault = Skipped; fault <= (branch ? Turned : Skipped); ++fault) {
      const pid_t child = fork();
      if (child == 0) finish(fault);
      int status;
      if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return 2;
      const int how = WEXITSTATUS(status);
      ++faults;
      ++ends[how];
      if (how == Boots) printf("%#x %s\n", pc, fault == Skipped ? "left out" : "turned");
    }
  }
  printf("%lu faults: %lu refused, %lu crashed, %lu endless, %lu boot; without a fault it %s\n", faults, ends[Refused],
         ends[Crash], ends[Endless], ends[Boots], boots() ? "boots" : "is refused");
  return 0;
}
