// UIA2 and 128-EIA1 (TS 35.215 4): f9, a polynomial over GF(2^64) at P, z1 to z5 of SNOW 3G being P, Q and the last
// mask.
//
// Calling convention: firmware/README.md. In the hash unit a value of GF(2^64) has its bits in reverse in words 2 and 3,
// so a row of the message, reversed, is two blocks, the first of which is taken first; in memory V is as the standard has
// it, in words 0 and 1. A block is two steps.

        .include "setup.inc"

        .section m1
f9_length:                                      // bits so far, 32-bit word 3
        .zero   16
f9_word:
        .row    "ffffffff000000000000000000000000"
f9_block:
        .row    "ffffffffffffffff0000000000000000"
f9_one128:                                      // 1 of GF(2^128)
        .row    "80000000000000000000000000000000"
f9_one64:                                       // 1 of GF(2^64)
        .row    "00000000000000008000000000000000"

        .section m0
f9_p:   .zero   16                              // P and Q, reversed
f9_q:   .zero   16
f9_z5:  .zero   16                              // word 0

        .section text

// dst = src with its bits in reverse; the factor is lost.
        .macro  f9_reverse dst, src
        ghkey   m1[f9_one128]
        ghsetr  \src
        .rept   4
        ghstep
        .endr
        ghout   \dst, zero
        .endm

// Whole rows, ar5 of them, two blocks each, but for the last step of the last block; v0 = V. What comes next begins with
// that step.
        .macro  f9_rows
        arset   ar0, 0
        ghkey   m1[f9_one64]
        ghsetr  m1[snow3g_iv]
        arshr   ar5, ar6, 2
        gfstep                                  // V * 1
        bz      ar5, .L_none\@
        aradd   ar5, ar5, -1
        gfadd   m2[ar0++]
        ghkey   m0[f9_p]
        repeat  ar5, .L_rows\@
        gfstep
        gffold
        gfstep
        gfadd   m2[ar0++]
.L_rows\@:
        gfstep
        gffold
        gfstep
.L_none\@:
        .endm

        .global snow3g_mac_tables
snow3g_mac_tables:
        stream_tables snow3g_entries, 10, snow3g_lanes
        halt

// snow3g_f9_start: z1 to z5 (TS 35.215 4.2), P and Q as factors.
//
// Inputs:   snow3g_key, snow3g_iv; t0
// Outputs:  f9_p, f9_q, f9_z5; snow3g_iv = V = 0, f9_length = 0
// Clobbers: v0-v4, c0
// Time:     constant
// Cycles:   87
        .global snow3g_f9_start
snow3g_f9_start:
        mov     v0, m1[snow3g_key]
        mov     v1, m1[snow3g_iv]
        perm    v0, v0, m1[snow3g_reverse]      // K3 is the first word of the key (4.2)
        snow3g_load c0
        stream_initialise c0, snow
        snow    c0
        snow    c0
        snow    c0
        snowx   v2, c0, c0
        snowx   v3, c0, c0
        rotx    v0, v2, zero, 64
        and     v1, v2, m1[f9_block]
        rotx    v3, v3, zero, 96
        and     v0, v0, m1[f9_block]
        and     m0[f9_z5], v3, m1[f9_word]
        mov     m1[f9_length], zero
        f9_reverse m0[f9_p], v1
        f9_reverse m0[f9_q], v0
        mov     m1[snow3g_iv], zero
        halt

// snow3g_f9_update: V = (V ^ M[i]) P, n words of a message that goes on, a multiple of four.
//
// Inputs:   f9_p, snow3g_length, snow3g_iv = V; M in m2 from row 0
// Outputs:  snow3g_iv = V, f9_length
// Clobbers: v0, v2, ar0, ar5, ar6
// Time:     constant; depends on n
// Cycles:   n + 39, n a multiple of 4 from 8
        .global snow3g_f9_update
snow3g_f9_update:
        vtoar   ar6, m1[snow3g_length], 7
        artov   v2, ar6
        rotx    v2, v2, zero, 5
        add32   v2, v2, m1[f9_length]
        mov     m1[f9_length], v2
        f9_rows
        gfstep
        ghout   v0, zero
        f9_reverse m1[snow3g_iv], v0
        halt

// snow3g_f9: the MAC of a message that ends with n words and up to 31 bits (TS 35.215 4.3).
//
// Inputs:   f9_p, f9_q, f9_z5, snow3g_length, snow3g_iv = V, f9_length; M in m2 from row 0
// Outputs:  the MAC of 32 bits in m3 row 0
// Clobbers: v0, v2-v4, ar0, ar3-ar7
// Time:     constant; depends on n and on the bits after them
// Cycles:   n + 52, n a multiple of 4 from 8
        .global snow3g_f9
snow3g_f9:
        vtoar   ar6, m1[snow3g_length], 7
        vtoar   ar4, m1[snow3g_length], 6
        vtoar   ar7, m1[snow3g_length], 5
        artov   v2, ar6
        rotx    v2, v2, zero, 5
        artov   v3, ar4
        rotx    v2, v3, v2, 3
        artov   v3, ar7
        xor     v2, v2, v3
        add32   v2, v2, m1[f9_length]
        rotx    v2, v2, zero, 64
        f9_rows
        arand   ar6, ar6, 3
        stream_touched
        bz      ar3, .L_length
        stream_mask snow3g, v3, v4
        and     v3, v3, m2[ar0]
        aradd   ar3, ar3, -1
        arshr   ar3, ar3, 1                     // blocks of 64 bits after the first
        gfadd   v3
        ghkey   m0[f9_p]
        repeat  ar3, .L_last
        gfstep
        gffold
.L_last:
        gfstep
.L_length:
        gfadd   v2
        ghkey   m0[f9_q]
        gfstep
        gfstep
        ghout   v0, zero
        f9_reverse v0, v0
        xor     v0, v0, m0[f9_z5]
        and     m3[0], v0, m1[f9_word]
        halt
