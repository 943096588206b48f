// Camellia (RFC 3713), two rounds an instruction, one block in a pair of registers: GCM (SP 800-38D).
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
        .include "../common/gcm.inc"

        .section text

// camellia128_gcm_key, camellia192_gcm_key, camellia256_gcm_key: round keys and the hash key.
//
// Inputs:   camellia_key; the S-boxes in t0 and t1
// Outputs:  key rows in m0 and m1 from row 0, camellia_wk, gcm_h = E(0) and its multiples
// Clobbers: v0-v2, v4-v7, wk, ar0, ar1
// Memory:   as said
// Time:     constant
// Cycles:   89 (128), 112 (192), 107 (256)
        .global camellia128_gcm_key
camellia128_gcm_key:
        camellia_expand_128
        camellia_encrypt_short
        gcm_key camellia, 9
        .global camellia192_gcm_key
camellia192_gcm_key:
        camellia_expand_192
        jmp     .L_long
        .global camellia256_gcm_key
camellia256_gcm_key:
        camellia_expand_256
.L_long:
        camellia_encrypt_long
        gcm_key camellia, 12

// camellia_gcm_start: a new message, by its block J0.
//
// Inputs:   that block in m2 row 0
// Outputs:  aead_start, aead_ctr; camellia_iv = 0
// Clobbers: v0, ctr
// Memory:   as said
// Time:     constant
// Cycles:   14
        .global camellia_gcm_start
camellia_gcm_start:
        aead_begin camellia, 32

// camellia_gcm_absorb: associated data, or a nonce that is not of 96 bits, into the hash: n blocks and up to 15 bytes.
//
// Inputs:   gcm_h, camellia_length, camellia_iv = X; data in m2 from row 0
// Outputs:  camellia_iv = X
// Clobbers: v0, v4-v7, ar0, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   4n + 15
        .global camellia_gcm_absorb
camellia_gcm_absorb:
        gcm_absorb camellia

// camellia_gcm_start_hashed: a new message, J0 = GHASH of the nonce.
//
// Inputs:   gcm_h, camellia_iv = X behind the nonce; 64 zero bits and its length in bits in m2 row 0
// Outputs:  aead_start, aead_ctr; camellia_iv = 0
// Clobbers: v0, v4, v5, ctr
// Memory:   as said
// Time:     constant
// Cycles:   23
        .global camellia_gcm_start_hashed
camellia_gcm_start_hashed:
        gcm_begin_hashed camellia

// camellia128_gcm_encrypt, camellia256_gcm_encrypt: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more,
// into the hash. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, gcm_h, camellia_length, aead_ctr, camellia_iv = X; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; aead_ctr, camellia_iv
// Clobbers: v0-v7, ctr, wk, ar0, ar1, ar4-ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   13n + 24 (128), 16n + 24 (256), even n
        .global camellia128_gcm_encrypt
camellia128_gcm_encrypt:
        gcm_encrypt camellia, 9
        .global camellia256_gcm_encrypt
camellia256_gcm_encrypt:
        gcm_encrypt camellia, 12

// camellia128_gcm_decrypt, camellia256_gcm_decrypt: P[i] = C[i] ^ E(counter + i), n blocks and up to 15 bytes more,
// into the hash. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, gcm_h, camellia_length, aead_ctr, camellia_iv = X; C in m2 from row 0
// Outputs:  P in m3 from row 0, a last block zero behind its bytes; aead_ctr, camellia_iv
// Clobbers: v0-v7, ctr, wk, ar0-ar2, ar4-ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   13n + 25 (128), 16n + 25 (256), even n
        .global camellia128_gcm_decrypt
camellia128_gcm_decrypt:
        gcm_decrypt camellia, 9
        .global camellia256_gcm_decrypt
camellia256_gcm_decrypt:
        gcm_decrypt camellia, 12

// camellia128_gcm_tag, camellia256_gcm_tag: the tag. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, gcm_h, aead_start, camellia_iv = X; lengths in bits of associated
//           data and text in m2 row 0
// Outputs:  the tag of 128 bits in m3 row 0
// Clobbers: v0-v2, v4, v5, wk
// Memory:   as said
// Time:     constant
// Cycles:   38 (128), 44 (256)
        .global camellia128_gcm_tag
camellia128_gcm_tag:
        gcm_tag camellia, 9
        .global camellia256_gcm_tag
camellia256_gcm_tag:
        gcm_tag camellia, 12

// camellia128_gcm_verify, camellia256_gcm_verify: whether a tag is the right one. 256: 192 bits too.
//
// Inputs:   as for the tag; the tag in m2 row 1, ones in its bits in m2 row 2
// Outputs:  m3 row 0: ones if it is right, else zero
// Clobbers: v0-v2, v4, v5, wk
// Memory:   as said
// Time:     constant, whether it is right or wrong
// Cycles:   49 (128), 55 (256)
        .global camellia128_gcm_verify
camellia128_gcm_verify:
        gcm_verify camellia, 9
        .global camellia256_gcm_verify
camellia256_gcm_verify:
        gcm_verify camellia, 12
