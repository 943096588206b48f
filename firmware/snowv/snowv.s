// SNOW-V (Ekdahl, Johansson, Maximov, Yang: A new SNOW stream cipher called SNOW-V, IACR ToSC 2019(3)).
//
// A job goes by chunks. First the LFSRs, which in keystream mode need nothing of the FSM, write their words to m0 and
// m1; then the FSM takes them from there. Eight rows of t1 change from one to the other. Calling convention:
// firmware/README.md. Layout: memory.inc.

        .include "memory.inc"

        .section text
// The LFSRs, where they are in registers.
        .alias  a0, v0                          // words 0 to 7 of A, or 8 to 15 after an odd number of steps
        .alias  a1, v1                          // words 8 to 15
        .alias  b0, v2
        .alias  b1, v3

// The eight rows of t1 that the LFSRs look up: what their multiplications add, or the S-box, as the FSM's second rounds
// need it. They have the former between jobs.
        .macro  reductions
        .rept   8
        mov     t1[16 * (\+ % 2 + 0x80 * (\+ / 2 % 2) + 0x40 * (\+ / 4))], m1[snowv_reductions + 16 * \+]
        .endr
        .endm
        .macro  sboxes
        .rept   8
        bcast   t1[16 * (\+ % 2 + 0x40 * (\+ / 2))], m1[aes_sbox + 0x40 * (\+ / 2)], \+ % 2
        .endr
        .endm

// snowv_tables: the S-box to t0; the same to t1, and what the LFSRs' multiplications add.
//
// Inputs:   aes_sbox, snowv_reductions in m1
// Outputs:  t0, t1
// Clobbers: ar0, ar1
// Time:     constant
// Cycles:   277
        .global snowv_tables
snowv_tables:
        arset   ar0, aes_sbox
        arstep  ar0, 1
        arset   ar1, 0
        repeat  256, .L_sbox
        bcast   t0:t1[ar1++], m1[ar0+=s], 0
.L_sbox:
        reductions
        halt

// The next eight words of A and B, a to d being their rows: c = multiplied a, divided b, tap and other; see README.md.
// ar2: the row of words 0 to 7, then the next one (step 32); ar3 and ar4: those of words 1 to 8 of A and 3 to 10 of B.
//
// Index of the look-up: the bit that leaves the multiplied word first, the one that leaves the divided word last.
        .macro  index lo_a, hi_a, lo_b, hi_b
        shrx16  v4, \lo_a, zero, 15
        shrx16  v5, \lo_b, v7, 15
        shlx8   v4, \hi_a, v4, 7
        shlx8   v5, \hi_b, v5, 7
        perm    v4, v4, v6
        perm    v5, v5, v6
        .endm
        .macro  words lo_a, hi_a, lo_b, hi_b
        aesdecl v4, v4, m1[ar2], m0[ar3--]
        aesdecl v5, v5, m1[ar4--], m0[ar2-=s]
        shrx16  v4, \hi_a, v4, 1
        shrx16  v5, \hi_b, v5, 1
        shlx16  {\lo_a, m0[ar2]}, \lo_a, v4, 1
        shlx16  {\lo_b, m1[ar2++]}, \lo_b, v5, 1
        index   \hi_a, \lo_a, \hi_b, \lo_b
        .endm

        .macro  addresses
        arset   ar2, snowv_top
        arstep  ar2, 32
        arset   ar3, snowv_top - 2
        arset   ar4, snowv_top - 6
        .endm

// snowv_start: key and IV into the LFSRs, 16 rounds (2.4).
//
// Inputs:   snowv_key, snowv_iv; t0, t1
// Outputs:  the state: snowv_registers, the LFSRs at snowv_top
// Clobbers: v0-v7, ctr, wk, ar2-ar4
// Memory:   snowv_words_a, snowv_words_b
// Time:     constant
// Cycles:   484
// A round: z, which goes to words 8 to 15 of A, to wk; the FSM, R1 to R3 in v4 to v6; then the LFSRs.
        .macro  round lo_a, hi_a, lo_b, hi_b
        perm    ctr, v5, m0[snowv_reverse]
        perm    v7, v4, m0[snowv_reverse]
        perm    v6, v6, m0[snowv_reverse]
        add32   v7, v7, \hi_b
        xor     v6, v6, \lo_a
        xor     wk, v7, ctr
        add32   v7, v6, ctr
        aesencm v6, v5, m0[snowv_zero]
        aesencm v5, v4, m0[snowv_zero]
        perm    v4, v7, m0[snowv_sigma]
        shrx16  v7, \lo_a, zero, 15
        mov     ctr, v6
        shlx8   v7, \hi_a, v7, 7
        shrx16  v6, \lo_b, m0[snowv_select], 15
        perm    v7, v7, m0[snowv_spread]
        shlx8   v6, \hi_b, v6, 7
        aesdecl v7, v7, m1[ar2], m0[ar3--]
        perm    v6, v6, m0[snowv_spread]
        shrx16  v7, \hi_a, v7, 1
        aesdecl v6, v6, m1[ar4--], m0[ar2-=s]
        shlx16  v7, \lo_a, v7, 1
        shrx16  v6, \hi_b, v6, 1
        xor     {\lo_a, m0[ar2]}, v7, wk
        shlx16  {\lo_b, m1[ar2++]}, \lo_b, v6, 1
        mov     v6, ctr
        .endm

        .global snowv_start
snowv_start:
        addresses
        mov     v4, m1[snowv_iv]
        mov     v5, m1[snowv_key]
        mov     v6, m1[snowv_key + 16]
        mov     v7, m0[snowv_reverse]
        mov     {b0, m1[snowv_top]}, zero
        perm    {b1, m1[snowv_top - 16]}, v6, v7
        perm    {a0, m0[snowv_top]}, v4, v7
        perm    {a1, m0[snowv_top - 16]}, v5, v7
        mov     v4, zero
        mov     v5, zero
        mov     v6, zero
        repeat  7, .L_rounds
        round   a0, a1, b0, b1
        round   a1, a0, b1, b0
.L_rounds:
        round   a0, a1, b0, b1
        xor     v4, v4, m1[snowv_key]
        round   a1, a0, b1, b0
        xor     v4, v4, m1[snowv_key + 16]
        mov     m1[snowv_registers], v4
        mov     m1[snowv_registers + 16], v5
        mov     m1[snowv_registers + 32], v6
        mov     m0[snowv_top], a0
        mov     m0[snowv_top - 16], a1
        mov     m1[snowv_top], b0
        mov     m1[snowv_top - 16], b1
        halt

// snowv: C = P ^ keystream, n rows; the last one may be incomplete.
//
// Inputs:   what snowv_start leaves, snowv_length; t0, t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, whole rows; snowv_registers, the LFSRs at snowv_top
// Clobbers: v0-v7, ar0-ar7
// Memory:   snowv_words_a, snowv_words_b, t1
// Time:     constant; depends on n, and on whether the last row is incomplete
// Cycles:   22n + 89, even n to 126
        .global snowv
snowv:
        vtoar   ar6, m1[snowv_length], 7
        vtoar   ar5, m1[snowv_length], 6
        arset   ar0, 0
        arset   ar1, 0
        bz      ar5, .L_chunk
        aradd   ar6, ar6, 1

// ar5 = rows of a chunk, ar6 = those after it.
.L_chunk:
        arshr   ar5, ar6, 7
        bz      ar5, .L_last
        arset   ar5, snowv_chunk
        aradd   ar6, ar6, -snowv_chunk
        jmp     .L_words
.L_last:
        bz      ar6, .L_done
        arand   ar5, ar6, snowv_chunk - 1
        arset   ar6, 0

// Words for all rows of the chunk, and of an odd number for one more: where the LFSRs are then, their rows say.
.L_words:
        mov     v6, m0[snowv_spread]
        mov     v7, m0[snowv_select]
        mov     a0, m0[snowv_top]
        mov     a1, m0[snowv_top - 16]
        mov     b0, m1[snowv_top]
        mov     b1, m1[snowv_top - 16]
        addresses
        aradd   ar7, ar5, 1
        arshr   ar7, ar7, 1
        index   a0, a1, b0, b1
        repeat  ar7, .L_written
        words   a0, a1, b0, b1
        words   a1, a0, b1, b0
.L_written:

// The FSM. A register whose bytes are in reverse is the one that is added. R3 is two rounds of the R1 of two rows before,
// one instruction, and the text goes along with it.
        .alias  r1, v0
        .alias  r1_reverse, v1
        .alias  r2, v2
        .alias  r2_reverse, v3
        .alias  r3_reverse, v4
        .alias  z, v5
        .alias  t, v6
        .alias  r3_next, v7
        sboxes
        mov     r1, m1[snowv_registers]
        mov     r2, m1[snowv_registers + 16]
        mov     t, m1[snowv_registers + 32]
        perm    r1_reverse, r1, m0[snowv_reverse]
        perm    r2_reverse, r2, m0[snowv_reverse]
        perm    r3_reverse, t, m0[snowv_reverse]
        aesencm r3_next, r2, m0[snowv_zero]
        arset   ar2, snowv_top
        arset   ar3, snowv_top - 16
        repeat  ar5, .L_mixed
        addrot  z, r1_reverse, m1[ar3--], r2_reverse, 0
        xor     t, r3_reverse, m0[ar2--]
        aesencm r2, r1, m0[snowv_zero]
        add32   t, r2_reverse, t
        perm    r3_reverse, r3_next, m0[snowv_reverse]
        perm    z, z, m0[snowv_reverse]
        perm    r1_reverse, t, m0[snowv_sigma_reverse]
        aesenc2 r3_next, r1, m0:m1[snowv_zero], {m3[ar1++], z ^ m2[ar0++]}
        perm    r1, t, m0[snowv_sigma]
        perm    r2_reverse, r2, m0[snowv_reverse]
.L_mixed:
        perm    t, r3_reverse, m0[snowv_reverse]
        mov     m1[snowv_registers], r1
        mov     m1[snowv_registers + 16], r2
        mov     m1[snowv_registers + 32], t
        reductions
        mov     a0, m0[ar2]
        mov     a1, m0[ar3]
        mov     b0, m1[ar2]
        mov     b1, m1[ar3]
        mov     m0[snowv_top], a0
        mov     m0[snowv_top - 16], a1
        mov     m1[snowv_top], b0
        mov     m1[snowv_top - 16], b1
        jmp     .L_chunk
.L_done:
        halt
