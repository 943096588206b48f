// KGCORE (3GPP TS 55.216), eight messages of one key, a block of each at once: see kasumi_f8.s.
//
// Calling convention: firmware/README.md.

kasumi_alone = 0

        .include "block.inc"
        .include "schedule.inc"

        .section m0
kasumi_other_keys:                              // of the key that encrypts the IVs
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

// kasumi128_x8_key, kasumi64_x8_key: round keys of the key and of the key that encrypts the IVs; a key of 64 bits is
// taken twice (TS 55.216).
//
// Inputs:   kasumi_key
// Outputs:  kasumi_keys, kasumi_other_keys; kasumi_key of 128 bits
// Clobbers: v0-v3, ar1
// Memory:   kasumi_sources
// Time:     constant
// Cycles:   201 (kasumi128), 209 (kasumi64)
        .global kasumi128_x8_key, kasumi64_x8_key
kasumi64_x8_key:
        mov     v0, m1[kasumi_key]
        rotx    v1, v0, zero, 64
        align   m1[kasumi_key], v1, v0, 8
kasumi128_x8_key:
        mov     v0, m1[kasumi_key]
        kasumi_schedule kasumi_keys, 0
        mov     v0, m1[kasumi_key]
        xor     v0, v0, m1[kasumi_x8_mask]
        kasumi_schedule kasumi_other_keys, 0
        halt

// Eight rounds of the halves in v0, v1 and in memory, with the keys at ar3.
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
        arset   ar0, kasumi_x8_iv
        kasumi_rows_in m1[ar0++]
        kasumi_load_forward
        arset   ar3, kasumi_other_keys
        call    kasumi_rounds
        mov     m0[kasumi_x8_a], v0
        mov     m0[kasumi_x8_a + 16], v1
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
        vtoar   ar5, m1[kasumi_length], 4
        arset   ar0, 0
        arset   ar1, 0
        mov     ctr, m1[kasumi_x8_count]
        ctrw    32
        mov     m3[kasumi_a], m1[kasumi_x8_last]
        mov     m3[kasumi_a + 16], m1[kasumi_x8_last + 16]
        mov     v2, m1[kasumi_x8_last + 32]
        mov     v3, m1[kasumi_x8_last + 48]
        mov     m1[kasumi_b], v2
        mov     m1[kasumi_b + 16], v3
        repeat  ar5, .L_blocks
        mov     v2, m1[kasumi_b]
        mov     v3, m1[kasumi_b + 16]
        perm    v4, ctr, m0[kasumi_x8_high]
        perm    v5, ctr++, m0[kasumi_x8_low]
        xor     v2, v2, m0[kasumi_x8_a + 32]
        xor     v3, v3, m0[kasumi_x8_a + 48]
        mov     v0, m3[kasumi_a]
        mov     v1, m3[kasumi_a + 16]
        xor     m1[kasumi_b], v2, v4
        xor     m1[kasumi_b + 16], v3, v5
        xor     {v0, m3[kasumi_a]}, v0, m0[kasumi_x8_a]
        xor     {v1, m3[kasumi_a + 16]}, v1, m0[kasumi_x8_a + 16]
        arset   ar3, kasumi_keys
        call    kasumi_rounds
        kasumi_rows_out m1, kasumi_b
        align   v0, v0, v6, 8                   // L from v4, R from v6
        align   v4, v4, v2, 8
        align   v1, v1, v7, 8
        align   v5, v5, v3, 8
        perm    v0, v0, m0[kasumi_scatter]
        perm    v4, v4, m0[kasumi_scatter]
        perm    v1, v1, m0[kasumi_scatter]
        perm    v5, v5, m0[kasumi_scatter]
        xor     m3[ar1++], v0, m2[ar0++]
        xor     m3[ar1++], v4, m2[ar0++]
        xor     m3[ar1++], v1, m2[ar0++]
        xor     m3[ar1++], v5, m2[ar0++]
.L_blocks:
        mov     m1[kasumi_x8_count], ctr
        mov     m1[kasumi_x8_last], m3[kasumi_a]
        mov     m1[kasumi_x8_last + 16], m3[kasumi_a + 16]
        mov     v2, m1[kasumi_b]
        mov     v3, m1[kasumi_b + 16]
        mov     m1[kasumi_x8_last + 32], v2
        mov     m1[kasumi_x8_last + 48], v3
        halt
