/* What the compiler expects of a C library: by words where both places are aligned to them, four at a time. */
#include <stddef.h>
#include <stdint.h>

typedef uint32_t __attribute__((may_alias)) word;
enum { WORD = sizeof(word), GROUP = 4 * WORD };

void* memset(void* to, int value, size_t bytes);
void* memcpy(void* restrict to, const void* restrict from, size_t bytes);

__attribute__((no_builtin)) void* memset(void* to, int value, size_t bytes) {
  uint8_t* at = to;
  if ((uintptr_t)at % WORD == 0) {
    const word all = (uint8_t)value * 0x01010101u;
    word* words = to;
    for (; bytes >= GROUP; bytes -= GROUP, words += 4) words[0] = words[1] = words[2] = words[3] = all;
    for (; bytes >= WORD; bytes -= WORD) *words++ = all;
    at = (uint8_t*)words;
  }
  while (bytes-- != 0) *at++ = (uint8_t)value;
  return to;
}

__attribute__((no_builtin)) void* memcpy(void* restrict to, const void* restrict from, size_t bytes) {
  uint8_t* at = to;
  const uint8_t* source = from;
  if (((uintptr_t)at | (uintptr_t)source) % WORD == 0) {
    word* words = to;
    const word* sources = from;
    for (; bytes >= GROUP; bytes -= GROUP, words += 4, sources += 4) {
      const word a = sources[0], b = sources[1], c = sources[2], d = sources[3];
      words[0] = a, words[1] = b, words[2] = c, words[3] = d;
    }
    for (; bytes >= WORD; bytes -= WORD) *words++ = *sources++;
    at = (uint8_t*)words;
    source = (const uint8_t*)sources;
  }
  while (bytes-- != 0) *at++ = *source++;
  return to;
}
