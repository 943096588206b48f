// E0 (Bluetooth Core Specification, volume 2, part H, 4), bit-sliced: bit i of a row belongs to packet i of 128 packets
// under one key.
//
// Calling convention: firmware/README.md.

        .include "../common/transpose.inc"
        .include "memory.inc"

ring    = 16 * 128                              // the first row of a ring in each memory, and its size
end     = ring + 16 * 128

        .section text

        .alias  s0, v0                  // four bits of a register, or symbols of the blend
        .alias  s1, v1
        .alias  s2, v2
        .alias  s3, v3
        .alias  l0, v4                  // the four bits before
        .alias  l1, v5
        .alias  l2, v6
        .alias  l3, v7
        .alias  tap_a, ar0              // where the taps are, s[r - a] to s[r - d]
        .alias  tap_b, ar2
        .alias  tap_c, ar3
        .alias  tap_d, ar4
        .alias  new, ar5                // where the new bits go
        .alias  first_row, ar6          // row of the first bit
        .alias  tap_row, ar7            // the same row for the taps

// ---------------------------------------------------------------------------------------- registers
//
// The bit that a register takes in as its r-th is in row r modulo 128 of a ring. Of each four bits the next four are in
// another memory, so that an instruction can read bits and write one: LFSR1 begins in m0 and goes on in m1, LFSR2 has
// the other halves of the two, LFSR3 begins in m2, LFSR4 in m3. In a loop over eight bits \p is the memory of the first
// four, \q that of the others.

        .macro  e0_rings
        arwin   tap_a, ring, end
        arwin   tap_b, ring, end
        arwin   tap_c, ring, end
        arwin   tap_d, ring, end
        arwin   new, ring, end
        arstep  tap_a, 16
        arstep  tap_b, 16
        arstep  tap_c, 16
        arstep  tap_d, 16
        .endm

// Four bits from four rows of one tap each, in the memories \w to \z: read, or added to what is there.
        .macro  e0_read at, w, x, y, z
        mov     s0, \w[\at+=s%]
        mov     s1, \x[\at+=s%]
        mov     s2, \y[\at+=s%]
        mov     s3, \z[\at+=s%]
        .endm
        .macro  e0_add at, w, x, y, z
        xor     s0, s0, \w[\at+=s%]
        xor     s1, s1, \x[\at+=s%]
        xor     s2, s2, \y[\at+=s%]
        xor     s3, s3, \z[\at+=s%]
        .endm

// The last tap, whose rows are all in \q, and four new bits to \p. _4: with the last four bits, l0 to l3, added.
        .macro  e0_write p, at, q
        xor     \p[new+=s%], s0, \q[\at+=s%]
        xor     \p[new+=s%], s1, \q[\at+=s%]
        xor     \p[new+=s%], s2, \q[\at+=s%]
        xor     \p[new+=s%], s3, \q[\at+=s%]
        .endm
        .macro  e0_write_4 p, at, q
        xor3    {l0, \p[new+=s%]}, s0, \q[\at+=s%], l0
        xor3    {l1, \p[new+=s%]}, s1, \q[\at+=s%], l1
        xor3    {l2, \p[new+=s%]}, s2, \q[\at+=s%], l2
        xor3    {l3, \p[new+=s%]}, s3, \q[\at+=s%], l3
        .endm

// Four bits: s[r] = s[r - 8] ^ s[r - 12] ^ s[r - 20] ^ s[r - 25].
        .macro  e0_lfsr1 p, q
        e0_read tap_a, \p, \p, \p, \p
        e0_add  tap_d, \q, \p, \p, \p
        e0_add  tap_c, \q, \q, \q, \q
        e0_write \p, tap_b, \q
        .endm

// Four bits: s[r] = s[r - 12] ^ s[r - 16] ^ s[r - 24] ^ s[r - 31].
        .macro  e0_lfsr2 p, q
        e0_read tap_b, \p, \p, \p, \p
        e0_add  tap_c, \p, \p, \p, \p
        e0_add  tap_d, \p, \p, \p, \q
        e0_write \p, tap_a, \q
        .endm

// Four bits: s[r] = s[r - 4] ^ s[r - 24] ^ s[r - 28] ^ s[r - 33].
        .macro  e0_lfsr3 p, q
        e0_read tap_b, \p, \p, \p, \p
        e0_add  tap_d, \q, \p, \p, \p
        e0_write_4 \p, tap_c, \q
        .endm

// Four bits: s[r] = s[r - 4] ^ s[r - 28] ^ s[r - 36] ^ s[r - 39].
        .macro  e0_lfsr4 p, q
        e0_read tap_d, \p, \p, \p, \q
        e0_add  tap_c, \q, \q, \q, \q
        e0_write_4 \p, tap_b, \q
        .endm

        .macro  e0_eight lfsr, p, q
        aradd   new, first_row, 0
        repeat  8, .L_eight\@
        \lfsr   \p, \q
        \lfsr   \q, \p
.L_eight\@:
        .endm
        .macro  e0_last p
        aradd   tap_a, tap_row, -16 * 4
        mov     l0, \p[tap_a+=s%]
        mov     l1, \p[tap_a+=s%]
        mov     l2, \p[tap_a+=s%]
        mov     l3, \p[tap_a+=s%]
        .endm

// 64 bits of each register. `first_row`: the row of the first; `tap_row`: the same, or 128 rows further where
// `first_row` is the first row.
e0_clocks:
        arstep  new, 16
        aradd   tap_a, tap_row, -16 * 8
        aradd   tap_b, tap_row, -16 * 12
        aradd   tap_c, tap_row, -16 * 20
        aradd   tap_d, tap_row, -16 * 25
        e0_eight e0_lfsr1, m0, m1
        aradd   tap_a, tap_row, -16 * 12
        aradd   tap_b, tap_row, -16 * 16
        aradd   tap_c, tap_row, -16 * 24
        aradd   tap_d, tap_row, -16 * 31
        e0_eight e0_lfsr2, m1, m0
        e0_last m3
        aradd   tap_b, tap_row, -16 * 24
        aradd   tap_c, tap_row, -16 * 28
        aradd   tap_d, tap_row, -16 * 33
        e0_eight e0_lfsr3, m2, m3
        e0_last m2
        aradd   tap_b, tap_row, -16 * 28
        aradd   tap_c, tap_row, -16 * 36
        aradd   tap_d, tap_row, -16 * 39
        e0_eight e0_lfsr4, m3, m2
        ret

// ---------------------------------------------------------------------------------------- blend
//
// x1 to x4 are the outputs of the registers, ctr = x1, and s = (x1 + x2 + x3 + x4 + c(t)) / 2 without its remainder,
// which is the keystream bit. By a = x1 ^ x2 and b = x3 ^ x4 the sum of four is y0 = a ^ b,
// y1 = x1 x2 ^ x3 x4 ^ a b, y2 = x1 x2 x3 x4, so
//   s0 = y1 ^ c1 ^ k, s1 = y2 ^ (y1 c1 ^ k (y1 ^ c1)), k = y0 c0.
// c(t + 1) = s ^ c(t) ^ T2(c(t - 1)), and T2(p) has the bits p0 ^ p1, p0. It comes to the registers of c(t - 1).

        .alias  sum_a, v4               // a, then what y0 and y1 make with c(t)
        .alias  both, v5                // x1 x2
        .alias  sum_b, v6               // x3, then b, then y0
        .alias  y1, v7                  // y1, then k
        .alias  others, wk              // x3 x4
        .alias  symbol, ar1             // next row of t0

// \c0, \c1: c(t); \p0, \p1: c(t - 1); \ar: where the control vector is; \next: the memory of the next x1.
        .macro  e0_blend_bit c0, c1, p0, p1, x2, x3, x4, next, control
        mov     sum_b, \x3[tap_c+=s%]
        and     both, ctr, \x2[tap_b]
        xor     sum_a, ctr, \x2[tap_b+=s%]      // a
        andx    y1, sum_b, \x4[tap_d], both
        and     others, sum_b, \x4[tap_d]
        xor     sum_b, sum_b, \x4[tap_d+=s%]    // b
        mov     ctr, \next[tap_a+=s%]
        andx    y1, sum_a, sum_b, y1            // y1
        xor     sum_b, sum_a, sum_b             // y0
        xor     sum_a, sum_b, \c0
        perm    t0[symbol++], sum_a, m0[\control]
        xor     sum_a, y1, \c1
        xor3    \p1, sum_a, \p1, \p0
        andnx   \p0, \c1, y1, \p0               // c1 ^ c1 y1
        and     y1, sum_b, \c0                  // k
        andnx   \p1, \c0, sum_b, \p1            // c0 ^ k
        andx    \p0, y1, sum_a, \p0
        andx    \p0, both, others, \p0
        .endm

        .alias  c_0, v0                 // c(t) and c(t - 1)
        .alias  c_1, v1
        .alias  p_0, v2
        .alias  p_1, v3
        .alias  turns, ar5              // control vectors
        .alias  eights, ar6

        .macro  e0_blend_four x1, x2, x3, x4, next, control
        e0_blend_bit c_0, c_1, p_0, p_1, \x2, \x3, \x4, \x1, turns
        e0_blend_bit p_1, p_0, c_0, c_1, \x2, \x3, \x4, \x1, turns
        e0_blend_bit c_1, c_0, p_1, p_0, \x2, \x3, \x4, \x1, turns
        e0_blend_bit p_0, p_1, c_1, c_0, \x2, \x3, \x4, \next, \control
        .endm

// `eights` times eight bits to t0[`symbol`++], the first of them when a register takes in its bit of row `tap_row`;
// their bytes are turned as the control vectors at `turns` say, one for each eight.
e0_blend_bits:
        aradd   tap_a, tap_row, -16 * 24
        aradd   tap_b, tap_row, -16 * 24
        aradd   tap_c, tap_row, -16 * 32
        aradd   tap_d, tap_row, -16 * 32
        mov     ctr, m0[tap_a+=s%]
        mov     c_0, m0[e0_blend]
        mov     c_1, m0[e0_blend + 16]
        mov     p_0, m0[e0_blend + 32]
        mov     p_1, m0[e0_blend + 48]
        repeat  eights, .L_blended
        e0_blend_four m0, m1, m2, m3, m1, turns
        e0_blend_four m1, m0, m3, m2, m0, turns+=s
.L_blended:
        mov     m0[e0_blend], c_0
        mov     m0[e0_blend + 16], c_1
        mov     m0[e0_blend + 32], p_0
        mov     m0[e0_blend + 48], p_1
        ret

// ---------------------------------------------------------------------------------------- transposition

        .alias  index, v0               // rows that the lanes look at
        .alias  back, v1
        .alias  two, v2
        .alias  one, v3
        .alias  index1, v4
        .alias  low, v5
        .alias  row, ar1

// The transposed of the rows of t0, each eight of them in reverse, to e0_rows. Row r has its bytes turned to the left
// by r / 8, so that a look-up finds bytes of the same place in all lanes: lane i looks at row 8 (b - i) for byte b.
e0_transpose:
        mov     index, m0[e0_index]
        mov     back, m0[e0_back]
        mov     two, m0[e0_two]
        mov     one, m0[e0_one]
        mov     low, m0[e0_low]
        add8    index1, index, one
        arset   row, 16 * 7
        repeat  16, .L_bytes
        .rept   4
        tblp    m3[row--], index, back
        add8    index, index, two
        tblp    m3[row--], index1, back
        add8    index1, index1, two
        .endr
        and     index, index, low
        and     index1, index1, low
        add8    back, back, one
        aradd   row, row, 16 * 16
.L_bytes:
        arset   source, 0
        exchange_out m1, e0_rows, 4, 4
        exchange_back m1, e0_rows, 2, 5
        exchange_out m1, e0_rows, 1, 6
        ret

// ---------------------------------------------------------------------------------------- loading
//
// The bits that a register takes in are in m3 from row 1 on; of the transposed address and clock row 8 i + 7 - j is bit
// j of byte i.

        .alias  from, ar0               // row of the transposed

        .macro  e0_clear
        arset   row, 0
        repeat  72, .L_clear\@
        mov     m3[row++], zero
.L_clear\@:
        arset   row, 16
        .endm
        .macro  e0_bits byte, first, number
        arset   from, e0_rows + 16 * (8 * \byte + 7 - \first)
        repeat  \number, .L_bits\@
        mov     m3[row++], m1[from--]
.L_bits\@:
        .endm

        .alias  key_byte, v0
        .alias  key, v1
        .alias  key_bit, v2

// Bytes i, i + 4, i + 8 and i + 12 of the key, of which `key` has byte i first.
e0_key_bytes:
        mov     one, m0[e0_one]
        repeat  4, .L_key_bytes
        bcast   key_byte, key, 0
        repeat  8, .L_key_bits
        and     key_bit, key_byte, one
        rotx8   key_byte, key_byte, zero, 7
        sub8    m3[row++], zero, key_bit
.L_key_bits:
        rotx    key, key, zero, 32
.L_key_bytes:
        ret

        .alias  f0, v2                  // four bits
        .alias  f1, v3
        .alias  f2, v4
        .alias  f3, v5
        .alias  fed, ar5
        .alias  own, ar6                // the bits themselves
        .alias  count, ar7              // of fours

// \number times four bits s[r] ^= s[r - \a] ^ s[r - \b] ^ s[r - \c] ^ s[r - \d] from r = \first on, then 64 bits from
// row 0 to the ring.
        .macro  e0_feed first, number, a, b, c, d, p, q
        arset   tap_a, 16 * (\first - \a)
        arset   tap_b, 16 * (\first - \b)
        arset   tap_c, 16 * (\first - \c)
        arset   tap_d, 16 * (\first - \d)
        arset   fed, 16 * \first
        arset   own, 16 * \first
        arset   count, \number
        call    e0_feed_bits
        arset   tap_a, 0
        arset   row, ring
        repeat  8, .L_fed\@
        e0_four \p
        e0_four \q
.L_fed\@:
        .endm
        .macro  e0_four to
        mov     f0, m3[tap_a++]
        mov     f1, m3[tap_a++]
        mov     f2, m3[tap_a++]
        mov     f3, m3[tap_a++]
        mov     \to[row++], f0
        mov     \to[row++], f1
        mov     \to[row++], f2
        mov     \to[row++], f3
        .endm
e0_feed_bits:
        repeat  count, .L_fed_bits
        mov     f0, m3[tap_a++]
        mov     f1, m3[tap_a++]
        mov     f2, m3[tap_a++]
        mov     f3, m3[tap_a++]
        xor     f0, f0, m3[tap_b++]
        xor     f1, f1, m3[tap_b++]
        xor     f2, f2, m3[tap_b++]
        xor     f3, f3, m3[tap_b++]
        xor     f0, f0, m3[tap_c++]
        xor     f1, f1, m3[tap_c++]
        xor     f2, f2, m3[tap_c++]
        xor     f3, f3, m3[tap_c++]
        xor     f0, f0, m3[tap_d++]
        xor     f1, f1, m3[tap_d++]
        xor     f2, f2, m3[tap_d++]
        xor     f3, f3, m3[tap_d++]
        xor     f0, f0, m3[own++]
        xor     f1, f1, m3[own++]
        xor     f2, f2, m3[own++]
        xor     f3, f3, m3[own++]
        mov     m3[fed++], f0
        mov     m3[fed++], f1
        mov     m3[fed++], f2
        mov     m3[fed++], f3
.L_fed_bits:
        ret

        .alias  stage, v0

// Eight stages of a register, those of lower numbers first, from m1[`from`++] on; of the last byte there may be more
// bits than stages.
        .macro  e0_parallel_byte p, q
        repeat  4, .L_odd\@
        mov     stage, m1[from++]
        mov     \q[row--], stage
.L_odd\@:
        repeat  4, .L_even\@
        mov     stage, m1[from++]
        mov     \p[row--], stage
.L_even\@:
        ret
        .endm
e0_byte1:
        e0_parallel_byte m0, m1
e0_byte2:
        e0_parallel_byte m1, m0
e0_byte3:
        e0_parallel_byte m2, m3
e0_byte4:
        e0_parallel_byte m3, m2

        .macro  e0_load byte, bit
        arset   from, e0_rows + 16 * \bit
        call    \byte
        .endm

// ---------------------------------------------------------------------------------------- routines

// e0_start: loads the key, 128 addresses and clocks; 201 symbols, of which the last 128 become the state.
//
// Inputs:   e0_key, e0_iv
// Outputs:  e0_blend, e0_ring0, e0_ring1, e0_ring2, e0_ring3
// Clobbers: v0-v7, ctr, wk, ar0-ar7
// Memory:   t0, m3 up to row 127, e0_rows
// Time:     constant
// Cycles:   11705

        .alias  unit, v1                // one in all bytes
        .alias  turn, v0
        .alias  ones_row, v0
        .alias  last_sum, v4

        .global e0_start
e0_start:
        mov     turn, m0[e0_turns]
        mov     unit, m0[e0_one]
        arset   from, e0_iv
        arstep  from, 10
        arset   row, 16 * 7
        repeat  16, .L_packets
        repeat  8, .L_eight_packets
        perm    t0[row--], m0[from+=s], turn
.L_eight_packets:
        add8    turn, turn, unit
        aradd   row, row, 16 * 16
.L_packets:
        call    e0_transpose
        mov     key, m0[e0_key]
        e0_clear
        e0_bits 9, 0, 1
        call    e0_key_bytes
        e0_bits 7, 0, 8
        e0_bits 2, 0, 8
        e0_feed 26, 10, 8, 12, 20, 25, m0, m1
        rotx    key, key, zero, 8
        e0_clear
        mov     m3[row++], m0[e0_all]
        arset   row, 16 * 4
        e0_bits 6, 0, 4
        call    e0_key_bytes
        e0_bits 0, 0, 8
        e0_bits 3, 0, 8
        e0_feed 32, 8, 12, 16, 24, 31, m1, m0
        rotx    key, key, zero, 8
        e0_clear
        e0_bits 9, 1, 1
        call    e0_key_bytes
        e0_bits 8, 0, 8
        e0_bits 4, 0, 8
        e0_feed 34, 8, 4, 24, 28, 33, m2, m3
        rotx    key, key, zero, 8
        e0_clear
        mov     turn, m0[e0_all]
        mov     m3[row++], turn
        mov     m3[row++], turn
        mov     m3[row++], turn
        e0_bits 6, 4, 4
        call    e0_key_bytes
        e0_bits 1, 0, 8
        e0_bits 5, 0, 8
        e0_feed 40, 6, 4, 28, 36, 39, m3, m2
        mov     m0[e0_blend], zero
        mov     m0[e0_blend + 16], zero
        mov     m0[e0_blend + 32], zero
        mov     m0[e0_blend + 48], zero
        e0_rings
        arset   row, 0
        arset   tap_row, ring + 16 * 40         // symbols from when 39 bits are in
        arset   eights, 3
        call    e0_unturned
        arset   tap_row, ring + 16 * 64
        arset   first_row, ring + 16 * 64
        call    e0_clocks
        arset   eights, 8
        call    e0_unturned
        arset   tap_row, end
        arset   first_row, ring
        call    e0_clocks
        arset   eights, 8
        call    e0_unturned
        arset   tap_row, ring + 16 * 64
        arset   first_row, ring + 16 * 64
        call    e0_clocks
        arset   eights, 6
        call    e0_unturned
        xor     last_sum, turn, ctr             // symbol 201; the blend stays
        xor     last_sum, last_sum, m1[tap_b]
        xor     last_sum, last_sum, m2[tap_c]
        xor     t0[row++], last_sum, m3[tap_d]
        mov     turn, m0[e0_dropped]
        mov     unit, m0[e0_one]
        arset   from, e0_rows
        repeat  128, .L_symbols
        tbl0    m1[from++], turn
        add8    turn, turn, unit
.L_symbols:
        arset   row, end - 16
        e0_load e0_byte1, 0                     // Z0, Z4, Z8, bit 0 of Z12
        e0_load e0_byte1, 32
        e0_load e0_byte1, 64
        e0_load e0_byte1, 96
        arset   row, end - 16
        e0_load e0_byte2, 8                     // Z1, Z5, Z9, the other bits of Z12
        e0_load e0_byte2, 40
        e0_load e0_byte2, 72
        e0_load e0_byte2, 97
        arset   row, end - 16
        e0_load e0_byte3, 16                    // Z2, Z6, Z10, Z13, bit 0 of Z15
        e0_load e0_byte3, 48
        e0_load e0_byte3, 80
        e0_load e0_byte3, 104
        e0_load e0_byte3, 120
        arset   row, end - 16
        e0_load e0_byte4, 24                    // Z3, Z7, Z11, Z14, the other bits of Z15
        e0_load e0_byte4, 56
        e0_load e0_byte4, 88
        e0_load e0_byte4, 112
        e0_load e0_byte4, 121
        halt

e0_unturned:
        arset   turns, e0_turns
        arstep  turns, 0
        jmp     e0_blend_bits

// e0: C = P ^ keystream, n blocks: one of each of 128 packets, or none.
//
// Inputs:   e0_blend, e0_ring0, e0_ring1, e0_ring2, e0_ring3, e0_length; P in m2 from row 0
// Outputs:  C in m3 from row 0; e0_blend, e0_ring0, e0_ring1, e0_ring2, e0_ring3
// Clobbers: v0-v7, ctr, wk, ar0-ar7
// Memory:   t0, e0_rows
// Time:     constant; depends on n, 0 or 128
// Cycles:   6158n/128 + 12, n a multiple of 128

        .alias  text_row, v0
        .alias  in, ar0
        .alias  out, ar1
        .alias  stream_row, ar2         // of keystream

        .global e0
e0:
        vtoar   eights, m0[e0_length], 4
        bz      eights, .L_none
        e0_rings
        arset   out, 0
        arset   tap_row, end
        arset   first_row, ring
        call    e0_clocks
        arset   turns, e0_turns
        arset   eights, 8
        call    e0_blend_bits
        arset   tap_row, ring + 16 * 64
        arset   first_row, ring + 16 * 64
        call    e0_clocks
        arset   turns, e0_turns + 16 * 8
        arset   eights, 8
        call    e0_blend_bits
        call    e0_transpose
        arset   in, 0
        arset   out, 0
        arset   stream_row, e0_rows
        repeat  128, .L_text
        mov     text_row, m2[in++]
        xor     m3[out++], text_row, m1[stream_row++]
.L_text:
.L_none:
        halt
