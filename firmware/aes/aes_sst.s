// 256-NEA5, 256-NIA5 and 256-NCA5 (3GPP TS 35.243 to 35.245): AES-256 in counter mode, and GCM-SST. H, Q and P are the
// first three counter blocks, encrypted, the last bit of whose first byte is one; that of the text's is not.
//
// Calling convention: firmware/README.md. The hash: ../common/sst.inc.

        .include "block.inc"
        .include "../common/modes.inc"
        .include "../common/sst.inc"

        .section m1
aes_nea_mask:                                   // the counter begins with zero (12 bytes of the IV are taken)
        .row    "ffffffff ffffffff ffffffff 00000000"
aes_nea_hash:
        .row    "01000000 00000000 00000000 00000000"

        .section text

        tables  aes
        key_member aes, 256, sst_key, aes_key, done

// aes_nea_start: a new message of 256-NEA5.
//
// Inputs:   aes_iv
// Outputs:  aes_iv = first counter block
// Clobbers: v0
// Time:     constant
// Cycles:   15
        .global aes_nea_start
aes_nea_start:
        mov     v0, m1[aes_iv]
        and     v0, v0, m1[aes_nea_mask]
        mov     m1[aes_iv], v0
        halt

// aes256_nea: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more, either direction.
//
// Inputs:   round keys of encryption, aes_length, aes_iv = counter block; t0, t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bytes; aes_iv = next counter block
// Clobbers: v0, v2, v6, v7, ctr, wk, ar0, ar1, ar4-ar6
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   bn + 23, even n
        .macro  nea_text c, n
        mode_ctr_job \c, \n, 32
        halt
        .endm
        member  aes, 256, nea, nea_text

// aes256_sst_start, aes256_sst_begin: a new message; its IV is a parameter, or in m2 row 0.
//
// Inputs:   round keys of encryption, aes_iv (start); t0, t1; the IV in m2 row 0 (begin)
// Outputs:  aes_iv = first counter block; sst_h, sst_q, sst_p; sst_x = sst_bits = 0
// Clobbers: v0, v2, v4, v7, ctr, wk
// Memory:   m3 rows 0 to 2
// Time:     constant
// Cycles:   100
        .macro  nea_begin c, n
        mov     v0, m2[0]
        jmp     .L_begin
        .endm
        .macro  nea_start c, n
        mov     v0, m1[aes_iv]
.L_begin:
        and     v0, v0, m1[aes_nea_mask]
        mov     m1[aes_iv], v0
        xor     ctr, v0, m1[aes_nea_hash]
        ctrw    32
        \c\()_begin
        block_encrypt \c, \n, v0, v1, ctr++
        block_encrypt \c, \n, v2, v3, ctr++
        mov     m3[0], v0
        mov     m3[16], v2
        block_encrypt \c, \n, v0, v1, ctr++
        mov     m3[32], v0
        sst_begin
        halt
        .endm
        member  aes, 256, sst_begin, nea_begin
        member  aes, 256, sst_start, nea_start

// aes256_sst_encrypt, aes256_sst_decrypt: counter mode as aes256_nea, the ciphertext into the hash.
//
// Inputs:   round keys of encryption, sst_h, sst_x, aes_length, aes_iv = counter block; t0, t1; P or C in m2 from row 0
// Outputs:  C or P in m3 from row 0, a last block zero after its bytes; aes_iv, sst_x
// Clobbers: v0, v2, v4, v6, v7, ctr, wk, ar0, ar1, ar3-ar6
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   (b + 5)n + 50, even n
        .macro  nea_encrypt c, n
        mode_ctr_job \c, \n, 32
        sst_absorb \c, m3
        halt
        .endm
        .macro  nea_decrypt c, n
        sst_absorb \c, m2
        mode_ctr_job \c, \n, 32
        halt
        .endm
        member  aes, 256, sst_encrypt, nea_encrypt
        member  aes, 256, sst_decrypt, nea_decrypt

        sst_absorb_routine aes
        sst_mac_routine aes
        sst_tag_routine aes
        sst_verify_routine aes
