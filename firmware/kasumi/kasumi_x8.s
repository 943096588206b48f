// KGCORE (3GPP TS 55.216), eight messages of one key, a block of each at once: see kasumi_f8.s.
//
// Calling convention: firmware/README.md.

kasumi_alone = 0

        .include "block.inc"
        .include "schedule.inc"

        .section m0
kasumi_x8_iv_keys:                              // of the key that encrypts the IVs
        .zero   16 * 8 * 8
kasumi_x8_a:                                    // A of all messages, in halves
        .zero   16 * 4
kasumi_x8_low:                                  // control vectors: bits 15 to 0 of a row to all lanes
        .row    "0e0f0e0f 0e0f0e0f 0e0f0e0f 0e0f0e0f"
kasumi_x8_high:                                 // bits 31 to 16
        .row    "0c0d0c0d 0c0d0c0d 0c0d0c0d 0c0d0c0d"

        .section m1
kasumi_x8_mask:                                 // KM (TS 35.201 4.2)
        .fill   16, 0x55
        .global kasumi_x8_iv
kasumi_x8_iv:                                   // parameter: eight IVs
        .zero   16 * 4
kasumi_x8_count:                                // blocks so far
        .zero   16
kasumi_x8_last:                                 // the last blocks of keystream, in halves
        .zero   16 * 4

        .section text

        .alias  in, ar0
        .alias  out, ar1
        .alias  blocks, ar5             // of each message

// kasumi128_x8_key, kasumi64_x8_key: round keys of the key and of the key that encrypts the IVs; a key of 64 bits is
// taken twice (TS 55.216).
//
// Inputs:   kasumi_key
// Outputs:  kasumi_keys, kasumi_x8_iv_keys; kasumi_key of 128 bits
// Clobbers: v0-v3, ar1
// Memory:   kasumi_sources
// Time:     constant
// Cycles:   201 (kasumi128), 209 (kasumi64)
        kasumi_two_keys x8, kasumi_x8_mask, kasumi_x8_iv_keys

// Eight rounds of the halves in l0, l1 and in memory, with the keys at `key`.
kasumi_rounds:
        repeat  2, .L_rounds
        kasumi_four_forward
.L_rounds:
        ret

// kasumi_x8_start: A = E'(IV) of eight messages.
//
// Inputs:   key schedule, kasumi_x8_iv, eight IVs
// Outputs:  kasumi_x8_a, kasumi_x8_count, kasumi_x8_last
// Clobbers: v0-v7, ar0, ar3
// Memory:   kasumi_b, kasumi_c, the last rows of m3
// Time:     constant
// Cycles:   508
        .global kasumi_x8_start
kasumi_x8_start:
        arset   in, kasumi_x8_iv
        kasumi_rows_in m1[in++]
        kasumi_load_forward
        arset   key, kasumi_x8_iv_keys
        call    kasumi_rounds
        mov     m0[kasumi_x8_a], a0
        mov     m0[kasumi_x8_a + 16], a1
        mov     m0[kasumi_x8_a + 32], m1[kasumi_b]
        mov     m0[kasumi_x8_a + 48], m1[kasumi_b + 16]
        mov     m1[kasumi_x8_count], zero
        mov     m1[kasumi_x8_last], zero
        mov     m1[kasumi_x8_last + 16], zero
        mov     m1[kasumi_x8_last + 32], zero
        mov     m1[kasumi_x8_last + 48], zero
        halt

// kasumi_x8: C = P ^ KS, n blocks, those of the eight messages one after the other.
//
// Inputs:   key schedule, kasumi_length, kasumi_x8_a, kasumi_x8_count, kasumi_x8_last; P in m2 from row 0
// Outputs:  C in m3 from row 0; kasumi_x8_count, kasumi_x8_last
// Clobbers: v0-v7, ctr, ar0, ar1, ar3, ar5
// Memory:   kasumi_b, kasumi_c, the last rows of m3
// Time:     constant; depends on n
// Cycles:   507n/8 + 40, n a multiple of 8
        .global kasumi_x8
kasumi_x8:
        vtoar   blocks, m1[kasumi_length], 4
        arset   in, 0
        arset   out, 0
        mov     ctr, m1[kasumi_x8_count]
        ctrw    32
        mov     m3[kasumi_a], m1[kasumi_x8_last]
        mov     m3[kasumi_a + 16], m1[kasumi_x8_last + 16]
        mov     a2, m1[kasumi_x8_last + 32]
        mov     a3, m1[kasumi_x8_last + 48]
        mov     m1[kasumi_b], a2
        mov     m1[kasumi_b + 16], a3
        repeat  blocks, .L_blocks
        mov     a2, m1[kasumi_b]
        mov     a3, m1[kasumi_b + 16]
        perm    b0, ctr, m0[kasumi_x8_high]
        perm    b1, ctr++, m0[kasumi_x8_low]
        xor     a2, a2, m0[kasumi_x8_a + 32]
        xor     a3, a3, m0[kasumi_x8_a + 48]
        mov     a0, m3[kasumi_a]
        mov     a1, m3[kasumi_a + 16]
        xor     m1[kasumi_b], a2, b0
        xor     m1[kasumi_b + 16], a3, b1
        xor     {a0, m3[kasumi_a]}, a0, m0[kasumi_x8_a]
        xor     {a1, m3[kasumi_a + 16]}, a1, m0[kasumi_x8_a + 16]
        arset   key, kasumi_keys
        call    kasumi_rounds
        kasumi_rows_out m1, kasumi_b
        align   a0, a0, b2, 8                   // L from b0, R from b2
        align   b0, b0, a2, 8
        align   a1, a1, b3, 8
        align   b1, b1, a3, 8
        perm    a0, a0, m0[kasumi_scatter]
        perm    b0, b0, m0[kasumi_scatter]
        perm    a1, a1, m0[kasumi_scatter]
        perm    b1, b1, m0[kasumi_scatter]
        xor     m3[out++], a0, m2[in++]
        xor     m3[out++], b0, m2[in++]
        xor     m3[out++], a1, m2[in++]
        xor     m3[out++], b1, m2[in++]
.L_blocks:
        mov     m1[kasumi_x8_count], ctr
        mov     m1[kasumi_x8_last], m3[kasumi_a]
        mov     m1[kasumi_x8_last + 16], m3[kasumi_a + 16]
        mov     a2, m1[kasumi_b]
        mov     a3, m1[kasumi_b + 16]
        mov     m1[kasumi_x8_last + 32], a2
        mov     m1[kasumi_x8_last + 48], a3
        halt
