// A5/1 (the cipher of GSM, as M. Briceno, I. Goldberg and D. Wagner published it in 1999): 128 streams of one key,
// whose bits are those of a row.
//
// Calling convention: firmware/README.md.

        .include "memory.inc"
        .include "../common/transpose.inc"

r1      = 0
r2      = 16 * 19
r3      = 16 * 41

        .section text

        transpose_to m0, a51_rows

// \to = the feedback of the three registers, \back clocks after this one; v0.
        .macro  a51_feedback1 to, s, at, back
        mov     v0, \s[\at + r1 + 16 * (13 - \back)]
        xor     v0, v0, \s[\at + r1 + 16 * (16 - \back)]
        xor     v0, v0, \s[\at + r1 + 16 * (17 - \back)]
        xor     \to, v0, \s[\at + r1 + 16 * (18 - \back)]
        .endm
        .macro  a51_feedback2 to, s, at, back
        mov     v0, \s[\at + r2 + 16 * (20 - \back)]
        xor     \to, v0, \s[\at + r2 + 16 * (21 - \back)]
        .endm
        .macro  a51_feedback3 to, s, at, back
        mov     v0, \s[\at + r3 + 16 * (7 - \back)]
        xor     v0, v0, \s[\at + r3 + 16 * (20 - \back)]
        xor     v0, v0, \s[\at + r3 + 16 * (21 - \back)]
        xor     \to, v0, \s[\at + r3 + 16 * (22 - \back)]
        .endm

// ---------------------------------------------------------------------------------------- loading

// A clock of all registers, with the input bit of a row of m0 added.
        .macro  a51_load s, at, d, to
        a51_feedback1 v1, \s, \at, 0
        a51_feedback2 v2, \s, \at, 0
        a51_feedback3 v3, \s, \at, 0
        mov     v4, m0[ar5--]
        arset   ar0, \at
        arset   ar2, \to + 16
        repeat  63, .L_shift\@
        mov     \d[ar2++], \s[ar0++]
.L_shift\@:
        xor     \d[\to + r1], v1, v4
        xor     \d[\to + r2], v2, v4
        xor     \d[\to + r3], v3, v4
        .endm

// Two of them.
a51_load_two:
        a51_load m0, a51_state, m1, a51_next
        a51_load m1, a51_next, m0, a51_state
        ret

// ---------------------------------------------------------------------------------------- clocks

// A row of a register after two clocks: stays, \one and \two say where it has been clocked not at all, once, or less
// than twice.
        .macro  a51_bits r, last, s, at, d, to
        .rept   \last - 1
        and     v0, \s[\at + \r + 16 * (\last - \+)], v1
        andx    v0, \s[\at + \r + 16 * (\last - \+ - 1)], v2, v0
        andnx   \d[\to + \r + 16 * (\last - \+)], \s[\at + \r + 16 * (\last - \+ - 2)], v3, v0
        .endr
        and     v0, \s[\at + \r + 16], v1
        andx    v0, \s[\at + \r], v2, v0
        andnx   \d[\to + \r + 16], wk, v3, v0
        and     v0, \s[\at + \r], v1
        andx    v0, wk, v2, v0
        andnx   \d[\to + \r], ctr, v3, v0
        .endm

// Two clocks (majority), from \s at \at to \d at \to; their keystream to m3[ar1++]. A register stops in a clock where
// its bit differs from both others: x and y are the differences from that of R1.
        .macro  a51_two s, at, d, to
        mov     v0, \s[\at + r1 + 16 * 8]
        xor     v1, v0, \s[\at + r2 + 16 * 10]  // x
        xor     v2, v0, \s[\at + r3 + 16 * 10]  // y
        a51_feedback1 wk, \s, \at, 0
        and     v3, v1, v2                      // where R1, R2, R3 stop
        andn    v4, v1, v2
        andn    v5, v2, v1
        a51_feedback1 ctr, \s, \at, 1
        and     v0, \s[\at + r1 + 16 * 18], v3
        andnx   v0, \s[\at + r1 + 16 * 17], v3, v0
        andx    v0, \s[\at + r2 + 16 * 21], v4, v0
        andnx   v0, \s[\at + r2 + 16 * 20], v4, v0
        andx    v0, \s[\at + r3 + 16 * 22], v5, v0
        andnx   m3[ar1++], \s[\at + r3 + 16 * 21], v5, v0
        and     v0, \s[\at + r1 + 16 * 8], v3   // the second clock
        and     v1, \s[\at + r2 + 16 * 10], v4
        and     v2, \s[\at + r3 + 16 * 10], v5
        andnx   v0, \s[\at + r1 + 16 * 7], v3, v0
        andnx   v1, \s[\at + r2 + 16 * 9], v4, v1
        andnx   v2, \s[\at + r3 + 16 * 9], v5, v2
        xor     v1, v1, v0
        xor     v2, v2, v0
        andn    v6, v1, v2
        andn    v7, v2, v1
        and     v0, v1, v2
        and     v1, v3, v0
        xor     v2, v3, v0
        or      v3, v3, v0
        a51_bits r1, 18, \s, \at, \d, \to
        a51_feedback2 wk, \s, \at, 0
        a51_feedback2 ctr, \s, \at, 1
        and     v1, v4, v6
        xor     v2, v4, v6
        or      v3, v4, v6
        a51_bits r2, 21, \s, \at, \d, \to
        a51_feedback3 wk, \s, \at, 0
        a51_feedback3 ctr, \s, \at, 1
        and     v1, v5, v7
        xor     v2, v5, v7
        or      v3, v5, v7
        a51_bits r3, 22, \s, \at, \d, \to
        mov     v0, \d[\to + r1 + 16 * 18]
        xor     v0, v0, \d[\to + r2 + 16 * 21]
        xor     m3[ar1++], v0, \d[\to + r3 + 16 * 22]
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
        .global a51_start
a51_start:
        mov     v0, m1[a51_key]
        mov     v1, m0[a51_frame]
        rotx    v0, v0, zero, 96                // each row: frame, key
        arset   ar0, a51_iv
        arstep  ar0, 4
        arset   ar1, 0
        repeat  128, .L_rows
        mov     v2, m1[ar0+=s]
        andx    m3[ar1++], v2, v1, v0
.L_rows:
        arset   ar7, 0
        call    transpose
        arset   ar0, a51_state
        repeat  64, .L_clear
        mov     m0[ar0++], zero
.L_clear:
        arset   ar5, a51_rows + 16 * (32 + 7)   // each byte's least significant bit first
        repeat  8, .L_key
        repeat  4, .L_byte
        call    a51_load_two
        nop
.L_byte:
        aradd   ar5, ar5, 16 * 16
.L_key:
        arset   ar5, a51_rows + 16 * 31
        repeat  11, .L_frame
        call    a51_load_two
        nop
.L_frame:
        arset   ar1, 0
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
        vtoar   ar6, m1[a51_length], 4
        arset   ar7, 0
        repeat  ar6, .L_blocks
        aradd   ar1, ar7, 0
        repeat  32, .L_clocks
        call    a51_four
        nop
.L_clocks:
        call    transpose
        aradd   ar0, ar7, 0
        aradd   ar1, ar7, 0
        arset   ar2, a51_rows
        repeat  128, .L_text
        mov     v0, m2[ar0++]
        xor     m3[ar1++], v0, m0[ar2++]
.L_text:
        aradd   ar7, ar7, 16 * 128
.L_blocks:
        halt
