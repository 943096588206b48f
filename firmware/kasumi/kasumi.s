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
        .macro  kasumi_ecb way, space, left, i, j, k, l
        vtoar   blocks, m1[kasumi_length], 7
        arset   in, 0
        arset   out, 0
        aradd   blocks, blocks, 7
        arshr   groups, blocks, 3
        repeat  groups, .L_groups\@
        kasumi_rows_in m2[in++]
        kasumi_load_\way
        arset   key, kasumi_keys
        repeat  2, .L_rounds\@
        kasumi_four_\way
.L_rounds\@:
        kasumi_rows_out \space, \left
        align   a\i, a\i, b\k, 8                // L or R from the first, the other one from the second
        align   b\i, b\i, a\k, 8
        align   a\j, a\j, b\l, 8
        align   b\j, b\j, a\l, 8
        kasumi_store m3[out++], a\i, b\i, a\j, b\j
.L_groups\@:
        halt
        .endm
        .global kasumi_ecb_encrypt, kasumi_ecb_decrypt
kasumi_ecb_encrypt:
        kasumi_ecb forward, m1, kasumi_b, 0, 1, 2, 3
kasumi_ecb_decrypt:
        kasumi_ecb backward, m3, kasumi_a, 2, 3, 0, 1
