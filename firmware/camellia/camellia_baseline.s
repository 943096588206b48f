// Camellia (RFC 3713), CP-ASIP-style baseline: one round per instruction, the FL layers and both whitenings
// instructions of their own, one block at a time, t0 only. Runs with ROUNDS_PER_INSTR = 1 as well; there a round's
// result is ready for the next instruction, with two rounds one slot later. Calling convention: firmware/README.md.

        .include "memory.inc"
        .include "schedule.inc"
        .include "../common/block.inc"
        .include "../common/modes.inc"
        .include "setup.inc"

// A block from (v0, v1) through all rounds but the last whitening: two rounds for each of n rows of round keys.
        .macro  camellia_baseline_rounds n
        .rept   \n
        .if     \+ % 3 == 0 && \+ > 0
        camfl   {v0, v1}, v0, v1, m0:m1[16 * \+]
        .endif
        camo    v1, v0, v1, m0[16 * \+]
        came    v0, v1, v0, m1[16 * \+]
        .endr
        .endm

        .macro  camellia_begin
        mov     wk, m0[camellia_wk]
        .endm

// camellia{bits}_baseline_ecb: C[i] = E(P[i]), n blocks; D with the round keys of decryption. 256: 192 bits too.
//
// Inputs:   key rows, camellia_wk, camellia_length; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0, v1, wk, ar0, ar1, ar6
// Time:     constant; depends on n
// Cycles:   43n + 13 (128), 57n + 13 (256)
        .macro  camellia_baseline_ecb c, n
        mode_job camellia
        repeat  ar6, .L_blocks\@
        camw    {v0, v1}, m2[ar0++] ^ wk
        camellia_baseline_rounds \n
        caml    m3[ar1++], v0, v1, m0:m1[16 * (\n - 1)]
.L_blocks\@:
        halt
        .endm

// camellia{bits}_baseline_ctr: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv = first counter block; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bytes; camellia_iv = next counter block
// Clobbers: v0, v1, v4, v6, v7, ctr, wk, ar0, ar1, ar4, ar6
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   43n + 19 (128), 57n + 19 (256)
        .macro  camellia_baseline_ctr c, n
        mov     ctr, m1[camellia_iv]
        vtoar   ar4, m1[camellia_length], 6
        mode_job camellia
        ctrw    128
        repeat  ar6, .L_blocks\@
        camw    {v0, v1}, ctr++ ^ wk
        camellia_baseline_rounds \n
        caml    m3[ar1++], v0, v1, m0:m1[16 * (\n - 1)], m2[ar0++]
.L_blocks\@:
        bz      ar4, .L_done\@
        mask_start camellia
        camw    {v0, v1}, ctr++ ^ wk
        camellia_baseline_rounds \n
        caml    v4, v0, v1, m0:m1[16 * (\n - 1)], m2[ar0++]
        mask_bytes
        and     m3[ar1++], v4, v6
.L_done\@:
        mov     m1[camellia_iv], ctr
        halt
        .endm

        family  camellia, baseline_ecb, camellia_baseline_ecb
        family  camellia, baseline_ctr, camellia_baseline_ctr
