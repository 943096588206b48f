// 256-NEA4 (3GPP TS 35.240): SNOW 5G.
//
// Calling convention: firmware/README.md. Layout: memory.inc.

        .include "memory.inc"
        .include "machine.inc"

        .global snow5g_tables
snow5g_tables:
        snow5g_fill

// snow5g_start: a new message.
//
// Inputs:   snow5g_key, snow5g_iv; t0, t1
// Outputs:  the state: snow5g_registers, A in the first two rows of snow5g_words
// Clobbers: v0-v7, ctr, ar2-ar4
// Memory:   snow5g_words
// Time:     constant
// Cycles:   255
        .global snow5g_start
snow5g_start:
        snow5g_initialise
        save    a0, a1, b0, b1, c, d
        halt

// snow5g: C = P ^ keystream, n rows; the last one may be incomplete.
//
// Inputs:   the state, snow5g_length; t0, t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, whole rows; snow5g_registers, and A as above
// Clobbers: v0-v7, ctr, ar0-ar4, ar6, ar7
// Memory:   snow5g_words
// Time:     constant; depends on n, and on whether the last row is incomplete
// Cycles:   12n + 45, even n to 126
        .global snow5g
snow5g:
        snow5g_text
        halt
