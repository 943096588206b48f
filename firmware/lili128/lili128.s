// LILI-128 (Dawson, Clark, Golic, Millan, Penna and Simpson; NESSIE submission, 2000): 128 streams, each with a key of
// its own, whose bits are those of a row.
//
// Calling convention: firmware/README.md.

        .include "memory.inc"
        .include "../common/transpose.inc"

d       = 16 * 39                               // stage 0 of LFSRd after the stages of LFSRc

        .section text

        transpose_to m2, lili128_rows

// \to = the sum of eight rows, \first of them there already.
        .macro  lili128_sum to, first, s, at, b, c, d, e, f, g, h
        xor     \to, \first, \s[\at + 16 * (\b)]
        xor     \to, \to, \s[\at + 16 * (\c)]
        xor     \to, \to, \s[\at + 16 * (\d)]
        xor     \to, \to, \s[\at + 16 * (\e)]
        xor     \to, \to, \s[\at + 16 * (\f)]
        xor     \to, \to, \s[\at + 16 * (\g)]
        xor     \to, \to, \s[\at + 16 * (\h)]
        .endm
        .macro  lili128_new to, first, s, at, t
        lili128_sum \to, \first, \s, \at + d, 50 + \t, 47 + \t, 36 + \t, 34 + \t, 9 + \t, 6 + \t, \t
        .endm

// The filter: fd of stages 0, 1, 3, 7, 12, 20, 30, 44, 65, 80 by its algebraic normal form, the first five of them
// factored out one after the other.
        .macro  lili128_filter s, at
        mov     v7, m0[lili128_ones]
        mov     v0, \s[\at + d + 16 * 20]
        xor     v0, v0, \s[\at + d + 16 * 30]
        xor     v0, v0, \s[\at + d + 16 * 44]
        xor     v0, v0, \s[\at + d + 16 * 65]
        mov     v1, \s[\at + d + 16 * 12]
        andx    v0, v1, \s[\at + d + 16 * 7], v0
        mov     v1, \s[\at + d + 16 * 65]
        xor     v1, v1, \s[\at + d + 16 * 80]
        andx    v0, v1, \s[\at + d + 16 * 3], v0
        mov     v1, \s[\at + d + 16 * 44]
        xor     v1, v1, \s[\at + d + 16 * 80]
        mov     v2, \s[\at + d + 16 * 30]
        xor     v2, v2, \s[\at + d + 16 * 44]
        xor     v3, v7, \s[\at + d + 16 * 20]
        xor     v3, v3, \s[\at + d + 16 * 30]
        andx    v2, v3, \s[\at + d + 16 * 12], v2
        andx    v1, v2, \s[\at + d + 16 * 7], v1
        mov     v2, \s[\at + d + 16 * 44]
        xor     v2, v2, \s[\at + d + 16 * 12]
        mov     v3, \s[\at + d + 16 * 30]
        xor     v3, v3, \s[\at + d + 16 * 65]
        mov     v4, \s[\at + d + 16 * 20]
        xor     v4, v4, \s[\at + d + 16 * 30]
        andx    v3, v4, \s[\at + d + 16 * 12], v3
        andx    v2, v3, \s[\at + d + 16 * 7], v2
        andx    v1, v2, \s[\at + d + 16 * 3], v1
        andx    v0, v1, \s[\at + d + 16 * 1], v0
        mov     v1, \s[\at + d + 16 * 30]
        xor     v1, v1, \s[\at + d + 16 * 12]
        mov     v2, \s[\at + d + 16 * 20]
        xor     v2, v2, \s[\at + d + 16 * 30]
        xor     v2, v2, \s[\at + d + 16 * 12]
        andx    v1, v2, \s[\at + d + 16 * 7], v1
        mov     v2, \s[\at + d + 16 * 30]
        xor     v2, v2, \s[\at + d + 16 * 44]
        mov     v3, \s[\at + d + 16 * 20]
        xor     v3, v3, \s[\at + d + 16 * 44]
        andx    v2, v3, \s[\at + d + 16 * 7], v2
        andx    v1, v2, \s[\at + d + 16 * 3], v1
        mov     v2, \s[\at + d + 16 * 20]
        xor     v2, v2, \s[\at + d + 16 * 30]
        xor     v2, v2, \s[\at + d + 16 * 44]
        xor     v2, v2, \s[\at + d + 16 * 65]
        mov     v3, \s[\at + d + 16 * 30]
        xor     v3, v3, \s[\at + d + 16 * 65]
        xor     v4, v7, \s[\at + d + 16 * 20]
        xor     v4, v4, \s[\at + d + 16 * 30]
        andx    v3, v4, \s[\at + d + 16 * 12], v3
        andx    v2, v3, \s[\at + d + 16 * 7], v2
        mov     v3, \s[\at + d + 16 * 30]
        xor     v3, v3, \s[\at + d + 16 * 44]
        xor     v3, v3, \s[\at + d + 16 * 80]
        xor     v3, v3, \s[\at + d + 16 * 12]
        mov     v4, \s[\at + d + 16 * 30]
        xor     v4, v4, \s[\at + d + 16 * 44]
        mov     v5, \s[\at + d + 16 * 20]
        xor     v5, v5, \s[\at + d + 16 * 30]
        andx    v4, v5, \s[\at + d + 16 * 12], v4
        andx    v3, v4, \s[\at + d + 16 * 7], v3
        andx    v2, v3, \s[\at + d + 16 * 3], v2
        andx    v1, v2, \s[\at + d + 16 * 1], v1
        andx    v0, v1, \s[\at + d + 16 * 0], v0
        mov     m3[ar1++], v0
        .endm

// One bit of keystream to m3[ar1++] and a clock, from \s at \at to \d at \to: LFSRc moves on by one stage, LFSRd by one
// to four of which masks say in which streams.
        .macro  lili128_clock s, at, d, to
        mov     v4, \s[\at + d + 16 * 88]
        lili128_new v0, v4, \s, \at, 0
        lili128_new v1, v0, \s, \at, 1
        lili128_new v2, v1, \s, \at, 2
        lili128_new v3, v2, \s, \at, 3
        mov     \s[\at + d + 16 * 89], v0
        mov     \s[\at + d + 16 * 90], v1
        mov     \s[\at + d + 16 * 91], v2
        mov     \s[\at + d + 16 * 92], v3
        arset   ar0, \at + 16
        arset   ar2, \to
        repeat  38, .L_moved\@
        mov     \d[ar2++], \s[ar0++]
.L_moved\@:
        mov     v0, \s[\at + 16 * 37]
        lili128_sum v0, v0, \s, \at, 25, 24, 22, 8, 6, 4, 0
        mov     \d[\to + 16 * 38], v0
        lili128_filter \s, \at
        mov     v0, \s[\at + 16 * 12]
        mov     v1, \s[\at + 16 * 20]
        arset   ar0, \at + d + 16
        arset   ar2, \at + d + 16 * 2
        arset   ar3, \at + d + 16 * 3
        arset   ar4, \at + d + 16 * 4
        arset   ar5, \to + d
        or      v4, v0, v1                      // more than one stage
        and     v3, v0, v1                      // four
        andn    v2, v0, v1                      // three
        andn    v1, v1, v0                      // two
        repeat  89, .L_clocked\@
        and     v0, \s[ar2++], v1
        andx    v0, \s[ar3++], v2, v0
        andx    v0, \s[ar4++], v3, v0
        andnx   \d[ar5++], \s[ar0++], v4, v0
.L_clocked\@:
        .endm

lili128_two:
        lili128_clock m0, lili128_state, m1, lili128_next
        lili128_clock m1, lili128_next, m0, lili128_state
        ret

// lili128_start: the keys into the state.
//
// Inputs:   lili128_key
// Outputs:  lili128_state
// Clobbers: v0-v6, ar0-ar4, ar7
// Memory:   m2 from row 128, m3 up to row 127
// Time:     constant
// Cycles:   3594
        .global lili128_start
lili128_start:
        arset   ar0, lili128_key
        arset   ar1, 0
        repeat  64, .L_keys
        mov     v0, m3[ar0++]
        mov     v1, m3[ar0++]
        mov     m3[ar1++], v0
        mov     m3[ar1++], v1
.L_keys:
        arset   ar7, 0
        call    transpose
        arset   ar0, lili128_rows
        arset   ar1, lili128_state
        repeat  128, .L_state
        mov     m0[ar1++], m2[ar0++]
.L_state:
        halt

// lili128: C = P ^ keystream, n blocks: one of each of 128 streams, or none.
//
// Inputs:   lili128_state, lili128_length; P in m2 from row 0
// Outputs:  C in m3 from row 0; lili128_state
// Clobbers: v0-v7, ar0-ar7
// Memory:   lili128_next, m2 from row 128
// Time:     constant; depends on n, 0 or 128
// Cycles:   73988n/128 + 14, n = 128
        .global lili128
lili128:
        vtoar   ar6, m1[lili128_length], 4
        bz      ar6, .L_none
        arset   ar7, 0
        arset   ar1, 0
        repeat  64, .L_clocks
        call    lili128_two
        nop
.L_clocks:
        call    transpose
        arset   ar0, 0
        arset   ar1, 0
        arset   ar2, lili128_rows
        repeat  128, .L_text
        mov     v0, m2[ar0++]
        xor     m3[ar1++], v0, m2[ar2++]
.L_text:
.L_none:
        halt
