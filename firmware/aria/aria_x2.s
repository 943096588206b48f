// ARIA (RFC 5794): feedback modes with two independent streams in turn, which fill the pipeline.
//
// Calling convention: firmware/README.md. Rows of input and output belong to the streams in turn; both have one
// key; aria_iv holds two chaining values.

        .include "memory.inc"
        .include "setup.inc"
        .include "../common/modes.inc"

// aria128_cbc_encrypt_x2, aria192_cbc_encrypt_x2, aria256_cbc_encrypt_x2: C[i] = E(P[i] ^ C[i-2]), n blocks of two streams.
//
// Inputs:   key pairs of encryption, aria_length, aria_iv twice; tables for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0; aria_iv goes on
// Clobbers: v0, v1, wk, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   6n + 18 (128), 7n + 18 (192), 8n + 18 (256)
        .global aria128_cbc_encrypt_x2
aria128_cbc_encrypt_x2:
        mode_cbc_encrypt_x2 aria, aria2, 6
        .global aria192_cbc_encrypt_x2
aria192_cbc_encrypt_x2:
        mode_cbc_encrypt_x2 aria, aria2, 7
        .global aria256_cbc_encrypt_x2
aria256_cbc_encrypt_x2:
        mode_cbc_encrypt_x2 aria, aria2, 8

// aria128_cfb_encrypt_x2, aria192_cfb_encrypt_x2, aria256_cfb_encrypt_x2: C[i] = P[i] ^ E(C[i-2]), n blocks of two streams.
//
// Inputs:   key pairs of encryption, aria_length, aria_iv twice; tables for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0; aria_iv goes on
// Clobbers: v0, v1, wk, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   6n + 18 (128), 7n + 18 (192), 8n + 18 (256)
        .global aria128_cfb_encrypt_x2
aria128_cfb_encrypt_x2:
        mode_cfb_encrypt_x2 aria, aria2, 6
        .global aria192_cfb_encrypt_x2
aria192_cfb_encrypt_x2:
        mode_cfb_encrypt_x2 aria, aria2, 7
        .global aria256_cfb_encrypt_x2
aria256_cfb_encrypt_x2:
        mode_cfb_encrypt_x2 aria, aria2, 8

// aria128_ofb_x2, aria192_ofb_x2, aria256_ofb_x2: C[i] = P[i] ^ O[i], O[i] = E(O[i-2]), n blocks of two streams.
//
// Inputs:   key pairs of encryption, aria_length, aria_iv twice; tables for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0; aria_iv goes on
// Clobbers: v0, v1, wk, ar0-ar2, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   6n + 21 (128), 7n + 21 (192), 8n + 21 (256), even n from 4
        .global aria128_ofb_x2
aria128_ofb_x2:
        mode_ofb_x2 aria, aria2, 6
        .global aria192_ofb_x2
aria192_ofb_x2:
        mode_ofb_x2 aria, aria2, 7
        .global aria256_ofb_x2
aria256_ofb_x2:
        mode_ofb_x2 aria, aria2, 8

// aria128_cbc_decrypt_x2, aria192_cbc_decrypt_x2, aria256_cbc_decrypt_x2: P[i] = D(C[i]) ^ C[i-2], n blocks of two streams.
//
// Inputs:   key pairs of decryption, aria_length, aria_iv twice; tables for decryption; C in m2 from row 0
// Outputs:  P in m3 from row 0; aria_iv goes on
// Clobbers: v0, v1, wk, ar0-ar2, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   6n + 21 (128), 7n + 21 (192), 8n + 21 (256), even n from 4
        .global aria128_cbc_decrypt_x2
aria128_cbc_decrypt_x2:
        mode_cbc_decrypt_x2 aria, aria2, 6
        .global aria192_cbc_decrypt_x2
aria192_cbc_decrypt_x2:
        mode_cbc_decrypt_x2 aria, aria2, 7
        .global aria256_cbc_decrypt_x2
aria256_cbc_decrypt_x2:
        mode_cbc_decrypt_x2 aria, aria2, 8

// aria128_cfb_decrypt_x2, aria192_cfb_decrypt_x2, aria256_cfb_decrypt_x2: P[i] = C[i] ^ E(C[i-2]), n blocks of two streams.
//
// Inputs:   key pairs of encryption, aria_length, aria_iv twice; tables for encryption; C in m2 from row 0
// Outputs:  P in m3 from row 0; aria_iv goes on
// Clobbers: v0, v1, wk, ar0-ar2, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   6n + 21 (128), 7n + 21 (192), 8n + 21 (256), even n from 4
        .global aria128_cfb_decrypt_x2
aria128_cfb_decrypt_x2:
        mode_cfb_decrypt_x2 aria, aria2, 6
        .global aria192_cfb_decrypt_x2
aria192_cfb_decrypt_x2:
        mode_cfb_decrypt_x2 aria, aria2, 7
        .global aria256_cfb_decrypt_x2
aria256_cfb_decrypt_x2:
        mode_cfb_decrypt_x2 aria, aria2, 8
