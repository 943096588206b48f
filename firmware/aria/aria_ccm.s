// ARIA (RFC 5794), two rounds an instruction: CCM (SP 800-38C).
//
// Calling convention: firmware/README.md. Round keys as in aria.s. Order of a message: common/aead.inc.

        .include "memory.inc"
        .include "schedule.inc"
        .include "block.inc"
        .include "../common/modes.inc"
        .include "../common/block.inc"
        .include "../common/aead.inc"
        .include "../common/ccm.inc"

        .section text

// aria_ccm_tables: substitution layers 1 and 2 to t0 and t1. Before anything else.
//
// Inputs:   none
// Outputs:  t0, t1
// Clobbers: v0, v1, ar0, ar1
// Memory:   reads m1 (aria_sboxes)
// Time:     constant
// Cycles:   528
        .global aria_ccm_tables
aria_ccm_tables:
        aria_load_tables
        halt

// aria128_ccm_key, aria192_ccm_key, aria256_ccm_key: round keys.
//
// Inputs:   aria_key; tables
// Outputs:  key pairs in m0 and m1 from row 0, whitening key in m0 (aria_wk)
// Clobbers: v0-v7
// Memory:   as said
// Time:     constant
// Cycles:   29 (128), 34 (192), 33 (256)
        .global aria128_ccm_key
aria128_ccm_key:
        aria_words 128, aria_c1, aria_c2, aria_c3
        aria_pairs_encrypt 12
        halt
        .global aria192_ccm_key
aria192_ccm_key:
        aria_words 192, aria_c2, aria_c3, aria_c1
        aria_pairs_encrypt 14
        halt
        .global aria256_ccm_key
aria256_ccm_key:
        aria_words 256, aria_c3, aria_c1, aria_c2
        aria_pairs_encrypt 16
        halt

// aria_ccm_start: a new message, by its block Ctr0.
//
// Inputs:   that block in m2 row 0
// Outputs:  aead_start, aead_ctr; aria_iv = 0
// Clobbers: v0, ctr
// Memory:   as said
// Time:     constant
// Cycles:   14
        .global aria_ccm_start
aria_ccm_start:
        aead_begin aria, 128

// aria128_ccm_absorb, aria192_ccm_absorb, aria256_ccm_absorb: B0 and associated data as they are formatted (SP 800-38C A.2) into the MAC, n blocks.
//
// Inputs:   key pairs, aria_length, aria_iv = MAC; tables; blocks in m2 from row 0
// Outputs:  aria_iv = MAC
// Clobbers: v2, wk, ar0, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   12n + 13 (128), 14n + 13 (192), 16n + 13 (256)
        .global aria128_ccm_absorb
aria128_ccm_absorb:
        ccm_absorb aria, 6
        .global aria192_ccm_absorb
aria192_ccm_absorb:
        ccm_absorb aria, 7
        .global aria256_ccm_absorb
aria256_ccm_absorb:
        ccm_absorb aria, 8

// aria128_ccm_encrypt, aria192_ccm_encrypt, aria256_ccm_encrypt: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more, into the MAC.
//
// Inputs:   key pairs, aria_length, aead_ctr, aria_iv = MAC; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; aead_ctr, aria_iv
// Clobbers: v0, v2, v4, v6, v7, ctr, wk, ar0-ar2, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   12n + 21 (128), 14n + 21 (192), 16n + 21 (256)
        .global aria128_ccm_encrypt
aria128_ccm_encrypt:
        ccm_encrypt aria, 6
        .global aria192_ccm_encrypt
aria192_ccm_encrypt:
        ccm_encrypt aria, 7
        .global aria256_ccm_encrypt
aria256_ccm_encrypt:
        ccm_encrypt aria, 8

// aria128_ccm_decrypt, aria192_ccm_decrypt, aria256_ccm_decrypt: P[i] = C[i] ^ E(counter + i), n blocks and up to 15 bytes more, into the MAC.
//
// Inputs:   key pairs, aria_length, aead_ctr, aria_iv = MAC; tables; C in m2 from row 0
// Outputs:  P in m3 from row 0, a last block zero behind its bytes; aead_ctr, aria_iv
// Clobbers: v0, v2, v4, v6, v7, ctr, wk, ar0, ar1, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   12n + 33 (128), 14n + 35 (192), 16n + 37 (256)
        .global aria128_ccm_decrypt
aria128_ccm_decrypt:
        ccm_decrypt aria, 6
        .global aria192_ccm_decrypt
aria192_ccm_decrypt:
        ccm_decrypt aria, 7
        .global aria256_ccm_decrypt
aria256_ccm_decrypt:
        ccm_decrypt aria, 8

// aria128_ccm_tag, aria192_ccm_tag, aria256_ccm_tag: the tag.
//
// Inputs:   key pairs, aead_start, aria_iv = MAC; tables
// Outputs:  the tag of 128 bits in m3 row 0
// Clobbers: v0, v2, v4, wk
// Memory:   as said
// Time:     constant
// Cycles:   25 (128), 27 (192), 29 (256)
        .global aria128_ccm_tag
aria128_ccm_tag:
        ccm_tag aria, 6
        .global aria192_ccm_tag
aria192_ccm_tag:
        ccm_tag aria, 7
        .global aria256_ccm_tag
aria256_ccm_tag:
        ccm_tag aria, 8

// aria128_ccm_verify, aria192_ccm_verify, aria256_ccm_verify: whether a tag is the right one.
//
// Inputs:   as for the tag; the tag in m2 row 1, ones in its bits in m2 row 2
// Outputs:  m3 row 0: ones if it is right, else zero
// Clobbers: v0, v2, v4, wk
// Memory:   as said
// Time:     constant, whether it is right or wrong
// Cycles:   37 (128), 39 (192), 41 (256)
        .global aria128_ccm_verify
aria128_ccm_verify:
        ccm_verify aria, 6
        .global aria192_ccm_verify
aria192_ccm_verify:
        ccm_verify aria, 7
        .global aria256_ccm_verify
aria256_ccm_verify:
        ccm_verify aria, 8
