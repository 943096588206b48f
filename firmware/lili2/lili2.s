// LILI-II (Clark, Dawson, Fuller, Golic, Lee, Millan, Moon and Simpson; ACISP 2002): 128 streams of one key, whose bits
// are those of a row.
//
// Calling convention: firmware/README.md.

        .include "../common/transpose.inc"
        .include "memory.inc"

// The registers are polynomials: a clock multiplies by x. What x^128 and x^127 come to, bit i for the power i.
mask_c  = 0x7ca897c14487a7ce37be99986287cbc3
mask_d  = 0x06081946a5343a6696aad370f5f88bba >> 1
        .function bit(mask, i) = i < 0 ? 0 : mask >> i & 1
        .function pair(mask, i) = bit(mask, i) | bit(mask, i - 1) << 1
        .function four(i) = pair(mask_d, i) | pair(mask_d, i - 2) << 2

        .section text

// ---------------------------------------------------------------------------------------- LFSRc
//
// Four clocks: stage i is what stage i - 4 was, and the bits u0 to u3 that have left come in where the mask has stage
// i - 3 to i. v1 = u0, v2 = u1, v3 = u0 ^ u1, v4 = u2, v5 = u3, v6 = u2 ^ u3.

        .macro  lili2_c_add i, to, from, low
        .if     pair(mask_c, \i) == 0
        xor     \to, \from, \low
        .elseif pair(mask_c, \i) == 1
        xor3    \to, \from, \low, v5
        .elseif pair(mask_c, \i) == 2
        xor3    \to, \from, \low, v4
        .else
        xor3    \to, \from, \low, v6
        .endif
        .endm
        .macro  lili2_c_stage i, to, from
        .if     pair(mask_c, \i - 2) == 0
        lili2_c_add \i, \to, \from, zero
        .elseif pair(mask_c, \i - 2) == 1
        lili2_c_add \i, \to, \from, v2
        .elseif pair(mask_c, \i - 2) == 2
        lili2_c_add \i, \to, \from, v1
        .else
        lili2_c_add \i, \to, \from, v3
        .endif
        .endm
// Stages 16 s + 4 k to 16 s + 4 k + 3, which are rows of \to, from those of \from.
        .macro  lili2_c_block s, k, m, to, n, from
        .rept   4
        lili2_c_stage 16 * (\s) + 4 * \k + \+, \m[\to + 16 * (4 * (\s) + \+)], \n[\from + 16 * \+]
        .endr
        .endm
        .macro  lili2_c_blocks s
        lili2_c_block \s, 3, m3, lili2_c3, m2, lili2_c2 + 64 * (\s)
        lili2_c_block \s, 2, m2, lili2_c2, m1, lili2_c1 + 64 * (\s)
        lili2_c_block \s, 1, m1, lili2_c1, m0, lili2_c0 + 64 * (\s)
        .endm

lili2_c_clocks:
        mov     m1[lili2_clocks], m0[lili2_c0]
        mov     v1, m3[lili2_c3 + 16 * 31]
        mov     v2, m3[lili2_c3 + 16 * 30]
        xor     v4, v1, m3[lili2_c3 + 16 * 29]
        xor     v3, v1, v2
        xor     v5, v3, m3[lili2_c3 + 16 * 28]
        mov     m1[lili2_clocks + 16], v1
        mov     m1[lili2_clocks + 32], v2
        mov     m1[lili2_clocks + 48], v4
        mov     m1[lili2_clocks + 64], v5
        xor     v6, v4, v5
        .rept   7
        lili2_c_blocks 7 - \+
        lili2_c_block 7 - \+, 0, m0, lili2_c0, m3, lili2_c3 + 64 * (6 - \+)
        .endr
        lili2_c_blocks 0
        .rept   4
        lili2_c_stage \+, m0[lili2_c0 + 16 * \+], zero
        .endr
        mov     m1[lili2_clocks + 80], m3[lili2_c3 + 16 * 31]
        ret

// ---------------------------------------------------------------------------------------- filter

        .macro  lili2_stages op
        \op     0, 0
        \op     1, 1
        \op     2, 3
        \op     3, 7
        \op     4, 12
        \op     5, 20
        \op     6, 30
        \op     7, 44
        \op     8, 65
        \op     9, 80
        \op     10, 96
        \op     11, 122
        .endm

// A bit of keystream from lili2_taps, those of the stages of lili2_stages, to t0[ar1++], its bytes turned as the
// control vector at ar7 says. fd is expanded by its variables 1, 9, 5, 10, 3, 0, 4, 8, 11, 6, 7, 2, one after the
// other: f0 and f1 are what it is where the variable is 0 and 1, and f = f0 ^ x (f0 ^ f1) = f1 ^ ~x (f0 ^ f1) is one
// instruction if both parts are there. What is equal, or a complement, is there once; lili2_spill has what registers
// do not hold.
lili2_filter:
        mov     v0, m3[lili2_taps + 16 * 7]
        mov     v1, m3[lili2_taps + 16 * 2]
        andnx   {v2, m2[lili2_spill + 16 * 1]}, m3[lili2_taps + 16 * 6], v0, v1
        andn    v3, m3[lili2_taps + 16 * 7], v1
        xor     v4, v0, m3[lili2_taps + 16 * 6]
        xor     v5, v3, m3[lili2_taps + 16 * 2]
        xor     {v6, m2[lili2_spill + 16 * 17]}, v0, m3[lili2_taps + 16 * 2]
        xor     ctr, v1, m3[lili2_taps + 16 * 6]
        and     {v3, m2[lili2_spill + 16 * 2]}, m3[lili2_taps + 16 * 6], v3
        xor     {v7, m2[lili2_spill + 16 * 18]}, v4, m3[lili2_taps + 16 * 4]
        xor     v6, v0, m3[lili2_taps + 16 * 2]
        andnx   v5, v5, m3[lili2_taps + 16 * 6], v6
        xor     v7, v2, m3[lili2_taps + 16 * 2]
        andn    wk, v6, m3[lili2_taps + 16 * 6]
        xor     {v6, m2[lili2_spill + 16 * 15]}, ctr, v2
        xor     {v1, m2[lili2_spill + 16 * 3]}, v3, v5
        orx     v6, m3[lili2_taps + 16 * 11], v0, v5
        xor     v1, v1, m3[lili2_taps + 16 * 7]
        andnx   v7, v7, m3[lili2_taps + 16 * 11], v1
        andx    {v6, m2[lili2_spill + 16 * 6]}, m3[lili2_taps + 16 * 8], v6, v7
        xor     {v7, m2[lili2_spill + 16 * 13]}, v4, v1
        orx     {v6, m2[lili2_spill + 16 * 11]}, m3[lili2_taps + 16 * 11], v0, v2
        xor     v1, v2, v1
        orx     v6, m3[lili2_taps + 16 * 11], wk, v0
        andnx   {v7, m2[lili2_spill + 16 * 9]}, v4, m3[lili2_taps + 16 * 11], v1
        xor     {v0, m2[lili2_spill + 16 * 0]}, v0, m3[lili2_taps + 16 * 2]
        xor     v0, v3, wk
        xor     v7, v4, wk
        andx    v0, m3[lili2_taps + 16 * 11], v0, v7
        andnx   {v0, m2[lili2_spill + 16 * 5]}, m3[lili2_taps + 16 * 8], v6, v0
        xor     v6, ctr, v1
        xor     {v0, m2[lili2_spill + 16 * 7]}, v4, v2
        xor     {v0, m2[lili2_spill + 16 * 8]}, v5, v0
        xor     {v2, m2[lili2_spill + 16 * 4]}, wk, v1
        xor     v2, v2, m3[lili2_taps + 16 * 7]
        xor     v0, v0, m3[lili2_taps + 16 * 2]
        xor     {v5, m2[lili2_spill + 16 * 14]}, v5, v7
        andnx   v6, m3[lili2_taps + 16 * 11], v7, v6
        andnx   {v4, m2[lili2_spill + 16 * 12]}, m3[lili2_taps + 16 * 11], ctr, v4
        xor     v7, v3, v2
        xor     {v4, m2[lili2_spill + 16 * 10]}, wk, v0
        andnx   v7, m3[lili2_taps + 16 * 11], v7, v4
        andnx   v6, v6, m3[lili2_taps + 16 * 8], v7
        xor     v7, ctr, m3[lili2_taps + 16 * 11]
        xor     ctr, v7, m3[lili2_taps + 16 * 11]
        xor     {v4, m2[lili2_spill + 16 * 16]}, v7, m3[lili2_taps + 16 * 8]
        xor     v4, v5, m3[lili2_taps + 16 * 7]
        andx    v5, m3[lili2_taps + 16 * 11], v2, v1
        orx     v5, m3[lili2_taps + 16 * 8], v3, v5
        xor     v1, v1, m3[lili2_taps + 16 * 7]
        andnx   v0, m3[lili2_taps + 16 * 11], v2, v0
        mov     v2, m2[lili2_spill + 16 * 9]
        xor     v3, v7, v2
        andx    ctr, m3[lili2_taps + 16 * 8], ctr, v3
        andn    v1, v1, m3[lili2_taps + 16 * 11]
        andx    v1, m3[lili2_taps + 16 * 11], v4, v1
        xor     v3, wk, m3[lili2_taps + 16 * 7]
        xor     v4, v7, m3[lili2_taps + 16 * 7]
        xor     v7, wk, m3[lili2_taps + 16 * 2]
        andnx   wk, v4, m3[lili2_taps + 16 * 8], v2
        mov     v2, m2[lili2_spill + 16 * 8]
        andnx   v2, v7, m3[lili2_taps + 16 * 11], v2
        andnx   ctr, ctr, m3[lili2_taps + 16 * 4], v6
        xor     v6, v0, v4
        andx    v0, m3[lili2_taps + 16 * 8], v0, v2
        andnx   v0, m3[lili2_taps + 16 * 4], v5, v0
        mov     v2, m2[lili2_spill + 16 * 12]
        andx    v2, m3[lili2_taps + 16 * 8], v4, v2
        mov     v4, m2[lili2_spill + 16 * 13]
        orx     v3, m3[lili2_taps + 16 * 11], v3, v4
        mov     v4, m2[lili2_spill + 16 * 1]
        xor     v4, v4, v7
        mov     v5, m2[lili2_spill + 16 * 3]
        andnx   v5, v4, m3[lili2_taps + 16 * 11], v5
        xor     v4, v4, m3[lili2_taps + 16 * 7]
        andnx   v1, m3[lili2_taps + 16 * 8], v3, v1
        andnx   v3, v5, m3[lili2_taps + 16 * 8], v6
        mov     v5, m2[lili2_spill + 16 * 6]
        orx     v3, m3[lili2_taps + 16 * 4], v5, v3
        mov     v5, m3[lili2_taps + 16 * 2]
        andnx   v4, m3[lili2_taps + 16 * 11], v4, v5
        mov     v6, m2[lili2_spill + 16 * 15]
        andnx   v6, v7, m3[lili2_taps + 16 * 11], v6
        andnx   v1, m3[lili2_taps + 16 * 4], v2, v1
        mov     v2, m2[lili2_spill + 16 * 14]
        mov     v7, m2[lili2_spill + 16 * 0]
        andnx   v2, v2, m3[lili2_taps + 16 * 11], v7
        andnx   v2, v6, m3[lili2_taps + 16 * 8], v2
        orx     wk, m3[lili2_taps + 16 * 4], wk, v2
        mov     v2, m2[lili2_spill + 16 * 10]
        orx     v2, m3[lili2_taps + 16 * 11], v7, v2
        mov     v6, m2[lili2_spill + 16 * 4]
        andnx   v6, v7, m3[lili2_taps + 16 * 11], v6
        andnx   v6, m3[lili2_taps + 16 * 8], v5, v6
        mov     v7, m2[lili2_spill + 16 * 11]
        andnx   v4, v4, m3[lili2_taps + 16 * 8], v7
        mov     v7, m2[lili2_spill + 16 * 5]
        andnx   v6, v6, m3[lili2_taps + 16 * 4], v7
        andx    v0, m3[lili2_taps + 16 * 0], v1, v0
        mov     v1, m2[lili2_spill + 16 * 7]
        mov     v7, m2[lili2_spill + 16 * 2]
        andnx   v1, m3[lili2_taps + 16 * 11], v1, v7
        andx    v3, m3[lili2_taps + 16 * 0], v6, v3
        andnx   v1, v2, m3[lili2_taps + 16 * 8], v1
        and     v2, m3[lili2_taps + 16 * 8], v7
        mov     v6, m3[lili2_taps + 16 * 11]
        xor     v7, v6, m3[lili2_taps + 16 * 2]
        andnx   v1, v1, m3[lili2_taps + 16 * 4], v4
        andnx   v1, m3[lili2_taps + 16 * 0], ctr, v1
        andnx   ctr, m3[lili2_taps + 16 * 3], v3, v1
        mov     v1, m3[lili2_taps + 16 * 4]
        xor     v3, v1, m3[lili2_taps + 16 * 8]
        andx    v2, m3[lili2_taps + 16 * 4], v2, v7
        mov     v4, m3[lili2_taps + 16 * 8]
        xor     v7, v4, m3[lili2_taps + 16 * 2]
        andnx   v3, v3, m3[lili2_taps + 16 * 0], v7
        xor     v7, v2, v7
        andx    v7, m3[lili2_taps + 16 * 0], wk, v7
        andnx   v0, m3[lili2_taps + 16 * 3], v0, v7
        andx    ctr, m3[lili2_taps + 16 * 10], ctr, v0
        xor     v0, v1, m3[lili2_taps + 16 * 11]
        orx     v2, m3[lili2_taps + 16 * 0], v2, v0
        andnx   v7, v0, m3[lili2_taps + 16 * 0], v4
        orx     v3, m3[lili2_taps + 16 * 3], v3, v7
        xor     wk, v0, m3[lili2_taps + 16 * 8]
        andnx   v0, v5, m3[lili2_taps + 16 * 0], v0
        orx     v0, m3[lili2_taps + 16 * 3], v2, v0
        mov     v2, m2[lili2_spill + 16 * 18]
        andnx   v2, v5, m3[lili2_taps + 16 * 0], v2
        orx     v0, m3[lili2_taps + 16 * 10], v0, v3
        orx     v2, m3[lili2_taps + 16 * 3], v6, v2
        andn    v3, m3[lili2_taps + 16 * 0], v1
        mov     v5, m3[lili2_taps + 16 * 7]
        andnx   v0, m3[lili2_taps + 16 * 5], v0, v5
        mov     v5, m2[lili2_spill + 16 * 17]
        orx     v5, m3[lili2_taps + 16 * 0], wk, v5
        andn    v6, m3[lili2_taps + 16 * 0], v6
        orx     v2, m3[lili2_taps + 16 * 10], v4, v2
        mov     v4, m2[lili2_spill + 16 * 16]
        xor     v4, v4, m3[lili2_taps + 16 * 4]
        andx    v6, m3[lili2_taps + 16 * 3], v3, v6
        xor     v7, v4, m3[lili2_taps + 16 * 7]
        and     v5, m3[lili2_taps + 16 * 3], v5
        andn    v7, m3[lili2_taps + 16 * 0], v7
        andx    v1, m3[lili2_taps + 16 * 10], v5, v1
        and     v5, m3[lili2_taps + 16 * 10], v5
        and     v7, m3[lili2_taps + 16 * 3], v7
        orx     v4, m3[lili2_taps + 16 * 0], wk, v4
        andnx   v3, v3, m3[lili2_taps + 16 * 3], v4
        and     v4, m3[lili2_taps + 16 * 10], v7
        andx    v4, m3[lili2_taps + 16 * 5], ctr, v4
        andnx   v3, v6, m3[lili2_taps + 16 * 10], v3
        andnx   v1, v5, m3[lili2_taps + 16 * 5], v1
        andx    v0, m3[lili2_taps + 16 * 9], v4, v0
        andnx   v2, m3[lili2_taps + 16 * 5], v3, v2
        andnx   v1, m3[lili2_taps + 16 * 9], v1, v2
        andnx   v0, m3[lili2_taps + 16 * 1], v0, v1
        xor     v0, v0, m0[lili2_ones]
        perm    t0[ar1++], v0, m0[ar7]
        ret

// ---------------------------------------------------------------------------------------- LFSRd

        .macro  lili2_tap tap, stage
        mov     m3[lili2_taps + 16 * \tap], m0[lili2_d + 16 * \stage]
        .endm

// A stage after one to four clocks: v1, v2, v3 say where there are two, three and four, ctr where more than one; v4 to
// v7 are the bits that have left, the last one first.
        .macro  lili2_clocked_tap tap, stage
        .if     \stage == 0
        mov     m3[lili2_taps], v4
        .else
        .if     four(\stage) & 1
        andx    v0, m0[lili2_d + 16 * (\stage - 2)], v1, v4
        .elseif four(\stage) & 2
        andx    v0, m0[lili2_d + 16 * (\stage - 2)], v1, v5
        .elseif four(\stage) & 4
        andx    v0, m0[lili2_d + 16 * (\stage - 2)], v1, v6
        .elseif four(\stage) & 8
        andx    v0, m0[lili2_d + 16 * (\stage - 2)], v1, v7
        .else
        and     v0, m0[lili2_d + 16 * (\stage - 2)], v1
        .endif
        .if     \stage > 2
        andx    v0, m0[lili2_d + 16 * (\stage - 3)], v2, v0
        .endif
        lili2_more four(\stage) & four(\stage) - 1
        .if     \stage > 3
        andx    v0, m0[lili2_d + 16 * (\stage - 4)], v3, v0
        .endif
        andnx   m3[lili2_taps + 16 * \tap], m0[lili2_d + 16 * (\stage - 1)], ctr, v0
        .endif
        .endm
        .macro  lili2_more bits
        .if     (\bits) == 2
        xor3    v0, v5, zero, v0
        .elseif (\bits) == 4
        xor3    v0, v6, zero, v0
        .elseif (\bits) == 8
        xor3    v0, v7, zero, v0
        .elseif (\bits) == 6
        xor3    v0, v5, v6, v0
        .elseif (\bits) == 10
        xor3    v0, v5, v7, v0
        .elseif (\bits) >= 12
        xor3    v0, v6, v7, v0
        .if     (\bits) == 14
        xor3    v0, v5, zero, v0
        .endif
        .endif
        .endm

// All sums of v0 to v3, of which those of one are there.
        .macro  lili2_all_sums sums
        xor     {v4, m2[\sums + 16 * 3]}, v0, v1
        xor     m2[\sums + 16 * 5], v2, v0
        xor     m2[\sums + 16 * 6], v2, v1
        xor     m2[\sums + 16 * 9], v3, v0
        xor     m2[\sums + 16 * 10], v3, v1
        xor     {v5, m2[\sums + 16 * 12]}, v3, v2
        xor     m2[\sums + 16 * 7], v2, v4
        xor     m2[\sums + 16 * 11], v3, v4
        xor     m2[\sums + 16 * 13], v5, v0
        xor     m2[\sums + 16 * 14], v5, v1
        xor     m2[\sums + 16 * 15], v5, v4
        .endm

// What has left LFSRd: stage 127 + j, which is v\i and one of the sums. The mask ends at 121, so of eight bits that
// leave two come back to the lowest: \more.
        .macro  lili2_left i, j, sums
        and     v6, m1[lili2_shifted + 16 * (124 + \j)], v7
        andnx   {v\i, m2[\sums + 16 * (1 << \i)]}, m1[lili2_shifted + 16 * (125 + \j)], v7, v6
        .endm
        .macro  lili2_left_more i, j, sums, more
        andx    v6, m1[lili2_shifted + 16 * (124 + \j)], v7, \more
        andnx   {v\i, m2[\sums + 16 * (1 << \i)]}, m1[lili2_shifted + 16 * (125 + \j)], v7, v6
        .endm

// The stages in such an order that those with the same eight bits of the mask follow one another.
        .array  order, 118, 119, 111, 125, 112, 126, 80, 113, 34, 0, 18, 120, 114, 101, 14, 35, 81, 1
        .array  order, 115, 73, 93, 102, 15, 44, 88, 82, 63, 19, 107, 121, 69, 36, 116, 105, 16, 12
        .array  order, 91, 61, 2, 54, 56, 45, 74, 89, 83, 96, 64, 94, 50, 103, 52, 27, 122, 85
        .array  order, 58, 98, 70, 41, 47, 66, 108, 4, 20, 8, 37, 76, 29, 117, 124, 100, 33, 17
        .array  order, 110, 79, 13, 92, 106, 68, 87, 62, 72, 43, 95, 49, 60, 51, 104, 53, 55, 11
        .array  order, 90, 26, 3, 84, 97, 40, 65, 57, 7, 46, 75, 28, 123, 67, 86, 109, 78, 99
        .array  order, 32, 71, 42, 39, 48, 6, 59, 10, 25, 38, 5, 77, 31, 24, 9, 22, 23, 21
        .array  order, 30

// A stage by the last shift, by 0 or 1 as v7 says, and what has left, reduced: v1 is the sum of the lowest four bits,
// v2 of all eight. \before: the stage before in that order.
        .macro  lili2_stage i, before
        .if     four(\i) != 0 && four(\i) != four(\before)
        mov     v1, m2[lili2_sums0 + 16 * four(\i)]
        .endif
        .if     four(\i - 4) == 0
        lili2_add \i, v1
        .else
        .if     four(\i) != four(\before) || four(\i - 4) != four(\before - 4)
        .if     four(\i) == 0
        mov     v2, m2[lili2_sums4 + 16 * four(\i - 4)]
        .else
        xor     v2, v1, m2[lili2_sums4 + 16 * four(\i - 4)]
        .endif
        .endif
        lili2_add \i, v2
        .endif
        .endm
        .macro  lili2_add i, sum
        .if     \i < 2
        mov     m0[lili2_d + 16 * (\i)], \sum
        .elseif four(\i) == 0 && four(\i - 4) == 0
        and     v0, m1[lili2_shifted + 16 * (\i - 3)], v7
        andnx   m0[lili2_d + 16 * (\i)], m1[lili2_shifted + 16 * (\i - 2)], v7, v0
        .else
        andx    v0, m1[lili2_shifted + 16 * (\i - 3)], v7, \sum
        andnx   m0[lili2_d + 16 * (\i)], m1[lili2_shifted + 16 * (\i - 2)], v7, v0
        .endif
        .endm

// Two bits of keystream; ar6: the bits of LFSRc x0 and x0 of the next clock, then x126 of both.
lili2_two_bits:
        lili2_stages lili2_tap
        call    lili2_filter
        mov     v3, m1[ar6++]
        mov     v2, m1[ar6++]                   // x0 of the second
        mov     v1, m1[ar6++]                   // x126
        mov     v0, m1[ar6]
        aradd   ar6, ar6, -16
        or      ctr, v3, v1
        xor     v4, v3, v2
        xor     m1[lili2_h + 32], v0, v1        // the sum of both is 2 h + this
        and     v5, v0, v1                      // carry
        and     v6, v3, v2
        xor     {v7, m1[lili2_h]}, v4, v5       // h modulo 2
        andx    v4, v4, v5, v6
        mov     m1[lili2_h + 16], v4            // h / 2
        andn    v2, v3, v1
        and     v0, v3, v1
        andn    v1, v1, v3
        mov     v3, v0
        and     v7, m0[lili2_d + 16 * 126], v3
        and     v6, m0[lili2_d + 16 * 125], v3
        and     v5, m0[lili2_d + 16 * 124], v3
        and     v4, m0[lili2_d + 16 * 123], v3
        andx    v6, m0[lili2_d + 16 * 126], v2, v6
        andx    v5, m0[lili2_d + 16 * 125], v2, v5
        andx    v4, m0[lili2_d + 16 * 124], v2, v4
        andx    v5, m0[lili2_d + 16 * 126], v1, v5
        andx    v4, m0[lili2_d + 16 * 125], v1, v4
        andnx   v4, m0[lili2_d + 16 * 126], ctr, v4
        lili2_stages lili2_clocked_tap
        call    lili2_filter
        mov     v7, m1[lili2_h]
        mov     v6, m1[lili2_h + 16]
        arset   ar0, lili2_d + 16 * 6
        arset   ar2, lili2_d + 16 * 4
        arset   ar3, lili2_d + 16 * 2
        arset   ar4, lili2_d
        arset   ar5, lili2_shifted + 16 * 6
        andn    v1, v7, v6                      // a shift by two more
        andn    v2, v6, v7                      // four
        and     v3, v6, v7                      // six
        or      v4, v6, v7                      // any of these
        mov     v7, m1[lili2_h + 32]
        repeat  121, .L_shifted
        and     v0, m0[ar2++], v1
        andx    v0, m0[ar3++], v2, v0
        andx    v0, m0[ar4++], v3, v0
        andnx   m1[ar5++], m0[ar0++], v4, v0
.L_shifted:
        .rept   2                               // the ends, where some of these stages are not there
        and     v0, m0[lili2_d + 16 * (\+ + 125)], v1
        andx    v0, m0[lili2_d + 16 * (\+ + 123)], v2, v0
        andx    m1[lili2_shifted + 16 * (\+ + 127)], m0[lili2_d + 16 * (\+ + 121)], v3, v0
        and     v0, m0[lili2_d + 16 * (\+ + 125)], v2
        andx    m1[lili2_shifted + 16 * (\+ + 129)], m0[lili2_d + 16 * (\+ + 123)], v3, v0
        and     m1[lili2_shifted + 16 * (\+ + 131)], m0[lili2_d + 16 * (\+ + 125)], v3
        .endr
        .rept   2
        and     v0, m0[lili2_d + 16 * \+], v2
        andx    v0, m0[lili2_d + 16 * (\+ + 2)], v1, v0
        andnx   m1[lili2_shifted + 16 * (\+ + 4)], m0[lili2_d + 16 * (\+ + 4)], v4, v0
        and     v0, m0[lili2_d + 16 * \+], v1
        andnx   m1[lili2_shifted + 16 * (\+ + 2)], m0[lili2_d + 16 * (\+ + 2)], v4, v0
        andn    m1[lili2_shifted + 16 * \+], m0[lili2_d + 16 * \+], v4
        .endr
        lili2_left 0, 4, lili2_sums4
        lili2_left 1, 5, lili2_sums4
        lili2_left 2, 6, lili2_sums4
        lili2_left 3, 7, lili2_sums4
        lili2_all_sums lili2_sums4
        lili2_left_more 0, 0, lili2_sums0, v5   // the sum of stages 133 and 134
        lili2_left_more 1, 1, lili2_sums0, v3
        lili2_left 2, 2, lili2_sums0
        lili2_left 3, 3, lili2_sums0
        lili2_all_sums lili2_sums0
        lili2_stage order[0], -1
        .rept   126
        lili2_stage order[\+ + 1], order[\+]
        .endr
        ret

// 128 bits of keystream to t0[ar1++], their bytes turned as the control vectors at ar7 say, one for each eight.
lili2_bits:
        repeat  16, .L_bits
        repeat  2, .L_fours
        call    lili2_c_clocks
        arset   ar6, lili2_clocks
        call    lili2_two_bits
        call    lili2_two_bits
        nop
.L_fours:
        mov     v0, m0[ar7+=s]
.L_bits:
        ret

// ---------------------------------------------------------------------------------------- transposition

// The transposed of 128 rows of t0 to lili2_iv. Row r has its bytes turned to the left by r / 8, so that a look-up
// finds bytes of the same place in all lanes: lane i looks at row 8 (b - i) for byte b.
lili2_transpose:
        mov     v0, m0[lili2_index]
        mov     v1, m0[lili2_back]
        mov     v2, m0[lili2_twos]
        mov     v3, m0[lili2_one]
        mov     v5, m0[lili2_low]
        add8    v4, v0, v3
        arset   ar1, 0
        repeat  16, .L_bytes
        repeat  4, .L_eight
        tblp    m3[ar1++], v0, v1
        add8    v0, v0, v2
        tblp    m3[ar1++], v4, v1
        add8    v4, v4, v2
.L_eight:
        and     v0, v0, v5
        and     v4, v4, v5
        add8    v1, v1, v3
.L_bytes:
        arset   ar7, 0
        exchange_out m1, lili2_iv, 4, 4
        exchange_back m1, lili2_iv, 2, 5
        exchange_out m1, lili2_iv, 1, 6
        ret

// ---------------------------------------------------------------------------------------- loading

// 256 bits, of which the first 255 become the state.
lili2_again:
        arset   ar1, 0
        call    lili2_bits
        call    lili2_bits

// Row r of t0 to the state: the first 128 to LFSRc, the others to LFSRd, the last stage first.
lili2_load:
        mov     v0, zero
        mov     v1, m0[lili2_one]
        arset   ar0, lili2_c3 + 16 * 31
        arset   ar2, lili2_c2 + 16 * 31
        arset   ar3, lili2_c1 + 16 * 31
        arset   ar4, lili2_c0 + 16 * 31
        repeat  8, .L_c
        repeat  4, .L_c3
        tbl0    m3[ar0--], v0
        add8    v0, v0, v1
.L_c3:
        repeat  4, .L_c2
        tbl0    m2[ar2--], v0
        add8    v0, v0, v1
.L_c2:
        repeat  4, .L_c1
        tbl0    m1[ar3--], v0
        add8    v0, v0, v1
.L_c1:
        repeat  4, .L_c0
        tbl0    m0[ar4--], v0
        add8    v0, v0, v1
.L_c0:
        nop
.L_c:
        arset   ar0, lili2_d + 16 * 126
        repeat  127, .L_d
        tbl0    m0[ar0--], v0
        add8    v0, v0, v1
.L_d:
        ret

// lili2_start: loads the key and 128 IVs; twice 255 bits, which become the state.
//
// Inputs:   lili2_key, lili2_iv
// Outputs:  lili2_c0, lili2_c1, lili2_c2, lili2_c3, lili2_d
// Clobbers: v0-v7, ctr, wk, ar0-ar7
// Memory:   t0, m1, m2 from row 128, m3
// Time:     constant
// Cycles:   373311
        .global lili2_start
lili2_start:
        mov     v0, m0[lili2_turns]
        mov     v1, m0[lili2_one]
        arset   ar0, lili2_iv
        arset   ar1, 0
        repeat  16, .L_streams
        repeat  8, .L_eight_streams
        perm    t0[ar1++], m1[ar0++], v0
.L_eight_streams:
        add8    v0, v0, v1
.L_streams:
        call    lili2_transpose
        mov     v1, m0[lili2_key]
        mov     v3, m0[lili2_one]
        arset   ar0, lili2_iv
        arset   ar1, 0
        arset   ar2, 16 * 127                   // LFSRd: the key from its second bit on, the IV from its first
        arset   ar3, lili2_iv - 16
        repeat  16, .L_key_bytes
        bcast   v0, v1, 0
        repeat  8, .L_key_bits
        rotx8   v0, v0, zero, 1
        and     v2, v0, v3
        sub8    v2, zero, v2
        xor     t0[ar2++], v2, m1[ar3++]
        xor     t0[ar1++], v2, m1[ar0++]
.L_key_bits:
        rotx    v1, v1, zero, 8
.L_key_bytes:
        call    lili2_load
        arset   ar7, lili2_turns
        arstep  ar7, 0
        call    lili2_again
        call    lili2_again
        halt

// lili2: C = P ^ keystream, n blocks: one of each of 128 streams, or none.
//
// Inputs:   lili2_c0, lili2_c1, lili2_c2, lili2_c3, lili2_d, lili2_length; P in m2 from row 0
// Outputs:  C in m3 from row 0; lili2_c0, lili2_c1, lili2_c2, lili2_c3, lili2_d
// Clobbers: v0-v7, ctr, wk, ar0-ar7
// Memory:   t0, m1, m2 from row 128
// Time:     constant; depends on n, 0 or 128
// Cycles:   94078n/128 + 13, n a multiple of 128
        .global lili2
lili2:
        vtoar   ar6, m0[lili2_length], 4
        bz      ar6, .L_none
        arset   ar1, 0
        arset   ar7, lili2_turns
        arstep  ar7, 16
        call    lili2_bits
        call    lili2_transpose
        arset   ar0, 0
        arset   ar1, 0
        arset   ar2, lili2_iv
        repeat  128, .L_text
        mov     v0, m2[ar0++]
        xor     m3[ar1++], v0, m1[ar2++]
.L_text:
.L_none:
        halt
