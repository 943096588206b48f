// mirror: a block cipher that shows an instruction of an extension at work; not secure.
//
//   E(x) = M(x ^ K), D(x) = M(x) ^ K, where M reverses the bits of every byte

        .section m1
        .global mirror_key, mirror_length
mirror_key:                             // parameter, written by the host: the key
        .zero   16
mirror_length:                          // parameter: 16-bit lane 7 has the number of blocks
        .zero   16

        .section text

// mirror128_ecb_encrypt: C[i] = E(P[i]), n blocks.
//
// Inputs:   mirror_key, mirror_length; P in m2 from row 0
// Outputs:  C in m3 from row 0
// Clobbers: v0, ar0, ar1, ar6
// Time:     constant; depends on n
        .global mirror128_ecb_encrypt
mirror128_ecb_encrypt:
        vtoar   ar6, m1[mirror_length], 7
        mov     v0, m1[mirror_key]
        arset   ar0, 0
        arset   ar1, 0
        repeat  ar6, .L_encrypted
        mirror  m3[ar1++], v0 ^ m2[ar0++]
.L_encrypted:
        halt

// mirror128_ecb_decrypt: P[i] = D(C[i]), n blocks.
//
// Inputs:   mirror_key, mirror_length; C in m2 from row 0
// Outputs:  P in m3 from row 0
// Clobbers: v0, v1, ar0, ar1, ar6
// Time:     constant; depends on n
        .global mirror128_ecb_decrypt
mirror128_ecb_decrypt:
        vtoar   ar6, m1[mirror_length], 7
        mov     v0, m1[mirror_key]
        arset   ar0, 0
        arset   ar1, 0
        repeat  ar6, .L_decrypted
        mirror  v1, m2[ar0++]
        xor     m3[ar1++], v1, v0
.L_decrypted:
        halt
