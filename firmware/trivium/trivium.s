// Trivium (De Canniere and Preneel, Trivium specifications, eSTREAM, 2005), 64 steps at a time: no new bit is needed
// within 66 steps.
//
// A shift register is one vector register, the newest bit first, with the bits shifted out after the others:
// bit i of the register, counted from 1, is bit 128 - i of the number. In 64 steps a tap at i gives 64 bits, the first
// step last: those at the end of the number shifted right by 128 - i, called the place of the tap here.

        .include "memory.inc"

        .section text

        .alias  in, ar0
        .alias  out, ar1
        .alias  part, ar5               // bytes of a last row
        .alias  rows, ar6

        .alias  a, v0                           // s1 to s93: newest t3
        .alias  b, v1                           // s94 to s177: newest t1
        .alias  c, v2                           // s178 to s288: newest t2
        .alias  linear1, v3
        .alias  linear2, v4
        .alias  linear3, v5
        .alias  t1, v6
        .alias  t2, v7
        .alias  t3, v4                          // once linear2 is no longer needed

        .function tap(i) = 128 - i

// 64 steps (2.1); the last half of linear1 = keystream, if it is wanted, the first bit last.
        .macro  steps keystream
        shrx    linear1, a, a, 93 - 66          // s66 ^ s93, s162 ^ s177, s243 ^ s288, in the places of the latter
        shrx    linear2, b, b, 84 - 69
        shrx    linear3, c, c, 111 - 66
        shrx    t1, a, zero, 1                  // s91, s175, s286 in the places of s92, s176, s287
        shrx    t2, b, zero, 1
        shrx    linear1, linear1, zero, tap(93)
        shrx    linear2, linear2, zero, tap(84)
        shrx    linear3, linear3, zero, tap(111)
        and     t1, a, t1
        and     t2, b, t2
        shrx    t1, t1, linear1, tap(92)
        shrx    t2, t2, linear2, tap(83)
        .if     \keystream
        xor3    linear1, linear1, linear2, linear3
        .endif
        shrx    t3, c, zero, 1
        shrx    t1, b, t1, tap(78)              // s171
        shrx    t2, c, t2, tap(87)              // s264
        and     t3, c, t3
        shrx    t3, t3, linear3, tap(110)
        shrx    t3, a, t3, tap(69)              // s69
        align   b, t1, b, 8
        align   c, t2, c, 8
        align   a, t3, a, 8
        .endm

// trivium_start, trivium_iv64_start: key and IV, of 80 or 64 bits, into the state; 4 * 288 steps (2.2). As eSTREAM has
// them, the first bit of either is the first of its last byte.
//
// Inputs:   trivium_key, trivium_iv
// Outputs:  trivium_state
// Clobbers: v0-v7
// Time:     constant
// Cycles:   397, 395 (iv64)
        .global trivium_start, trivium_iv64_start
trivium_start:
        mov     b, m1[trivium_iv]
        perm    b, b, m0[trivium_reverse80]
        jmp     .L_start
trivium_iv64_start:
        mov     b, m1[trivium_iv]
        perm    b, b, m0[trivium_reverse64]
.L_start:
        mov     a, m1[trivium_key]
        mov     c, m0[trivium_ones]
        perm    a, a, m0[trivium_reverse80]
        repeat  4 * 288 / 64, .L_mixed
        steps   0
.L_mixed:
        mov     m1[trivium_state], a
        mov     m1[trivium_state + 16], b
        mov     m1[trivium_state + 32], c
        halt

// trivium: C = P ^ keystream, n rows; the last one may be incomplete.
//
// Inputs:   trivium_state, trivium_length; P in m2 from row 0
// Outputs:  C in m3 from row 0, whole rows; trivium_state
// Clobbers: v0-v7, wk, ar0, ar1, ar5, ar6
// Time:     constant; depends on n, and on whether the last row is incomplete
// Cycles:   47n + 21
        .global trivium
trivium:
        vtoar   rows, m1[trivium_length], 7
        vtoar   part, m1[trivium_length], 6
        mov     a, m1[trivium_state]
        mov     b, m1[trivium_state + 16]
        mov     c, m1[trivium_state + 32]
        arset   in, 0
        arset   out, 0
        bz      part, .L_whole
        aradd   rows, rows, 1
.L_whole:
        repeat  rows, .L_done
        steps   1
        perm    wk, linear1, m0[trivium_first]
        steps   1
        perm    linear1, linear1, m0[trivium_second]
        xor3    m3[out++], wk, m2[in++], linear1
.L_done:
        mov     m1[trivium_state], a
        mov     m1[trivium_state + 16], b
        mov     m1[trivium_state + 32], c
        halt
