// Camellia (RFC 3713), two rounds an instruction, one block in a pair of registers: CCM (SP 800-38C).
//
// Calling convention: firmware/README.md. Order of a message: common/aead.inc.

        .include "memory.inc"
        .include "schedule.inc"
        .include "tables.inc"
        .include "steps.inc"
        .include "block.inc"
        .include "../common/modes.inc"
        .include "../common/block.inc"
        .include "../common/aead.inc"
        .include "../common/ccm.inc"

        .section text

// camellia128_ccm_key, camellia192_ccm_key, camellia256_ccm_key: round keys.
//
// Inputs:   camellia_key; the S-boxes in t0 and t1
// Outputs:  key rows in m0 and m1 from row 0, camellia_wk
// Clobbers: v0-v2, v4-v7, ar0, ar1
// Memory:   as said
// Time:     constant
// Cycles:   46 (128), 63 (192), 58 (256)
        .global camellia128_ccm_key
camellia128_ccm_key:
        camellia_expand_128
        camellia_encrypt_short
        halt
        .global camellia192_ccm_key
camellia192_ccm_key:
        camellia_expand_192
        jmp     .L_long
        .global camellia256_ccm_key
camellia256_ccm_key:
        camellia_expand_256
.L_long:
        camellia_encrypt_long
        halt

// camellia_ccm_start: a new message, by its block Ctr0.
//
// Inputs:   that block in m2 row 0
// Outputs:  aead_start, aead_ctr; camellia_iv = 0
// Clobbers: v0, ctr
// Memory:   as said
// Time:     constant
// Cycles:   14
        .global camellia_ccm_start
camellia_ccm_start:
        aead_begin camellia, 128

// camellia128_ccm_absorb, camellia256_ccm_absorb: B0 and associated data as they are formatted (SP 800-38C A.2) into
// the MAC, n blocks. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv = MAC; blocks in m2 from row 0
// Outputs:  camellia_iv = MAC
// Clobbers: v2, v3, wk, ar0, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   18n + 13 (128), 24n + 13 (256)
        .global camellia128_ccm_absorb
camellia128_ccm_absorb:
        ccm_absorb camellia, 9
        .global camellia256_ccm_absorb
camellia256_ccm_absorb:
        ccm_absorb camellia, 12

// camellia128_ccm_encrypt, camellia256_ccm_encrypt: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more,
// into the MAC. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, aead_ctr, camellia_iv = MAC; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; aead_ctr, camellia_iv
// Clobbers: v0-v4, v6, v7, ctr, wk, ar0-ar2, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   18n + 21 (128), 24n + 21 (256)
        .global camellia128_ccm_encrypt
camellia128_ccm_encrypt:
        ccm_encrypt camellia, 9
        .global camellia256_ccm_encrypt
camellia256_ccm_encrypt:
        ccm_encrypt camellia, 12

// camellia128_ccm_decrypt, camellia256_ccm_decrypt: P[i] = C[i] ^ E(counter + i), n blocks and up to 15 bytes more,
// into the MAC. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, aead_ctr, camellia_iv = MAC; C in m2 from row 0
// Outputs:  P in m3 from row 0, a last block zero behind its bytes; aead_ctr, camellia_iv
// Clobbers: v0-v7, ctr, wk, ar0, ar1, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   18n + 39 (128), 24n + 45 (256)
        .global camellia128_ccm_decrypt
camellia128_ccm_decrypt:
        ccm_decrypt camellia, 9
        .global camellia256_ccm_decrypt
camellia256_ccm_decrypt:
        ccm_decrypt camellia, 12

// camellia128_ccm_tag, camellia256_ccm_tag: the tag. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, aead_start, camellia_iv = MAC
// Outputs:  the tag of 128 bits in m3 row 0
// Clobbers: v0-v2, v4, wk
// Memory:   as said
// Time:     constant
// Cycles:   31 (128), 37 (256)
        .global camellia128_ccm_tag
camellia128_ccm_tag:
        ccm_tag camellia, 9
        .global camellia256_ccm_tag
camellia256_ccm_tag:
        ccm_tag camellia, 12

// camellia128_ccm_verify, camellia256_ccm_verify: whether a tag is the right one. 256: 192 bits too.
//
// Inputs:   as for the tag; the tag in m2 row 1, ones in its bits in m2 row 2
// Outputs:  m3 row 0: ones if it is right, else zero
// Clobbers: v0-v2, v4, wk
// Memory:   as said
// Time:     constant, whether it is right or wrong
// Cycles:   43 (128), 49 (256)
        .global camellia128_ccm_verify
camellia128_ccm_verify:
        ccm_verify camellia, 9
        .global camellia256_ccm_verify
camellia256_ccm_verify:
        ccm_verify camellia, 12
