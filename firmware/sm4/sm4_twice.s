// SM4 (GB/T 32907), each block computed twice on different gates and tables, for a core with extension `close`: ECB, CBC
// and CTR (SP 800-38A). A single fault of the datapath gives no wrong output (docs/faults.md).
//
// SM4 commutes with turning all words by a byte: tau has one S-box for all bytes, and L and L' are sums of rotations. So
// the second computation has each byte in another lane and looks it up in another table, with round keys of its own.

        .include "memory.inc"
        .include "tables.inc"
        .include "schedule.inc"
        .include "../common/twice_modes.inc"

        twice_parameters sm4

        .array  sm4_known_bytes, "a3b1bac656aa3350677d9197b27022dc"

        .section m0
sm4_turned_keys:                        // round keys of the second computation
        .zero   16 * 32
sm4_known_keys:                         // round keys of the known blocks: FK
        .rept   64
        .byte   sm4_known_bytes[\+ / 16 * 4 + \+ % 4]
        .endr
sm4_known_key:                          // the example of GB/T 32907 A.1
        .row    "0123456789abcdeffedcba9876543210"
sm4_back:                               // control vector: the last word first, bytes of a word back
        .row    "0f0c0d0e0b08090a0704050603000102"

        .section m1
sm4_turned_fk:                          // FK and CK with the bytes of a word turned by one
        .row    "b1bac6a3aa3350567d9197677022dcb2"
sm4_turned_ck:
        .rept   512
        .byte   7 * (\+ / 16 * 4 + (\+ + 1) % 4) & 0xff
        .endr
sm4_turn:                               // control vector: bytes of a word turned by one to the left
        .row    "0102030005060704090a0b080d0e0f0c"
sm4_one:
        .row    "00000000000000000000000000000001"
sm4_known_blocks:                       // what `sm4_twice_known` has to find
        .row    "4715459d1623d11b4dcf3f80a6714260"
        .row    "be8c9ad25d8ec627125855905ee7f60f"
sm4_known_schedule:                     // round keys 4 to 7 of the known key, their sum turned by a bit for each
        .row    "27321412273214122732141227321412"

        .section text

        .alias  back, v6

        .alias  again0, v3              // registers of the second key schedule
        .alias  again1, v4
        .alias  again2, v5
        .alias  again3, v6
        .alias  again_sum, v0
        .alias  again_t, v1
        .alias  again_y, v2

// sm4128_key_encrypt_twice, sm4128_key_decrypt_twice: both sets of round keys; decryption uses them in opposite order.
//
// Inputs:   sm4_key, sm4_key_again; t1
// Outputs:  sm4_keys, sm4_turned_keys
// Clobbers: v0-v7, ar0, ar1
// Memory:   sm4_done
// Time:     constant
// Cycles:   675
//
// Before that eight rounds of a known key: a gate that is wrong in both schedules alike is so in that one, too. The
// second schedule has each word in another register.
        .macro  key_twice first, step
        mov     sum, m1[sm4_fk]
        xor     sum, sum, m0[sm4_known_key]
        sm4_schedule_rounds sm4_ck, sm4_keys, 16, 2
        rotx    k0, k0, k1, 1
        rotx    k0, k0, k2, 1
        rotx    k0, k0, k3, 1
        cmp     k0, m1[sm4_known_schedule]
        bnf     .L_differ
        mov     sum, m1[sm4_fk]
        xor     sum, sum, m0[sm4_key]
        sm4_schedule_rounds sm4_ck, sm4_keys + 16 * \first, \step
        mov     again_sum, m1[sm4_ones]
        xor     again_sum, again_sum, m0[sm4_key_again]
        perm    again_sum, again_sum, m1[sm4_turn]
        xor     again_sum, again_sum, m1[sm4_turned_fk]
        sm4_schedule_rounds sm4_turned_ck, sm4_turned_keys + 16 * \first, \step, 8, again, again_sum, again_t, again_y
        twice_done sm4
        .endm
        .macro  key_encrypt_twice c, n
        key_twice 0, 16
        .endm
        .macro  key_decrypt_twice c, n
        key_twice 31, -16
        .endm

// Four rounds of two known blocks, with the words of FK as round keys, before each job: text is FK and its inverse, which
// are also on them at the end. They go through m2, as an input does.
        .macro  sm4_twice_known
        mov     wk, m1[sm4_reverse]
        mov     made, m1[sm4_ones]
        mov     m2[twice_last], m1[sm4_fk]
        xor     made, made, m1[sm4_fk]
        mov     first, m2[twice_last]
        mov     m2[twice_last], made
        mov     second, m2[twice_last]
        .rept   4
        ghstep
        tblw    first, first, m0[sm4_known_keys + 16 * \+], first, word1 + word2 + word3 + turn1
        tblw    second, second, m0[sm4_known_keys + 16 * \+], second, word1 + word2 + word3 + turn1
        .endr
        tblp    first, first, wk, m2[twice_last]
        mov     m2[twice_last], m1[sm4_fk]
        tblp    second, second, wk, m2[twice_last]
        // As blocks go out where no row is on them: twice and four times that is nothing.
        .rept   6
        .if     \+ < 2
        perm    first, first, wk
        perm    second, second, wk
        .else
        perm    first, first, m0[sm4_back]
        perm    second, second, m0[sm4_back]
        .endif
        .endr
        .endm

        .macro  sm4_twice_begin
        mov     wk, m1[sm4_reverse]
        mov     turn, m1[sm4_turn]
        mov     back, m0[sm4_back]
        .endm
        .macro  sm4_twice_turn src
        perm    second, \src, turn
        .endm
        .macro  sm4_twice_rounds n, sum
        mov     first, \sum
        ghstep
        ghstep
        ghstep
        .rept   \n - 2
        tblw    first, first, m0[sm4_keys + 16 * \+], first, word1 + word2 + word3 + turn1
        tblw    second, second, m0[sm4_turned_keys + 16 * \+], second, word1 + word2 + word3 + turn1
        .endr
        twice_before gh_step
        .endm
        .macro  sm4_twice_out n, out
        perm    {first, \out}, first, wk
        perm    made, second, back
        .endm
        .macro  sm4_twice_out_row n, out, row, again
        tblp    {first, \out}, first, wk, \row
        tblp    made, second, back, \again
        .endm

sm4128_steps = 34

        family  sm4, key_encrypt_twice, key_encrypt_twice
        family  sm4, key_decrypt_twice, key_decrypt_twice
        family  sm4, ecb_twice, ecb_twice
        family  sm4, cbc_encrypt_twice, cbc_encrypt_twice
        family  sm4, cbc_decrypt_twice, cbc_decrypt_twice
        family  sm4, ctr_twice, ctr_twice
        cbc_decrypt_twice_end sm4
        twice_end sm4
