// Camellia (RFC 3713), two rounds per instruction, two packed blocks, two interleaved pairs: ECB, CBC and CTR of
// SP 800-38A.
//
// Calling convention: firmware/README.md. Pair P is in v0 and v1, Q in v2 and v3, results in v4 and v5. P's
// instructions P1 .. P9 (P12) and Q's alternate, Q a good half later: so one hold suffices, and results
// leave in the order of the blocks. The first block of a pair comes from hold, loaded beside an instruction of the
// other pair; the second block's result is stored beside an instruction of the other pair.
// Decryption is the same with other round keys. CBC encryption and its header: common/modes.inc.

        .include "block.inc"
        .include "../common/modes.inc"
        .include "setup.inc"

// ---------------------------------------------------------------------------------------- parts of the modes

// Last instruction: the first block's result goes to m3, the second's to v5 for the time being.
        .macro  camellia_last_ecb x, y, i
        cam2l   {v4, v5, m3[ar1++]}, \x, \y, m0:m1[16 * (\i - 1)]
        .endm
        .macro  camellia_last_cbc x, y, i
        cam2l   {v4, v5, m3[ar1++]}, \x, \y, m0:m1[16 * (\i - 1)], m2[ar2+=s%]
        .endm
        .macro  camellia_last_ctr x, y, i
        cam2l   {v4, v5, m3[ar1++]}, \x, \y, m0:m1[16 * (\i - 1)], m2[ar0++]
        .endm

// Instruction i, and the second block's result to m3.
        .macro  camellia_store_ecb x, y, i
        camellia_move \x, \y, \i, {m3[ar1++], v5}
        .endm
        .macro  camellia_store_cbc x, y, i
        camellia_move \x, \y, \i, {m3[ar1++], v5 ^ m2[ar2+=s%]}
        .endm
        .macro  camellia_store_ctr x, y, i
        camellia_move \x, \y, \i, {m3[ar1++], v5 ^ m2[ar0++]}
        .endm
        .macro  camellia_end_ecb
        mov     m3[ar1++], v5
        .endm
        .macro  camellia_end_cbc
        xor     m3[ar1++], v5, m2[ar2+=s%]
        .endm
        .macro  camellia_end_ctr
        xor     m3[ar1++], v5, m2[ar0++]
        .endm

// Instructions from .. to of P, each with the instruction of Q that is `lag` earlier.
        .macro  camellia_both from, to, lag
        .rept   \to - (\from) + 1
        camellia_step v0, v1, \from + \+
        camellia_step v2, v3, \from + \+ - \lag
        .endr
        .endm

// What a mode sets up besides.
        .macro  camellia_first_ecb
        .endm
        .macro  camellia_first_cbc
        arset   ar2, 0xff0
        .endm
        .macro  camellia_first_ctr
        .endm

        .macro  camellia_job
        vtoar   ar6, m1[camellia_length], 7
        camellia_begin
        arset   ar0, 0
        .endm

// All blocks of the job. block: where a block comes from, m2[ar0++] or ctr++. last: number of instructions, 9 or 12;
// lag: by how many Q comes later than P. ar5: groups of four blocks, ar6: blocks left over, which go alone. The first
// instructions of P leave every other cycle free, so the set-up goes on there; camellia_few does it for a job without
// a group, and comes back to .L_rest.
        .macro  camellia_packed mode, block, last, lag
        arshr   ar5, ar6, 2
        bz      ar5, .L_few_\mode\()_\last
        mov     v6, \block
        cam2p   {v0, v1}, \block, v6, m0:m1[0]
        aradd   ar5, ar5, -1
        camellia_move v0, v1, 2, {hold, \block}
        arand   ar6, ar6, 3
        camellia_step v0, v1, 3
        arset   ar1, 0
        camellia_step v0, v1, 4
        camellia_first_\mode
        camellia_steps v0, v1, 5, \lag + 1
        cam2p   {v2, v3}, \block, hold, m0:m1[0]
        camellia_both \lag + 2, \lag + 2, \lag
        repeat  ar5, .L_groups\@
        camellia_step v0, v1, \lag + 3
        camellia_move v2, v3, 3, {hold, \block}
        camellia_both \lag + 4, \last - 1, \lag
        camellia_last_\mode v0, v1, \last
        camellia_step v2, v3, \last - \lag
        cam2p   {v0, v1}, \block, hold, m0:m1[0]
        camellia_store_\mode v2, v3, \last - \lag + 1
        camellia_move v0, v1, 2, {hold, \block}
        camellia_step v2, v3, \last - \lag + 2
        .rept   \lag - 3
        camellia_step v0, v1, 3 + \+
        camellia_step v2, v3, \last - \lag + 3 + \+
        .endr
        camellia_step v0, v1, \lag
        camellia_last_\mode v2, v3, \last
        camellia_step v0, v1, \lag + 1
        cam2p   {v2, v3}, \block, hold, m0:m1[0]
        camellia_store_\mode v0, v1, \lag + 2
        camellia_step v2, v3, 2
.L_groups\@:
        camellia_both \lag + 3, \last - 1, \lag
        camellia_last_\mode v0, v1, \last
        camellia_step v2, v3, \last - \lag
        camellia_store_\mode v2, v3, \last - \lag + 1
        camellia_steps v2, v3, \last - \lag + 2, \last - 1
        camellia_last_\mode v2, v3, \last
        camellia_end_\mode
.L_rest_\mode\()_\last:
        repeat  ar6, .L_blocks\@
        cam2s   {v0, v1}, \block ^ wk, m0:m1[0]
        camellia_steps v0, v1, 2, \last - 1
        camellia_last_\mode v0, v1, \last
.L_blocks\@:
        .endm

        .macro  camellia_few mode, last
.L_few_\mode\()_\last:
        arset   ar1, 0
        camellia_first_\mode
        jmp     .L_rest_\mode\()_\last
        .endm

// ---------------------------------------------------------------------------------------- modes

// camellia{bits}_ecb: C[i] = E(P[i]), n blocks; D with the round keys of decryption. 256: 192 bits too.
//
// Inputs:   key rows, camellia_wk, camellia_length; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0-v6, hold, wk, ar0, ar1, ar5, ar6
// Time:     constant; depends on n
// Cycles:   9n/2 + 26 (128), 6n + 30 (256), n a multiple of 4 from 8
        .macro  camellia_ecb c, n
        camellia_job
        camellia_packed ecb, m2[ar0++], \n, (\n / 2)
        halt
        camellia_few ecb, \n
        .endm

// camellia{bits}_cbc_decrypt: P[i] = D(C[i]) ^ C[i-1], n blocks. 256: 192 bits too.
//
// Inputs:   key rows of decryption, camellia_wk, camellia_length, camellia_iv = C[-1]; C in m2 from row 0
// Outputs:  P in m3 from row 0; camellia_iv = C[n-1]
// Clobbers: v0-v6, hold, wk, ar0-ar2, ar5, ar6
// Time:     constant; depends on n
// Cycles:   9n/2 + 33 (128), 6n + 37 (256), n a multiple of 4 from 8
//
// ar2 follows the input one row later. The IV lies where the round keys are read, so the first block is XORed with the
// last row of m2 instead, whatever that holds, and put right at the end: ar2 goes on from there to row 0, and to row
// 254 at most.
        .macro  camellia_cbc_decrypt c, n
        camellia_job
        arstep  ar2, 16
        arwin   ar2, 0, 0x1000
        camellia_packed cbc, m2[ar0++], \n, (\n / 2)
        mov     v1, m1[camellia_iv]
        xor     v1, v1, m2[0xff0]
        mov     m1[camellia_iv], m2[ar2]
        xor     v0, v1, m3[0]
        mov     m3[0], v0
        halt
.L_few_cbc_\n:
        bz      ar6, .L_none\@
        arset   ar1, 0
        camellia_first_cbc
        jmp     .L_rest_cbc_\n
.L_none\@:
        halt
        .endm

// camellia{bits}_ctr: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more, either direction. 256: 192 bits
// too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv = first counter block; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bytes; camellia_iv = next counter block
// Clobbers: v0-v7, hold, ctr, wk, ar0, ar1, ar4-ar6
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   9n/2 + 32 (128), 6n + 36 (256), n a multiple of 4 from 8
        .macro  camellia_ctr c, n
        mov     ctr, m1[camellia_iv]
        vtoar   ar4, m1[camellia_length], 6
        camellia_job
        ctrw    128
        camellia_packed ctr, ctr++, \n, (\n / 2)
        bz      ar4, .L_done\@
        mask_start camellia
        camellia_first v0, v1, ctr++
        camellia_steps v0, v1, 2, \n - 1
        cam2l   {v4, v5}, v0, v1, m0:m1[16 * (\n - 1)], m2[ar0++]
        mask_bytes
        and     m3[ar1++], v4, v6
.L_done\@:
        mov     m1[camellia_iv], ctr
        halt
        camellia_few ctr, \n
        .endm

        family  camellia, ecb, camellia_ecb
        family  camellia, cbc_encrypt, mode_cbc_encrypt
        family  camellia, cbc_decrypt, camellia_cbc_decrypt
        family  camellia, ctr, camellia_ctr
