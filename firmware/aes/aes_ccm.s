// AES (FIPS 197), two rounds an instruction: CCM (SP 800-38C).
//
// Calling convention: firmware/README.md. Round keys as in aes.s. Order of a message: common/aead.inc.

        .include "memory.inc"
        .include "schedule.inc"
        .include "block.inc"
        .include "../common/modes.inc"
        .include "../common/block.inc"
        .include "../common/aead.inc"
        .include "../common/ccm.inc"

        .section text

// aes_ccm_tables: S-box to all lanes of t0 and t1. Before anything else.
//
// Inputs:   none
// Outputs:  t0, t1
// Clobbers: ar0, ar1
// Memory:   reads m1 (aes_sbox)
// Time:     constant
// Cycles:   267
        .global aes_ccm_tables
aes_ccm_tables:
        aes_load_tables
        halt

// aes128_ccm_key, aes192_ccm_key, aes256_ccm_key: round keys.
//
// Inputs:   aes_key; tables
// Outputs:  key pairs in m0 and m1 from row 0, whitening key in m0 (aes_wk)
// Clobbers: v0-v2, v5-v7, ar0, ar1
// Memory:   m3 rows 0-15 are scratch, zero at the end
// Time:     constant
// Cycles:   67 (128), 84 (192), 81 (256)
        .global aes128_ccm_key
aes128_ccm_key:
        aes_linear_128
        aes_pairs_encrypt 10
        aes_wipe_linear
        halt
        .global aes192_ccm_key
aes192_ccm_key:
        aes_linear_192
        aes_pairs_encrypt 12
        aes_wipe_linear
        halt
        .global aes256_ccm_key
aes256_ccm_key:
        aes_linear_256
        aes_pairs_encrypt 14
        aes_wipe_linear
        halt

// aes_ccm_start: a new message, by its block Ctr0.
//
// Inputs:   that block in m2 row 0
// Outputs:  aead_start, aead_ctr; aes_iv = 0
// Clobbers: v0, ctr
// Memory:   as said
// Time:     constant
// Cycles:   14
        .global aes_ccm_start
aes_ccm_start:
        aead_begin aes, 128

// aes128_ccm_absorb, aes192_ccm_absorb, aes256_ccm_absorb: B0 and associated data as they are formatted (SP 800-38C A.2) into the MAC, n blocks.
//
// Inputs:   key pairs, aes_length, aes_iv = MAC; both banks for encryption; blocks in m2 from row 0
// Outputs:  aes_iv = MAC
// Clobbers: v2, wk, ar0, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   10n + 13 (128), 12n + 13 (192), 14n + 13 (256)
        .global aes128_ccm_absorb
aes128_ccm_absorb:
        ccm_absorb aes, 5
        .global aes192_ccm_absorb
aes192_ccm_absorb:
        ccm_absorb aes, 6
        .global aes256_ccm_absorb
aes256_ccm_absorb:
        ccm_absorb aes, 7

// aes128_ccm_encrypt, aes192_ccm_encrypt, aes256_ccm_encrypt: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more, into the MAC.
//
// Inputs:   key pairs, aes_length, aead_ctr, aes_iv = MAC; both banks for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; aead_ctr, aes_iv
// Clobbers: v0, v2, v4, v6, v7, ctr, wk, ar0-ar2, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   10n + 21 (128), 12n + 21 (192), 14n + 21 (256)
        .global aes128_ccm_encrypt
aes128_ccm_encrypt:
        ccm_encrypt aes, 5
        .global aes192_ccm_encrypt
aes192_ccm_encrypt:
        ccm_encrypt aes, 6
        .global aes256_ccm_encrypt
aes256_ccm_encrypt:
        ccm_encrypt aes, 7

// aes128_ccm_decrypt, aes192_ccm_decrypt, aes256_ccm_decrypt: P[i] = C[i] ^ E(counter + i), n blocks and up to 15 bytes more, into the MAC.
//
// Inputs:   key pairs, aes_length, aead_ctr, aes_iv = MAC; both banks for encryption; C in m2 from row 0
// Outputs:  P in m3 from row 0, a last block zero behind its bytes; aead_ctr, aes_iv
// Clobbers: v0, v2, v4, v6, v7, ctr, wk, ar0, ar1, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   10n + 31 (128), 12n + 33 (192), 14n + 35 (256)
        .global aes128_ccm_decrypt
aes128_ccm_decrypt:
        ccm_decrypt aes, 5
        .global aes192_ccm_decrypt
aes192_ccm_decrypt:
        ccm_decrypt aes, 6
        .global aes256_ccm_decrypt
aes256_ccm_decrypt:
        ccm_decrypt aes, 7

// aes128_ccm_tag, aes192_ccm_tag, aes256_ccm_tag: the tag.
//
// Inputs:   key pairs, aead_start, aes_iv = MAC; both banks for encryption
// Outputs:  the tag of 128 bits in m3 row 0
// Clobbers: v0, v2, v4, wk
// Memory:   as said
// Time:     constant
// Cycles:   23 (128), 25 (192), 27 (256)
        .global aes128_ccm_tag
aes128_ccm_tag:
        ccm_tag aes, 5
        .global aes192_ccm_tag
aes192_ccm_tag:
        ccm_tag aes, 6
        .global aes256_ccm_tag
aes256_ccm_tag:
        ccm_tag aes, 7

// aes128_ccm_verify, aes192_ccm_verify, aes256_ccm_verify: whether a tag is the right one.
//
// Inputs:   as for the tag; the tag in m2 row 1, ones in its bits in m2 row 2
// Outputs:  m3 row 0: ones if it is right, else zero
// Clobbers: v0, v2, v4, wk
// Memory:   as said
// Time:     constant, whether it is right or wrong
// Cycles:   35 (128), 37 (192), 39 (256)
        .global aes128_ccm_verify
aes128_ccm_verify:
        ccm_verify aes, 5
        .global aes192_ccm_verify
aes192_ccm_verify:
        ccm_verify aes, 6
        .global aes256_ccm_verify
aes256_ccm_verify:
        ccm_verify aes, 7
