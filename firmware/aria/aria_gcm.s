// ARIA (RFC 5794), two rounds an instruction: GCM (SP 800-38D).
//
// Calling convention: firmware/README.md. Round keys as in aria.s. Order of a message: common/aead.inc.

        .include "memory.inc"
        .include "schedule.inc"
        .include "block.inc"
        .include "../common/modes.inc"
        .include "../common/block.inc"
        .include "../common/aead.inc"
        .include "../common/gcm.inc"

        .section text

// aria_gcm_tables: substitution layers 1 and 2 to t0 and t1. Before anything else.
//
// Inputs:   none
// Outputs:  t0, t1
// Clobbers: v0, v1, ar0, ar1
// Memory:   reads m1 (aria_sboxes)
// Time:     constant
// Cycles:   528
        .global aria_gcm_tables
aria_gcm_tables:
        aria_load_tables
        halt

// aria128_gcm_key, aria192_gcm_key, aria256_gcm_key: round keys and the hash key.
//
// Inputs:   aria_key; tables
// Outputs:  key pairs in m0 and m1 from row 0, whitening key in m0 (aria_wk), gcm_h = E(0) and its multiples
// Clobbers: v0-v7, wk
// Memory:   as said
// Time:     constant
// Cycles:   65 (128), 72 (192), 73 (256)
        .global aria128_gcm_key
aria128_gcm_key:
        aria_words 128, aria_c1, aria_c2, aria_c3
        aria_pairs_encrypt 12
        gcm_key aria, 6
        .global aria192_gcm_key
aria192_gcm_key:
        aria_words 192, aria_c2, aria_c3, aria_c1
        aria_pairs_encrypt 14
        gcm_key aria, 7
        .global aria256_gcm_key
aria256_gcm_key:
        aria_words 256, aria_c3, aria_c1, aria_c2
        aria_pairs_encrypt 16
        gcm_key aria, 8

// aria_gcm_start: a new message, by its block J0.
//
// Inputs:   that block in m2 row 0
// Outputs:  aead_start, aead_ctr; aria_iv = 0
// Clobbers: v0, ctr
// Memory:   as said
// Time:     constant
// Cycles:   14
        .global aria_gcm_start
aria_gcm_start:
        aead_begin aria, 32

// aria_gcm_absorb: associated data, or a nonce that is not of 96 bits, into the hash: n blocks and up to 15 bytes.
//
// Inputs:   gcm_h, aria_length, aria_iv = X; data in m2 from row 0
// Outputs:  aria_iv = X
// Clobbers: v0, v4-v7, ar0, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   4n + 15
        .global aria_gcm_absorb
aria_gcm_absorb:
        gcm_absorb aria

// aria_gcm_start_hashed: a new message, J0 = GHASH of the nonce.
//
// Inputs:   gcm_h, aria_iv = X behind the nonce; 64 zero bits and its length in bits in m2 row 0
// Outputs:  aead_start, aead_ctr; aria_iv = 0
// Clobbers: v0, v4, v5, ctr
// Memory:   as said
// Time:     constant
// Cycles:   23
        .global aria_gcm_start_hashed
aria_gcm_start_hashed:
        gcm_begin_hashed aria

// aria128_gcm_encrypt, aria192_gcm_encrypt, aria256_gcm_encrypt: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more, into the hash.
//
// Inputs:   key pairs, gcm_h, aria_length, aead_ctr, aria_iv = X; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; aead_ctr, aria_iv
// Clobbers: v0, v2, v4-v7, ctr, wk, ar0, ar1, ar4-ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   10n + 24 (128), 11n + 24 (192), 12n + 24 (256), even n
        .global aria128_gcm_encrypt
aria128_gcm_encrypt:
        gcm_encrypt aria, 6
        .global aria192_gcm_encrypt
aria192_gcm_encrypt:
        gcm_encrypt aria, 7
        .global aria256_gcm_encrypt
aria256_gcm_encrypt:
        gcm_encrypt aria, 8

// aria128_gcm_decrypt, aria192_gcm_decrypt, aria256_gcm_decrypt: P[i] = C[i] ^ E(counter + i), n blocks and up to 15 bytes more, into the hash.
//
// Inputs:   key pairs, gcm_h, aria_length, aead_ctr, aria_iv = X; tables; C in m2 from row 0
// Outputs:  P in m3 from row 0, a last block zero behind its bytes; aead_ctr, aria_iv
// Clobbers: v0, v2, v4-v7, ctr, wk, ar0-ar2, ar4-ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   10n + 25 (128), 11n + 25 (192), 12n + 25 (256), even n
        .global aria128_gcm_decrypt
aria128_gcm_decrypt:
        gcm_decrypt aria, 6
        .global aria192_gcm_decrypt
aria192_gcm_decrypt:
        gcm_decrypt aria, 7
        .global aria256_gcm_decrypt
aria256_gcm_decrypt:
        gcm_decrypt aria, 8

// aria128_gcm_tag, aria192_gcm_tag, aria256_gcm_tag: the tag.
//
// Inputs:   key pairs, gcm_h, aead_start, aria_iv = X; tables; lengths in bits of associated data and text in m2 row 0
// Outputs:  the tag of 128 bits in m3 row 0
// Clobbers: v0, v2, v4, v5, wk
// Memory:   as said
// Time:     constant
// Cycles:   32 (128), 34 (192), 36 (256)
        .global aria128_gcm_tag
aria128_gcm_tag:
        gcm_tag aria, 6
        .global aria192_gcm_tag
aria192_gcm_tag:
        gcm_tag aria, 7
        .global aria256_gcm_tag
aria256_gcm_tag:
        gcm_tag aria, 8

// aria128_gcm_verify, aria192_gcm_verify, aria256_gcm_verify: whether a tag is the right one.
//
// Inputs:   as for the tag; the tag in m2 row 1, ones in its bits in m2 row 2
// Outputs:  m3 row 0: ones if it is right, else zero
// Clobbers: v0, v2, v4, v5, wk
// Memory:   as said
// Time:     constant, whether it is right or wrong
// Cycles:   43 (128), 45 (192), 47 (256)
        .global aria128_gcm_verify
aria128_gcm_verify:
        gcm_verify aria, 6
        .global aria192_gcm_verify
aria192_gcm_verify:
        gcm_verify aria, 7
        .global aria256_gcm_verify
aria256_gcm_verify:
        gcm_verify aria, 8
