// Camellia (RFC 3713), two rounds an instruction, two blocks packed, two pairs interleaved: ECB, CBC, CTR (SP 800-38A).
//
// Calling convention: firmware/README.md. Pair P is in v0 and v1, Q in v2 and v3, results in v4 and v5. P's
// instructions P1 .. P9 (P12) and Q's stand alternately, Q a good half behind: so one hold suffices, and results
// leave in the order of the blocks. The first block of a pair comes from hold, loaded beside an instruction of the
// other pair; the second block's result is stored beside an instruction of the other pair.
// Decryption is the same with other round keys.

        .include "memory.inc"
        .include "schedule.inc"
        .include "setup.inc"
        .include "steps.inc"

        .section text

// ---------------------------------------------------------------------------------------- parts of the modes

// Last instruction: the first block's result goes to m3, the second's to v5 for the time being.
        .macro camellia_last_ecb x, y, i
        cam2l   {v4, v5, m3[ar1++]}, \x, \y, m0:m1[16 * (\i - 1)]
        .endm
        .macro camellia_last_cbc x, y, i
        cam2l   {v4, v5, m3[ar1++]}, \x, \y, m0:m1[16 * (\i - 1)], m2[ar2+=s%]
        .endm
        .macro camellia_last_ctr x, y, i
        cam2l   {v4, v5, m3[ar1++]}, \x, \y, m0:m1[16 * (\i - 1)], m2[ar0++]
        .endm

// Instruction i, and the second block's result to m3.
        .macro camellia_store_ecb x, y, i
        camellia_move \x, \y, \i, {m3[ar1++], v5}
        .endm
        .macro camellia_store_cbc x, y, i
        camellia_move \x, \y, \i, {m3[ar1++], v5 ^ m2[ar2+=s%]}
        .endm
        .macro camellia_store_ctr x, y, i
        camellia_move \x, \y, \i, {m3[ar1++], v5 ^ m2[ar0++]}
        .endm
        .macro camellia_end_ecb
        mov     m3[ar1++], v5
        .endm
        .macro camellia_end_cbc
        xor     m3[ar1++], v5, m2[ar2+=s%]
        .endm
        .macro camellia_end_ctr
        xor     m3[ar1++], v5, m2[ar0++]
        .endm

// Instructions from .. to of P, each with the instruction of Q that is `behind` earlier.
        .macro camellia_both from, to, behind
        .rept   \to - (\from) + 1
        camellia_step v0, v1, \from + \+
        camellia_step v2, v3, \from + \+ - \behind
        .endr
        .endm

// What a mode sets up besides.
        .macro camellia_first_ecb
        .endm
        .macro camellia_first_cbc
        arset   ar2, 0xff0
        .endm
        .macro camellia_first_ctr
        .endm

        .macro camellia_job
        vtoar   ar6, m1[camellia_length], 7
        mov     wk, m0[camellia_wk]
        arset   ar0, 0
        .endm

// All blocks of the job. block: where a block comes from, m2[ar0++] or ctr++. last: number of instructions, 9 or 12;
// behind: how many Q is behind P. ar5: groups of four blocks, ar6: blocks left over, which go alone. The first
// instructions of P leave every other cycle free, so the set-up goes on there; camellia_few does it for a job without
// a group, and comes back to .L_rest.
        .macro camellia_packed mode, block, last, behind
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
        camellia_steps v0, v1, 5, \behind + 1
        cam2p   {v2, v3}, \block, hold, m0:m1[0]
        camellia_both \behind + 2, \behind + 2, \behind
        repeat  ar5, .L_groups\@
        camellia_step v0, v1, \behind + 3
        camellia_move v2, v3, 3, {hold, \block}
        camellia_both \behind + 4, \last - 1, \behind
        camellia_last_\mode v0, v1, \last
        camellia_step v2, v3, \last - \behind
        cam2p   {v0, v1}, \block, hold, m0:m1[0]
        camellia_store_\mode v2, v3, \last - \behind + 1
        camellia_move v0, v1, 2, {hold, \block}
        camellia_step v2, v3, \last - \behind + 2
        .rept   \behind - 3
        camellia_step v0, v1, 3 + \+
        camellia_step v2, v3, \last - \behind + 3 + \+
        .endr
        camellia_step v0, v1, \behind
        camellia_last_\mode v2, v3, \last
        camellia_step v0, v1, \behind + 1
        cam2p   {v2, v3}, \block, hold, m0:m1[0]
        camellia_store_\mode v0, v1, \behind + 2
        camellia_step v2, v3, 2
.L_groups\@:
        camellia_both \behind + 3, \last - 1, \behind
        camellia_last_\mode v0, v1, \last
        camellia_step v2, v3, \last - \behind
        camellia_store_\mode v2, v3, \last - \behind + 1
        camellia_steps v2, v3, \last - \behind + 2, \last - 1
        camellia_last_\mode v2, v3, \last
        camellia_end_\mode
.L_rest_\mode\()_\last:
        repeat  ar6, .L_blocks\@
        cam2s   {v0, v1}, \block ^ wk, m0:m1[0]
        camellia_steps v0, v1, 2, \last - 1
        camellia_last_\mode v0, v1, \last
.L_blocks\@:
        .endm

        .macro camellia_few mode, last
.L_few_\mode\()_\last:
        arset   ar1, 0
        camellia_first_\mode
        jmp     .L_rest_\mode\()_\last
        .endm

        .macro camellia_ecb last, behind
        camellia_job
        camellia_packed ecb, m2[ar0++], \last, \behind
        halt
        camellia_few ecb, \last
        .endm

// CBC encryption: C[i] = E(P[i] ^ C[i-1]); every block waits for the one before it.
        .macro camellia_cbc_encrypt last
        camellia_job
        arset   ar1, 0
        mov     v0, m1[camellia_iv]
        repeat  ar6, .L_blocks\@
        cam2s   {v0, v1}, v0 ^ m2[ar0++] ^ wk, m0:m1[0]
        camellia_steps v0, v1, 2, \last - 1
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\last - 1)]
.L_blocks\@:
        mov     m1[camellia_iv], v0
        halt
        .endm

// CBC decryption: P[i] = D(C[i]) ^ C[i-1]; ar2 follows the input one row behind. The IV lies where the round keys are
// read, so the first block is XORed with the last row of m2 instead, whatever that holds, and put right at the end:
// ar2 goes on from there to row 0, and to row 254 at most.
        .macro camellia_cbc_decrypt last, behind
        camellia_job
        arstep  ar2, 16
        arwin   ar2, 0, 0x1000
        camellia_packed cbc, m2[ar0++], \last, \behind
        mov     v1, m1[camellia_iv]
        xor     v1, v1, m2[0xff0]
        mov     m1[camellia_iv], m2[ar2]
        xor     v0, v1, m3[0]
        mov     m3[0], v0
        halt
.L_few_cbc_\last:
        bz      ar6, .L_none\@
        arset   ar1, 0
        camellia_first_cbc
        jmp     .L_rest_cbc_\last
.L_none\@:
        halt
        .endm

// CTR: C[i] = P[i] ^ E(counter + i), either direction; of a last block only its bytes are written.
        .macro camellia_ctr last, behind
        mov     ctr, m1[camellia_iv]
        vtoar   ar4, m1[camellia_length], 6
        camellia_job
        ctrw    128
        camellia_packed ctr, ctr++, \last, \behind
        bz      ar4, .L_done\@
        mov     v7, m1[camellia_ones]
        mov     v6, zero
        cam2s   {v0, v1}, ctr++ ^ wk, m0:m1[0]
        camellia_steps v0, v1, 2, \last - 1
        cam2l   {v4, v5}, v0, v1, m0:m1[16 * (\last - 1)], m2[ar0++]
        repeat  ar4, .L_mask\@
        align   v6, v7, v6, 15                  // one more byte of ones in front
.L_mask\@:
        and     m3[ar1++], v4, v6
.L_done\@:
        mov     m1[camellia_iv], ctr
        halt
        camellia_few ctr, \last
        .endm

// ---------------------------------------------------------------------------------------- modes

// camellia128_ecb, camellia256_ecb: C[i] = E(P[i]), n blocks; D with the round keys of decryption. 256: 192 bits too.
//
// Inputs:   key rows, camellia_wk, camellia_length; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0-v6, hold, wk, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   9n/2 + 26 (128), 6n + 30 (256), n a multiple of 4 from 8
        .global camellia128_ecb
camellia128_ecb:
        camellia_ecb 9, 4
        .global camellia256_ecb
camellia256_ecb:
        camellia_ecb 12, 6

// camellia128_cbc_encrypt, camellia256_cbc_encrypt: C[i] = E(P[i] ^ C[i-1]), n blocks, one stream. 256: 192 bits too.
//
// Inputs:   key rows, camellia_wk, camellia_length, camellia_iv = C[-1]; P in m2 from row 0
// Outputs:  C in m3 from row 0; camellia_iv = C[n-1]
// Clobbers: v0, v1, wk, ar0, ar1, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   18n + 14 (128), 24n + 14 (256)
        .global camellia128_cbc_encrypt
camellia128_cbc_encrypt:
        camellia_cbc_encrypt 9
        .global camellia256_cbc_encrypt
camellia256_cbc_encrypt:
        camellia_cbc_encrypt 12

// camellia128_cbc_decrypt, camellia256_cbc_decrypt: P[i] = D(C[i]) ^ C[i-1], n blocks. 256: 192 bits too.
//
// Inputs:   key rows of decryption, camellia_wk, camellia_length, camellia_iv = C[-1]; C in m2 from row 0
// Outputs:  P in m3 from row 0; camellia_iv = C[n-1]
// Clobbers: v0-v6, hold, wk, ar0-ar2, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   9n/2 + 33 (128), 6n + 37 (256), n a multiple of 4 from 8
        .global camellia128_cbc_decrypt
camellia128_cbc_decrypt:
        camellia_cbc_decrypt 9, 4
        .global camellia256_cbc_decrypt
camellia256_cbc_decrypt:
        camellia_cbc_decrypt 12, 6

// camellia128_ctr, camellia256_ctr: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv = first counter block; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; camellia_iv = next counter block
// Clobbers: v0-v7, hold, ctr, wk, ar0, ar1, ar4-ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   9n/2 + 32 (128), 6n + 36 (256), n a multiple of 4 from 8
        .global camellia128_ctr
camellia128_ctr:
        camellia_ctr 9, 4
        .global camellia256_ctr
camellia256_ctr:
        camellia_ctr 12, 6
