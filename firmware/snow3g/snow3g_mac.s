// UIA2 and 128-EIA1 (TS 35.215 4): f9, a polynomial over GF(2^64) evaluated at P; z1 to z5 of SNOW 3G are P, Q and the
// last mask.
//
// Calling convention: firmware/README.md. In the hash unit a value of GF(2^64) is in words 2 and 3 with its bits in
// reverse, so a reversed row of the message is two blocks, the first of which is taken first; in memory V is as in the
// standard, in words 0 and 1. A block takes two steps.

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

        .alias  hash, v0                // V

// dst = src with its bits in reverse; overwrites the factor.
        .macro  f9_reverse dst, src
        ghkey   m1[f9_one128]
        ghsetr  \src
        .rept   4
        ghstep
        .endr
        ghout   \dst, zero
        .endm

// `rows` whole rows, two blocks each, except for the last step of the last block; `hash` = V. The code after it begins
// with that step.
        .macro  f9_rows
        arset   in, 0
        ghkey   m1[f9_one64]
        ghsetr  m1[snow3g_iv]
        arshr   rows, words, 2
        gfstep                                  // V * 1
        bz      rows, .L_none\@
        aradd   rows, rows, -1
        gfadd   m2[in++]
        ghkey   m0[f9_p]
        repeat  rows, .L_rows\@
        gfstep
        gffold
        gfstep
        gfadd   m2[in++]
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

        .alias  z1_4, v2                // z1 to z4
        .alias  z2_5, v3
        .alias  p, v1                   // P and Q
        .alias  q, v0

        .global snow3g_f9_start
snow3g_f9_start:
        mov     key, m1[snow3g_key]
        mov     p, m1[snow3g_iv]
        perm    key, key, m1[snow3g_reverse]    // K3 is the first word of the key (4.2)
        snow3g_load c0
        stream_initialise c0, snow
        snow    c0
        snow    c0
        snow    c0
        snowx   z1_4, c0, c0
        snowx   z2_5, c0, c0
        rotx    q, z1_4, zero, 64
        and     p, z1_4, m1[f9_block]
        rotx    z2_5, z2_5, zero, 96
        and     q, q, m1[f9_block]
        and     m0[f9_z5], z2_5, m1[f9_word]
        mov     m1[f9_length], zero
        f9_reverse m0[f9_p], p
        f9_reverse m0[f9_q], q
        mov     m1[snow3g_iv], zero
        halt

// snow3g_f9_update: V = (V ^ M[i]) P, n words of a message that continues, a multiple of four.
//
// Inputs:   f9_p, snow3g_length, snow3g_iv = V; M in m2 from row 0
// Outputs:  snow3g_iv = V, f9_length
// Clobbers: v0, v2, ar0, ar5, ar6
// Time:     constant; depends on n
// Cycles:   n + 39, n a multiple of 4 from 8

        .alias  length, v2              // length in bits
        .alias  part, v3                // of the length, or the last words of the message
        .alias  any, v4

        .global snow3g_f9_update
snow3g_f9_update:
        vtoar   words, m1[snow3g_length], 7
        artov   length, words
        rotx    length, length, zero, 5
        add32   length, length, m1[f9_length]
        mov     m1[f9_length], length
        f9_rows
        gfstep
        ghout   hash, zero
        f9_reverse m1[snow3g_iv], hash
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
        vtoar   words, m1[snow3g_length], 7
        vtoar   bytes, m1[snow3g_length], 6
        vtoar   bits, m1[snow3g_length], 5
        artov   length, words
        rotx    length, length, zero, 5
        artov   part, bytes
        rotx    length, part, length, 3
        artov   part, bits
        xor     length, length, part
        add32   length, length, m1[f9_length]
        rotx    length, length, zero, 64
        f9_rows
        arand   words, words, 3
        stream_touched
        bz      touched, .L_length
        stream_mask snow3g, part, any
        and     part, part, m2[in]
        aradd   touched, touched, -1
        arshr   touched, touched, 1             // blocks of 64 bits after the first
        gfadd   part
        ghkey   m0[f9_p]
        repeat  touched, .L_last
        gfstep
        gffold
.L_last:
        gfstep
.L_length:
        gfadd   length
        ghkey   m0[f9_q]
        gfstep
        gfstep
        ghout   hash, zero
        f9_reverse hash, hash
        xor     hash, hash, m0[f9_z5]
        and     m3[0], hash, m1[f9_word]
        halt
