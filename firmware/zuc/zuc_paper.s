// ZUC-128 (TS 35.222) in the manner of CP-ASIP: two instructions a keystream word, one stream.
// Calling convention: firmware/README.md; tables and parameters as in zuc.s.

        .include "memory.inc"

        .section text

        .include "one_stream.inc"

// A clock in two instructions: bit reorganisation and F, then the LFSR.
        .macro zuc_halvesi c
        zucf    \c
        zucli   \c
        .endm
        .macro zuc_halves c
        zucf    \c
        zucl    \c
        .endm
        .macro zuc_halvesx dst, c, shown, row
        zucfx   \dst, \c, \shown, \row
        zucl    \c
        .endm

// zuc_paper_start: initialisation of one stream (TS 35.222 3.6).
//
// Inputs:   zuc_key, zuc_iv; t0
// Outputs:  c0
// Clobbers: v0-v3, c0
// Memory:   as said
// Time:     constant
// Cycles:   93
        .global zuc_paper_start
zuc_paper_start:
        zuc_begin zuc_halves

// zuc_paper: C = P ^ z, n words and up to 31 bits more, either direction.
//
// Inputs:   c0, zuc_length; t0; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last row zero behind its bits; c0
// Clobbers: v0-v2, c0, ar0, ar1, ar4-ar7
// Memory:   as said
// Time:     constant; depends on n and on the bits behind
// Cycles:   2n + 19, n a multiple of 4
        .global zuc_paper
zuc_paper:
        zuc_words zuc_halves
