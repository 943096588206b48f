// AES (FIPS 197) in the manner of CP-ASIP: one round an instruction, two blocks interleaved, the S-box in
// t0 for encryption and its inverse in t1 for decryption, so that both directions are in place at once.
// Runs with ROUNDS_PER_INSTR = 1 as well. Calling convention: firmware/README.md.

        .include "memory.inc"
        .include "schedule.inc"

        .section text

// aes_paper_tables: S-box to all lanes of t0, inverse S-box to all lanes of t1.
//
// Inputs:   none
// Outputs:  t0, t1
// Clobbers: ar0, ar1
// Memory:   reads m1 (aes_sbox, aes_inv_sbox)
// Time:     constant
// Cycles:   525
        .global aes_paper_tables
aes_paper_tables:
        arset   ar0, aes_sbox
        arstep  ar0, 1
        arset   ar1, 0
        repeat  256, .L_forward
        bcast   t0[ar1++], m1[ar0+=s], 0
.L_forward:
        arset   ar1, 0
        repeat  256, .L_inverse
        bcast   t1[ar1++], m1[ar0+=s], 0
.L_inverse:
        halt

// Round keys of both directions: key i of encryption to row i of m0, key i of decryption, that is round
// key Nr-i through InvMixColumns but for the first and the last, to row i of m1.
        .macro aes_paper_keys rounds
        arset   ar0, 0
        arset   ar1, 0
        repeat  \rounds + 1, .L_forward\@
        mov     m0[ar1++], m3[ar0++]
.L_forward\@:
        arset   ar0, 16 * \rounds
        arset   ar1, 0
        mov     m1[ar1++], m3[ar0--]
        repeat  \rounds - 1, .L_inverse\@
        aesimc  m1[ar1++], m3[ar0--]
.L_inverse\@:
        mov     m1[ar1], m3[ar0]
        .endm

// aes128_paper_key, aes192_paper_key, aes256_paper_key: round keys of both directions.
//
// Inputs:   aes_key; the S-box in t0
// Outputs:  round keys in m0 (encryption) and m1 (decryption) from row 0
// Clobbers: v0-v2, v5-v7, ar0, ar1
// Memory:   m3 rows 0-15 are scratch, zero at the end
// Time:     constant
// Cycles:   82 (128), 101 (192), 98 (256)
        .global aes128_paper_key
aes128_paper_key:
        aes_linear_128
        aes_paper_keys 10
        jmp     .L_wipe
        .global aes192_paper_key
aes192_paper_key:
        aes_linear_192
        aes_paper_keys 12
        jmp     .L_wipe
        .global aes256_paper_key
aes256_paper_key:
        aes_linear_256
        aes_paper_keys 14
.L_wipe:
        aes_wipe_linear
        halt

// First AddRoundKey, middle rounds, last round, for two blocks in turn; a tail of one block.
        .macro aes_paper_ecb op, key, rounds
        vtoar   ar6, m1[aes_length], 7
        arset   ar0, 0
        arset   ar1, 0
        arshr   ar5, ar6, 1
        arand   ar6, ar6, 1
        repeat  ar5, .L_pairs\@
        \op\()f v0, m2[ar0++], \key[0]
        \op\()f v1, m2[ar0++], \key[0]
        .rept   \rounds - 1
        \op\()m v0, v0, \key[16 * (1 + \+)]
        \op\()m v1, v1, \key[16 * (1 + \+)]
        .endr
        \op\()l m3[ar1++], v0, \key[16 * \rounds]
        \op\()l m3[ar1++], v1, \key[16 * \rounds]
.L_pairs\@:
        bz      ar6, .L_done\@
        \op\()f v0, m2[ar0++], \key[0]
        .rept   \rounds - 1
        \op\()m v0, v0, \key[16 * (1 + \+)]
        .endr
        \op\()l m3[ar1++], v0, \key[16 * \rounds]
.L_done\@:
        halt
        .endm

// aes128_paper_ecb_encrypt, aes192_paper_ecb_encrypt, aes256_paper_ecb_encrypt: C[i] = E(P[i]), n blocks.
//
// Inputs:   round keys, aes_length; tables of this variant; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0, v1, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   11n + 15 (128), 13n + 15 (192), 15n + 15 (256), even n
        .global aes128_paper_ecb_encrypt
aes128_paper_ecb_encrypt:
        aes_paper_ecb aesenc, m0, 10
        .global aes192_paper_ecb_encrypt
aes192_paper_ecb_encrypt:
        aes_paper_ecb aesenc, m0, 12
        .global aes256_paper_ecb_encrypt
aes256_paper_ecb_encrypt:
        aes_paper_ecb aesenc, m0, 14

// aes128_paper_ecb_decrypt, aes192_paper_ecb_decrypt, aes256_paper_ecb_decrypt: P[i] = D(C[i]), n blocks.
//
// Inputs:   round keys, aes_length; tables of this variant; C in m2 from row 0
// Outputs:  P in m3 from row 0
// Clobbers: v0, v1, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   11n + 15 (128), 13n + 15 (192), 15n + 15 (256), even n
        .global aes128_paper_ecb_decrypt
aes128_paper_ecb_decrypt:
        aes_paper_ecb aesdec, m1, 10
        .global aes192_paper_ecb_decrypt
aes192_paper_ecb_decrypt:
        aes_paper_ecb aesdec, m1, 12
        .global aes256_paper_ecb_decrypt
aes256_paper_ecb_decrypt:
        aes_paper_ecb aesdec, m1, 14

// CTR: the counter enters the first AddRoundKey, the data the last round.
        .macro aes_paper_ctr rounds
        mov     ctr, m1[aes_iv]
        vtoar   ar4, m1[aes_length], 6
        vtoar   ar6, m1[aes_length], 7
        arset   ar0, 0
        arset   ar1, 0
        ctrw    128
        arshr   ar5, ar6, 1
        arand   ar6, ar6, 1
        repeat  ar5, .L_pairs\@
        aesencf v0, ctr++, m0[0]
        aesencf v1, ctr++, m0[0]
        .rept   \rounds - 1
        aesencm v0, v0, m0[16 * (1 + \+)]
        aesencm v1, v1, m0[16 * (1 + \+)]
        .endr
        aesencl m3[ar1++], v0, m0[16 * \rounds], m2[ar0++]
        aesencl m3[ar1++], v1, m0[16 * \rounds], m2[ar0++]
.L_pairs\@:
        bz      ar6, .L_partial\@
        aesencf v0, ctr++, m0[0]
        .rept   \rounds - 1
        aesencm v0, v0, m0[16 * (1 + \+)]
        .endr
        aesencl m3[ar1++], v0, m0[16 * \rounds], m2[ar0++]
.L_partial\@:
        bz      ar4, .L_done\@
        mov     v2, m1[aes_ones]
        mov     v1, zero
        aesencf v0, ctr++, m0[0]
        .rept   \rounds - 1
        aesencm v0, v0, m0[16 * (1 + \+)]
        .endr
        aesencl v0, v0, m0[16 * \rounds], m2[ar0++]
        repeat  ar4, .L_mask\@
        align   v1, v2, v1, 15                  // one more byte of ones in front
.L_mask\@:
        and     m3[ar1++], v0, v1
.L_done\@:
        mov     m1[aes_iv], ctr
        halt
        .endm

// aes128_paper_ctr, aes192_paper_ctr, aes256_paper_ctr: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more.
//
// Inputs:   round keys, aes_length, aes_iv = first counter block; tables of this variant; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; aes_iv = next counter block
// Clobbers: v0-v2, ctr, ar0, ar1, ar4-ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   11n + 21 (128), 13n + 21 (192), 15n + 21 (256), even n
        .global aes128_paper_ctr
aes128_paper_ctr:
        aes_paper_ctr 10
        .global aes192_paper_ctr
aes192_paper_ctr:
        aes_paper_ctr 12
        .global aes256_paper_ctr
aes256_paper_ctr:
        aes_paper_ctr 14
