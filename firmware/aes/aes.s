// AES (FIPS 197), two rounds an instruction, two blocks interleaved: ECB, CBC, CTR (SP 800-38A).
//
// Calling convention: firmware/README.md. Both table banks hold the S-box for encryption, the inverse
// S-box for decryption. Round keys are pairs: row i of m0 and m1 holds the keys of the two rounds that
// instruction i of a block does; the first AddRoundKey is the whitening with wk.

        .include "memory.inc"
        .include "schedule.inc"

        .section text

// ---------------------------------------------------------------------------------------- tables

// aes_tables_encrypt: S-box to all lanes of t0 and t1. Before any key schedule, and before encryption.
//
// Inputs:   none
// Outputs:  t0, t1
// Clobbers: ar0, ar1
// Memory:   reads m1 (aes_sbox)
// Time:     constant
// Cycles:   269
        .global aes_tables_encrypt
aes_tables_encrypt:
        arset   ar0, aes_sbox
        jmp     .L_tables

// aes_tables_decrypt: inverse S-box to all lanes of t0 and t1. Behind the key schedule, before decryption.
//
// Inputs:   none
// Outputs:  t0, t1
// Clobbers: ar0, ar1
// Memory:   reads m1 (aes_inv_sbox)
// Time:     constant
// Cycles:   267
        .global aes_tables_decrypt
aes_tables_decrypt:
        arset   ar0, aes_inv_sbox
.L_tables:
        arstep  ar0, 1
        arset   ar1, 0
        repeat  256, .L_tables_end
        bcast   t0:t1[ar1++], m1[ar0+=s], 0
.L_tables_end:
        halt

// ---------------------------------------------------------------------------------- key schedules

// Pair i of encryption: round keys 2i+1 and 2i+2; whitening: round key 0.
        .macro aes_pairs_encrypt rounds
        arset   ar0, 0
        arset   ar1, 0
        mov     m0[aes_wk], m3[ar0++]
        repeat  \rounds / 2, .L_pairs\@
        mov     m0[ar1], m3[ar0++]
        mov     m1[ar1++], m3[ar0++]
.L_pairs\@:
        .endm

// Pair i of decryption: round keys Nr-2i-1 and Nr-2i-2 through InvMixColumns, the last of them (round
// key 0) as it is; whitening: round key Nr (FIPS 197 5.3.5).
        .macro aes_pairs_decrypt rounds
        arset   ar0, 16 * \rounds
        arset   ar1, 0
        mov     m0[aes_wk], m3[ar0--]
        repeat  \rounds / 2 - 1, .L_pairs\@
        aesimc  m0[ar1], m3[ar0--]
        aesimc  m1[ar1++], m3[ar0--]
.L_pairs\@:
        aesimc  m0[ar1], m3[ar0--]
        mov     m1[ar1], m3[ar0]
        .endm

// aes128_key_encrypt, aes192_key_encrypt, aes256_key_encrypt: round keys of encryption.
//
// Inputs:   aes_key; the S-box in t0
// Outputs:  key pairs in m0 and m1 from row 0, whitening key in m0 (aes_wk)
// Clobbers: v0-v2, v5-v7, ar0, ar1
// Memory:   m3 rows 0-15 are scratch, zero at the end
// Time:     constant
// Cycles:   69 (128), 86 (192), 83 (256)
        .global aes128_key_encrypt
aes128_key_encrypt:
        aes_linear_128
        aes_pairs_encrypt 10
        jmp     .L_wipe
        .global aes192_key_encrypt
aes192_key_encrypt:
        aes_linear_192
        aes_pairs_encrypt 12
        jmp     .L_wipe
        .global aes256_key_encrypt
aes256_key_encrypt:
        aes_linear_256
        aes_pairs_encrypt 14
        jmp     .L_wipe

// aes128_key_decrypt, aes192_key_decrypt, aes256_key_decrypt: round keys of the equivalent inverse cipher.
//
// Inputs:   aes_key; the S-box in t0
// Outputs:  key pairs in m0 and m1 from row 0, whitening key in m0 (aes_wk)
// Clobbers: v0-v2, v5-v7, ar0, ar1
// Memory:   m3 rows 0-15 are scratch, zero at the end
// Time:     constant
// Cycles:   69 (128), 86 (192), 81 (256)
        .global aes128_key_decrypt
aes128_key_decrypt:
        aes_linear_128
        aes_pairs_decrypt 10
        jmp     .L_wipe
        .global aes192_key_decrypt
aes192_key_decrypt:
        aes_linear_192
        aes_pairs_decrypt 12
        jmp     .L_wipe
        .global aes256_key_decrypt
aes256_key_decrypt:
        aes_linear_256
        aes_pairs_decrypt 14
.L_wipe:
        aes_wipe_linear
        halt

// ---------------------------------------------------------------------------------- parts of the modes

// The job: wk, ar0 input, ar1 output, ar5 pairs of blocks, ar6 the block left over.
        .macro aes_job
        vtoar   ar6, m1[aes_length], 7
        mov     wk, m0[aes_wk]
        arset   ar0, 0
        arset   ar1, 0
        arshr   ar5, ar6, 1
        arand   ar6, ar6, 1
        .endm

// Instructions 1 .. Nr/2 - 2 of one block, and of two blocks in turn.
        .macro aes_middle op, rounds
        .rept   \rounds / 2 - 2
        \op     v0, v0, m0:m1[16 * (1 + \+)]
        .endr
        .endm
        .macro aes_middle2 op, rounds
        .rept   \rounds / 2 - 2
        \op     v0, v0, m0:m1[16 * (1 + \+)]
        \op     v1, v1, m0:m1[16 * (1 + \+)]
        .endr
        .endm

// ECB of all blocks of the job, for either direction.
        .macro aes_ecb op, rounds
        aes_job
        repeat  ar5, .L_pairs\@
        \op     v0, m2[ar0++] ^ wk, m0:m1[0]
        \op     v1, m2[ar0++] ^ wk, m0:m1[0]
        aes_middle2 \op, \rounds
        \op\()l m3[ar1++], v0, m0:m1[16 * (\rounds / 2 - 1)]
        \op\()l m3[ar1++], v1, m0:m1[16 * (\rounds / 2 - 1)]
.L_pairs\@:
        bz      ar6, .L_done\@
        \op     v0, m2[ar0++] ^ wk, m0:m1[0]
        aes_middle \op, \rounds
        \op\()l m3[ar1++], v0, m0:m1[16 * (\rounds / 2 - 1)]
.L_done\@:
        halt
        .endm

// CBC encryption: C[i] = E(P[i] ^ C[i-1]); every block waits for the one before it.
        .macro aes_cbc_encrypt rounds
        vtoar   ar6, m1[aes_length], 7
        mov     wk, m0[aes_wk]
        mov     v0, m1[aes_iv]
        arset   ar0, 0
        arset   ar1, 0
        repeat  ar6, .L_blocks\@
        aesenc2 v0, v0 ^ m2[ar0++] ^ wk, m0:m1[0]
        aes_middle aesenc2, \rounds
        aesenc2l {v0, m3[ar1++]}, v0, m0:m1[16 * (\rounds / 2 - 1)]
.L_blocks\@:
        mov     m1[aes_iv], v0
        halt
        .endm

// CBC decryption: P[i] = D(C[i]) ^ C[i-1]. The first block, whose C[-1] is the IV, goes alone, since the
// key pair occupies the memory that the IV is in; then ar2 follows the input one row behind.
        .macro aes_cbc_decrypt rounds
        vtoar   ar6, m1[aes_length], 7
        mov     wk, m0[aes_wk]
        arset   ar0, 0
        arset   ar1, 0
        arset   ar2, 0
        bz      ar6, .L_done\@
        aesdec2 v0, m2[ar0++] ^ wk, m0:m1[0]
        aradd   ar6, ar6, -1
        aes_middle aesdec2, \rounds
        aesdec2l v0, v0, m0:m1[16 * (\rounds / 2 - 1)]
        arshr   ar5, ar6, 1
        arand   ar6, ar6, 1
        xor     m3[ar1++], v0, m1[aes_iv]
        repeat  ar5, .L_pairs\@
        aesdec2 v0, m2[ar0++] ^ wk, m0:m1[0]
        aesdec2 v1, m2[ar0++] ^ wk, m0:m1[0]
        aes_middle2 aesdec2, \rounds
        aesdec2l m3[ar1++], v0, m0:m1[16 * (\rounds / 2 - 1)], m2[ar2++]
        aesdec2l m3[ar1++], v1, m0:m1[16 * (\rounds / 2 - 1)], m2[ar2++]
.L_pairs\@:
        bz      ar6, .L_last\@
        aesdec2 v0, m2[ar0++] ^ wk, m0:m1[0]
        aes_middle aesdec2, \rounds
        aesdec2l m3[ar1++], v0, m0:m1[16 * (\rounds / 2 - 1)], m2[ar2++]
.L_last\@:
        mov     m1[aes_iv], m2[ar2]
.L_done\@:
        halt
        .endm

// CTR: C[i] = P[i] ^ E(counter + i), either direction; of a last block only its bytes are written.
        .macro aes_ctr rounds
        mov     ctr, m1[aes_iv]
        vtoar   ar4, m1[aes_length], 6
        aes_job
        ctrw    128
        repeat  ar5, .L_pairs\@
        aesenc2 v0, ctr++ ^ wk, m0:m1[0]
        aesenc2 v1, ctr++ ^ wk, m0:m1[0]
        aes_middle2 aesenc2, \rounds
        aesenc2l m3[ar1++], v0, m0:m1[16 * (\rounds / 2 - 1)], m2[ar0++]
        aesenc2l m3[ar1++], v1, m0:m1[16 * (\rounds / 2 - 1)], m2[ar0++]
.L_pairs\@:
        bz      ar6, .L_partial\@
        aesenc2 v0, ctr++ ^ wk, m0:m1[0]
        aes_middle aesenc2, \rounds
        aesenc2l m3[ar1++], v0, m0:m1[16 * (\rounds / 2 - 1)], m2[ar0++]
.L_partial\@:
        bz      ar4, .L_done\@
        mov     v2, m1[aes_ones]
        aesenc2 v0, ctr++ ^ wk, m0:m1[0]
        mov     v1, zero
        aes_middle aesenc2, \rounds
        aesenc2l v0, v0, m0:m1[16 * (\rounds / 2 - 1)], m2[ar0++]
        repeat  ar4, .L_mask\@
        align   v1, v2, v1, 15                  // one more byte of ones in front
.L_mask\@:
        and     m3[ar1++], v0, v1
.L_done\@:
        mov     m1[aes_iv], ctr
        halt
        .endm

// ---------------------------------------------------------------------------------------- modes

// aes128_ecb_encrypt, aes192_ecb_encrypt, aes256_ecb_encrypt: C[i] = E(P[i]), n blocks.
//
// Inputs:   key pairs, aes_length; both banks for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0, v1, wk, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   5n + 16 (128), 6n + 16 (192), 7n + 16 (256), even n
        .global aes128_ecb_encrypt
aes128_ecb_encrypt:
        aes_ecb aesenc2, 10
        .global aes192_ecb_encrypt
aes192_ecb_encrypt:
        aes_ecb aesenc2, 12
        .global aes256_ecb_encrypt
aes256_ecb_encrypt:
        aes_ecb aesenc2, 14

// aes128_ecb_decrypt, aes192_ecb_decrypt, aes256_ecb_decrypt: P[i] = D(C[i]), n blocks.
//
// Inputs:   key pairs, aes_length; both banks for decryption; C in m2 from row 0
// Outputs:  P in m3 from row 0
// Clobbers: v0, v1, wk, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   5n + 16 (128), 6n + 16 (192), 7n + 16 (256), even n
        .global aes128_ecb_decrypt
aes128_ecb_decrypt:
        aes_ecb aesdec2, 10
        .global aes192_ecb_decrypt
aes192_ecb_decrypt:
        aes_ecb aesdec2, 12
        .global aes256_ecb_decrypt
aes256_ecb_decrypt:
        aes_ecb aesdec2, 14

// aes128_cbc_encrypt, aes192_cbc_encrypt, aes256_cbc_encrypt: C[i] = E(P[i] ^ C[i-1]), n blocks, one stream.
//
// Inputs:   key pairs, aes_length, aes_iv = C[-1]; both banks for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0; aes_iv = C[n-1]
// Clobbers: v0, wk, ar0, ar1, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   10n + 14 (128), 12n + 14 (192), 14n + 14 (256)
        .global aes128_cbc_encrypt
aes128_cbc_encrypt:
        aes_cbc_encrypt 10
        .global aes192_cbc_encrypt
aes192_cbc_encrypt:
        aes_cbc_encrypt 12
        .global aes256_cbc_encrypt
aes256_cbc_encrypt:
        aes_cbc_encrypt 14

// aes128_cbc_decrypt, aes192_cbc_decrypt, aes256_cbc_decrypt: P[i] = D(C[i]) ^ C[i-1], n blocks.
//
// Inputs:   key pairs, aes_length, aes_iv = C[-1]; both banks for decryption; C in m2 from row 0
// Outputs:  P in m3 from row 0; aes_iv = C[n-1]
// Clobbers: v0, v1, wk, ar0-ar2, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   5n + 27 (128), 6n + 29 (192), 7n + 31 (256), even n from 4
        .global aes128_cbc_decrypt
aes128_cbc_decrypt:
        aes_cbc_decrypt 10
        .global aes192_cbc_decrypt
aes192_cbc_decrypt:
        aes_cbc_decrypt 12
        .global aes256_cbc_decrypt
aes256_cbc_decrypt:
        aes_cbc_decrypt 14

// aes128_ctr, aes192_ctr, aes256_ctr: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more.
//
// Inputs:   key pairs, aes_length, aes_iv = first counter block; both banks for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; aes_iv = next counter block
// Clobbers: v0-v2, ctr, wk, ar0, ar1, ar4-ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   5n + 22 (128), 6n + 22 (192), 7n + 22 (256), even n
        .global aes128_ctr
aes128_ctr:
        aes_ctr 10
        .global aes192_ctr
aes192_ctr:
        aes_ctr 12
        .global aes256_ctr
aes256_ctr:
        aes_ctr 14
