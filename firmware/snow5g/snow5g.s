// 256-NEA4 (3GPP TS 35.240): SNOW 5G.
//
// Calling convention: firmware/README.md. Layout: memory.inc.

        .include "memory.inc"
        .include "machine.inc"

// snow5g_tables: the S-box to t0, what the LFSRs' multiplications add to t1.
//
// Inputs:   aes_sbox, snow5g_reductions in m1
// Outputs:  t0, t1
// Clobbers: v0, ar0, ar1
// Time:     constant
// Cycles:   560
        .global snow5g_tables
snow5g_tables:
        snow5g_fill

// snow5g_start: a new message.
//
// Inputs:   snow5g_key, snow5g_iv; t0, t1
// Outputs:  the state: snow5g_registers, the LFSRs in the first two rows of snow5g_words_a and snow5g_words_b
// Clobbers: v0-v7, ctr, wk, ar2-ar4, ar7
// Memory:   snow5g_words_a, snow5g_words_b, snow5g_z
// Time:     constant
// Cycles:   380
        .global snow5g_start
snow5g_start:
        snow5g_initialise
        save    a0, a1, b0, b1, d
        halt

// snow5g: C = P ^ keystream, n rows; the last one may be incomplete.
//
// Inputs:   the state, snow5g_length; t0, t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, whole rows; the state
// Clobbers: v0-v7, ctr, wk, ar0-ar7
// Memory:   snow5g_words_a, snow5g_words_b
// Time:     constant; depends on n, and on whether the last row is incomplete
// Cycles:   17n + 48, even n
        .global snow5g
snow5g:
        vtoar   ar6, m1[snow5g_length], 7
        vtoar   ar5, m1[snow5g_length], 6
        arset   ar0, 0
        arset   ar1, 0
        bz      ar5, .L_chunk
        aradd   ar6, ar6, 1
.L_chunk:
        arshr   ar5, ar6, 7
        bz      ar5, .L_last
        arset   ar5, snow5g_chunk / 2
        aradd   ar6, ar6, -snow5g_chunk
        call    .L_pairs
        save    a0, a1, b0, b1, d
        jmp     .L_chunk
.L_last:
        bz      ar6, .L_done
        arshr   ar5, ar6, 1
        arand   ar6, ar6, 1
        call    .L_pairs
        bz      ar6, .L_even
        even    1
        save    a1, a0, b1, b0, c
        halt
.L_even:
        save    a0, a1, b0, b1, d
.L_done:
        halt

// ar5 pairs of rows from the state.
.L_pairs:
        snow5g_load
        repeat  ar5, .L_mixed
        even    1
        odd     1
.L_mixed:
        ret
