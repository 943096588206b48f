// Camellia (RFC 3713), two rounds per instruction, two packed blocks, two interleaved pairs: ECB, CBC and CTR of
// SP 800-38A.
//
// Calling convention: firmware/README.md. Pair P is in v0 and v1, Q in v2 and v3; the first three instructions of the
// next pairs are in v4 to v7. FL layers cut a pair's instructions P1 .. P9 (P12) into threes, and threes of two pairs
// alternate: so an FL layer has the three slots that it waits for, and results leave in the order of the blocks. The
// first block of a pair comes from hold, loaded beside an instruction of another pair; the second block's result is
// stored beside one.
// Decryption is the same with other round keys. CBC encryption and its header: common/modes.inc.

        .include "block.inc"
        .include "../common/modes.inc"
        .include "setup.inc"

// ---------------------------------------------------------------------------------------- parts of the modes

// Last instruction: the first block's result goes to m3, the second's stays in y for the time being.
        .macro  camellia_last_ecb x, y, i
        cam2l   {\x, \y, m3[ar1++]}, \x, \y, m0:m1[16 * (\i - 1)]
        .endm
        .macro  camellia_last_cbc x, y, i
        cam2l   {\x, \y, m3[ar1++]}, \x, \y, m0:m1[16 * (\i - 1)], m2[ar2+=s%]
        .endm
        .macro  camellia_last_ctr x, y, i
        cam2l   {\x, \y, m3[ar1++]}, \x, \y, m0:m1[16 * (\i - 1)], m2[ar0++]
        .endm

// Instruction i, and a second block's result b to m3.
        .macro  camellia_store_ecb x, y, i, b
        camellia_move \x, \y, \i, {m3[ar1++], \b}
        .endm
        .macro  camellia_store_cbc x, y, i, b
        camellia_move \x, \y, \i, {m3[ar1++], \b ^ m2[ar2+=s%]}
        .endm
        .macro  camellia_store_ctr x, y, i, b
        camellia_move \x, \y, \i, {m3[ar1++], \b ^ m2[ar0++]}
        .endm

// Instruction 4, from the registers of a begin to those of the rest.
        .macro  camellia_on x, y, u, v
        cam2fl  {\x, \y}, \u, \v, m0:m1[16 * 3]
        .endm
        .macro  camellia_on_ecb x, y, u, v, b
        cam2fl  {\x, \y}, \u, \v, m0:m1[16 * 3], {m3[ar1++], \b}
        .endm
        .macro  camellia_on_cbc x, y, u, v, b
        cam2fl  {\x, \y}, \u, \v, m0:m1[16 * 3], {m3[ar1++], \b ^ m2[ar2+=s%]}
        .endm
        .macro  camellia_on_ctr x, y, u, v, b
        cam2fl  {\x, \y}, \u, \v, m0:m1[16 * 3], {m3[ar1++], \b ^ m2[ar0++]}
        .endm
        .macro  camellia_end_ecb
        mov     m3[ar1++], v3
        .endm
        .macro  camellia_end_cbc
        xor     m3[ar1++], v3, m2[ar2+=s%]
        .endm
        .macro  camellia_end_ctr
        xor     m3[ar1++], v3, m2[ar0++]
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

// Begins of the next P and of the next Q beside the ends of those before them; threes of P and of Q, from instruction i
// and k on.
        .macro  camellia_ends_p mode, block, last
        cam2p   {v4, v5}, \block, hold, m0:m1[0]
        camellia_step v0, v1, \last - 2
        camellia_move v4, v5, 2, {hold, \block}
        camellia_step v0, v1, \last - 1
        camellia_step v4, v5, 3
        camellia_last_\mode v0, v1, \last
        .endm
        .macro  camellia_turn_short mode, block
        camellia_move v0, v1, 5, {hold, \block}
        camellia_step v2, v3, 5
        camellia_step v0, v1, 6
        camellia_step v2, v3, 6
        camellia_ends_p \mode, \block, 9
        cam2p   {v6, v7}, \block, hold, m0:m1[0]
        camellia_step v2, v3, 7
        camellia_store_\mode v6, v7, 2, v1
        camellia_step v2, v3, 8
        camellia_step v6, v7, 3
        camellia_last_\mode v2, v3, 9
        camellia_on_\mode v0, v1, v4, v5, v3
        camellia_on v2, v3, v6, v7
        .endm
        .macro  camellia_turn_long mode, block
        camellia_move v0, v1, 8, {hold, \block}
        camellia_step v2, v3, 5
        camellia_step v0, v1, 9
        camellia_step v2, v3, 6
        camellia_ends_p \mode, \block, 12
        camellia_store_\mode v2, v3, 7, v1
        camellia_on v0, v1, v4, v5
        camellia_step v2, v3, 8
        camellia_step v0, v1, 5
        camellia_step v2, v3, 9
        camellia_step v0, v1, 6
        cam2p   {v6, v7}, \block, hold, m0:m1[0]
        camellia_step v2, v3, 10
        camellia_step v6, v7, 2
        camellia_step v2, v3, 11
        camellia_step v6, v7, 3
        camellia_last_\mode v2, v3, 12
        camellia_store_\mode v0, v1, 7, v3
        camellia_on v2, v3, v6, v7
        .endm

// All blocks of the job. block: where a block comes from, m2[ar0++] or ctr++. last: number of instructions, 9 or 12.
// ar5: groups of four blocks, ar6: blocks left over, which go alone. The set-up goes on where the first instructions
// leave slots free; camellia_few does it for a job without a group, and comes back to .L_rest.
        .macro  camellia_packed mode, block, last
        arshr   ar5, ar6, 2
        bz      ar5, .L_few_\mode\()_\last
        mov     v6, \block
        aradd   ar5, ar5, -1
        cam2p   {v4, v5}, \block, v6, m0:m1[0]
        arand   ar6, ar6, 3
        camellia_move v4, v5, 2, {hold, \block}
        cam2p   {v6, v7}, \block, hold, m0:m1[0]
        camellia_step v4, v5, 3
        camellia_step v6, v7, 2
        arset   ar1, 0
        camellia_step v6, v7, 3
        camellia_on v0, v1, v4, v5
        camellia_first_\mode
        camellia_steps v0, v1, 5, \last - 5
        camellia_on v2, v3, v6, v7
        repeat  ar5, .L_groups\@
        .if     \last == camellia128_steps
        camellia_turn_short \mode, \block
        .else
        camellia_turn_long \mode, \block
        .endif
.L_groups\@:
        camellia_step v0, v1, \last - 4
        camellia_step v2, v3, 5
        camellia_step v0, v1, \last - 3
        camellia_step v2, v3, 6
        camellia_step v0, v1, \last - 2
        camellia_step v2, v3, 7
        camellia_step v0, v1, \last - 1
        .if     \last == camellia256_steps
        camellia_step v2, v3, 8
        .endif
        camellia_last_\mode v0, v1, \last
        camellia_store_\mode v2, v3, \last - 1 - 2 * (\last == camellia256_steps), v1
        .if     \last == camellia256_steps
        camellia_steps v2, v3, 10, 11
        .endif
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
// Clobbers: v0-v7, hold, wk, ar0, ar1, ar5, ar6
// Time:     constant; depends on n
// Cycles:   9n/2 + 27 (128), 6n + 32 (256), n a multiple of 4 from 8
        .macro  camellia_ecb c, n
        camellia_job
        camellia_packed ecb, m2[ar0++], \n
        halt
        camellia_few ecb, \n
        .endm

// camellia{bits}_cbc_decrypt: P[i] = D(C[i]) ^ C[i-1], n blocks. 256: 192 bits too.
//
// Inputs:   key rows of decryption, camellia_wk, camellia_length, camellia_iv = C[-1]; C in m2 from row 0
// Outputs:  P in m3 from row 0; camellia_iv = C[n-1]
// Clobbers: v0-v7, hold, wk, ar0-ar2, ar5, ar6
// Time:     constant; depends on n
// Cycles:   9n/2 + 34 (128), 6n + 39 (256), n a multiple of 4 from 8
//
// ar2 follows the input one row later. The IV lies where the round keys are read, so the first block is XORed with the
// last row of m2 instead, whatever that holds, and put right at the end: ar2 goes on from there to row 0, and to row
// 254 at most.
        .macro  camellia_cbc_decrypt c, n
        camellia_job
        arstep  ar2, 16
        arwin   ar2, 0, 0x1000
        camellia_packed cbc, m2[ar0++], \n
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
// Cycles:   9n/2 + 33 (128), 6n + 38 (256), n a multiple of 4 from 8
        .macro  camellia_ctr c, n
        mov     ctr, m1[camellia_iv]
        vtoar   ar4, m1[camellia_length], 6
        camellia_job
        ctrw    128
        camellia_packed ctr, ctr++, \n
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
