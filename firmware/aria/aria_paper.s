// ARIA (RFC 5794) in the manner of CP-ASIP: one round an instruction, two blocks interleaved.
// Runs with ROUNDS_PER_INSTR = 1 as well. Calling convention: firmware/README.md; tables and round keys as
// in aria.s.

        .include "memory.inc"
        .include "setup.inc"

// First AddRoundKey, odd and even rounds in turn, last round, for two blocks; a tail of one block.
        .macro aria_paper_ecb rounds
        vtoar   ar6, m1[aria_length], 7
        mov     wk, m0[aria_wk]
        arset   ar0, 0
        arset   ar1, 0
        arshr   ar5, ar6, 1
        arand   ar6, ar6, 1
        repeat  ar5, .L_pairs\@
        mov     v0, m2[ar0++] ^ wk
        mov     v1, m2[ar0++] ^ wk
        .rept   \rounds / 2 - 1
        ariao   v0, v0, m0[16 * \+]
        ariao   v1, v1, m0[16 * \+]
        ariae   v0, v0, m1[16 * \+]
        ariae   v1, v1, m1[16 * \+]
        .endr
        ariao   v0, v0, m0[16 * (\rounds / 2 - 1)]
        ariao   v1, v1, m0[16 * (\rounds / 2 - 1)]
        arial   m3[ar1++], v0, m1[16 * (\rounds / 2 - 1)]
        arial   m3[ar1++], v1, m1[16 * (\rounds / 2 - 1)]
.L_pairs\@:
        bz      ar6, .L_done\@
        mov     v0, m2[ar0++] ^ wk
        .rept   \rounds / 2 - 1
        ariao   v0, v0, m0[16 * \+]
        ariae   v0, v0, m1[16 * \+]
        .endr
        ariao   v0, v0, m0[16 * (\rounds / 2 - 1)]
        arial   m3[ar1++], v0, m1[16 * (\rounds / 2 - 1)]
.L_done\@:
        halt
        .endm

// aria128_paper_ecb, aria192_paper_ecb, aria256_paper_ecb: C[i] = E(P[i]), n blocks; decryption by the round keys.
//
// Inputs:   round keys, aria_length; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0, v1, wk, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   13n + 16 (128), 15n + 16 (192), 17n + 16 (256), even n
        .global aria128_paper_ecb
aria128_paper_ecb:
        aria_paper_ecb 12
        .global aria192_paper_ecb
aria192_paper_ecb:
        aria_paper_ecb 14
        .global aria256_paper_ecb
aria256_paper_ecb:
        aria_paper_ecb 16
