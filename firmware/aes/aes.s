// AES (FIPS 197), two rounds an instruction, two blocks interleaved: ECB, CBC, CFB128, OFB, CTR (SP 800-38A).
//
// Calling convention: firmware/README.md. Both table banks hold the S-box for encryption, the inverse
// S-box for decryption. Round keys are pairs: row i of m0 and m1 holds the keys of the two rounds that
// instruction i of a block does; the first AddRoundKey is the whitening with wk.

        .include "memory.inc"
        .include "schedule.inc"
        .include "../common/modes.inc"

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
        mode_ecb aes, aesenc2, 5
        .global aes192_ecb_encrypt
aes192_ecb_encrypt:
        mode_ecb aes, aesenc2, 6
        .global aes256_ecb_encrypt
aes256_ecb_encrypt:
        mode_ecb aes, aesenc2, 7

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
        mode_ecb aes, aesdec2, 5
        .global aes192_ecb_decrypt
aes192_ecb_decrypt:
        mode_ecb aes, aesdec2, 6
        .global aes256_ecb_decrypt
aes256_ecb_decrypt:
        mode_ecb aes, aesdec2, 7

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
        mode_cbc_encrypt aes, aesenc2, 5
        .global aes192_cbc_encrypt
aes192_cbc_encrypt:
        mode_cbc_encrypt aes, aesenc2, 6
        .global aes256_cbc_encrypt
aes256_cbc_encrypt:
        mode_cbc_encrypt aes, aesenc2, 7

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
        mode_cbc_decrypt aes, aesdec2, 5
        .global aes192_cbc_decrypt
aes192_cbc_decrypt:
        mode_cbc_decrypt aes, aesdec2, 6
        .global aes256_cbc_decrypt
aes256_cbc_decrypt:
        mode_cbc_decrypt aes, aesdec2, 7

// aes128_cfb_encrypt, aes192_cfb_encrypt, aes256_cfb_encrypt: C[i] = P[i] ^ E(C[i-1]), one stream,
// n blocks and up to 15 bytes more.
//
// Inputs:   key pairs, aes_length, aes_iv = C[-1]; both banks for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; aes_iv = C[n-1]
// Clobbers: v0-v2, wk, ar0, ar1, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   10n + 17 (128), 12n + 17 (192), 14n + 17 (256)
        .global aes128_cfb_encrypt
aes128_cfb_encrypt:
        mode_cfb_encrypt aes, aesenc2, 5
        .global aes192_cfb_encrypt
aes192_cfb_encrypt:
        mode_cfb_encrypt aes, aesenc2, 6
        .global aes256_cfb_encrypt
aes256_cfb_encrypt:
        mode_cfb_encrypt aes, aesenc2, 7

// aes128_cfb_decrypt, aes192_cfb_decrypt, aes256_cfb_decrypt: P[i] = C[i] ^ E(C[i-1]),
// n blocks and up to 15 bytes more.
//
// Inputs:   key pairs of encryption, aes_length, aes_iv = C[-1]; both banks for encryption; C in m2 from row 0
// Outputs:  P in m3 from row 0, a last block zero behind its bytes; aes_iv = C[n-1]
// Clobbers: v0-v2, wk, ar0-ar2, ar4-ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   5n + 30 (128), 6n + 32 (192), 7n + 34 (256), even n from 4
        .global aes128_cfb_decrypt
aes128_cfb_decrypt:
        mode_cfb_decrypt aes, aesenc2, 5
        .global aes192_cfb_decrypt
aes192_cfb_decrypt:
        mode_cfb_decrypt aes, aesenc2, 6
        .global aes256_cfb_decrypt
aes256_cfb_decrypt:
        mode_cfb_decrypt aes, aesenc2, 7

// aes128_ofb, aes192_ofb, aes256_ofb: C[i] = P[i] ^ O[i], O[i] = E(O[i-1]), one stream, n blocks and up to 15 bytes more.
//
// Inputs:   key pairs of encryption, aes_length, aes_iv = O[-1]; both banks for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; aes_iv = O[n-1]
// Clobbers: v0-v2, wk, ar0-ar2, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   10n + 19 (128), 12n + 19 (192), 14n + 19 (256), n from 2
        .global aes128_ofb
aes128_ofb:
        mode_ofb aes, aesenc2, 5
        .global aes192_ofb
aes192_ofb:
        mode_ofb aes, aesenc2, 6
        .global aes256_ofb
aes256_ofb:
        mode_ofb aes, aesenc2, 7

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
        mode_ctr aes, aesenc2, 5
        .global aes192_ctr
aes192_ctr:
        mode_ctr aes, aesenc2, 6
        .global aes256_ctr
aes256_ctr:
        mode_ctr aes, aesenc2, 7
