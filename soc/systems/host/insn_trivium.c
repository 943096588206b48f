/* S4: Trivium in instructions (lutra_trivium_insn.sv). RESULTS says where keystream goes:
 *
 *   0  to registers, 32 bits at a time; the program adds the text and stores the sum
 *   1  the same, but stored as it is
 *   2  to RAM by the instruction, as it is
 *   3  to RAM by the instruction, added to the text
 */
#include "insn_trivium.h"
#include "cipher.h"
#include "trivium.h"

static const uint8_t* key_bytes;

void cipher_load(void) {}
void cipher_key(const uint8_t* key) { key_bytes = key; }

void cipher_start(const uint8_t* iv) {
  uint32_t k[3], v[3];
  trivium_words(k, key_bytes);
  trivium_words(v, iv);
  /* The IV begins with s94, bit 93; s286 to s288 are ones. */
  const uint32_t state[9] = {k[0], k[1], k[2] | v[0] << 29, v[0] >> 3 | v[1] << 29, v[1] >> 3 | v[2] << 29, v[2] >> 3,
                             0,    0,    7u << 29};
  for (unsigned i = 0; i < 9; i++) LOAD(state[i], i);
  for (unsigned i = 0; i < 4 * 288 / 64; i++) advance();
}

void cipher_crypt(uint8_t* out, const uint8_t* in, size_t bytes) {
  const uint32_t* from = (const uint32_t*)(const void*)in;
  uint32_t* to = (uint32_t*)(void*)out;
  uint8_t* end = out + bytes;
#if RESULTS == 0
  for (; (uint8_t*)to < end; to += 4, from += 4) {
    uint32_t a = advance(), b = second(), c = advance(), d = second();
    to[0] = from[0] ^ a;
    to[1] = from[1] ^ b;
    to[2] = from[2] ^ c;
    to[3] = from[3] ^ d;
  }
#elif RESULTS == 1
  (void)from;
  for (uint32_t* most = to + (bytes / 64) * 16; to != most; to += 16) {
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < 16; i += 4) {
      uint32_t a = advance(), b = second(), c = advance(), d = second();
      to[i] = a;
      to[i + 1] = b;
      to[i + 2] = c;
      to[i + 3] = d;
    }
  }
  for (; (uint8_t*)to < end; to += 2) {
    to[0] = advance();
    to[1] = second();
  }
#elif RESULTS == 2
  (void)from;
  (void)to;
  for (uint8_t* most = out + (bytes / 128) * 128; out != most;)
    out = store(store(store(store(store(store(store(store(out))))))));
  while (out < end) out = store(out);
#else
  (void)from;
  (void)to;
  for (; end - out >= 64; out += 64) in = add(add(add(add(in, out), out + 16), out + 32), out + 48);
  for (; out < end; out += 16) in = add(in, out);
#endif
}

void cipher_tag(uint8_t* tag) { (void)tag; }
