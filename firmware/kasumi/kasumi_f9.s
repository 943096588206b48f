// f9 (3GPP TS 35.201 5), the integrity algorithm UIA1: the sum of all blocks of a CBC chain, encrypted with another
// key.
//
// Calling convention: firmware/README.md. The IV is that of UIA2 (lte = "uia2"): words 3 and 2 are COUNT and FRESH, and
// word 1 is COUNT with DIRECTION added to its first bit. The input begins in the last half of row 0.

        .include "single.inc"

        .section m1
kasumi_f9_mask:                                 // KM (TS 35.201 5.2)
        .fill   16, 0xaa
kasumi_f9_sum:                                  // B; last half
        .zero   16
kasumi_f9_tail:                                 // DIRECTION, a one, zeros
        .zero   16
kasumi_f9_first:                                // control vector: COUNT || FRESH to the last half
        .row    "80808080 80808080 0c0d0e0f 08090a0b"
kasumi_f9_direction:                            // what of words 1 and 3 is DIRECTION
        .row    "00000000 80000000 00000000 00000000"
kasumi_f9_one:
        .row    "40000000 00000000 00000000 00000000"
kasumi_f9_tag:
        .row    "ffffffff 00000000 00000000 00000000"

        .section text

// kasumi128_f9_key: round keys of the key and of the key of the last encryption.
//
// Inputs:   kasumi_key
// Outputs:  kasumi_keys, kasumi_other_keys
// Clobbers: v0-v3, ar1
// Memory:   kasumi_sources
// Time:     constant
// Cycles:   201
        .global kasumi128_f9_key
kasumi128_f9_key:
        kasumi_two_schedules kasumi_f9_mask
        halt

// kasumi_f9_start: A = B = E(COUNT || FRESH).
//
// Inputs:   key schedule, kasumi_iv
// Outputs:  kasumi_iv = A, kasumi_f9_sum = B, in the last half; kasumi_f9_tail
// Clobbers: v0-v7, ar3
// Memory:   kasumi_b, kasumi_c, the last rows of m3
// Time:     constant
// Cycles:   355
        .global kasumi_f9_start
kasumi_f9_start:
        mov     v0, m1[kasumi_iv]
        rotx    v1, v0, v0, 64
        and     v1, v1, m1[kasumi_f9_direction]
        rotx    v1, v1, m1[kasumi_f9_one], 32
        perm    v0, v0, m1[kasumi_f9_first]
        mov     m1[kasumi_f9_tail], v1
        arset   ar3, kasumi_keys
        call    kasumi_block
        mov     m1[kasumi_iv], v0
        mov     m1[kasumi_f9_sum], v0
        halt

// The next block of the message, v0 = A and wk = B.
        .macro  kasumi_f9_block
        arset   ar3, kasumi_keys
        call    kasumi_block
        mov     wk, v0 ^ wk
        .endm
        .macro  kasumi_f9_blocks
        vtoar   ar6, m1[kasumi_length], 7
        arset   ar0, 0
        arstep  ar0, 8
        mov     v0, m1[kasumi_iv]
        mov     wk, m1[kasumi_f9_sum]
        repeat  ar6, .L_blocks\@
        xor     v0, v0, m2[ar0+=s]
        kasumi_f9_block
.L_blocks\@:
        .endm

// kasumi_f9_update: n blocks of a message that goes on.
//
// Inputs:   key schedule, kasumi_length, kasumi_iv = A, kasumi_f9_sum = B; M in m2 from the last half of row 0
// Outputs:  kasumi_iv = A, kasumi_f9_sum = B
// Clobbers: v0-v7, wk, ar0, ar3, ar6
// Memory:   kasumi_b, kasumi_c, the last rows of m3
// Time:     constant; depends on n
// Cycles:   340n + 18
        .global kasumi_f9_update
kasumi_f9_update:
        kasumi_f9_blocks
        mov     m1[kasumi_iv], v0
        mov     m1[kasumi_f9_sum], wk
        halt

// kasumi_f9: the MAC of a message that ends with n blocks and up to 63 bits.
//
// Inputs:   key schedule, kasumi_length, kasumi_iv = A, kasumi_f9_sum = B, kasumi_f9_tail; M in m2 from the last half
//           of row 0
// Outputs:  the MAC of 32 bits in m3 row 0
// Clobbers: v0-v7, wk, ar0, ar3, ar4, ar6, ar7
// Memory:   kasumi_b, kasumi_c, kasumi_f9_tail, the last rows of m3
// Time:     constant; depends on n and on the bits after them
// Cycles:   340n + 711
//
// DIRECTION and a one follow the message; after 63 bits the one begins another block.
        .global kasumi_f9
kasumi_f9:
        kasumi_f9_blocks
        vtoar   ar4, m1[kasumi_length], 6
        vtoar   ar7, m1[kasumi_length], 5
        mov     v4, m1[kasumi_f9_tail]
        kasumi_end v1, v2, v4
        aradd   ar0, ar0, 8
        and     v1, v1, m2[ar0]
        xor     {v1, m1[kasumi_f9_tail]}, v1, v4
        rotx    v0, v1, v0, 64
        kasumi_f9_block
        aradd   ar4, ar4, -7
        bnz     ar4, .L_sum
        aradd   ar7, ar7, -7
        bnz     ar7, .L_sum
        xor     v0, v0, m1[kasumi_f9_tail]
        kasumi_f9_block
.L_sum:
        mov     v0, wk
        arset   ar3, kasumi_other_keys
        call    kasumi_block
        rotx    v0, v0, zero, 64
        and     m3[0], v0, m1[kasumi_f9_tag]
        halt
