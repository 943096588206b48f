// Ed25519 verification by the strict rule of docs/pack-format.md: RFC 8032 without its options, so that all verifiers
// agree.
//
// Monocypher's own check multiplies the equation by eight and accepts points in any encoding. This check uses
// Monocypher's internal point and scalar functions, which are visible in this file only.
#include "monocypher.c"

#include "internal.h"

// One of the two products of the equation, with signed odd digits of 3 bits.
struct product {
  ge_cached odd[P_W_SIZE];  // the point, three times the point
  slide_ctx digits;
  const uint8_t* scalar;
};

static void product_init(struct product* product, const ge* point, const uint8_t scalar[32]) {
  ge sum, spare;
  ge_cache(&product->odd[0], point);
  ge_double(&sum, point, &spare);
  ge_add(&sum, &sum, &product->odd[0]);
  ge_cache(&product->odd[1], &sum);
  slide_init(&product->digits, scalar);
  product->scalar = scalar;
}

static void add_digit(struct product* product, ge* sum, int i) {
  const int digit = slide_step(&product->digits, P_W_WIDTH, i, product->scalar);
  if (digit > 0) {
    ge_add(sum, sum, &product->odd[digit / 2]);
  }
  if (digit < 0) {
    ge_sub(sum, sum, &product->odd[-digit / 2]);
  }
}

// [S]B + [h]P
static void sum_of_products(ge* sum, const uint8_t s[32], const uint8_t h[32], const ge* point) {
  uint8_t minus_base[32];  // y = 4/5, and the odd x
  struct product by_s, by_h;
  ge spare;
  memset(minus_base, 0x66, sizeof minus_base);
  minus_base[0] = 0x58;
  minus_base[31] = 0xe6;
  (void)ge_frombytes_neg_vartime(sum, minus_base);
  product_init(&by_s, sum, s);
  product_init(&by_h, point, h);
  ge_zero(sum);
  for (int i = 253; i >= 0; --i) {
    ge_double(sum, sum, &spare);
    add_digit(&by_s, sum, i);
    add_digit(&by_h, sum, i);
  }
}

// Whether the order of the point is 1, 2, 4 or 8: then eight times the point is the identity, the only such multiple
// with x = 0. The point is multiplied by eight in place.
static bool has_small_order(ge* point) {
  ge spare;
  fe zero_x;
  for (uint32_t i = 0; i < 3; ++i) {
    ge_double(point, point, &spare);
  }
  fe_0(zero_x);
  return fe_isequal(point->X, zero_x) != 0;
}

// Whether `encoded` is the only encoding of a point on the curve; gives the negated point.
static bool decode_minus(ge* point, const uint8_t encoded[32]) {
  uint8_t again[32];
  if (ge_frombytes_neg_vartime(point, encoded) != 0) {
    return false;
  }
  ge_tobytes(again, point);
  again[31] ^= 0x80;
  return memcmp(again, encoded, sizeof again) == 0;
}

static bool is_below_order(const uint8_t scalar[32]) {
  uint32_t words[8];
  load32_le_buf(words, scalar, 8);
  return is_above_l(words) == 0;
}

static void hash(uint8_t h[32], const uint8_t r[32], const uint8_t key[LUTRA_KEY_BYTES], const uint8_t* message,
                 size_t size) {
  uint8_t whole[LUTRA_HASH_BYTES];
  crypto_sha512_ctx context;
  crypto_sha512_init(&context);
  crypto_sha512_update(&context, r, 32);
  crypto_sha512_update(&context, key, LUTRA_KEY_BYTES);
  crypto_sha512_update(&context, message, size);
  crypto_sha512_final(&context, whole);
  crypto_eddsa_reduce(h, whole);
}

bool lutra_ed25519_check(const uint8_t signature[LUTRA_SIGNATURE_BYTES], const uint8_t key[LUTRA_KEY_BYTES],
                         const uint8_t* message, size_t size) {
  const uint8_t* s = signature + 32;
  uint8_t h[32], encoded[32];
  ge minus_key, sum;
  if (!is_below_order(s) || !decode_minus(&minus_key, key)) {
    return false;
  }
  hash(h, signature, key, message, size);
  sum_of_products(&sum, s, h, &minus_key);
  ge_tobytes(encoded, &sum);
  return memcmp(encoded, signature, sizeof encoded) == 0 && !has_small_order(&sum) && !has_small_order(&minus_key);
}
