// Camellia (RFC 3713), CP-ASIP-style baseline: one round per instruction, separate instructions for the FL
// layers and both whitenings, four interleaved blocks, t0 only. Runs with ROUNDS_PER_INSTR = 1 as well. Calling
// convention: firmware/README.md.
//
// A result waits at most two slots for the block's next instruction, an FL layer or the last whitening. The three other
// blocks fill them, so a block takes as many cycles as it has instructions. Up to three blocks left over run alone.

        .include "memory.inc"
        .include "schedule.inc"
        .include "../common/block.inc"
        .include "../common/modes.inc"
        .include "setup.inc"

        .alias  groups, ar5             // groups of four blocks
        .alias  ax, v0                  // four blocks
        .alias  ay, v1
        .alias  bx, v2
        .alias  by, v3
        .alias  cx, v4
        .alias  cy, v5
        .alias  dx, v6
        .alias  dy, v7

// Instructions of the block in (x, y) for row i of the round keys: the ends, FL layer, odd round, even round.
        .macro  camellia_baseline_first_ecb x, y, i
        camw    {\x, \y}, m2[in++] ^ wk
        .endm
        .macro  camellia_baseline_first_ctr x, y, i
        camw    {\x, \y}, ctr++ ^ wk
        .endm
        .macro  camellia_baseline_fl x, y, i
        camfl   {\x, \y}, \x, \y, m0:m1[16 * (\i)]
        .endm
        .macro  camellia_baseline_odd x, y, i
        camo    \y, \x, \y, m0[16 * \i]
        .endm
        .macro  camellia_baseline_even x, y, i
        came    \x, \y, \x, m1[16 * \i]
        .endm
        .macro  camellia_baseline_last_ecb x, y, i
        caml    m3[out++], \x, \y, m0:m1[16 * (\i)]
        .endm
        .macro  camellia_baseline_last_ctr x, y, i
        caml    m3[out++], \x, \y, m0:m1[16 * (\i)], m2[in++]
        .endm

// One of them, for one block or for four.
        .macro  camellia_baseline_one do, i
        camellia_baseline_\do ax, ay, \i
        .endm
        .macro  camellia_baseline_four do, i
        camellia_baseline_\do ax, ay, \i
        camellia_baseline_\do bx, by, \i
        camellia_baseline_\do cx, cy, \i
        camellia_baseline_\do dx, dy, \i
        .endm

// All instructions but the last, of one or four blocks, for n rows of round keys.
        .macro  camellia_baseline_rounds of, mode, n
        camellia_baseline_\of first_\mode, 0
        .rept   \n
        .if     \+ % 3 == 0 && \+ > 0
        camellia_baseline_\of fl, \+
        .endif
        camellia_baseline_\of odd, \+
        camellia_baseline_\of even, \+
        .endr
        .endm

// The whole blocks of a job.
        .macro  camellia_baseline_blocks mode, n
        arshr   groups, blocks, 2
        arand   blocks, blocks, 3
        repeat  groups, .L_groups\@
        camellia_baseline_rounds four, \mode, \n
        camellia_baseline_four last_\mode, \n - 1
.L_groups\@:
        repeat  blocks, .L_rest\@
        camellia_baseline_rounds one, \mode, \n
        camellia_baseline_one last_\mode, \n - 1
.L_rest\@:
        .endm

        .macro  camellia_begin
        mov     wk, m0[camellia_wk]
        .endm

// camellia{bits}_baseline_ecb: C[i] = E(P[i]), n blocks; D with the round keys of decryption. 256: 192 bits too.
//
// Inputs:   key rows, camellia_wk, camellia_length; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0-v7, wk, ar0, ar1, ar5, ar6
// Time:     constant; depends on n
// Cycles:   22n + 17 (128), 29n + 17 (256), n a multiple of 4
        .macro  camellia_baseline_ecb c, n
        mode_job camellia
        camellia_baseline_blocks ecb, \n
        halt
        .endm

// camellia{bits}_baseline_ctr: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv = first counter block; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bytes; camellia_iv = next counter block
// Clobbers: v0-v7, ctr, wk, ar0, ar1, ar4-ar6
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   22n + 23 (128), 29n + 23 (256), n a multiple of 4

        .alias  last, v4

        .macro  camellia_baseline_ctr c, n
        mov     ctr, m1[camellia_iv]
        vtoar   bytes, m1[camellia_length], 6
        mode_job camellia
        ctrw    128
        camellia_baseline_blocks ctr, \n
        bz      bytes, .L_done\@
        mask_start camellia
        camellia_baseline_rounds one, ctr, \n
        caml    last, ax, ay, m0:m1[16 * (\n - 1)], m2[in++]
        mask_bytes
        and     m3[out++], last, kept
.L_done\@:
        mov     m1[camellia_iv], ctr
        halt
        .endm

        family  camellia, baseline_ecb, camellia_baseline_ecb
        family  camellia, baseline_ctr, camellia_baseline_ctr
