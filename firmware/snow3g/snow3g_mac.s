// UIA2 and 128-EIA1 (TS 35.215 4): f9, a polynomial over GF(2^64) at P, z1 to z5 of SNOW 3G being P, Q and the last
// mask.
//
// Calling convention: firmware/README.md. A product is two `ghash`, whose positions, counted from the most significant
// bit, are those of any order of coefficients (docs/decisions/0008-lte-macs.md): value V in words 2 and 3, factor F in
// positions 33 to 96, then V F has x^63..x^0 in words 2 and 3 again and the 31 coefficients above in word 1. That word
// times x^64+x^4+x^3+x+1 takes it to words 2 and 3 and clears it.

        .include "setup.inc"

        .section m1
f9_length:                                      // bits so far, 32-bit word 3
        .zero   16
f9_word:
        .row    "ffffffff000000000000000000000000"
f9_block:
        .row    "ffffffffffffffff0000000000000000"

        .section m0
f9_p:   .zero   64                              // P^2 x^32, P^2, P x^32, P
f9_q:   .zero   32                              // Q x^32, Q
f9_z5:  .zero   16                              // word 0
f9_modulus:                                     // x^64 at position 32
        .row    "00000000800000000000000d80000000"

        .section text

// v0 = v0 modulo the polynomial.
        .macro  f9_reduce
        ghash   v0, v0, v0, m0[f9_modulus], 1
        .endm

// v0 = v0 times the factor whose rows, times x^32 and alone, are at `rows`; v1.
        .macro  f9_times rows
        ghash   v1, v0, zero, m0[\rows], 2
        ghash   v0, v0, v1, m0[\rows + 16], 3
        f9_reduce
        .endm

// Rows of the factor v0; v0 = v0 x^32.
        .macro  f9_factor rows
        rotx    m0[\rows + 16], v0, zero, 31
        rotx    v0, v0, zero, 32
        f9_reduce
        rotx    m0[\rows], v0, zero, 31
        .endm

// Whole rows, two blocks each, into v0: V = (V ^ M[i]) P^2 ^ M[i+1] P; v1, ar0, ar5.
        .macro  f9_rows
        mov     v0, m1[snow3g_iv]
        arset   ar0, 0
        arshr   ar5, ar6, 2
        repeat  ar5, .L_rows\@
        rotx    v0, v0, m2[ar0++], 64
        ghash   v1, v0, zero, m0[f9_p], 0
        ghash   v1, v0, v1, m0[f9_p + 16], 1
        ghash   v1, v0, v1, m0[f9_p + 32], 2
        ghash   v0, v0, v1, m0[f9_p + 48], 3
        f9_reduce
.L_rows\@:
        .endm

        .global snow3g_mac_tables
snow3g_mac_tables:
        stream_tables snow3g_entries, 10, snow3g_lanes
        halt

// snow3g_f9_start: z1 to z5 (TS 35.215 4.2), P, P^2 and Q as rows.
//
// Inputs:   snow3g_key, snow3g_iv; t0
// Outputs:  f9_p, f9_q, f9_z5; snow3g_iv = V = 0, f9_length = 0
// Clobbers: v0-v4, c0
// Time:     constant
// Cycles:   102
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
        rotx    v3, v3, zero, 96
        and     m0[f9_z5], v3, m1[f9_word]
        mov     m1[snow3g_iv], zero
        mov     m1[f9_length], zero
        andn    v0, v2, m1[f9_block]
        f9_factor f9_q
        and     v0, v2, m1[f9_block]
        rotx    v0, v0, zero, 64
        mov     v2, v0
        f9_factor f9_p + 32
        mov     v0, v2
        f9_times f9_p + 32
        f9_factor f9_p
        halt

// snow3g_f9_update: V = (V ^ M[i]) P, n words of a message that goes on, a multiple of four.
//
// Inputs:   f9_p, snow3g_length, snow3g_iv = V; M in m2 from row 0
// Outputs:  snow3g_iv = V, f9_length
// Clobbers: v0-v2, ar0, ar5, ar6
// Time:     constant; depends on n
// Cycles:   3n/2 + 24, n a multiple of 4
        .global snow3g_f9_update
snow3g_f9_update:
        vtoar   ar6, m1[snow3g_length], 7
        artov   v2, ar6
        rotx    v2, v2, zero, 5
        add32   v2, v2, m1[f9_length]
        mov     m1[f9_length], v2
        f9_rows
        mov     m1[snow3g_iv], v0
        halt

// snow3g_f9: the MAC of a message that ends with n words and up to 31 bits (TS 35.215 4.3).
//
// Inputs:   f9_p, f9_q, f9_z5, snow3g_length, snow3g_iv = V, f9_length; M in m2 from row 0
// Outputs:  the MAC of 32 bits in m3 row 0
// Clobbers: v0-v5, ar0, ar3-ar7
// Time:     constant; depends on n and on the bits after them
// Cycles:   3n/2 + 34, n a multiple of 4
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
        f9_rows
        arand   ar6, ar6, 3
        stream_touched
        bz      ar3, .L_length
        stream_mask snow3g, v3, v4
        and     v3, v3, m2[ar0]
        aradd   ar3, ar3, 1
        arshr   ar3, ar3, 1                     // blocks of 64 bits
        repeat  ar3, .L_length
        align   v5, zero, v3, 8
        xor     v0, v0, v5
        f9_times f9_p + 32
        align   v3, v3, zero, 8
.L_length:
        xor     v0, v0, v2
        f9_times f9_q
        rotx    v0, v0, m0[f9_z5], 64
        and     m3[0], v0, m1[f9_word]
        halt
