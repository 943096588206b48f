// Camellia (RFC 3713), two rounds an instruction, one block in a pair of registers: half of the look-ups go unused.
// ECB for comparison with the packed variant; CFB128 and OFB (SP 800-38A), whose feedback leaves one block in flight.
// Calling convention: firmware/README.md.

        .include "memory.inc"
        .include "schedule.inc"
        .include "setup.inc"
        .include "steps.inc"

        .section text

        .macro camellia_unpacked_ecb last
        vtoar   ar6, m1[camellia_length], 7
        mov     wk, m0[camellia_wk]
        arset   ar0, 0
        arset   ar1, 0
        arshr   ar5, ar6, 1
        arand   ar6, ar6, 1
        repeat  ar5, .L_pairs\@
        cam2s   {v0, v1}, m2[ar0++] ^ wk, m0:m1[0]
        cam2s   {v2, v3}, m2[ar0++] ^ wk, m0:m1[0]
        .rept   \last - 2
        camellia_step v0, v1, 2 + \+
        camellia_step v2, v3, 2 + \+
        .endr
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\last - 1)]
        cam2l   {v2, v3, m3[ar1++]}, v2, v3, m0:m1[16 * (\last - 1)]
.L_pairs\@:
        bz      ar6, .L_done\@
        cam2s   {v0, v1}, m2[ar0++] ^ wk, m0:m1[0]
        camellia_steps v0, v1, 2, \last - 1
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\last - 1)]
.L_done\@:
        halt
        .endm

// camellia128_unpacked_ecb, camellia256_unpacked_ecb: C[i] = E(P[i]), n blocks; D with the round keys of decryption.
// 256: 192 bits too.
//
// Inputs:   key rows, camellia_wk, camellia_length; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0-v3, wk, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   9n + 16 (128), 12n + 16 (256), even n
        .global camellia128_unpacked_ecb
camellia128_unpacked_ecb:
        camellia_unpacked_ecb 9
        .global camellia256_unpacked_ecb
camellia256_unpacked_ecb:
        camellia_unpacked_ecb 12

// ------------------------------------------------------------------------------------- feedback modes
// The job: wk, ar0 and ar2 input, ar1 output, ar4 bytes of a last block, ar6 blocks; v0 the chaining value.
        .macro camellia_feedback_job
        vtoar   ar4, m1[camellia_length], 6
        vtoar   ar6, m1[camellia_length], 7
        mov     wk, m0[camellia_wk]
        mov     v0, m1[camellia_iv]
        arset   ar0, 0
        arset   ar1, 0
        arset   ar2, 0
        .endm

// The last, partial block: keystream from the chaining value in v0, data at ar0, only ar4 bytes kept.
        .macro camellia_feedback_partial last
        bz      ar4, .L_done\@
        cam2s   {v0, v1}, v0 ^ wk, m0:m1[0]
        mov     v7, m1[camellia_ones]
        mov     v6, zero
        camellia_steps v0, v1, 2, \last - 1
        cam2l   {v4, v5}, v0, v1, m0:m1[16 * (\last - 1)], m2[ar0++]
        repeat  ar4, .L_mask\@
        align   v6, v7, v6, 15                  // one more byte of ones in front
.L_mask\@:
        and     m3[ar1++], v4, v6
.L_done\@:
        halt
        .endm

        .macro camellia_cfb_encrypt last
        camellia_feedback_job
        repeat  ar6, .L_blocks\@
        cam2s   {v0, v1}, v0 ^ wk, m0:m1[0]
        camellia_steps v0, v1, 2, \last - 1
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\last - 1)], m2[ar0++]
.L_blocks\@:
        mov     m1[camellia_iv], v0
        camellia_feedback_partial \last
        .endm

// The first block takes the IV, the others the row of ciphertext in front, which ar2 points to.
        .macro camellia_cfb_decrypt last
        camellia_feedback_job
        bz      ar6, .L_partial\@
        cam2s   {v0, v1}, v0 ^ wk, m0:m1[0]
        aradd   ar6, ar6, -1
        camellia_steps v0, v1, 2, \last - 1
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\last - 1)], m2[ar0++]
        arshr   ar5, ar6, 1
        arand   ar6, ar6, 1
        repeat  ar5, .L_pairs\@
        cam2s   {v0, v1}, m2[ar2++] ^ wk, m0:m1[0]
        cam2s   {v2, v3}, m2[ar2++] ^ wk, m0:m1[0]
        .rept   \last - 2
        camellia_step v0, v1, 2 + \+
        camellia_step v2, v3, 2 + \+
        .endr
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\last - 1)], m2[ar0++]
        cam2l   {v2, v3, m3[ar1++]}, v2, v3, m0:m1[16 * (\last - 1)], m2[ar0++]
.L_pairs\@:
        bz      ar6, .L_last\@
        cam2s   {v0, v1}, m2[ar2++] ^ wk, m0:m1[0]
        camellia_steps v0, v1, 2, \last - 1
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\last - 1)], m2[ar0++]
.L_last\@:
        mov     {v0, m1[camellia_iv]}, m2[ar2]
.L_partial\@:
        camellia_feedback_partial \last
        .endm

// The chain needs O but stores C; it gets O back as C ^ P: v0 holds C[i-1] and ar2 points to P[i-1].
        .macro camellia_ofb last
        camellia_feedback_job
        bz      ar6, .L_partial\@
        aradd   ar6, ar6, -1
        cam2s   {v0, v1}, v0 ^ wk, m0:m1[0]
        camellia_steps v0, v1, 2, \last - 1
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\last - 1)], m2[ar0++]
        repeat  ar6, .L_blocks\@
        cam2s   {v0, v1}, v0 ^ m2[ar2++] ^ wk, m0:m1[0]
        camellia_steps v0, v1, 2, \last - 1
        cam2l   {v0, v1, m3[ar1++]}, v0, v1, m0:m1[16 * (\last - 1)], m2[ar0++]
.L_blocks\@:
        mov     {v0, m1[camellia_iv]}, v0 ^ m2[ar2]
.L_partial\@:
        camellia_feedback_partial \last
        .endm

// camellia128_cfb_encrypt, camellia256_cfb_encrypt: C[i] = P[i] ^ E(C[i-1]), n blocks and up to 15 bytes more.
// 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; camellia_iv goes on
// Clobbers: v0, v1, v4-v7, wk, ar0-ar2, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   18n + 18 (128), 24n + 18 (256)
        .global camellia128_cfb_encrypt
camellia128_cfb_encrypt:
        camellia_cfb_encrypt 9
        .global camellia256_cfb_encrypt
camellia256_cfb_encrypt:
        camellia_cfb_encrypt 12

// camellia128_cfb_decrypt, camellia256_cfb_decrypt: P[i] = C[i] ^ E(C[i-1]), n blocks and up to 15 bytes more.
// 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv; C in m2 from row 0
// Outputs:  P in m3 from row 0, a last block zero behind its bytes; camellia_iv goes on
// Clobbers: v0-v7, wk, ar0-ar2, ar4-ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   9n + 38 (128), 12n + 44 (256), even n from 4
        .global camellia128_cfb_decrypt
camellia128_cfb_decrypt:
        camellia_cfb_decrypt 9
        .global camellia256_cfb_decrypt
camellia256_cfb_decrypt:
        camellia_cfb_decrypt 12

// camellia128_ofb, camellia256_ofb: C[i] = P[i] ^ O[i], O[i] = E(O[i-1]), n blocks and up to 15 bytes more.
// 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; camellia_iv goes on
// Clobbers: v0, v1, v4-v7, wk, ar0-ar2, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   18n + 19 (128), 24n + 19 (256), n from 2
        .global camellia128_ofb
camellia128_ofb:
        camellia_ofb 9
        .global camellia256_ofb
camellia256_ofb:
        camellia_ofb 12
