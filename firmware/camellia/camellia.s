// Camellia (RFC 3713), two rounds per instruction, two packed blocks, two interleaved pairs: ECB, CBC and CTR of
// SP 800-38A.
//
// Calling convention: firmware/README.md. Pair P is in p0 and p1, Q in q0 and q1; the first three instructions of the
// next pairs are in next_p0 to next_q1. FL layers split a pair's instructions P1 .. P9 (P12) into groups of three, and
// groups of two pairs alternate: so an FL layer has its latency of three slots, and results leave in block order. The
// first block of a pair comes from hold, which an instruction of the other pair loads; such an instruction also stores
// the second block's result. Decryption is the same with other round keys. CBC encryption and its header:
// common/modes.inc.

        .include "block.inc"
        .include "../common/modes.inc"
        .include "setup.inc"

        .alias  p0, v0                  // both blocks of P
        .alias  p1, v1
        .alias  q0, v2                  // both blocks of Q
        .alias  q1, v3
        .alias  next_p0, v4             // the first three instructions of the next pairs
        .alias  next_p1, v5
        .alias  next_q0, v6
        .alias  next_q1, v7
        .alias  groups, ar5             // groups of four blocks

// ---------------------------------------------------------------------------------------- parts of the modes

// Last instruction: the first block's result goes to m3, the second's stays in y for now.
        .macro  camellia_last_ecb x, y, i
        cam2l   {\x, \y, m3[out++]}, \x, \y, m0:m1[16 * (\i - 1)]
        .endm
        .macro  camellia_last_cbc x, y, i
        cam2l   {\x, \y, m3[out++]}, \x, \y, m0:m1[16 * (\i - 1)], m2[before+=s%]
        .endm
        .macro  camellia_last_ctr x, y, i
        cam2l   {\x, \y, m3[out++]}, \x, \y, m0:m1[16 * (\i - 1)], m2[in++]
        .endm

// Instruction i, and a second block's result b to m3.
        .macro  camellia_store_ecb x, y, i, b
        camellia_move \x, \y, \i, {m3[out++], \b}
        .endm
        .macro  camellia_store_cbc x, y, i, b
        camellia_move \x, \y, \i, {m3[out++], \b ^ m2[before+=s%]}
        .endm
        .macro  camellia_store_ctr x, y, i, b
        camellia_move \x, \y, \i, {m3[out++], \b ^ m2[in++]}
        .endm

// Instruction 4, from the registers of the first instructions to those of the others.
        .macro  camellia_on x, y, u, v
        cam2fl  {\x, \y}, \u, \v, m0:m1[16 * 3]
        .endm
        .macro  camellia_on_ecb x, y, u, v, b
        cam2fl  {\x, \y}, \u, \v, m0:m1[16 * 3], {m3[out++], \b}
        .endm
        .macro  camellia_on_cbc x, y, u, v, b
        cam2fl  {\x, \y}, \u, \v, m0:m1[16 * 3], {m3[out++], \b ^ m2[before+=s%]}
        .endm
        .macro  camellia_on_ctr x, y, u, v, b
        cam2fl  {\x, \y}, \u, \v, m0:m1[16 * 3], {m3[out++], \b ^ m2[in++]}
        .endm
        .macro  camellia_end_ecb
        mov     m3[out++], q1
        .endm
        .macro  camellia_end_cbc
        xor     m3[out++], q1, m2[before+=s%]
        .endm
        .macro  camellia_end_ctr
        xor     m3[out++], q1, m2[in++]
        .endm

// Additional set-up of a mode.
        .macro  camellia_first_ecb
        .endm
        .macro  camellia_first_cbc
        arset   before, 0xff0
        .endm
        .macro  camellia_first_ctr
        .endm

        .macro  camellia_job
        vtoar   blocks, m1[camellia_length], 7
        camellia_begin
        arset   in, 0
        .endm

// Starts the next P and the next Q while the previous ones end: groups of three of P and of Q, from instructions i and
// k on.
        .macro  camellia_ends_p mode, block, last
        cam2p   {next_p0, next_p1}, \block, hold, m0:m1[0]
        camellia_step p0, p1, \last - 2
        camellia_move next_p0, next_p1, 2, {hold, \block}
        camellia_step p0, p1, \last - 1
        camellia_step next_p0, next_p1, 3
        camellia_last_\mode p0, p1, \last
        .endm
        .macro  camellia_turn_short mode, block
        camellia_move p0, p1, 5, {hold, \block}
        camellia_step q0, q1, 5
        camellia_step p0, p1, 6
        camellia_step q0, q1, 6
        camellia_ends_p \mode, \block, 9
        cam2p   {next_q0, next_q1}, \block, hold, m0:m1[0]
        camellia_step q0, q1, 7
        camellia_store_\mode next_q0, next_q1, 2, p1
        camellia_step q0, q1, 8
        camellia_step next_q0, next_q1, 3
        camellia_last_\mode q0, q1, 9
        camellia_on_\mode p0, p1, next_p0, next_p1, q1
        camellia_on q0, q1, next_q0, next_q1
        .endm
        .macro  camellia_turn_long mode, block
        camellia_move p0, p1, 8, {hold, \block}
        camellia_step q0, q1, 5
        camellia_step p0, p1, 9
        camellia_step q0, q1, 6
        camellia_ends_p \mode, \block, 12
        camellia_store_\mode q0, q1, 7, p1
        camellia_on p0, p1, next_p0, next_p1
        camellia_step q0, q1, 8
        camellia_step p0, p1, 5
        camellia_step q0, q1, 9
        camellia_step p0, p1, 6
        cam2p   {next_q0, next_q1}, \block, hold, m0:m1[0]
        camellia_step q0, q1, 10
        camellia_step next_q0, next_q1, 2
        camellia_step q0, q1, 11
        camellia_step next_q0, next_q1, 3
        camellia_last_\mode q0, q1, 12
        camellia_store_\mode p0, p1, 7, q1
        camellia_on q0, q1, next_q0, next_q1
        .endm

// All blocks of the job. block: where a block comes from, m2[in++] or ctr++. last: number of instructions, 9 or 12.
// `groups`: groups of four blocks, `blocks`: blocks left over, processed alone. The set-up continues in slots that the
// first instructions leave free; camellia_few does it for a job without a group, and returns to .L_rest.
        .macro  camellia_packed mode, block, last
        arshr   groups, blocks, 2
        bz      groups, .L_few_\mode\()_\last
        mov     next_q0, \block
        aradd   groups, groups, -1
        cam2p   {next_p0, next_p1}, \block, next_q0, m0:m1[0]
        arand   blocks, blocks, 3
        camellia_move next_p0, next_p1, 2, {hold, \block}
        cam2p   {next_q0, next_q1}, \block, hold, m0:m1[0]
        camellia_step next_p0, next_p1, 3
        camellia_step next_q0, next_q1, 2
        arset   out, 0
        camellia_step next_q0, next_q1, 3
        camellia_on p0, p1, next_p0, next_p1
        camellia_first_\mode
        camellia_steps p0, p1, 5, \last - 5
        camellia_on q0, q1, next_q0, next_q1
        repeat  groups, .L_groups\@
        .if     \last == camellia128_steps
        camellia_turn_short \mode, \block
        .else
        camellia_turn_long \mode, \block
        .endif
.L_groups\@:
        camellia_step p0, p1, \last - 4
        camellia_step q0, q1, 5
        camellia_step p0, p1, \last - 3
        camellia_step q0, q1, 6
        camellia_step p0, p1, \last - 2
        camellia_step q0, q1, 7
        camellia_step p0, p1, \last - 1
        .if     \last == camellia256_steps
        camellia_step q0, q1, 8
        .endif
        camellia_last_\mode p0, p1, \last
        camellia_store_\mode q0, q1, \last - 1 - 2 * (\last == camellia256_steps), p1
        .if     \last == camellia256_steps
        camellia_steps q0, q1, 10, 11
        .endif
        camellia_last_\mode q0, q1, \last
        camellia_end_\mode
.L_rest_\mode\()_\last:
        repeat  blocks, .L_blocks\@
        cam2s   {p0, p1}, \block ^ wk, m0:m1[0]
        camellia_steps p0, p1, 2, \last - 1
        camellia_last_\mode p0, p1, \last
.L_blocks\@:
        .endm

        .macro  camellia_few mode, last
.L_few_\mode\()_\last:
        arset   out, 0
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
        camellia_packed ecb, m2[in++], \n
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
// `before` follows the input one row later. The IV is in the memory of the round keys, so the first block is XORed with
// the last row of m2 instead, whatever that holds, and corrected at the end: `before` continues from there to row 0, up
// to row 254.

        .alias  iv_row, v1              // IV ^ the row in its place

        .macro  camellia_cbc_decrypt c, n
        camellia_job
        arstep  before, 16
        arwin   before, 0, 0x1000
        camellia_packed cbc, m2[in++], \n
        mov     iv_row, m1[camellia_iv]
        xor     iv_row, iv_row, m2[0xff0]
        mov     m1[camellia_iv], m2[before]
        xor     p0, iv_row, m3[0]
        mov     m3[0], p0
        halt
.L_few_cbc_\n:
        bz      blocks, .L_none\@
        arset   out, 0
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

        .alias  last, v4
        .alias  last_low, v5

        .macro  camellia_ctr c, n
        mov     ctr, m1[camellia_iv]
        vtoar   bytes, m1[camellia_length], 6
        camellia_job
        ctrw    128
        camellia_packed ctr, ctr++, \n
        bz      bytes, .L_done\@
        mask_start camellia
        camellia_first p0, p1, ctr++
        camellia_steps p0, p1, 2, \n - 1
        cam2l   {last, last_low}, p0, p1, m0:m1[16 * (\n - 1)], m2[in++]
        mask_bytes
        and     m3[out++], last, kept
.L_done\@:
        mov     m1[camellia_iv], ctr
        halt
        camellia_few ctr, \n
        .endm

        family  camellia, ecb, camellia_ecb
        family  camellia, cbc_encrypt, mode_cbc_encrypt
        family  camellia, cbc_decrypt, camellia_cbc_decrypt
        family  camellia, ctr, camellia_ctr
