// E0 (Bluetooth Core Specification, volume 2, part H, 4): 128 packets of one key, whose bits are those of a row.
//
// Calling convention: firmware/README.md.

        .include "../common/transpose.inc"
        .include "memory.inc"

ring    = 16 * 128                              // the first row of a ring in each memory, and its size
end     = ring + 16 * 128

        .section text

// ---------------------------------------------------------------------------------------- registers
//
// The bit that a register takes in as its r-th is in row r modulo 128 of a ring. Of each four bits the next four are in
// another memory, so that an instruction can read bits and write one: LFSR1 begins in m0 and goes on in m1, LFSR2 has
// the other halves of the two, LFSR3 begins in m2, LFSR4 in m3. In a loop over eight bits \p is the memory of the first
// four, \q that of the others.

        .macro  e0_rings
        arwin   ar0, ring, end
        arwin   ar2, ring, end
        arwin   ar3, ring, end
        arwin   ar4, ring, end
        arwin   ar5, ring, end
        arstep  ar0, 16
        arstep  ar2, 16
        arstep  ar3, 16
        arstep  ar4, 16
        .endm

// Four bits: s[r] = s[r - 8] ^ s[r - 12] ^ s[r - 20] ^ s[r - 25].
        .macro  e0_lfsr1 p, q
        mov     v0, \p[ar0+=s%]
        mov     v1, \p[ar0+=s%]
        mov     v2, \p[ar0+=s%]
        mov     v3, \p[ar0+=s%]
        xor     v0, v0, \q[ar4+=s%]
        xor     v1, v1, \p[ar4+=s%]
        xor     v2, v2, \p[ar4+=s%]
        xor     v3, v3, \p[ar4+=s%]
        xor     v0, v0, \q[ar3+=s%]
        xor     v1, v1, \q[ar3+=s%]
        xor     v2, v2, \q[ar3+=s%]
        xor     v3, v3, \q[ar3+=s%]
        xor     \p[ar5+=s%], v0, \q[ar2+=s%]
        xor     \p[ar5+=s%], v1, \q[ar2+=s%]
        xor     \p[ar5+=s%], v2, \q[ar2+=s%]
        xor     \p[ar5+=s%], v3, \q[ar2+=s%]
        .endm

// Four bits: s[r] = s[r - 12] ^ s[r - 16] ^ s[r - 24] ^ s[r - 31].
        .macro  e0_lfsr2 p, q
        mov     v0, \p[ar2+=s%]
        mov     v1, \p[ar2+=s%]
        mov     v2, \p[ar2+=s%]
        mov     v3, \p[ar2+=s%]
        xor     v0, v0, \p[ar3+=s%]
        xor     v1, v1, \p[ar3+=s%]
        xor     v2, v2, \p[ar3+=s%]
        xor     v3, v3, \p[ar3+=s%]
        xor     v0, v0, \p[ar4+=s%]
        xor     v1, v1, \p[ar4+=s%]
        xor     v2, v2, \p[ar4+=s%]
        xor     v3, v3, \q[ar4+=s%]
        xor     \p[ar5+=s%], v0, \q[ar0+=s%]
        xor     \p[ar5+=s%], v1, \q[ar0+=s%]
        xor     \p[ar5+=s%], v2, \q[ar0+=s%]
        xor     \p[ar5+=s%], v3, \q[ar0+=s%]
        .endm

// Four bits: s[r] = s[r - 4] ^ s[r - 24] ^ s[r - 28] ^ s[r - 33]; v4-v7 = the last four.
        .macro  e0_lfsr3 p, q
        mov     v0, \p[ar2+=s%]
        mov     v1, \p[ar2+=s%]
        mov     v2, \p[ar2+=s%]
        mov     v3, \p[ar2+=s%]
        xor     v0, v0, \q[ar4+=s%]
        xor     v1, v1, \p[ar4+=s%]
        xor     v2, v2, \p[ar4+=s%]
        xor     v3, v3, \p[ar4+=s%]
        xor3    {v4, \p[ar5+=s%]}, v0, \q[ar3+=s%], v4
        xor3    {v5, \p[ar5+=s%]}, v1, \q[ar3+=s%], v5
        xor3    {v6, \p[ar5+=s%]}, v2, \q[ar3+=s%], v6
        xor3    {v7, \p[ar5+=s%]}, v3, \q[ar3+=s%], v7
        .endm

// Four bits: s[r] = s[r - 4] ^ s[r - 28] ^ s[r - 36] ^ s[r - 39]; v4-v7 = the last four.
        .macro  e0_lfsr4 p, q
        mov     v0, \p[ar4+=s%]
        mov     v1, \p[ar4+=s%]
        mov     v2, \p[ar4+=s%]
        mov     v3, \q[ar4+=s%]
        xor     v0, v0, \q[ar3+=s%]
        xor     v1, v1, \q[ar3+=s%]
        xor     v2, v2, \q[ar3+=s%]
        xor     v3, v3, \q[ar3+=s%]
        xor3    {v4, \p[ar5+=s%]}, v0, \q[ar2+=s%], v4
        xor3    {v5, \p[ar5+=s%]}, v1, \q[ar2+=s%], v5
        xor3    {v6, \p[ar5+=s%]}, v2, \q[ar2+=s%], v6
        xor3    {v7, \p[ar5+=s%]}, v3, \q[ar2+=s%], v7
        .endm

        .macro  e0_eight lfsr, p, q
        aradd   ar5, ar6, 0
        repeat  8, .L_eight\@
        \lfsr   \p, \q
        \lfsr   \q, \p
.L_eight\@:
        .endm
        .macro  e0_last p
        aradd   ar0, ar7, -16 * 4
        mov     v4, \p[ar0+=s%]
        mov     v5, \p[ar0+=s%]
        mov     v6, \p[ar0+=s%]
        mov     v7, \p[ar0+=s%]
        .endm

// 64 bits of each register. ar6: the row of the first; ar7: the same, or 128 rows further where ar6 is the first row.
e0_clocks:
        arstep  ar5, 16
        aradd   ar0, ar7, -16 * 8
        aradd   ar2, ar7, -16 * 12
        aradd   ar3, ar7, -16 * 20
        aradd   ar4, ar7, -16 * 25
        e0_eight e0_lfsr1, m0, m1
        aradd   ar0, ar7, -16 * 12
        aradd   ar2, ar7, -16 * 16
        aradd   ar3, ar7, -16 * 24
        aradd   ar4, ar7, -16 * 31
        e0_eight e0_lfsr2, m1, m0
        e0_last m3
        aradd   ar2, ar7, -16 * 24
        aradd   ar3, ar7, -16 * 28
        aradd   ar4, ar7, -16 * 33
        e0_eight e0_lfsr3, m2, m3
        e0_last m2
        aradd   ar2, ar7, -16 * 28
        aradd   ar3, ar7, -16 * 36
        aradd   ar4, ar7, -16 * 39
        e0_eight e0_lfsr4, m3, m2
        ret

// ---------------------------------------------------------------------------------------- blend
//
// x1 to x4 are the outputs of the registers, ctr = x1, and s = (x1 + x2 + x3 + x4 + c(t)) / 2 without its remainder,
// which is the keystream bit. By a = x1 ^ x2 and b = x3 ^ x4 the sum of four is y0 = a ^ b,
// y1 = x1 x2 ^ x3 x4 ^ a b, y2 = x1 x2 x3 x4, so
//   s0 = y1 ^ c1 ^ k, s1 = y2 ^ (y1 c1 ^ k (y1 ^ c1)), k = y0 c0.
// c(t + 1) = s ^ c(t) ^ T2(c(t - 1)), and T2(p) has the bits p0 ^ p1, p0. It comes to the registers of c(t - 1).

// \c0, \c1: c(t); \p0, \p1: c(t - 1); \ar: where the control vector is; \next: the memory of the next x1.
        .macro  e0_blend_bit c0, c1, p0, p1, x2, x3, x4, next, control
        mov     v6, \x3[ar3+=s%]
        and     v5, ctr, \x2[ar2]
        xor     v4, ctr, \x2[ar2+=s%]           // a
        andx    v7, v6, \x4[ar4], v5
        and     wk, v6, \x4[ar4]
        xor     v6, v6, \x4[ar4+=s%]            // b
        mov     ctr, \next[ar0+=s%]
        andx    v7, v4, v6, v7                  // y1
        xor     v6, v4, v6                      // y0
        xor     v4, v6, \c0
        perm    t0[ar1++], v4, m0[\control]
        xor     v4, v7, \c1
        xor3    \p1, v4, \p1, \p0
        andnx   \p0, \c1, v7, \p0               // c1 ^ c1 y1
        and     v7, v6, \c0                     // k
        andnx   \p1, \c0, v6, \p1               // c0 ^ k
        andx    \p0, v7, v4, \p0
        andx    \p0, v5, wk, \p0
        .endm
        .macro  e0_blend_four x1, x2, x3, x4, next, control
        e0_blend_bit v0, v1, v2, v3, \x2, \x3, \x4, \x1, ar5
        e0_blend_bit v3, v2, v0, v1, \x2, \x3, \x4, \x1, ar5
        e0_blend_bit v1, v0, v3, v2, \x2, \x3, \x4, \x1, ar5
        e0_blend_bit v2, v3, v1, v0, \x2, \x3, \x4, \next, \control
        .endm

// ar6 times eight bits to t0[ar1++], the first of them when a register takes in its bit of row ar7; their bytes are
// turned as the control vectors at ar5 say, one for each eight.
e0_blend_bits:
        aradd   ar0, ar7, -16 * 24
        aradd   ar2, ar7, -16 * 24
        aradd   ar3, ar7, -16 * 32
        aradd   ar4, ar7, -16 * 32
        mov     ctr, m0[ar0+=s%]
        mov     v0, m0[e0_blend]
        mov     v1, m0[e0_blend + 16]
        mov     v2, m0[e0_blend + 32]
        mov     v3, m0[e0_blend + 48]
        repeat  ar6, .L_blended
        e0_blend_four m0, m1, m2, m3, m1, ar5
        e0_blend_four m1, m0, m3, m2, m0, ar5+=s
.L_blended:
        mov     m0[e0_blend], v0
        mov     m0[e0_blend + 16], v1
        mov     m0[e0_blend + 32], v2
        mov     m0[e0_blend + 48], v3
        ret

// ---------------------------------------------------------------------------------------- transposition

// The transposed of the rows of t0, each eight of them in reverse, to e0_rows. Row r has its bytes turned to the left
// by r / 8, so that a look-up finds bytes of the same place in all lanes: lane i looks at row 8 (b - i) for byte b.
e0_transpose:
        mov     v0, m0[e0_index]
        mov     v1, m0[e0_back]
        mov     v2, m0[e0_two]
        mov     v3, m0[e0_one]
        mov     v5, m0[e0_low]
        add8    v4, v0, v3
        arset   ar1, 16 * 7
        repeat  16, .L_bytes
        .rept   4
        tblp    m3[ar1--], v0, v1
        add8    v0, v0, v2
        tblp    m3[ar1--], v4, v1
        add8    v4, v4, v2
        .endr
        and     v0, v0, v5
        and     v4, v4, v5
        add8    v1, v1, v3
        aradd   ar1, ar1, 16 * 16
.L_bytes:
        arset   ar7, 0
        exchange_out m1, e0_rows, 4, 4
        exchange_back m1, e0_rows, 2, 5
        exchange_out m1, e0_rows, 1, 6
        ret

// ---------------------------------------------------------------------------------------- loading
//
// The bits that a register takes in are in m3 from row 1 on; of the transposed address and clock row 8 i + 7 - j is bit
// j of byte i.

        .macro  e0_clear
        arset   ar1, 0
        repeat  72, .L_clear\@
        mov     m3[ar1++], zero
.L_clear\@:
        arset   ar1, 16
        .endm
        .macro  e0_bits byte, first, number
        arset   ar0, e0_rows + 16 * (8 * \byte + 7 - \first)
        repeat  \number, .L_bits\@
        mov     m3[ar1++], m1[ar0--]
.L_bits\@:
        .endm

// Bytes i, i + 4, i + 8 and i + 12 of the key, of which v1 has byte i first.
e0_key_bytes:
        mov     v3, m0[e0_one]
        repeat  4, .L_key_bytes
        bcast   v0, v1, 0
        repeat  8, .L_key_bits
        and     v2, v0, v3
        rotx8   v0, v0, zero, 7
        sub8    m3[ar1++], zero, v2
.L_key_bits:
        rotx    v1, v1, zero, 32
.L_key_bytes:
        ret

// \number times four bits s[r] ^= s[r - \a] ^ s[r - \b] ^ s[r - \c] ^ s[r - \d] from r = \first on, then 64 bits from
// row 0 to the ring.
        .macro  e0_feed first, number, a, b, c, d, p, q
        arset   ar0, 16 * (\first - \a)
        arset   ar2, 16 * (\first - \b)
        arset   ar3, 16 * (\first - \c)
        arset   ar4, 16 * (\first - \d)
        arset   ar5, 16 * \first
        arset   ar6, 16 * \first
        arset   ar7, \number
        call    e0_feed_bits
        arset   ar0, 0
        arset   ar1, ring
        repeat  8, .L_fed\@
        e0_four \p
        e0_four \q
.L_fed\@:
        .endm
        .macro  e0_four to
        mov     v2, m3[ar0++]
        mov     v3, m3[ar0++]
        mov     v4, m3[ar0++]
        mov     v5, m3[ar0++]
        mov     \to[ar1++], v2
        mov     \to[ar1++], v3
        mov     \to[ar1++], v4
        mov     \to[ar1++], v5
        .endm
e0_feed_bits:
        repeat  ar7, .L_fed_bits
        mov     v2, m3[ar0++]
        mov     v3, m3[ar0++]
        mov     v4, m3[ar0++]
        mov     v5, m3[ar0++]
        xor     v2, v2, m3[ar2++]
        xor     v3, v3, m3[ar2++]
        xor     v4, v4, m3[ar2++]
        xor     v5, v5, m3[ar2++]
        xor     v2, v2, m3[ar3++]
        xor     v3, v3, m3[ar3++]
        xor     v4, v4, m3[ar3++]
        xor     v5, v5, m3[ar3++]
        xor     v2, v2, m3[ar4++]
        xor     v3, v3, m3[ar4++]
        xor     v4, v4, m3[ar4++]
        xor     v5, v5, m3[ar4++]
        xor     v2, v2, m3[ar6++]
        xor     v3, v3, m3[ar6++]
        xor     v4, v4, m3[ar6++]
        xor     v5, v5, m3[ar6++]
        mov     m3[ar5++], v2
        mov     m3[ar5++], v3
        mov     m3[ar5++], v4
        mov     m3[ar5++], v5
.L_fed_bits:
        ret

// Eight stages of a register, those of lower numbers first, from m1[ar0++] on; of the last byte there may be more bits
// than stages.
        .macro  e0_parallel_byte p, q
        repeat  4, .L_odd\@
        mov     v0, m1[ar0++]
        mov     \q[ar1--], v0
.L_odd\@:
        repeat  4, .L_even\@
        mov     v0, m1[ar0++]
        mov     \p[ar1--], v0
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
        arset   ar0, e0_rows + 16 * \bit
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
        .global e0_start
e0_start:
        mov     v0, m0[e0_turns]
        mov     v1, m0[e0_one]
        arset   ar0, e0_iv
        arstep  ar0, 10
        arset   ar1, 16 * 7
        repeat  16, .L_packets
        repeat  8, .L_eight_packets
        perm    t0[ar1--], m0[ar0+=s], v0
.L_eight_packets:
        add8    v0, v0, v1
        aradd   ar1, ar1, 16 * 16
.L_packets:
        call    e0_transpose
        mov     v1, m0[e0_key]
        e0_clear
        e0_bits 9, 0, 1
        call    e0_key_bytes
        e0_bits 7, 0, 8
        e0_bits 2, 0, 8
        e0_feed 26, 10, 8, 12, 20, 25, m0, m1
        rotx    v1, v1, zero, 8
        e0_clear
        mov     m3[ar1++], m0[e0_all]
        arset   ar1, 16 * 4
        e0_bits 6, 0, 4
        call    e0_key_bytes
        e0_bits 0, 0, 8
        e0_bits 3, 0, 8
        e0_feed 32, 8, 12, 16, 24, 31, m1, m0
        rotx    v1, v1, zero, 8
        e0_clear
        e0_bits 9, 1, 1
        call    e0_key_bytes
        e0_bits 8, 0, 8
        e0_bits 4, 0, 8
        e0_feed 34, 8, 4, 24, 28, 33, m2, m3
        rotx    v1, v1, zero, 8
        e0_clear
        mov     v0, m0[e0_all]
        mov     m3[ar1++], v0
        mov     m3[ar1++], v0
        mov     m3[ar1++], v0
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
        arset   ar1, 0
        arset   ar7, ring + 16 * 40             // symbols from when 39 bits are in
        arset   ar6, 3
        call    e0_unturned
        arset   ar7, ring + 16 * 64
        arset   ar6, ring + 16 * 64
        call    e0_clocks
        arset   ar6, 8
        call    e0_unturned
        arset   ar7, end
        arset   ar6, ring
        call    e0_clocks
        arset   ar6, 8
        call    e0_unturned
        arset   ar7, ring + 16 * 64
        arset   ar6, ring + 16 * 64
        call    e0_clocks
        arset   ar6, 6
        call    e0_unturned
        xor     v4, v0, ctr                     // symbol 201; the blend stays
        xor     v4, v4, m1[ar2]
        xor     v4, v4, m2[ar3]
        xor     t0[ar1++], v4, m3[ar4]
        mov     v0, m0[e0_dropped]
        mov     v1, m0[e0_one]
        arset   ar0, e0_rows
        repeat  128, .L_symbols
        tbl0    m1[ar0++], v0
        add8    v0, v0, v1
.L_symbols:
        arset   ar1, end - 16
        e0_load e0_byte1, 0                     // Z0, Z4, Z8, bit 0 of Z12
        e0_load e0_byte1, 32
        e0_load e0_byte1, 64
        e0_load e0_byte1, 96
        arset   ar1, end - 16
        e0_load e0_byte2, 8                     // Z1, Z5, Z9, the other bits of Z12
        e0_load e0_byte2, 40
        e0_load e0_byte2, 72
        e0_load e0_byte2, 97
        arset   ar1, end - 16
        e0_load e0_byte3, 16                    // Z2, Z6, Z10, Z13, bit 0 of Z15
        e0_load e0_byte3, 48
        e0_load e0_byte3, 80
        e0_load e0_byte3, 104
        e0_load e0_byte3, 120
        arset   ar1, end - 16
        e0_load e0_byte4, 24                    // Z3, Z7, Z11, Z14, the other bits of Z15
        e0_load e0_byte4, 56
        e0_load e0_byte4, 88
        e0_load e0_byte4, 112
        e0_load e0_byte4, 121
        halt

e0_unturned:
        arset   ar5, e0_turns
        arstep  ar5, 0
        jmp     e0_blend_bits

// e0: C = P ^ keystream, n blocks: one of each of 128 packets, or none.
//
// Inputs:   e0_blend, e0_ring0, e0_ring1, e0_ring2, e0_ring3, e0_length; P in m2 from row 0
// Outputs:  C in m3 from row 0; e0_blend, e0_ring0, e0_ring1, e0_ring2, e0_ring3
// Clobbers: v0-v7, ctr, wk, ar0-ar7
// Memory:   t0, e0_rows
// Time:     constant; depends on n, 0 or 128
// Cycles:   6158n/128 + 12, n a multiple of 128
        .global e0
e0:
        vtoar   ar6, m0[e0_length], 4
        bz      ar6, .L_none
        e0_rings
        arset   ar1, 0
        arset   ar7, end
        arset   ar6, ring
        call    e0_clocks
        arset   ar5, e0_turns
        arset   ar6, 8
        call    e0_blend_bits
        arset   ar7, ring + 16 * 64
        arset   ar6, ring + 16 * 64
        call    e0_clocks
        arset   ar5, e0_turns + 16 * 8
        arset   ar6, 8
        call    e0_blend_bits
        call    e0_transpose
        arset   ar0, 0
        arset   ar1, 0
        arset   ar2, e0_rows
        repeat  128, .L_text
        mov     v0, m2[ar0++]
        xor     m3[ar1++], v0, m1[ar2++]
.L_text:
.L_none:
        halt
