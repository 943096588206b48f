// AES (FIPS 197), two rounds an instruction: GCM (SP 800-38D).
//
// Calling convention: firmware/README.md. Round keys as in aes.s. Order of a message: common/aead.inc.

        .include "memory.inc"
        .include "schedule.inc"
        .include "block.inc"
        .include "../common/modes.inc"
        .include "../common/block.inc"
        .include "../common/aead.inc"
        .include "../common/gcm.inc"

        .section text

// aes_gcm_tables: S-box to all lanes of t0 and t1. Before anything else.
//
// Inputs:   none
// Outputs:  t0, t1
// Clobbers: ar0, ar1
// Memory:   reads m1 (aes_sbox)
// Time:     constant
// Cycles:   267
        .global aes_gcm_tables
aes_gcm_tables:
        aes_load_tables
        halt

// aes128_gcm_key, aes192_gcm_key, aes256_gcm_key: round keys and the hash key.
//
// Inputs:   aes_key; tables
// Outputs:  key pairs in m0 and m1 from row 0, whitening key in m0 (aes_wk), gcm_h = E(0) and its multiples
// Clobbers: v0-v2, v4-v7, wk, ar0, ar1
// Memory:   m3 rows 0-15 are scratch, zero at the end
// Time:     constant
// Cycles:   97 (128), 116 (192), 115 (256)
        .global aes128_gcm_key
aes128_gcm_key:
        aes_linear_128
        aes_pairs_encrypt 10
        aes_wipe_linear
        gcm_key aes, 5
        .global aes192_gcm_key
aes192_gcm_key:
        aes_linear_192
        aes_pairs_encrypt 12
        aes_wipe_linear
        gcm_key aes, 6
        .global aes256_gcm_key
aes256_gcm_key:
        aes_linear_256
        aes_pairs_encrypt 14
        aes_wipe_linear
        gcm_key aes, 7

// aes_gcm_start: a new message, by its block J0.
//
// Inputs:   that block in m2 row 0
// Outputs:  aead_start, aead_ctr; aes_iv = 0
// Clobbers: v0, ctr
// Memory:   as said
// Time:     constant
// Cycles:   14
        .global aes_gcm_start
aes_gcm_start:
        aead_begin aes, 32

// aes_gcm_absorb: associated data, or a nonce that is not of 96 bits, into the hash: n blocks and up to 15 bytes.
//
// Inputs:   gcm_h, aes_length, aes_iv = X; data in m2 from row 0
// Outputs:  aes_iv = X
// Clobbers: v0, v4-v7, ar0, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   4n + 15
        .global aes_gcm_absorb
aes_gcm_absorb:
        gcm_absorb aes

// aes_gcm_start_hashed: a new message, J0 = GHASH of the nonce.
//
// Inputs:   gcm_h, aes_iv = X behind the nonce; 64 zero bits and its length in bits in m2 row 0
// Outputs:  aead_start, aead_ctr; aes_iv = 0
// Clobbers: v0, v4, v5, ctr
// Memory:   as said
// Time:     constant
// Cycles:   23
        .global aes_gcm_start_hashed
aes_gcm_start_hashed:
        gcm_begin_hashed aes

// aes128_gcm_encrypt, aes192_gcm_encrypt, aes256_gcm_encrypt: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more, into the hash.
//
// Inputs:   key pairs, gcm_h, aes_length, aead_ctr, aes_iv = X; both banks for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; aead_ctr, aes_iv
// Clobbers: v0, v2, v4-v7, ctr, wk, ar0, ar1, ar4-ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   9n + 24 (128), 10n + 24 (192), 11n + 24 (256), even n
        .global aes128_gcm_encrypt
aes128_gcm_encrypt:
        gcm_encrypt aes, 5
        .global aes192_gcm_encrypt
aes192_gcm_encrypt:
        gcm_encrypt aes, 6
        .global aes256_gcm_encrypt
aes256_gcm_encrypt:
        gcm_encrypt aes, 7

// aes128_gcm_decrypt, aes192_gcm_decrypt, aes256_gcm_decrypt: P[i] = C[i] ^ E(counter + i), n blocks and up to 15 bytes more, into the hash.
//
// Inputs:   key pairs, gcm_h, aes_length, aead_ctr, aes_iv = X; both banks for encryption; C in m2 from row 0
// Outputs:  P in m3 from row 0, a last block zero behind its bytes; aead_ctr, aes_iv
// Clobbers: v0, v2, v4-v7, ctr, wk, ar0-ar2, ar4-ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   9n + 25 (128), 10n + 25 (192), 11n + 25 (256), even n
        .global aes128_gcm_decrypt
aes128_gcm_decrypt:
        gcm_decrypt aes, 5
        .global aes192_gcm_decrypt
aes192_gcm_decrypt:
        gcm_decrypt aes, 6
        .global aes256_gcm_decrypt
aes256_gcm_decrypt:
        gcm_decrypt aes, 7

// aes128_gcm_tag, aes192_gcm_tag, aes256_gcm_tag: the tag.
//
// Inputs:   key pairs, gcm_h, aead_start, aes_iv = X; both banks for encryption; lengths in bits of associated data and text in m2 row 0
// Outputs:  the tag of 128 bits in m3 row 0
// Clobbers: v0, v2, v4, v5, wk
// Memory:   as said
// Time:     constant
// Cycles:   30 (128), 32 (192), 34 (256)
        .global aes128_gcm_tag
aes128_gcm_tag:
        gcm_tag aes, 5
        .global aes192_gcm_tag
aes192_gcm_tag:
        gcm_tag aes, 6
        .global aes256_gcm_tag
aes256_gcm_tag:
        gcm_tag aes, 7

// aes128_gcm_verify, aes192_gcm_verify, aes256_gcm_verify: whether a tag is the right one.
//
// Inputs:   as for the tag; the tag in m2 row 1, ones in its bits in m2 row 2
// Outputs:  m3 row 0: ones if it is right, else zero
// Clobbers: v0, v2, v4, v5, wk
// Memory:   as said
// Time:     constant, whether it is right or wrong
// Cycles:   41 (128), 43 (192), 45 (256)
        .global aes128_gcm_verify
aes128_gcm_verify:
        gcm_verify aes, 5
        .global aes192_gcm_verify
aes192_gcm_verify:
        gcm_verify aes, 6
        .global aes256_gcm_verify
aes256_gcm_verify:
        gcm_verify aes, 7
