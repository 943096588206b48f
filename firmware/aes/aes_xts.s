// AES (FIPS 197): XTS (IEEE 1619). The jobs and their headers: common/xts.inc.

        .include "block.inc"
        .include "inverse.inc"
        .include "../common/xts.inc"
        .include "tables.inc"
        .include "two_keys.inc"

        .section text

// aes{bits}_xts_key_encrypt, aes{bits}_xts_key_decrypt: round keys of encryption, or of the equivalent inverse cipher,
// from the first key; round keys of encryption from the second key.
//
// Inputs:   aes_key = both keys, one after the other; the S-box in t0
// Outputs:  key pairs in m0 and m1 from row 0 and from aes_second_keys, whitening keys in m0 (aes_wk, aes_second_wk)
// Clobbers: v0, v1, v2 (256), v5 (256), v6, ar0, ar1
// Memory:   m3 rows 0-15 are scratch, zero at the end
// Time:     constant
// Cycles:   113 (128), 141 (256)
        .macro  aes_xts_key bits, direction
        aes_two_keys \bits, \direction
        halt
        .endm
        key_member aes, 128, xts_key_encrypt, aes_xts_key, encrypt
        key_member aes, 256, xts_key_encrypt, aes_xts_key, encrypt
        key_member aes, 128, xts_key_decrypt, aes_xts_key, decrypt
        key_member aes, 256, xts_key_decrypt, aes_xts_key, decrypt

// aes{bits}_xts_start_encrypt, aes{bits}_xts_start_decrypt: T[0] = E(IV) under the second key. Decryption has the
// tables of the inverse cipher; it loads those of the cipher for this and then restores its own.
//
// Inputs:   round keys of the second key, aes_iv = IV; tables of the direction
// Outputs:  aes_iv = T[0]; t0, t1
// Clobbers: v0, wk, ar0 (decrypt), ar1 (decrypt)
// Time:     constant
// Cycles:   23 (128 encrypt), 27 (256 encrypt), 545 (128 decrypt), 549 (256 decrypt)
        .macro  aes_xts_tweak c, n
        mov     wk, m0[aes_second_wk]
        mov     x0, m1[aes_iv]
        block_encrypt aes_second, \n, x0, y0, x0
        mov     m1[aes_iv], x0
        .endm
        .macro  aes_xts_start_encrypt c, n
        aes_xts_tweak \c, \n
        halt
        .endm
        .macro  aes_xts_start_decrypt c, n
        aes_load_tables
        aes_xts_tweak \c, \n
        aes_load_tables aes_inv_sbox
        halt
        .endm
        member  aes, 128, xts_start_encrypt, aes_xts_start_encrypt
        member  aes, 256, xts_start_encrypt, aes_xts_start_encrypt
        member  aes, 128, xts_start_decrypt, aes_xts_start_decrypt
        member  aes, 256, xts_start_decrypt, aes_xts_start_decrypt

        member  aes, 128, xts_encrypt, mode_xts_encrypt
        member  aes, 256, xts_encrypt, mode_xts_encrypt
        member  aes, 128, xts_decrypt, mode_xts_decrypt, _inverse
        member  aes, 256, xts_decrypt, mode_xts_decrypt, _inverse
