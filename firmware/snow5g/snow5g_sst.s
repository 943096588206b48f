// 256-NIA4 and 256-NCA4 (3GPP TS 35.241, TS 35.242): GCM-SST with SNOW 5G, whose first three rows of keystream are H, Q
// and P.
//
// Calling convention: firmware/README.md. Layout: memory.inc; the hash: ../common/sst.inc.

        .include "memory.inc"
        .include "machine.inc"
        .include "../common/sst.inc"

        .section m1
        .global snow5g_ones
snow5g_ones:
        .row    "ffffffff ffffffff ffffffff ffffffff"

        .section text

        .alias  nonce, v0

        .global snow5g_sst_tables
snow5g_sst_tables:
        snow5g_fill

// snow5g_sst_start, snow5g_sst_begin: a new message; its IV is a parameter, or in m2 row 0.
//
// Inputs:   snow5g_key, snow5g_iv (start); t0, t1; the IV in m2 row 0 (begin)
// Outputs:  the state after three rows: snow5g_registers, A in snow5g_words; sst_h, sst_q, sst_p;
//           sst_x = sst_bits = 0; snow5g_iv (begin)
// Clobbers: v0-v7, ctr, ar0-ar4
// Memory:   m2 rows 0 to 2, m3 rows 0 to 2
// Time:     constant
// Cycles:   327, 329 (begin)
        .global snow5g_sst_start, snow5g_sst_begin
snow5g_sst_begin:
        mov     nonce, m2[0]
        mov     m1[snow5g_iv], nonce
snow5g_sst_start:
        .rept   3
        mov     m2[16 * \+], zero
        .endr
        arset   in, 0
        arset   out, 0
        snow5g_initialise
        even    1
        odd     1
        even    1
        save    a1, a0, b1, b0, d, c
        sst_begin
        halt

// snow5g_sst_encrypt: C = P ^ keystream, n rows and up to 15 bytes, C into the hash.
//
// Inputs:   the state, sst_h, sst_x, snow5g_length; t0, t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, whole rows; snow5g_registers, A; sst_x
// Clobbers: v0-v7, ctr, ar0-ar4, ar6, ar7
// Memory:   snow5g_words
// Time:     constant; depends on n and on the length of a last row
// Cycles:   17n + 67, even n to 126
        .global snow5g_sst_encrypt
snow5g_sst_encrypt:
        snow5g_text
        sst_absorb snow5g, m3
        halt

// snow5g_sst_decrypt: P = C ^ keystream, n rows and up to 15 bytes, C into the hash.
//
// Inputs:   as for encryption; C in m2 from row 0
// Outputs:  P in m3 from row 0, whole rows; snow5g_registers, A; sst_x
// Clobbers: v0-v7, ctr, ar0-ar4, ar6, ar7
// Memory:   snow5g_words
// Time:     constant; depends on n and on the length of a last row
// Cycles:   17n + 67, even n to 126
        .global snow5g_sst_decrypt
snow5g_sst_decrypt:
        sst_absorb snow5g, m2
        snow5g_text
        halt

        sst_absorb_routine snow5g
        sst_mac_routine snow5g
        sst_tag_routine snow5g
        sst_verify_routine snow5g
