// ZUC-128 (TS 35.222): one stream at a word a cycle, two streams at two.
//
// Calling convention: firmware/README.md. Every keystream clock is an instruction; each fourth one stores a row, XORed
// with the input. The stream contexts hold the state from one job to the next.

        .include "memory.inc"

        .section text

        .include "one_stream.inc"

// zuc_start: initialisation of one stream (TS 35.222 3.6).
//
// Inputs:   zuc_key, zuc_iv; t0
// Outputs:  c0
// Clobbers: v0-v3, c0
// Memory:   as said
// Time:     constant
// Cycles:   60
        .global zuc_start
zuc_start:
        zuc_begin zuc

// zuc: C = P ^ z, n words and up to 31 bits more, either direction.
//
// Inputs:   c0, zuc_length; t0; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last row zero behind its bits; c0
// Clobbers: v0-v2, c0, ar0, ar1, ar4-ar7
// Memory:   as said
// Time:     constant; depends on n and on the bits behind
// Cycles:   n + 19, n a multiple of 4
        .global zuc
zuc:
        zuc_words zuc

// zuc_two_start: initialisation of two streams, the first one half a row ahead.
//
// Inputs:   zuc_key, zuc_iv twice; t0, t1
// Outputs:  c0, c1
// Clobbers: v0-v3, c0, c1
// Memory:   as said
// Time:     constant
// Cycles:   80
        .global zuc_two_start
zuc_two_start:
        mov     v0, m1[zuc_key]
        mov     v1, m1[zuc_iv]
        zuc_load c0
        mov     v1, m1[zuc_iv + 16]
        zuc_load c1
        zuc_initialise c0:c1
        zuc     c0
        zuc     c0
        halt

// zuc_two: C = P ^ z, n words of two streams in turn: even rows are the first one's, odd rows the second one's.
//
// Inputs:   c0, c1, zuc_length; t0, t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, whole pairs of rows; c0, c1
// Clobbers: c0, c1, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   n/2 + 13, n a multiple of 8
        .global zuc_two
zuc_two:
        vtoar   ar6, m1[zuc_length], 7
        arset   ar0, 0
        arset   ar1, 0
        aradd   ar6, ar6, 7
        arshr   ar5, ar6, 3
        repeat  ar5, .L_pairs
        zuc     c0:c1
        zucx    m3[ar1++], c0:c1, c0, m2[ar0++]
        zuc     c0:c1
        zucx    m3[ar1++], c0:c1, c1, m2[ar0++]
.L_pairs:
        halt
