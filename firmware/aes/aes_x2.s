// AES (FIPS 197): feedback modes with two independent streams in turn, which fill the pipeline.
//
// Calling convention: firmware/README.md. Rows of input and output belong to the streams in turn; both have one
// key; aes_iv holds two chaining values.

        .include "memory.inc"
        .include "setup.inc"
        .include "../common/modes.inc"

// aes128_cbc_encrypt_x2, aes192_cbc_encrypt_x2, aes256_cbc_encrypt_x2: C[i] = E(P[i] ^ C[i-2]), n blocks of two streams.
//
// Inputs:   key pairs of encryption, aes_length, aes_iv twice; tables for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0; aes_iv goes on
// Clobbers: v0, v1, wk, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   5n + 18 (128), 6n + 18 (192), 7n + 18 (256)
        .global aes128_cbc_encrypt_x2
aes128_cbc_encrypt_x2:
        mode_cbc_encrypt_x2 aes, aesenc2, 5
        .global aes192_cbc_encrypt_x2
aes192_cbc_encrypt_x2:
        mode_cbc_encrypt_x2 aes, aesenc2, 6
        .global aes256_cbc_encrypt_x2
aes256_cbc_encrypt_x2:
        mode_cbc_encrypt_x2 aes, aesenc2, 7

// aes128_cfb_encrypt_x2, aes192_cfb_encrypt_x2, aes256_cfb_encrypt_x2: C[i] = P[i] ^ E(C[i-2]), n blocks of two streams.
//
// Inputs:   key pairs of encryption, aes_length, aes_iv twice; tables for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0; aes_iv goes on
// Clobbers: v0, v1, wk, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   5n + 18 (128), 6n + 18 (192), 7n + 18 (256)
        .global aes128_cfb_encrypt_x2
aes128_cfb_encrypt_x2:
        mode_cfb_encrypt_x2 aes, aesenc2, 5
        .global aes192_cfb_encrypt_x2
aes192_cfb_encrypt_x2:
        mode_cfb_encrypt_x2 aes, aesenc2, 6
        .global aes256_cfb_encrypt_x2
aes256_cfb_encrypt_x2:
        mode_cfb_encrypt_x2 aes, aesenc2, 7

// aes128_ofb_x2, aes192_ofb_x2, aes256_ofb_x2: C[i] = P[i] ^ O[i], O[i] = E(O[i-2]), n blocks of two streams.
//
// Inputs:   key pairs of encryption, aes_length, aes_iv twice; tables for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0; aes_iv goes on
// Clobbers: v0, v1, wk, ar0-ar2, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   5n + 21 (128), 6n + 21 (192), 7n + 21 (256), even n from 4
        .global aes128_ofb_x2
aes128_ofb_x2:
        mode_ofb_x2 aes, aesenc2, 5
        .global aes192_ofb_x2
aes192_ofb_x2:
        mode_ofb_x2 aes, aesenc2, 6
        .global aes256_ofb_x2
aes256_ofb_x2:
        mode_ofb_x2 aes, aesenc2, 7

// aes128_cbc_decrypt_x2, aes192_cbc_decrypt_x2, aes256_cbc_decrypt_x2: P[i] = D(C[i]) ^ C[i-2], n blocks of two streams.
//
// Inputs:   key pairs of decryption, aes_length, aes_iv twice; tables for decryption; C in m2 from row 0
// Outputs:  P in m3 from row 0; aes_iv goes on
// Clobbers: v0, v1, wk, ar0-ar2, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   5n + 21 (128), 6n + 21 (192), 7n + 21 (256), even n from 4
        .global aes128_cbc_decrypt_x2
aes128_cbc_decrypt_x2:
        mode_cbc_decrypt_x2 aes, aesdec2, 5
        .global aes192_cbc_decrypt_x2
aes192_cbc_decrypt_x2:
        mode_cbc_decrypt_x2 aes, aesdec2, 6
        .global aes256_cbc_decrypt_x2
aes256_cbc_decrypt_x2:
        mode_cbc_decrypt_x2 aes, aesdec2, 7

// aes128_cfb_decrypt_x2, aes192_cfb_decrypt_x2, aes256_cfb_decrypt_x2: P[i] = C[i] ^ E(C[i-2]), n blocks of two streams.
//
// Inputs:   key pairs of encryption, aes_length, aes_iv twice; tables for encryption; C in m2 from row 0
// Outputs:  P in m3 from row 0; aes_iv goes on
// Clobbers: v0, v1, wk, ar0-ar2, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   5n + 21 (128), 6n + 21 (192), 7n + 21 (256), even n from 4
        .global aes128_cfb_decrypt_x2
aes128_cfb_decrypt_x2:
        mode_cfb_decrypt_x2 aes, aesenc2, 5
        .global aes192_cfb_decrypt_x2
aes192_cfb_decrypt_x2:
        mode_cfb_decrypt_x2 aes, aesenc2, 6
        .global aes256_cfb_decrypt_x2
aes256_cfb_decrypt_x2:
        mode_cfb_decrypt_x2 aes, aesenc2, 7
