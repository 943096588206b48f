// LILI-128 (Dawson, Clark, Golic, Millan, Penna and Simpson; NESSIE submission, 2000): 128 streams, each with a key of
// its own, whose bits are those of a row.
//
// Calling convention: firmware/README.md.

        .include "memory.inc"
        .include "../common/transpose.inc"

d       = 16 * 39                               // stage 0 of LFSRd after the stages of LFSRc

        .section text

        .alias  f0, v0                  // the filter's parts
        .alias  f1, v1
        .alias  f2, v2
        .alias  f3, v3
        .alias  f4, v4
        .alias  f5, v5
        .alias  ones, v7
        .alias  in, ar0
        .alias  out, ar1
        .alias  units, ar6

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

// \to = the sum of up to four stages of LFSRd; the complement of the sum of two.
        .macro  lili128_stages to, s, at, i, j=-1, k=-1, l=-1
        mov     \to, \s[\at + d + 16 * \i]
        .if     \j >= 0
        xor     \to, \to, \s[\at + d + 16 * \j]
        .endif
        .if     \k >= 0
        xor     \to, \to, \s[\at + d + 16 * \k]
        .endif
        .if     \l >= 0
        xor     \to, \to, \s[\at + d + 16 * \l]
        .endif
        .endm
        .macro  lili128_complement to, s, at, i, j
        xor     \to, ones, \s[\at + d + 16 * \i]
        xor     \to, \to, \s[\at + d + 16 * \j]
        .endm

// The filter: fd of stages 0, 1, 3, 7, 12, 20, 30, 44, 65, 80 by its algebraic normal form, the first five of them
// factored out one after the other.
        .macro  lili128_filter s, at
        mov     ones, m0[lili128_ones]
        lili128_stages f0, \s, \at, 20, 30, 44, 65
        lili128_stages f1, \s, \at, 12
        andx    f0, f1, \s[\at + d + 16 * 7], f0
        lili128_stages f1, \s, \at, 65, 80
        andx    f0, f1, \s[\at + d + 16 * 3], f0
        lili128_stages f1, \s, \at, 44, 80
        lili128_stages f2, \s, \at, 30, 44
        lili128_complement f3, \s, \at, 20, 30
        andx    f2, f3, \s[\at + d + 16 * 12], f2
        andx    f1, f2, \s[\at + d + 16 * 7], f1
        lili128_stages f2, \s, \at, 44, 12
        lili128_stages f3, \s, \at, 30, 65
        lili128_stages f4, \s, \at, 20, 30
        andx    f3, f4, \s[\at + d + 16 * 12], f3
        andx    f2, f3, \s[\at + d + 16 * 7], f2
        andx    f1, f2, \s[\at + d + 16 * 3], f1
        andx    f0, f1, \s[\at + d + 16 * 1], f0
        lili128_stages f1, \s, \at, 30, 12
        lili128_stages f2, \s, \at, 20, 30, 12
        andx    f1, f2, \s[\at + d + 16 * 7], f1
        lili128_stages f2, \s, \at, 30, 44
        lili128_stages f3, \s, \at, 20, 44
        andx    f2, f3, \s[\at + d + 16 * 7], f2
        andx    f1, f2, \s[\at + d + 16 * 3], f1
        lili128_stages f2, \s, \at, 20, 30, 44, 65
        lili128_stages f3, \s, \at, 30, 65
        lili128_complement f4, \s, \at, 20, 30
        andx    f3, f4, \s[\at + d + 16 * 12], f3
        andx    f2, f3, \s[\at + d + 16 * 7], f2
        lili128_stages f3, \s, \at, 30, 44, 80, 12
        lili128_stages f4, \s, \at, 30, 44
        lili128_stages f5, \s, \at, 20, 30
        andx    f4, f5, \s[\at + d + 16 * 12], f4
        andx    f3, f4, \s[\at + d + 16 * 7], f3
        andx    f2, f3, \s[\at + d + 16 * 3], f2
        andx    f1, f2, \s[\at + d + 16 * 1], f1
        andx    f0, f1, \s[\at + d + 16 * 0], f0
        mov     m3[out++], f0
        .endm

        .alias  new0, v0                // bits that enter LFSRd
        .alias  new1, v1
        .alias  new2, v2
        .alias  new3, v3
        .alias  last, v4
        .alias  t, v0
        .alias  c12, v0                 // stages of LFSRc
        .alias  c20, v1
        .alias  by2, v1                 // where there are two clocks, three, four, more than one
        .alias  by3, v2
        .alias  by4, v3
        .alias  more, v4
        .alias  row1, ar0               // stages after one clock to four
        .alias  row2, ar2
        .alias  row3, ar3
        .alias  row4, ar4
        .alias  to_row, ar5

// One bit of keystream to m3[`out`++] and a clock, from \s at \at to \d at \to: LFSRc moves on by one stage, LFSRd by
// one to four of which masks say in which streams.
        .macro  lili128_clock s, at, d, to
        mov     last, \s[\at + d + 16 * 88]
        lili128_new new0, last, \s, \at, 0
        lili128_new new1, new0, \s, \at, 1
        lili128_new new2, new1, \s, \at, 2
        lili128_new new3, new2, \s, \at, 3
        mov     \s[\at + d + 16 * 89], new0
        mov     \s[\at + d + 16 * 90], new1
        mov     \s[\at + d + 16 * 91], new2
        mov     \s[\at + d + 16 * 92], new3
        arset   row1, \at + 16
        arset   row2, \to
        repeat  38, .L_moved\@
        mov     \d[row2++], \s[row1++]
.L_moved\@:
        mov     new0, \s[\at + 16 * 37]
        lili128_sum new0, new0, \s, \at, 25, 24, 22, 8, 6, 4, 0
        mov     \d[\to + 16 * 38], new0
        lili128_filter \s, \at
        mov     c12, \s[\at + 16 * 12]
        mov     c20, \s[\at + 16 * 20]
        arset   row1, \at + d + 16
        arset   row2, \at + d + 16 * 2
        arset   row3, \at + d + 16 * 3
        arset   row4, \at + d + 16 * 4
        arset   to_row, \to + d
        or      more, c12, c20                  // more than one stage
        and     by4, c12, c20                   // four
        andn    by3, c12, c20                   // three
        andn    by2, c20, c12                   // two
        repeat  89, .L_clocked\@
        and     t, \s[row2++], by2
        andx    t, \s[row3++], by3, t
        andx    t, \s[row4++], by4, t
        andnx   \d[to_row++], \s[row1++], more, t
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

        .alias  key0, v0
        .alias  key1, v1

        .global lili128_start
lili128_start:
        arset   in, lili128_key
        arset   out, 0
        repeat  64, .L_keys
        mov     key0, m3[in++]
        mov     key1, m3[in++]
        mov     m3[out++], key0
        mov     m3[out++], key1
.L_keys:
        arset   source, 0
        call    transpose
        arset   in, lili128_rows
        arset   out, lili128_state
        repeat  128, .L_state
        mov     m0[out++], m2[in++]
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
        vtoar   units, m1[lili128_length], 4
        bz      units, .L_none
        arset   source, 0
        arset   out, 0
        repeat  64, .L_clocks
        call    lili128_two
        nop
.L_clocks:
        call    transpose
        arset   in, 0
        arset   out, 0
        xor_text m2, lili128_rows
.L_none:
        halt
