// HC-128 (Wu, The stream cipher HC-128, eSTREAM portfolio, 2008), three words at a time: no word needs one of the two
// before it.
//
// The core's words are big-endian and the cipher's little-endian, so words are turned around where they come and go.
//
// 512 words come from one of the two tables, P, while it changes, and from the other one, Q, while that does not: so Q
// is in the table banks, its first half in t0, its second one in t1. Then they change places.

        .include "memory.inc"

        .section text

// Table \from to the banks.
        .macro  load_tables mem, from
        mov     wk, m1[hc128_first]
        arset   ar0, \from
        arstep  ar0, 4
        arset   ar1, 0
        repeat  256, .L_low\@
        perm    t0[ar1++], \mem[ar0+=s], wk
.L_low\@:
        arset   ar1, 0
        repeat  256, .L_high\@
        perm    t1[ar1++], \mem[ar0+=s], wk
.L_high\@:
        .endm

// What a table begins its 512 words with: the copies before it, pointers to the words of a group: ar2 to those 511
// before it, ar3 to those 10 before, ar4 to itself, ar5 to those 12 before. v0: those 3 before.
        .macro  begin_table mem, table
        mov     v1, \mem[\table + 16 * 125]
        mov     v2, \mem[\table + 16 * 126]
        mov     v3, \mem[\table + 16 * 127]
        mov     ctr, m1[hc128_three]
        mov     v6, m1[hc128_byte0]
        mov     v7, m1[hc128_byte2]
        mov     \mem[\table - 48], v1
        mov     \mem[\table - 32], v2
        mov     \mem[\table - 16], v3
        align   v0, v3, zero, 4
        arset   ar2, \table + 4
        arset   ar3, \table - 40
        arset   ar4, \table
        arset   ar5, \table - 48
        arstep  ar2, 12
        arstep  ar3, 12
        arstep  ar4, 12
        arstep  ar5, 12
        .endm

// Words of a group: the table's, v1 = g (2.1) of those that it comes from, v4 and v5 what bytes of h index.
        .macro  group mem, x, y, z
        rotx32  v1, \mem[ar2+=s], zero, \z
        rotx32  v2, \mem[ar3+=s], zero, \y
        mov     v3, \mem[ar4]
        perm    v4, \mem[ar5], v6
        perm    v5, \mem[ar5+=s], v7
        rotx32  v1, v0, v1, \x
        add32   v1, v1, v2
        tbl1    v5, v5
        and     v1, v1, ctr                     // the fourth word stays as it is
        .endm

// 3 words of keystream (2.3), and of text.
        .macro  keystream mem, x, y, z
        group   \mem, \x, \y, \z
        add32   {v0, \mem[ar4+=s]}, v1, v3
        tbl0    v4, v4
        add32   v4, v4, v5
        xor     v4, v4, v0
        perm    v4, v4, wk
        xor     m3[ar1+=s], v4, m2[ar0+=s]
        .endm

// 3 steps of the initialisation (2.2): what is keystream later goes into the table.
        .macro  initialise mem, x, y, z
        group   \mem, \x, \y, \z
        tbl0    v4, v4
        add32   v0, v1, v3
        add32   v4, v4, v5
        and     v4, v4, ctr
        xor     {v0, \mem[ar4+=s]}, v4, v0
        .endm

// 512 words, or as many groups as ar6 has after the first one.
        .macro  run_table way, count, mem, table, x, y, z
        \way    \mem, \x, \y, \z
        mov     \mem[\table + 16 * 128], v0
        repeat  \count, .L_groups\@
        \way    \mem, \x, \y, \z
.L_groups\@:
        .endm

// 2n words of W (2.2), two at a time: v0 = W[i-2], W[i-1]; v6 = 2; v7 = i, i + 1. A read waits for a store before it,
// so what needs none comes first.
        .macro  expand mem, n
        arstep  ar0, 8
        arstep  ar1, 8
        arstep  ar2, 8
        arstep  ar3, 8
        repeat  \n, .L_expand\@
        rotx32  v4, v0, zero, 15                // f2 of W[i-2]
        rotx32  v4, v0, v4, 13
        shrx32  v4, v0, v4, 10
        add32   v4, v4, v7
        add32   v7, v7, v6
        rotx32  v2, \mem[ar1], zero, 25         // f1 of W[i-15]
        rotx32  v3, \mem[ar1], v2, 14
        shrx32  v3, \mem[ar1+=s], v3, 3
        add32   v3, v3, \mem[ar2+=s]            // W[i-7]
        add32   v3, v3, \mem[ar0+=s]            // W[i-16]
        add32   {v0, \mem[ar3+=s]}, v3, v4
.L_expand\@:
        .endm
        .macro  expand_from at
        arset   ar0, \at
        arset   ar1, \at + 4
        arset   ar2, \at + 4 * 9
        arset   ar3, \at + 4 * 16
        .endm

// hc128_start: a new message: W, P and Q of it, and 1024 steps (2.2).
//
// Inputs:   hc128_key, hc128_iv
// Outputs:  hc128_p, hc128_q, hc128_turn; t0, t1
// Clobbers: v0-v7, ctr, wk, ar0-ar5
// Memory:   m0, m1
// Time:     constant
// Cycles:   14919
        .global hc128_start
hc128_start:
        mov     wk, m1[hc128_words]
        mov     v0, m1[hc128_key]
        mov     v1, m1[hc128_iv]
        mov     v7, m1[hc128_numbers]
        mov     v6, m1[hc128_two]
        perm    v0, v0, wk
        perm    v1, v1, wk
        mov     m0[hc128_p - 1024], v0
        mov     m0[hc128_p - 1008], v0
        mov     m0[hc128_p - 992], v1
        mov     m0[hc128_p - 976], v1
        rotx    v0, v1, zero, 64                // W[14], W[15]
        expand_from hc128_p - 1024
        expand  m0, 376
        mov     v1, m0[hc128_p + 16 * 124]
        mov     v2, m0[hc128_p + 16 * 125]
        mov     v3, m0[hc128_p + 16 * 126]
        mov     v4, m0[hc128_p + 16 * 127]
        mov     m1[hc128_q - 64], v1
        mov     m1[hc128_q - 48], v2
        mov     m1[hc128_q - 32], v3
        mov     m1[hc128_q - 16], v4
        expand_from hc128_q - 64
        expand  m1, 256
        load_tables m1, hc128_q
        begin_table m0, hc128_p
        run_table initialise, 170, m0, hc128_p, 22, 24, 9
        load_tables m0, hc128_p
        begin_table m1, hc128_q
        run_table initialise, 170, m1, hc128_q, 10, 8, 23
        mov     m1[hc128_turn], zero
        halt

// hc128: C = P ^ keystream, one unit of 512 words, or the bytes of a last one.
//
// Inputs:   hc128_p, hc128_q, hc128_turn, hc128_length; P in m2 from row 0
// Outputs:  C in m3 from row 0; hc128_p, hc128_q, hc128_turn; t0, t1
// Clobbers: v0-v7, ctr, wk, ar0-ar6
// Memory:   m0
// Time:     constant; depends on n, on whose turn it is and on the bytes of a last unit
// Cycles:   3136, from 1
        .macro  job mem, table, other, from, x, y, z
        load_tables \other, \from
        begin_table \mem, \table
        mov     wk, m1[hc128_words]
        arset   ar0, 0
        arset   ar1, 0
        arstep  ar0, 12
        arstep  ar1, 12
        run_table keystream, ar6, \mem, \table, \x, \y, \z
        .endm
        .global hc128
hc128:
        mov     v0, m1[hc128_turn]
        mov     v1, m1[hc128_length]
        xor     v2, v0, m1[hc128_one]
        mov     m1[hc128_turn], v2
        vtoar   ar5, v0, 7
        vtoar   ar6, v1, 7
        bz      ar6, .L_part
        arset   ar6, 170
        jmp     .L_begin
.L_part:
        // Words, rounded up, times 171 / 512: a third.
        rotx    v1, v1, zero, 112
        vtoar   ar6, v1, 7
        bz      ar6, .L_none
        aradd   ar6, ar6, 3
        arshr   ar6, ar6, 2
        artov   v1, ar6
        shlx32  v2, v1, zero, 1
        add32   v2, v2, v1
        shlx32  v3, v1, zero, 3
        add32   v2, v2, v3
        shlx32  v3, v1, zero, 5
        add32   v2, v2, v3
        shlx32  v3, v1, zero, 7
        add32   v2, v2, v3
        shrx32  v2, v2, zero, 9
        vtoar   ar6, v2, 7
.L_begin:
        bnz     ar5, .L_q
        job     m0, hc128_p, m1, hc128_q, 22, 24, 9
.L_none:
        halt
.L_q:
        job     m1, hc128_q, m0, hc128_p, 10, 8, 23
        halt
