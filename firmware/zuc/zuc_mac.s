// 128-EIA3 (ETSI/SAGE EEA3 and EIA3, document 1): T, the XOR of the keystream's 32-bit windows at the bits of the
// message that are one.
//
// Calling convention: firmware/README.md. With the bits of a message word in reverse, the windows that it selects add
// up to coefficients 31 to 62 of its carry-less product with the keystream. `ghash` multiplies by four keystream words,
// the one in front of the window first, so that T is in positions 63 to 94, out of reach of its reduction
// (docs/decisions/0008-lte-macs.md). c1 is not used: t1 reverses bits.

        .include "setup.inc"

        .section m1
eia3_next:                                      // keystream row that the next job begins with
        .zero   16
eia3_reverse:                                   // control vector: the bytes of words in reverse
        .row    "03020100070605040b0a09080f0e0d0c"
eia3_word:
        .row    "ffffffff000000000000000000000000"

        .section m0
        .zero   16                              // read in front of the keystream's rows, but of no effect
eia3_z: .zero   130 * 16                        // keystream: the row that the message is at, and those after it
eia3_bits:                                      // bytes in reverse
        .row    "008040c020a060e0109050d030b070f0"
        .row    "088848c828a868e8189858d838b878f8"
        .row    "048444c424a464e4149454d434b474f4"
        .row    "0c8c4ccc2cac6cec1c9c5cdc3cbc7cfc"
        .row    "028242c222a262e2129252d232b272f2"
        .row    "0a8a4aca2aaa6aea1a9a5ada3aba7afa"
        .row    "068646c626a666e6169656d636b676f6"
        .row    "0e8e4ece2eae6eee1e9e5ede3ebe7efe"
        .row    "018141c121a161e1119151d131b171f1"
        .row    "098949c929a969e9199959d939b979f9"
        .row    "058545c525a565e5159555d535b575f5"
        .row    "0d8d4dcd2dad6ded1d9d5ddd3dbd7dfd"
        .row    "038343c323a363e3139353d333b373f3"
        .row    "0b8b4bcb2bab6beb1b9b5bdb3bbb7bfb"
        .row    "078747c727a767e7179757d737b777f7"
        .row    "0f8f4fcf2faf6fef1f9f5fdf3fbf7fff"
        .zero   16                              // read after the last byte, but of no effect

        .section text

// Back to the front of the keystream's rows: v2 = the row that the message is at.
        .macro eia3_front
        mov     m0[eia3_z], v2
        arset   ar1, eia3_z + 16
        arset   ar2, eia3_z - 4
        .endm

// v0 = T, keystream in place, v7 for `eia3_row`.
        .macro eia3_begin
        mov     v2, m1[eia3_next]
        eia3_front
        arstep  ar2, 4
        arset   ar0, 0
        mov     v0, m1[zuc_iv]
        mov     v7, m1[eia3_reverse]
        .endm

// T of a row of the message; v2 = the keystream row after it, c0 is three words further; v1. In this order nothing
// waits.
        .macro eia3_row row
        zucx    {v2, m0[ar1++]}, c0, c0
        tbl1    v1, \row
        zuc     c0
        perm    v1, v1, v7
        zuc     c0
        zuc     c0
        .rept   4
        ghash   v0, v1, v0, m0[ar2+=s], \+
        .endr
        .endm

// Whole rows, as many at a time as the keystream has room for.
        .macro eia3_rows
        arshr   ar5, ar6, 9
        repeat  ar5, .L_parts\@
        repeat  128, .L_part\@
        eia3_row m2[ar0++]
.L_part\@:
        eia3_front
.L_parts\@:
        arshr   ar5, ar6, 2
        arand   ar5, ar5, 127
        repeat  ar5, .L_rows\@
        eia3_row m2[ar0++]
.L_rows\@:
        .endm

// zuc_mac_tables: S0 and S1 to the lanes of t0, bytes with their bits in reverse to all lanes of t1.
//
// Inputs:   zuc_entries, eia3_bits in m0
// Outputs:  t0, t1
// Clobbers: v7, ar0, ar1
// Time:     constant
// Cycles:   528
        .global zuc_mac_tables
zuc_mac_tables:
        stream_tables zuc_entries, 2, zuc_lanes, t0
        arset   ar0, eia3_bits
        arstep  ar0, 1
        arset   ar1, 0
        repeat  256, .L_bits
        bcast   t1[ar1++], m0[ar0+=s], 0
.L_bits:
        halt

// zuc_eia3_start: initialisation of a message, T = 0.
//
// Inputs:   zuc_key, zuc_iv; t0
// Outputs:  c0, eia3_next; zuc_iv = T = 0
// Clobbers: v0-v3, c0
// Time:     constant
// Cycles:   68
        .global zuc_eia3_start
zuc_eia3_start:
        mov     v0, m1[zuc_key]
        mov     v1, m1[zuc_iv]
        zuc_load c0
        stream_initialise c0, zuc
        zuc     c0
        zuc     c0
        zuc     c0
        zucx    m1[eia3_next], c0, c0
        zuc     c0
        zuc     c0
        zuc     c0
        mov     m1[zuc_iv], zero
        halt

// zuc_eia3_update: T of n words of a message that goes on, a multiple of four.
//
// Inputs:   c0, eia3_next, zuc_length, zuc_iv = T; t0, t1; M in m2 from row 0
// Outputs:  c0, eia3_next, zuc_iv = T
// Clobbers: v0-v2, v7, c0, ar0-ar2, ar5, ar6
// Memory:   m0 (eia3_z) is scratch
// Time:     constant; depends on n
// Cycles:   5n/2 + 4(n/512) + 24, n a multiple of 4; the quotient rounded down
        .global zuc_eia3_update
zuc_eia3_update:
        vtoar   ar6, m1[zuc_length], 7
        eia3_begin
        eia3_rows
        mov     m1[eia3_next], v2
        mov     m1[zuc_iv], v0
        halt

// zuc_eia3: the MAC of a message that ends with n words and up to 31 bits. The bit one after the message selects the
// window at its length, the last but one term of the MAC.
//
// Inputs:   c0, eia3_next, zuc_length, zuc_iv = T; t0, t1; M in m2 from row 0
// Outputs:  the MAC of 32 bits in m3 row 0
// Clobbers: v0-v5, v7, c0, ar0-ar7
// Memory:   m0 (eia3_z) is scratch
// Time:     constant; depends on n and on the bits after them
// Cycles:   5n/2 + 4(n/512) + 56, n a multiple of 4; the quotient rounded down
        .global zuc_eia3
zuc_eia3:
        vtoar   ar6, m1[zuc_length], 7
        vtoar   ar4, m1[zuc_length], 6
        vtoar   ar7, m1[zuc_length], 5
        eia3_begin
        eia3_rows
        arand   ar6, ar6, 3
        stream_touched
        stream_mask zuc, v3, v4
        rotx    v5, v3, m1[zuc_top], 127
        xor     v5, v5, v3                      // the bit after it
        bz      ar3, .L_end
        and     v3, v3, m2[ar0]
        xor     v5, v5, v3
.L_end:
        eia3_row v5
        aradd   ar1, ar2, -8
        repeat  ar3, .L_mask
        aradd   ar1, ar1, 4
.L_mask:
        rotx    v0, v0, m0[ar1], 63             // the last keystream word
        and     m3[0], v0, m1[eia3_word]
        halt
