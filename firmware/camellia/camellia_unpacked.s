// Camellia (RFC 3713), two rounds an instruction, one block in a pair of registers, two blocks interleaved: half of the
// look-ups go unused. For comparison with the packed variant. Calling convention: firmware/README.md.

        .include "memory.inc"
        .include "schedule.inc"
        .include "setup.inc"

        .section text

// Instruction i, from 1, of the block in x, y: behind an FL layer for i = 4, 7, 10.
        .macro camellia_step x, y, i
        .if     (\i) % 3 == 1
        cam2fl  {\x, \y}, \x, \y, m0:m1[16 * (\i - 1)]
        .else
        cam2    {\x, \y}, \x, \y, m0:m1[16 * (\i - 1)]
        .endif
        .endm

        .macro camellia_unpacked_ecb last
        vtoar   ar6, m1[camellia_length], 7
        mov     wk, m0[camellia_wk]
        arset   ar0, 0
        arset   ar1, 0
        arshr   ar5, ar6, 1
        arand   ar6, ar6, 1
        repeat  ar5, .L_pairs\@
        cam2s   {v0, v1}, m2[ar0++] ^ wk, m0:m1[0]
        cam2s   {v2, v3}, m2[ar0++] ^ wk, m0:m1[0]
        .rept   \last - 2
        camellia_step v0, v1, 2 + \+
        camellia_step v2, v3, 2 + \+
        .endr
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\last - 1)]
        cam2l   {v2, v3, m3[ar1++]}, v2, v3, m0:m1[16 * (\last - 1)]
.L_pairs\@:
        bz      ar6, .L_done\@
        cam2s   {v0, v1}, m2[ar0++] ^ wk, m0:m1[0]
        .rept   \last - 2
        camellia_step v0, v1, 2 + \+
        .endr
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\last - 1)]
.L_done\@:
        halt
        .endm

// camellia128_unpacked_ecb, camellia256_unpacked_ecb: C[i] = E(P[i]), n blocks; D with the round keys of decryption.
// 256: 192 bits too.
//
// Inputs:   key rows, camellia_wk, camellia_length; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0-v3, wk, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   9n + 16 (128), 12n + 16 (256), even n
        .global camellia128_unpacked_ecb
camellia128_unpacked_ecb:
        camellia_unpacked_ecb 9
        .global camellia256_unpacked_ecb
camellia256_unpacked_ecb:
        camellia_unpacked_ecb 12
