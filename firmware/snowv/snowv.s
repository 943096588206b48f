// SNOW-V (Ekdahl, Johansson, Maximov, Yang: A new SNOW stream cipher called SNOW-V, IACR ToSC 2019(3)).
//
// Calling convention: firmware/README.md. Layout: memory.inc.

        .include "memory.inc"

        .section text

        .alias  in, ar0                 // next row of the input
        .alias  out, ar1                // next row of the output
        .alias  rows, ar6               // rows after the pairs
        .alias  pairs, ar7              // pairs of rows in a chunk

        .alias  a0, v0                          // words 0 to 7 of A, or 8 to 15 after an odd number of steps
        .alias  a1, v1                          // words 8 to 15
        .alias  b0, v2
        .alias  b1, v3
        .alias  c, v4                           // R1 before sigma; bytes in reverse, as everywhere unless noted
        .alias  d, v7                           // R3; after an odd number of steps c and d are swapped
        .alias  r1, v5                          // bytes in order; then the operand of the multiplication in B
        .alias  r2, v6
        .alias  r3_next, ctr                    // R3 of the next row, bytes in order
        .alias  z_late, wk                      // during initialisation

// Where the LFSRs' words are read and written.
        .alias  tap_a, ar2                      // words 1 to 8 of A
        .alias  tap_b, ar3                      // words 3 to 10 of B
        .alias  new_a, ar4                      // the rows after them
        .alias  new_b, ar5

        .macro  addresses
        arset   tap_a, snowv_top_a - 2
        arset   tap_b, snowv_top_b - 6
        arset   new_a, snowv_top_a - 32
        arset   new_b, snowv_top_b - 32
        .endm

// One row, and eight clocks of the LFSRs: 14 instructions in either mode, none of which waits. R3 is two rounds of the
// R1 of two rows earlier: one instruction, which also takes the text.
        .macro  step a_low, a_high, b_low, b_high, t, r3, keystream
        perm    r1, \t, m0[snowv_sigma]
        perm    \t, \t, m0[snowv_sigma_reverse]
        xor     \r3, \r3, \a_low
        .if     \keystream
        add32   \r3, r2, \r3
        addrot  r2, \t, \b_high, r2, 0
        perm    \t, r3_next, m0[snowv_reverse]
        perm    r2, r2, m0[snowv_reverse]
        aesenc2 r3_next, r1, m0:m1[snowv_zero], {m3[out++], r2 ^ m2[in++]}
        .else
        addrot  z_late, \t, \b_high, r2, 0
        add32   \r3, r2, \r3
        perm    \t, r3_next, m0[snowv_reverse]
        aesenc2 r3_next, r1, m0:m1[snowv_zero]
        .endif
        aesencm r2, r1, m0[snowv_zero]
        mulxx16 r1, \b_low, m0[snowv_beta], \a_low, m1[tap_b--]
        mulxx16 \a_low, \a_low, m0[snowv_alpha], \b_low, m1[tap_a--]
        .if     \keystream
        perm    r2, r2, m0[snowv_reverse]
        divxx16 {\a_low, m1[new_a--]}, \a_high, m0[snowv_alpha_inverse], \a_low
        divxx16 {\b_low, m1[new_b--]}, \b_high, m0[snowv_beta_inverse], r1
        .else
        divxx16 \a_low, \a_high, m0[snowv_alpha_inverse], \a_low
        divxx16 {\b_low, m1[new_b--]}, \b_high, m0[snowv_beta_inverse], r1
        perm    r2, r2, m0[snowv_reverse]
        xor     {\a_low, m1[new_a--]}, \a_low, z_late
        .endif
        .endm
        .macro  even keystream
        step    a0, a1, b0, b1, c, d, \keystream
        .endm
        .macro  odd keystream
        step    a1, a0, b1, b0, d, c, \keystream
        .endm

        .macro  save a_low, a_high, b_low, b_high, t, r3
        mov     m1[snowv_registers], \t
        mov     m1[snowv_registers + 16], r2
        mov     m1[snowv_registers + 32], \r3
        mov     m1[snowv_registers + 48], r3_next
        words_to_top \a_low, \a_high, \b_low, \b_high
        .endm
        .macro  words_to_top a_low, a_high, b_low, b_high
        mov     m1[snowv_top_a], \a_low
        mov     m1[snowv_top_a - 16], \a_high
        mov     m1[snowv_top_b], \b_low
        mov     m1[snowv_top_b - 16], \b_high
        .endm

// snowv_tables: loads the S-box into t0 and t1.
//
// Inputs:   aes_sbox in m1
// Outputs:  t0, t1
// Clobbers: ar0, ar1
// Time:     constant
// Cycles:   269

        .alias  entry, ar0
        .alias  table_row, ar1

        .global snowv_tables
snowv_tables:
        arset   entry, aes_sbox
        arstep  entry, 1
        arset   table_row, 0
        repeat  256, .L_sbox
        bcast   t0:t1[table_row++], m1[entry+=s], 0
.L_sbox:
        halt

// snowv_start: key and IV into the LFSRs, 16 rounds (2.4).
//
// Inputs:   snowv_key, snowv_iv; t0, t1
// Outputs:  the state: snowv_registers, the LFSRs at snowv_top_a and snowv_top_b
// Clobbers: v0-v7, ctr, wk, ar2-ar5
// Memory:   snowv_words
// Time:     constant
// Cycles:   272

        .alias  iv, v4
        .alias  key0, v5
        .alias  key1, v6

        .global snowv_start
snowv_start:
        mov     iv, m1[snowv_iv]
        mov     key0, m1[snowv_key]
        mov     key1, m1[snowv_key + 16]
        aesencm r3_next, zero, m0[snowv_zero]
        mov     {b0, m1[snowv_top_b]}, zero
        perm    {a0, m1[snowv_top_a]}, iv, m0[snowv_reverse]
        perm    {a1, m1[snowv_top_a - 16]}, key0, m0[snowv_reverse]
        perm    {b1, m1[snowv_top_b - 16]}, key1, m0[snowv_reverse]
        mov     c, zero
        mov     r2, zero
        mov     d, zero
        addresses
        repeat  7, .L_rounds
        even    0
        odd     0
.L_rounds:
        even    0
        mov     r1, m1[snowv_key]               // into R1
        perm    r1, r1, m0[snowv_sigma]
        xor     d, d, r1
        odd     0
        mov     r1, m1[snowv_key + 16]
        perm    r1, r1, m0[snowv_sigma]
        xor     c, c, r1
        save    a0, a1, b0, b1, c, d
        halt

// snowv: C = P ^ keystream, n rows; the last one may be incomplete.
//
// Inputs:   the state, snowv_length; t0, t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, whole rows; snowv_registers, the LFSRs at snowv_top_a and snowv_top_b
// Clobbers: v0-v7, ctr, ar0-ar7
// Memory:   snowv_words
// Time:     constant; depends on n, and on whether the last row is incomplete
// Cycles:   14n + 46, even n to 126
        .global snowv
snowv:
        vtoar   rows, m1[snowv_length], 7
        vtoar   pairs, m1[snowv_length], 6
        mov     a0, m1[snowv_top_a]
        mov     a1, m1[snowv_top_a - 16]
        mov     b0, m1[snowv_top_b]
        mov     b1, m1[snowv_top_b - 16]
        mov     c, m1[snowv_registers]
        mov     r2, m1[snowv_registers + 16]
        mov     d, m1[snowv_registers + 32]
        mov     r3_next, m1[snowv_registers + 48]
        arset   in, 0
        arset   out, 0
        bz      pairs, .L_chunk
        aradd   rows, rows, 1

// A chunk is processed in pairs of rows.
.L_chunk:
        addresses
        arshr   pairs, rows, 7
        bnz     pairs, .L_whole
        arshr   pairs, rows, 1
        arand   rows, rows, 1
        jmp     .L_pairs
.L_whole:
        arset   pairs, snowv_chunk / 2
        aradd   rows, rows, -snowv_chunk
.L_pairs:
        repeat  pairs, .L_mixed
        even    1
        odd     1
.L_mixed:
        arshr   pairs, rows, 1
        bz      pairs, .L_last
        words_to_top a0, a1, b0, b1
        jmp     .L_chunk
.L_last:
        bz      rows, .L_even
        even    1
        save    a1, a0, b1, b0, d, c
        halt
.L_even:
        save    a0, a1, b0, b1, c, d
        halt
