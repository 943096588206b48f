// ARIA (RFC 5794), CP-ASIP-style baseline: one round per instruction, and one instruction for the first AddRoundKey;
// two interleaved blocks. Runs with ROUNDS_PER_INSTR = 1 as well. Calling convention: firmware/README.md. ECB and its
// header: common/modes.inc.

        .include "memory.inc"
        .include "schedule.inc"
        .include "../common/block.inc"
        .include "../common/modes.inc"
        .include "setup.inc"

        block_steps aria, + 1

// Instruction i is round i - 1. Odd rounds have their keys in m0, even ones in m1.
        .macro  aria_begin
        mov     wk, m0[aria_wk]
        .endm
        .macro  aria_first x, y, sum
        mov     \x, \sum ^ wk
        .endm
        .macro  aria_step x, y, i
        .if     (\i) % 2 == 0
        ariao   \x, \x, m0[16 * ((\i) / 2 - 1)]
        .else
        ariae   \x, \x, m1[16 * ((\i) / 2 - 1)]
        .endif
        .endm
        .macro  aria_last_out x, y, i, out
        arial   {\x, \out}, \x, m1[16 * (\i / 2 - 1)]
        .endm

        family  aria, baseline_ecb, mode_ecb
