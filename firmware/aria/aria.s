// ARIA (RFC 5794), two rounds an instruction, two blocks interleaved: ECB, CBC, CFB128, OFB, CTR (SP 800-38A).
//
// Calling convention: firmware/README.md. t0 holds substitution layer 1, t1 layer 2, for both directions.
// Round keys are pairs: row i of m0 and m1 holds the keys that follow the two rounds of instruction i; the
// first AddRoundKey is the whitening with wk.

        .include "memory.inc"
        .include "setup.inc"
        .include "../common/modes.inc"

// aria128_ecb, aria192_ecb, aria256_ecb: C[i] = E(P[i]), n blocks; decryption by the round keys.
//
// Inputs:   key pairs, aria_length; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0, v1, wk, ar0, ar1, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   6n + 16 (128), 7n + 16 (192), 8n + 16 (256), even n
        .global aria128_ecb
aria128_ecb:
        mode_ecb aria, aria2, 6
        .global aria192_ecb
aria192_ecb:
        mode_ecb aria, aria2, 7
        .global aria256_ecb
aria256_ecb:
        mode_ecb aria, aria2, 8

// aria128_cbc_encrypt, aria192_cbc_encrypt, aria256_cbc_encrypt: C[i] = E(P[i] ^ C[i-1]), n blocks, one stream.
//
// Inputs:   key pairs, aria_length, aria_iv = C[-1]; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0; aria_iv = C[n-1]
// Clobbers: v0, wk, ar0, ar1, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   12n + 14 (128), 14n + 14 (192), 16n + 14 (256)
        .global aria128_cbc_encrypt
aria128_cbc_encrypt:
        mode_cbc_encrypt aria, aria2, 6
        .global aria192_cbc_encrypt
aria192_cbc_encrypt:
        mode_cbc_encrypt aria, aria2, 7
        .global aria256_cbc_encrypt
aria256_cbc_encrypt:
        mode_cbc_encrypt aria, aria2, 8

// aria128_cbc_decrypt, aria192_cbc_decrypt, aria256_cbc_decrypt: P[i] = D(C[i]) ^ C[i-1], n blocks.
//
// Inputs:   key pairs, aria_length, aria_iv = C[-1]; tables; C in m2 from row 0
// Outputs:  P in m3 from row 0; aria_iv = C[n-1]
// Clobbers: v0, v1, wk, ar0-ar2, ar5, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   6n + 29 (128), 7n + 31 (192), 8n + 33 (256), even n from 4
        .global aria128_cbc_decrypt
aria128_cbc_decrypt:
        mode_cbc_decrypt aria, aria2, 6
        .global aria192_cbc_decrypt
aria192_cbc_decrypt:
        mode_cbc_decrypt aria, aria2, 7
        .global aria256_cbc_decrypt
aria256_cbc_decrypt:
        mode_cbc_decrypt aria, aria2, 8

// aria128_cfb_encrypt, aria192_cfb_encrypt, aria256_cfb_encrypt: C[i] = P[i] ^ E(C[i-1]), one stream
// n blocks and up to 15 bytes more.
//
// Inputs:   key pairs, aria_length, aria_iv = C[-1]; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; aria_iv = C[n-1]
// Clobbers: v0-v2, wk, ar0, ar1, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   12n + 17 (128), 14n + 17 (192), 16n + 17 (256)
        .global aria128_cfb_encrypt
aria128_cfb_encrypt:
        mode_cfb_encrypt aria, aria2, 6
        .global aria192_cfb_encrypt
aria192_cfb_encrypt:
        mode_cfb_encrypt aria, aria2, 7
        .global aria256_cfb_encrypt
aria256_cfb_encrypt:
        mode_cfb_encrypt aria, aria2, 8

// aria128_cfb_decrypt, aria192_cfb_decrypt, aria256_cfb_decrypt: P[i] = C[i] ^ E(C[i-1]), round keys of encryption
// n blocks and up to 15 bytes more.
//
// Inputs:   key pairs, aria_length, aria_iv = C[-1]; tables; C in m2 from row 0
// Outputs:  P in m3 from row 0, a last block zero behind its bytes; aria_iv = C[n-1]
// Clobbers: v0-v2, wk, ar0-ar2, ar4-ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   6n + 32 (128), 7n + 34 (192), 8n + 36 (256), even n from 4
        .global aria128_cfb_decrypt
aria128_cfb_decrypt:
        mode_cfb_decrypt aria, aria2, 6
        .global aria192_cfb_decrypt
aria192_cfb_decrypt:
        mode_cfb_decrypt aria, aria2, 7
        .global aria256_cfb_decrypt
aria256_cfb_decrypt:
        mode_cfb_decrypt aria, aria2, 8

// aria128_ofb, aria192_ofb, aria256_ofb: C[i] = P[i] ^ O[i], O[i] = E(O[i-1]), one stream
// n blocks and up to 15 bytes more.
//
// Inputs:   key pairs, aria_length, aria_iv = O[-1]; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; aria_iv = O[n-1]
// Clobbers: v0-v2, wk, ar0-ar2, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   12n + 19 (128), 14n + 19 (192), 16n + 19 (256), n from 2
        .global aria128_ofb
aria128_ofb:
        mode_ofb aria, aria2, 6
        .global aria192_ofb
aria192_ofb:
        mode_ofb aria, aria2, 7
        .global aria256_ofb
aria256_ofb:
        mode_ofb aria, aria2, 8

// aria128_ctr, aria192_ctr, aria256_ctr: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more.
//
// Inputs:   key pairs, aria_length, aria_iv = first counter block; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bytes; aria_iv = next counter block
// Clobbers: v0-v2, ctr, wk, ar0, ar1, ar4-ar6
// Memory:   as said
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   6n + 22 (128), 7n + 22 (192), 8n + 22 (256), even n
        .global aria128_ctr
aria128_ctr:
        mode_ctr aria, aria2, 6
        .global aria192_ctr
aria192_ctr:
        mode_ctr aria, aria2, 7
        .global aria256_ctr
aria256_ctr:
        mode_ctr aria, aria2, 8
