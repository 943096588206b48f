// A5/1, the GSM cipher (Briceno, Goldberg and Wagner, 1999), bit-sliced: bit i of a row belongs to stream i of 128
// streams under one key.
//
// Calling convention: firmware/README.md.

        .include "memory.inc"
        .include "../common/transpose.inc"

r1      = 0
r2      = 16 * 19
r3      = 16 * 41

        .section text

        .alias  t, v0
        .alias  in, ar0
        .alias  out, ar1
        .alias  blocks, ar6             // of each stream

        transpose_to m0, a51_rows

// \to = the feedback of the three registers, \back clocks after this one.
        .macro  a51_feedback1 to, s, at, back
        mov     t, \s[\at + r1 + 16 * (13 - \back)]
        xor     t, t, \s[\at + r1 + 16 * (16 - \back)]
        xor     t, t, \s[\at + r1 + 16 * (17 - \back)]
        xor     \to, t, \s[\at + r1 + 16 * (18 - \back)]
        .endm
        .macro  a51_feedback2 to, s, at, back
        mov     t, \s[\at + r2 + 16 * (20 - \back)]
        xor     \to, t, \s[\at + r2 + 16 * (21 - \back)]
        .endm
        .macro  a51_feedback3 to, s, at, back
        mov     t, \s[\at + r3 + 16 * (7 - \back)]
        xor     t, t, \s[\at + r3 + 16 * (20 - \back)]
        xor     t, t, \s[\at + r3 + 16 * (21 - \back)]
        xor     \to, t, \s[\at + r3 + 16 * (22 - \back)]
        .endm

// ---------------------------------------------------------------------------------------- loading

        .alias  new1, v1                // feedback of the registers
        .alias  new2, v2
        .alias  new3, v3
        .alias  input, v4
        .alias  from, ar0
        .alias  to, ar2
        .alias  input_row, ar5

// A clock of all registers, with the input bit of a row of m0 added.
        .macro  a51_load s, at, d, to
        a51_feedback1 new1, \s, \at, 0
        a51_feedback2 new2, \s, \at, 0
        a51_feedback3 new3, \s, \at, 0
        mov     input, m0[input_row--]
        arset   from, \at
        arset   to, \to + 16
        repeat  63, .L_shift\@
        mov     \d[to++], \s[from++]
.L_shift\@:
        xor     \d[\to + r1], new1, input
        xor     \d[\to + r2], new2, input
        xor     \d[\to + r3], new3, input
        .endm

// Two of them.
a51_load_two:
        a51_load m0, a51_state, m1, a51_next
        a51_load m1, a51_next, m0, a51_state
        ret

// ---------------------------------------------------------------------------------------- clocks

        .alias  stays, v1               // where a register has been clocked not at all, once, or less than twice
        .alias  once, v2
        .alias  less, v3

// The rows of a register after two clocks: \stop and \again say where it stops in the first and in the second one, wk
// and ctr have the feedback of both.
        .macro  a51_move r, last, stop, again, s, at, d, to
        and     stays, \stop, \again
        xor     once, \stop, \again
        or      less, \stop, \again
        .rept   \last - 1
        and     t, \s[\at + \r + 16 * (\last - \+)], stays
        andx    t, \s[\at + \r + 16 * (\last - \+ - 1)], once, t
        andnx   \d[\to + \r + 16 * (\last - \+)], \s[\at + \r + 16 * (\last - \+ - 2)], less, t
        .endr
        and     t, \s[\at + \r + 16], stays
        andx    t, \s[\at + \r], once, t
        andnx   \d[\to + \r + 16], wk, less, t
        and     t, \s[\at + \r], stays
        andx    t, wk, once, t
        andnx   \d[\to + \r], ctr, less, t
        .endm

        .alias  differ2, v1             // x, y
        .alias  differ3, v2
        .alias  stop1, v3               // where a register stops, in the first clock
        .alias  stop2, v4
        .alias  stop3, v5
        .alias  again2, v6              // in the second clock
        .alias  again3, v7

// Two clocks (majority), from \s at \at to \d at \to; their keystream to m3[`out`++]. A register stops in a clock where
// its bit differs from both others: x and y are the differences from that of R1.
        .macro  a51_two s, at, d, to
        mov     t, \s[\at + r1 + 16 * 8]
        xor     differ2, t, \s[\at + r2 + 16 * 10] // x
        xor     differ3, t, \s[\at + r3 + 16 * 10] // y
        a51_feedback1 wk, \s, \at, 0
        and     stop1, differ2, differ3         // where R1, R2, R3 stop
        andn    stop2, differ2, differ3
        andn    stop3, differ3, differ2
        a51_feedback1 ctr, \s, \at, 1
        and     t, \s[\at + r1 + 16 * 18], stop1
        andnx   t, \s[\at + r1 + 16 * 17], stop1, t
        andx    t, \s[\at + r2 + 16 * 21], stop2, t
        andnx   t, \s[\at + r2 + 16 * 20], stop2, t
        andx    t, \s[\at + r3 + 16 * 22], stop3, t
        andnx   m3[out++], \s[\at + r3 + 16 * 21], stop3, t
        and     t, \s[\at + r1 + 16 * 8], stop1 // the second clock
        and     differ2, \s[\at + r2 + 16 * 10], stop2
        and     differ3, \s[\at + r3 + 16 * 10], stop3
        andnx   t, \s[\at + r1 + 16 * 7], stop1, t
        andnx   differ2, \s[\at + r2 + 16 * 9], stop2, differ2
        andnx   differ3, \s[\at + r3 + 16 * 9], stop3, differ3
        xor     differ2, differ2, t
        xor     differ3, differ3, t
        andn    again2, differ2, differ3
        andn    again3, differ3, differ2
        and     t, differ2, differ3
        a51_move r1, 18, stop1, t, \s, \at, \d, \to
        a51_feedback2 wk, \s, \at, 0
        a51_feedback2 ctr, \s, \at, 1
        a51_move r2, 21, stop2, again2, \s, \at, \d, \to
        a51_feedback3 wk, \s, \at, 0
        a51_feedback3 ctr, \s, \at, 1
        a51_move r3, 22, stop3, again3, \s, \at, \d, \to
        mov     t, \d[\to + r1 + 16 * 18]
        xor     t, t, \d[\to + r2 + 16 * 21]
        xor     m3[out++], t, \d[\to + r3 + 16 * 22]
        .endm

a51_four:
        a51_two m0, a51_state, m1, a51_next
        a51_two m1, a51_next, m0, a51_state
        ret

// ---------------------------------------------------------------------------------------- routines

// a51_start: loads the key and 128 numbers of frames, 100 clocks.
//
// Inputs:   a51_key, a51_iv
// Outputs:  a51_state
// Clobbers: v0-v7, ctr, wk, ar0-ar5, ar7
// Memory:   m3, a51_next, a51_rows
// Time:     constant
// Cycles:   23590

        .alias  key, v0
        .alias  frame_bits, v1
        .alias  frame, v2
        .alias  row, ar0

        .global a51_start
a51_start:
        mov     key, m1[a51_key]
        mov     frame_bits, m0[a51_frame]
        rotx    key, key, zero, 96              // each row: frame, key
        arset   row, a51_iv
        arstep  row, 4
        arset   out, 0
        repeat  128, .L_rows
        mov     frame, m1[row+=s]
        andx    m3[out++], frame, frame_bits, key
.L_rows:
        arset   source, 0
        call    transpose
        arset   row, a51_state
        repeat  64, .L_clear
        mov     m0[row++], zero
.L_clear:
        arset   input_row, a51_rows + 16 * (32 + 7) // each byte's least significant bit first
        repeat  8, .L_key
        repeat  4, .L_byte
        call    a51_load_two
        nop
.L_byte:
        aradd   input_row, input_row, 16 * 16
.L_key:
        arset   input_row, a51_rows + 16 * 31
        repeat  11, .L_frame
        call    a51_load_two
        nop
.L_frame:
        arset   out, 0
        repeat  25, .L_mixed
        call    a51_four
        nop
.L_mixed:
        halt

// a51: C = P ^ keystream, n blocks of 128 streams, those of the same place one after the other.
//
// Inputs:   a51_state, a51_length; P in m2 from row 0
// Outputs:  C in m3 from row 0; a51_state
// Clobbers: v0-v7, ctr, wk, ar0-ar4, ar6, ar7
// Memory:   a51_next, a51_rows
// Time:     constant; depends on n
// Cycles:   19558n/128 + 12, n a multiple of 128

        .global a51
a51:
        vtoar   blocks, m1[a51_length], 4
        arset   source, 0
        repeat  blocks, .L_blocks
        aradd   out, source, 0
        repeat  32, .L_clocks
        call    a51_four
        nop
.L_clocks:
        call    transpose
        aradd   in, source, 0
        aradd   out, source, 0
        xor_text m0, a51_rows
        aradd   source, source, 16 * 128
.L_blocks:
        halt
