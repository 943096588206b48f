// SNOW 3G (TS 35.216): one stream at a word a cycle, two streams at two; SNOW 2.0 (SAC 2002) by other tables.
//
// Calling convention: firmware/README.md. Every keystream clock is an instruction; each fourth one stores a row, XORed
// with the input. The stream contexts hold the state from one job to the next.

        .include "memory.inc"
        .include "setup.inc"
        .include "../common/stream.inc"

        .section text

// snow3g_tables: SR, SQ, MULalpha, DIValpha to both banks.
//
// Inputs:   none
// Outputs:  t0, t1
// Clobbers: v7, ar0, ar1
// Memory:   reads m0 (snow3g_entries)
// Time:     constant
// Cycles:   268
        .global snow3g_tables
snow3g_tables:
        snow3g_load_tables snow3g_lanes
        halt

// snow2_tables: SR, zero, MULalpha, DIValpha to both banks: SNOW 2.0.
//
// Inputs:   none
// Outputs:  t0, t1
// Clobbers: v7, ar0, ar1
// Memory:   reads m0 (snow3g_entries)
// Time:     constant
// Cycles:   268
        .global snow2_tables
snow2_tables:
        snow3g_load_tables snow2_lanes
        halt

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
        snow3g_initialise c0
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

// snow2_128_start: initialisation of SNOW 2.0, key and IV with their last word first.
//
// Inputs:   snow3g_key, snow3g_iv; t0
// Outputs:  c0
// Clobbers: v0-v4, c0
// Memory:   as said
// Time:     constant
// Cycles:   55
        .global snow2_128_start
snow2_128_start:
        mov     v0, m1[snow3g_key]
        mov     v1, m1[snow3g_iv]
        perm    v0, v0, m1[snow3g_reverse]
        perm    v1, v1, m1[snow3g_reverse]
        jmp     .L_start

// snow2_256_start: the same for a key of eight words.
//
// Inputs:   snow3g_key, snow3g_iv; t0
// Outputs:  c0
// Clobbers: v0-v5, c0
// Memory:   as said
// Time:     constant
// Cycles:   52
        .global snow2_256_start
snow2_256_start:
        mov     v5, m1[snow3g_reverse]
        perm    v0, m1[snow3g_key + 16], v5     // k0 to k3
        perm    v2, m1[snow3g_key], v5          // k4 to k7
        perm    v1, m1[snow3g_iv], v5
        perm    v3, v1, m1[snow3g_iv_8]
        perm    v4, v1, m1[snow3g_iv_12]
        ctxld   c0, 0, v0 ^ m1[snow3g_ones]
        ctxld   c0, 1, v2 ^ m1[snow3g_ones]
        ctxld   c0, 2, v0 ^ v3
        ctxld   c0, 3, v2 ^ v4
        ctxld   c0, 4, zero
        snow3g_initialise c0
        halt

// snow3g: C = P ^ z, n words and up to 31 bits more, either direction.
//
// Inputs:   c0, snow3g_length; t0; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last row zero behind its bits; c0
// Clobbers: v0-v2, c0, ar0, ar1, ar4-ar7
// Memory:   as said
// Time:     constant; depends on n and on the bits behind
// Cycles:   n + 19, n a multiple of 4
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
        snow    c0
        snow    c0
        snow    c0
        snowx   v0, c0, c0, m2[ar0]
        stream_mask snow3g, v1, v2
        and     m3[ar1], v0, v1
.L_done:
        halt

// snow3g_two_start: initialisation of two streams, the first one half a row ahead.
//
// Inputs:   snow3g_key, snow3g_iv twice; t0, t1
// Outputs:  c0, c1
// Clobbers: v0-v4, c0, c1
// Memory:   as said
// Time:     constant
// Cycles:   62
        .global snow3g_two_start
snow3g_two_start:
        mov     v0, m1[snow3g_key]
        mov     v1, m1[snow3g_iv]
        snow3g_load c0
        mov     v1, m1[snow3g_iv + 16]
        snow3g_load c1
        snow3g_initialise c0:c1
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
// Cycles:   n/2 + 13, n a multiple of 8
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
