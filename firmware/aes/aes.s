// AES (FIPS 197), two rounds an instruction, two blocks interleaved: ECB, CBC, CFB128, OFB, CTR (SP 800-38A).
//
// Calling convention: firmware/README.md. Both table banks hold the S-box for encryption, the inverse
// S-box for decryption. Round keys are pairs: row i of m0 and m1 holds the keys of the two rounds that
// instruction i of a block does; the first AddRoundKey is the whitening with wk.

        .include "memory.inc"
        .include "setup.inc"
        .include "../common/modes.inc"

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
