// KASUMI (3GPP TS 35.202) in ECB (SP 800-38A), eight blocks at once.
//
// Calling convention: firmware/README.md.

kasumi_alone = 0

        .include "block.inc"
        .include "schedule.inc"

// kasumi128_key_encrypt, kasumi128_key_decrypt: the round keys (TS 35.202 4.2).
//
// Inputs:   kasumi_key
// Outputs:  kasumi_keys
// Clobbers: v0-v3, ar1
// Memory:   kasumi_sources
// Time:     constant
// Cycles:   104 (encrypt), 112 (decrypt)
        .global kasumi128_key_encrypt, kasumi128_key_decrypt
kasumi128_key_encrypt:
        mov     v0, m1[kasumi_key]
        kasumi_schedule kasumi_keys, 0
        halt
kasumi128_key_decrypt:
        mov     v0, m1[kasumi_key]
        kasumi_schedule kasumi_keys, 1
        halt

// kasumi_ecb_encrypt, kasumi_ecb_decrypt: C[i] = E(P[i]), or D(P[i]), n blocks.
//
// Inputs:   key schedule, kasumi_length; P in m2 from row 0
// Outputs:  C in m3 from row 0, of whole groups of eight blocks
// Clobbers: v0-v7, ar0, ar1, ar3, ar5, ar6
// Memory:   kasumi_b, kasumi_c, the last rows of m3
// Time:     constant; depends on n
// Cycles:   127n/2 + 14 (encrypt), 509n/8 + 14 (decrypt), n a multiple of 8
        .macro  kasumi_job
        vtoar   ar6, m1[kasumi_length], 7
        arset   ar0, 0
        arset   ar1, 0
        aradd   ar6, ar6, 7
        arshr   ar5, ar6, 3
        .endm
        .global kasumi_ecb_encrypt, kasumi_ecb_decrypt
kasumi_ecb_encrypt:
        kasumi_job
        repeat  ar5, .L_forward
        kasumi_rows_in m2[ar0++]
        kasumi_load_forward
        arset   ar3, kasumi_keys
        repeat  2, .L_forward_rounds
        kasumi_four_forward
.L_forward_rounds:
        kasumi_rows_out m1, kasumi_b
        align   v0, v0, v6, 8                   // L from v4, R from v6
        align   v4, v4, v2, 8
        align   v1, v1, v7, 8
        align   v5, v5, v3, 8
        kasumi_store m3[ar1++], v0, v4, v1, v5
.L_forward:
        halt
kasumi_ecb_decrypt:
        kasumi_job
        repeat  ar5, .L_backward
        kasumi_rows_in m2[ar0++]
        kasumi_load_backward
        arset   ar3, kasumi_keys
        repeat  2, .L_backward_rounds
        kasumi_four_backward
.L_backward_rounds:
        kasumi_rows_out m3, kasumi_a
        align   v2, v2, v4, 8                   // R from v4, L from v6
        align   v6, v6, v0, 8
        align   v3, v3, v5, 8
        align   v7, v7, v1, 8
        kasumi_store m3[ar1++], v2, v6, v3, v7
.L_backward:
        halt
