// SNOW 3G (TS 35.216): one stream at a word a cycle, two streams at two.
//
// Calling convention: firmware/README.md. Every keystream clock is an instruction; each fourth one stores a row, XORed
// with the input. The stream contexts hold the state from one job to the next.

        .include "tables.inc"

        .section m1
        .org 0x000
        .global snow3g_key
snow3g_key:                             // parameter: k0 || k1 || k2 || k3; of the second stream behind it
        .zero 32
        .global snow3g_iv
snow3g_iv:                              // parameter: IV0 || IV1 || IV2 || IV3; of the second stream behind it
        .zero 32
        .global snow3g_length
snow3g_length:                          // parameter: 16-bit lane 7: words; lane 6: bytes behind them; lane 5: bits behind them
        .zero 16
snow3g_ones:
        .row "ffffffffffffffffffffffffffffffff"
snow3g_top:
        .row "80000000000000000000000000000000"
snow3g_lanes:                           // control vectors: a table entry to its lanes
        .row "00000000010101010203040506070809"
snow3g_iv_8:                            // the IV in LFSR words 8 to 11
        .row "808080800c0d0e0f08090a0b80808080"
snow3g_iv_12:                           // and in 12 to 15
        .row "04050607808080808080808000010203"
snow3g_reverse:                         // words in reverse
        .row "0c0d0e0f08090a0b0405060700010203"

        .section text

// snow3g_tables: SR, SQ, MULalpha, DIValpha to both banks.
//
// Inputs:   none
// Outputs:  t0, t1
// Clobbers: v7, ar0, ar1
// Memory:   reads m0 (snow3g_entries)
// Time:     constant
// Cycles:   267
        .global snow3g_tables
snow3g_tables:
        arset   ar0, snow3g_entries
        arstep  ar0, 10
        arset   ar1, 0
        mov     v7, m1[snow3g_lanes]
        repeat  256, .L_tables
        perm    t0:t1[ar1++], m0[ar0+=s], v7
.L_tables:
        halt

// LFSR and FSM of context c from key v0 and IV v1 (TS 35.216 4.1).
        .macro snow3g_load c
        perm    v3, v1, m1[snow3g_iv_8]
        perm    v4, v1, m1[snow3g_iv_12]
        xor     v2, v0, m1[snow3g_ones]
        ctxld   \c, 0, v2
        ctxld   \c, 1, v0
        ctxld   \c, 2, v2 ^ v3
        ctxld   \c, 3, v0 ^ v4
        ctxld   \c, 4, zero
        .endm

// snow3g_start: initialisation of one stream (TS 35.216 4.1, 4.2).
//
// Inputs:   snow3g_key, snow3g_iv; t0
// Outputs:  c0
// Clobbers: v0-v4, c0
// Memory:   as said
// Time:     constant
// Cycles:   51
        .global snow3g_start
snow3g_start:
        mov     v0, m1[snow3g_key]
        mov     v1, m1[snow3g_iv]
.L_start:
        snow3g_load c0
        repeat  32, .L_initialise
        snowi   c0
.L_initialise:
        snow    c0
        halt

// snow3g_lte_start: the same for UEA2 and 128-EEA1, whose K3 is the first word of the key (TS 35.215 3.4).
//
// Inputs:   snow3g_key, snow3g_iv; t0
// Outputs:  c0
// Clobbers: v0-v4, c0
// Memory:   as said
// Time:     constant
// Cycles:   54
        .global snow3g_lte_start
snow3g_lte_start:
        mov     v0, m1[snow3g_key]
        mov     v1, m1[snow3g_iv]
        perm    v0, v0, m1[snow3g_reverse]
        jmp     .L_start

// snow3g: C = P ^ z, n words and up to 31 bits more, either direction.
//
// Inputs:   c0, snow3g_length; t0; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last row zero behind its bits; c0
// Clobbers: v0-v2, c0, ar0, ar1, ar4-ar7
// Memory:   as said
// Time:     constant; depends on n and on the bits behind
// Cycles:   1n + 19, n a multiple of 4
        .global snow3g
snow3g:
        vtoar   ar6, m1[snow3g_length], 7
        vtoar   ar4, m1[snow3g_length], 6
        vtoar   ar7, m1[snow3g_length], 5
        arset   ar0, 0
        arset   ar1, 0
        arshr   ar5, ar6, 2
        arand   ar6, ar6, 3
        repeat  ar5, .L_rows
        snow    c0
        snow    c0
        snow    c0
        snowx   m3[ar1++], c0, c0, m2[ar0++]
.L_rows:
        bnz     ar6, .L_last
        bnz     ar4, .L_last
        bz      ar7, .L_done
.L_last:
        mov     v2, m1[snow3g_ones]
        snow    c0
        snow    c0
        snow    c0
        snowx   v0, c0, c0, m2[ar0]
        mov     v1, zero
        repeat  ar6, .L_words
        align   v1, v2, v1, 12                  // four more bytes of ones in front
.L_words:
        repeat  ar4, .L_bytes
        align   v1, v2, v1, 15                  // one more
.L_bytes:
        repeat  ar7, .L_bits
        rotx    v1, v1, m1[snow3g_top], 127     // one more bit
.L_bits:
        and     m3[ar1], v0, v1
.L_done:
        halt

// snow3g_two_start: initialisation of two streams, the first one half a row ahead.
//
// Inputs:   snow3g_key, snow3g_iv, both twice; t0, t1
// Outputs:  c0, c1
// Clobbers: v0-v4, c0, c1
// Memory:   as said
// Time:     constant
// Cycles:   63
        .global snow3g_two_start
snow3g_two_start:
        mov     v0, m1[snow3g_key]
        mov     v1, m1[snow3g_iv]
        snow3g_load c0
        mov     v0, m1[snow3g_key + 16]
        mov     v1, m1[snow3g_iv + 16]
        snow3g_load c1
        repeat  32, .L_two_initialise
        snowi   c0:c1
.L_two_initialise:
        snow    c0:c1
        snow    c0
        snow    c0
        halt

// snow3g_two: C = P ^ z, n words of two streams in turn: even rows are the first one's, odd rows the second one's.
//
// Inputs:   c0, c1, snow3g_length; t0, t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, whole pairs of rows; c0, c1
// Clobbers: c0, c1, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   n/2 + 15, n a multiple of 8
        .global snow3g_two
snow3g_two:
        vtoar   ar6, m1[snow3g_length], 7
        arset   ar0, 0
        arset   ar1, 0
        aradd   ar6, ar6, 7
        arshr   ar5, ar6, 3
        repeat  ar5, .L_pairs
        snow    c0:c1
        snowx   m3[ar1++], c0:c1, c0, m2[ar0++]
        snow    c0:c1
        snowx   m3[ar1++], c0:c1, c1, m2[ar0++]
.L_pairs:
        halt
