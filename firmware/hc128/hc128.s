// HC-128 (Wu, The stream cipher HC-128, eSTREAM portfolio, 2008), three words at a time: no word depends on either of
// the two words before it.
//
// The core's words are big-endian and the cipher's little-endian, so words are byte-swapped on input and output.
//
// For 512 words one of the two tables, P, changes while the other one, Q, is constant, so Q is in the table banks: its
// first half in t0, its second half in t1. Then the two swap roles.

        .include "memory.inc"

        .section text

        .alias  last, v0                // the words 3 back
        .alias  g, v1
        .alias  t, v2
        .alias  own, v3
        .alias  copy0, v1
        .alias  copy1, v2
        .alias  copy2, v3
        .alias  bytes0, v4              // words indexed by the bytes in h
        .alias  bytes2, v5
        .alias  byte0, v6               // control vectors
        .alias  byte2, v7
        .alias  in, ar0
        .alias  out, ar1
        .alias  back511, ar2            // words 511 before those of a group, 10 before, the group, 12 before
        .alias  back10, ar3
        .alias  word_at, ar4
        .alias  back12, ar5
        .alias  groups, ar6             // groups after the first one

        .alias  entry, ar0
        .alias  table_row, ar1

// Copies table \from to the banks.
        .macro  load_tables mem, from
        mov     wk, m1[hc128_first]
        arset   entry, \from
        arstep  entry, 4
        arset   table_row, 0
        repeat  256, .L_low\@
        perm    t0[table_row++], \mem[entry+=s], wk
.L_low\@:
        arset   table_row, 0
        repeat  256, .L_high\@
        perm    t1[table_row++], \mem[entry+=s], wk
.L_high\@:
        .endm

// Prepares a table for its 512 words: the copies before it, and pointers to words relative to a group: back511 to those
// 511 before it, back10 10 before, `word_at` to itself, back12 12 before. `last`: those 3 before.
        .macro  begin_table mem, table
        mov     copy0, \mem[\table + 16 * 125]
        mov     copy1, \mem[\table + 16 * 126]
        mov     copy2, \mem[\table + 16 * 127]
        mov     ctr, m1[hc128_three]
        mov     byte0, m1[hc128_byte0]
        mov     byte2, m1[hc128_byte2]
        mov     \mem[\table - 48], copy0
        mov     \mem[\table - 32], copy1
        mov     \mem[\table - 16], copy2
        align   last, copy2, zero, 4
        arset   back511, \table + 4
        arset   back10, \table - 40
        arset   word_at, \table
        arset   back12, \table - 48
        arstep  back511, 12
        arstep  back10, 12
        arstep  word_at, 12
        arstep  back12, 12
        .endm

// Words of a group: those of the table, g (2.1) of their sources, bytes0 and bytes2 the words that h looks up.
        .macro  group mem, x, y, z
        rotx32  g, \mem[back511+=s], zero, \z
        rotx32  t, \mem[back10+=s], zero, \y
        mov     own, \mem[word_at]
        perm    bytes0, \mem[back12], byte0
        perm    bytes2, \mem[back12+=s], byte2
        rotx32  g, last, g, \x
        add32   g, g, t
        tbl1    bytes2, bytes2
        and     g, g, ctr                       // the fourth word stays as it is
        .endm

// 3 words of keystream (2.3), and of text.
        .macro  keystream mem, x, y, z
        group   \mem, \x, \y, \z
        add32   {last, \mem[word_at+=s]}, g, own
        tbl0    bytes0, bytes0
        add32   bytes0, bytes0, bytes2
        xor     bytes0, bytes0, last
        perm    bytes0, bytes0, wk
        xor     m3[out+=s], bytes0, m2[in+=s]
        .endm

// 3 steps of the initialisation (2.2): the later keystream goes into the table.
        .macro  initialise mem, x, y, z
        group   \mem, \x, \y, \z
        tbl0    bytes0, bytes0
        add32   last, g, own
        add32   bytes0, bytes0, bytes2
        and     bytes0, bytes0, ctr
        xor     {last, \mem[word_at+=s]}, bytes0, last
        .endm

// 512 words, or as many groups as `groups` has after the first one.
        .macro  run_table way, count, mem, table, x, y, z
        \way    \mem, \x, \y, \z
        mov     \mem[\table + 16 * 128], last
        repeat  \count, .L_groups\@
        \way    \mem, \x, \y, \z
.L_groups\@:
        .endm

        .alias  w, v0                   // W[i-2], W[i-1]
        .alias  f1_sum, v3
        .alias  f1_turned, v2
        .alias  f2, v4
        .alias  two, v6
        .alias  number, v7              // i, i + 1
        .alias  back16, ar0
        .alias  back15, ar1
        .alias  back7, ar2
        .alias  w_at, ar3

// 2n words of W (2.2), two at a time: w = W[i-2], W[i-1]; `two` = 2; `number` = i, i + 1. A read waits for an
// earlier store, so what needs no read comes first.
        .macro  expand mem, n
        arstep  back16, 8
        arstep  back15, 8
        arstep  back7, 8
        arstep  w_at, 8
        repeat  \n, .L_expand\@
        rotx32  f2, w, zero, 15                 // f2 of W[i-2]
        rotx32  f2, w, f2, 13
        shrx32  f2, w, f2, 10
        add32   f2, f2, number
        add32   number, number, two
        rotx32  f1_turned, \mem[back15], zero, 25 // f1 of W[i-15]
        rotx32  f1_sum, \mem[back15], f1_turned, 14
        shrx32  f1_sum, \mem[back15+=s], f1_sum, 3
        add32   f1_sum, f1_sum, \mem[back7+=s]  // W[i-7]
        add32   f1_sum, f1_sum, \mem[back16+=s] // W[i-16]
        add32   {w, \mem[w_at+=s]}, f1_sum, f2
.L_expand\@:
        .endm
        .macro  expand_from at
        arset   back16, \at
        arset   back15, \at + 4
        arset   back7, \at + 4 * 9
        arset   w_at, \at + 4 * 16
        .endm

// hc128_start: begins a message: W, P and Q, and 1024 steps (2.2).
//
// Inputs:   hc128_key, hc128_iv
// Outputs:  hc128_p, hc128_q, hc128_turn; t0, t1
// Clobbers: v0-v7, ctr, wk, ar0-ar5
// Memory:   m0, m1
// Time:     constant
// Cycles:   14919

        .alias  key, v0
        .alias  iv, v1
        .alias  copy3, v4

        .global hc128_start
hc128_start:
        mov     wk, m1[hc128_words]
        mov     key, m1[hc128_key]
        mov     iv, m1[hc128_iv]
        mov     number, m1[hc128_numbers]
        mov     two, m1[hc128_two]
        perm    key, key, wk
        perm    iv, iv, wk
        mov     m0[hc128_p - 1024], key
        mov     m0[hc128_p - 1008], key
        mov     m0[hc128_p - 992], iv
        mov     m0[hc128_p - 976], iv
        rotx    w, iv, zero, 64                 // W[14], W[15]
        expand_from hc128_p - 1024
        expand  m0, 376
        mov     copy0, m0[hc128_p + 16 * 124]
        mov     copy1, m0[hc128_p + 16 * 125]
        mov     copy2, m0[hc128_p + 16 * 126]
        mov     copy3, m0[hc128_p + 16 * 127]
        mov     m1[hc128_q - 64], copy0
        mov     m1[hc128_q - 48], copy1
        mov     m1[hc128_q - 32], copy2
        mov     m1[hc128_q - 16], copy3
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
        arset   in, 0
        arset   out, 0
        arstep  in, 12
        arstep  out, 12
        run_table keystream, groups, \mem, \table, \x, \y, \z
        .endm

        .alias  turn, v0
        .alias  length, v1
        .alias  sum, v2
        .alias  part, v3
        .alias  on_q, ar5               // whether it is the turn of Q

        .global hc128
hc128:
        mov     turn, m1[hc128_turn]
        mov     length, m1[hc128_length]
        xor     sum, turn, m1[hc128_one]
        mov     m1[hc128_turn], sum
        vtoar   on_q, turn, 7
        vtoar   groups, length, 7
        bz      groups, .L_part
        arset   groups, 170
        jmp     .L_begin
.L_part:
        // Words, rounded up, times 171 / 512: a third.
        rotx    length, length, zero, 112
        vtoar   groups, length, 7
        bz      groups, .L_none
        aradd   groups, groups, 3
        arshr   groups, groups, 2
        artov   length, groups
        shlx32  sum, length, zero, 1
        add32   sum, sum, length
        shlx32  part, length, zero, 3
        add32   sum, sum, part
        shlx32  part, length, zero, 5
        add32   sum, sum, part
        shlx32  part, length, zero, 7
        add32   sum, sum, part
        shrx32  sum, sum, zero, 9
        vtoar   groups, sum, 7
.L_begin:
        bnz     on_q, .L_q
        job     m0, hc128_p, m1, hc128_q, 22, 24, 9
.L_none:
        halt
.L_q:
        job     m1, hc128_q, m0, hc128_p, 10, 8, 23
        halt
