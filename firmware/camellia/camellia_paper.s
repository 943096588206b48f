// Camellia (RFC 3713) in the manner of CP-ASIP: one round an instruction, the FL layers and both whitenings
// instructions of their own, one block at a time, t0 only. Runs with ROUNDS_PER_INSTR = 1 as well. A one-round
// result is ready for
// the next instruction, so that no second block is needed. Calling convention: firmware/README.md.

        .include "memory.inc"
        .include "schedule.inc"
        .include "setup.inc"

        .section text

// A block from src through all rounds to dst, with a data row where one is given. 2 * rows rounds.
        .macro camellia_paper_rounds rows
        .rept   \rows
        .if     \+ % 3 == 0 && \+ > 0
        camfl   {v0, v1}, v0, v1, m0:m1[16 * \+]
        .endif
        camo    v1, v0, v1, m0[16 * \+]
        came    v0, v1, v0, m1[16 * \+]
        .endr
        .endm

        .macro camellia_paper_job
        vtoar   ar6, m1[camellia_length], 7
        mov     wk, m0[camellia_wk]
        arset   ar0, 0
        arset   ar1, 0
        .endm

        .macro camellia_paper_ecb rows
        camellia_paper_job
        repeat  ar6, .L_blocks\@
        camw    {v0, v1}, m2[ar0++] ^ wk
        camellia_paper_rounds \rows
        caml    m3[ar1++], v0, v1, m0:m1[16 * (\rows - 1)]
.L_blocks\@:
        halt
        .endm

        .macro camellia_paper_ctr rows
        mov     ctr, m1[camellia_iv]
        vtoar   ar4, m1[camellia_length], 6
        camellia_paper_job
        ctrw    128
        repeat  ar6, .L_blocks\@
        camw    {v0, v1}, ctr++ ^ wk
        camellia_paper_rounds \rows
        caml    m3[ar1++], v0, v1, m0:m1[16 * (\rows - 1)], m2[ar0++]
.L_blocks\@:
        bz      ar4, .L_done\@
        mov     v7, m1[camellia_ones]
        mov     v6, zero
        camw    {v0, v1}, ctr++ ^ wk
        camellia_paper_rounds \rows
        caml    v4, v0, v1, m0:m1[16 * (\rows - 1)], m2[ar0++]
        repeat  ar4, .L_mask\@
        align   v6, v7, v6, 15                  // one more byte of ones in front
.L_mask\@:
        and     m3[ar1++], v4, v6
.L_done\@:
        mov     m1[camellia_iv], ctr
        halt
        .endm

// camellia128_paper_ecb, camellia256_paper_ecb: C[i] = E(P[i]), n blocks; D with the round keys of decryption. 256:
// 192 bits too.
//
// Inputs:   key rows, camellia_wk, camellia_length; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0, v1, wk, ar0, ar1, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   22n + 12 (128), 29n + 12 (256)
        .global camellia128_paper_ecb
camellia128_paper_ecb:
        camellia_paper_ecb 9
        .global camellia256_paper_ecb
camellia256_paper_ecb:
        camellia_paper_ecb 12

// camellia128_paper_ctr, camellia256_paper_ctr: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more. 256:
// 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv = first counter block; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; camellia_iv = next counter block
// Clobbers: v0, v1, v4, v6, v7, ctr, wk, ar0, ar1, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   22n + 18 (128), 29n + 18 (256)
        .global camellia128_paper_ctr
camellia128_paper_ctr:
        camellia_paper_ctr 9
        .global camellia256_paper_ctr
camellia256_paper_ctr:
        camellia_paper_ctr 12
