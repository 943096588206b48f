// f9 (3GPP TS 35.201 5), the integrity algorithm UIA1: the XOR of all blocks of a CBC chain, encrypted under another
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

        .alias  in, ar0
        .alias  blocks, ar6
        .alias  chain, v0               // A
        .alias  mask, v1
        .alias  ones, v2
        .alias  tail, v4                // DIRECTION, a one, zeros

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
        kasumi_two_schedules kasumi_f9_mask, kasumi_other_keys
        halt

// kasumi_f9_start: A = B = E(COUNT || FRESH).
//
// Inputs:   key schedule, kasumi_iv
// Outputs:  kasumi_iv = A, kasumi_f9_sum = B, in the last half; kasumi_f9_tail
// Clobbers: v0-v7, ar3
// Memory:   kasumi_b, kasumi_c, the last rows of m3
// Time:     constant
// Cycles:   355

        .alias  direction, v1

        .global kasumi_f9_start
kasumi_f9_start:
        mov     chain, m1[kasumi_iv]
        rotx    direction, chain, chain, 64
        and     direction, direction, m1[kasumi_f9_direction]
        rotx    direction, direction, m1[kasumi_f9_one], 32
        perm    chain, chain, m1[kasumi_f9_first]
        mov     m1[kasumi_f9_tail], direction
        arset   key, kasumi_keys
        call    kasumi_block
        mov     m1[kasumi_iv], chain
        mov     m1[kasumi_f9_sum], chain
        halt

// The next block of the message, `chain` = A and wk = B.
        .macro  kasumi_f9_block
        arset   key, kasumi_keys
        call    kasumi_block
        mov     wk, chain ^ wk
        .endm
        .macro  kasumi_f9_blocks
        vtoar   blocks, m1[kasumi_length], 7
        arset   in, 0
        arstep  in, 8
        mov     chain, m1[kasumi_iv]
        mov     wk, m1[kasumi_f9_sum]
        repeat  blocks, .L_blocks\@
        xor     chain, chain, m2[in+=s]
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
        mov     m1[kasumi_iv], chain
        mov     m1[kasumi_f9_sum], wk
        halt

// kasumi_f9: the MAC of a message that ends with n blocks and up to 63 bits.
//
// Inputs:   key schedule, kasumi_length, kasumi_iv = A, kasumi_f9_sum = B, kasumi_f9_tail; M in m2 from the last half
//           of row 0
// Outputs:  the MAC of 32 bits in m3 row 0
// Clobbers: v0-v7, wk, ar0, ar3, ar4, ar6, ar7
// Memory:   kasumi_b, kasumi_c, kasumi_f9_sum, the last rows of m3
// Time:     constant; depends on n and on the bits after them
// Cycles:   340n + 711
//
// DIRECTION and a one follow the message; after 63 bits the one begins another block.
        .global kasumi_f9
kasumi_f9:
        kasumi_f9_blocks
        vtoar   bytes, m1[kasumi_length], 6
        vtoar   bits, m1[kasumi_length], 5
        mov     tail, m1[kasumi_f9_tail]
        kasumi_end mask, ones, tail
        aradd   in, in, 8
        and     mask, mask, m2[in]
        xor     {mask, m1[kasumi_f9_sum]}, mask, tail
        rotx    chain, mask, chain, 64
        kasumi_f9_block
        aradd   bytes, bytes, -7
        bnz     bytes, .L_sum
        aradd   bits, bits, -7
        bnz     bits, .L_sum
        xor     chain, chain, m1[kasumi_f9_sum]
        kasumi_f9_block
.L_sum:
        mov     chain, wk
        arset   key, kasumi_other_keys
        call    kasumi_block
        rotx    chain, chain, zero, 64
        and     m3[0], chain, m1[kasumi_f9_tag]
        halt
