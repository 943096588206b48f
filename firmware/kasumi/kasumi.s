// KASUMI (3GPP TS 35.202) in ECB (SP 800-38A), eight blocks at once.
//
// Calling convention: firmware/README.md.

kasumi_alone = 0

        .include "block.inc"
        .include "schedule.inc"

        .alias  in, ar0
        .alias  out, ar1
        .alias  groups, ar5             // of eight blocks
        .alias  blocks, ar6

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
        mov     k, m1[kasumi_key]
        kasumi_schedule kasumi_keys, 0
        halt
kasumi128_key_decrypt:
        mov     k, m1[kasumi_key]
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
        vtoar   blocks, m1[kasumi_length], 7
        arset   in, 0
        arset   out, 0
        aradd   blocks, blocks, 7
        arshr   groups, blocks, 3
        .endm
        .global kasumi_ecb_encrypt, kasumi_ecb_decrypt
kasumi_ecb_encrypt:
        kasumi_job
        repeat  groups, .L_forward
        kasumi_rows_in m2[in++]
        kasumi_load_forward
        arset   key, kasumi_keys
        repeat  2, .L_forward_rounds
        kasumi_four_forward
.L_forward_rounds:
        kasumi_rows_out m1, kasumi_b
        align   a0, a0, b2, 8                   // L from b0, R from b2
        align   b0, b0, a2, 8
        align   a1, a1, b3, 8
        align   b1, b1, a3, 8
        kasumi_store m3[out++], a0, b0, a1, b1
.L_forward:
        halt
kasumi_ecb_decrypt:
        kasumi_job
        repeat  groups, .L_backward
        kasumi_rows_in m2[in++]
        kasumi_load_backward
        arset   key, kasumi_keys
        repeat  2, .L_backward_rounds
        kasumi_four_backward
.L_backward_rounds:
        kasumi_rows_out m3, kasumi_a
        align   a2, a2, b0, 8                   // R from b0, L from b2
        align   b2, b2, a0, 8
        align   a3, a3, b1, 8
        align   b3, b3, a1, 8
        kasumi_store m3[out++], a2, b2, a3, b3
.L_backward:
        halt
