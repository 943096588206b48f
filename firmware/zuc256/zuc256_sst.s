// 256-NIA6 and 256-NCA6 (3GPP TS 35.247, TS 35.248): GCM-SST with ZUC-256, whose first twelve words are H, Q and P.
//
// Calling convention: firmware/README.md. The hash: ../common/sst.inc.

        .include "setup.inc"
        .include "../common/sst.inc"

        .section text

        .alias  nonce, v0
        .alias  text_rows, ar6          // rows of text; the last may be incomplete

        zuc256_mac_tables_routine

// zuc256_sst_start, zuc256_sst_begin: a new message; its IV is a parameter, or in m2 row 0.
//
// Inputs:   zuc256_key, zuc256_iv (start); t0; the IV in m2 row 0 (begin)
// Outputs:  c0; sst_h, sst_q, sst_p; sst_x = sst_bits = 0; zuc256_iv (begin)
// Clobbers: v0-v2, v4-v7, c0
// Memory:   m3 rows 0 to 2
// Time:     constant
// Cycles:   151, 158 (begin)
        .global zuc256_sst_start, zuc256_sst_begin
zuc256_sst_begin:
        mov     nonce, m2[0]
        mov     m1[zuc256_iv], nonce
zuc256_sst_start:
        zuc256_nea_initialise
        .rept   3
        zuc     c0
        zuc     c0
        zuc     c0
        zucx    m3[16 * \+], c0, c0
        .endr
        sst_begin
        halt

// C = P ^ keystream, or the inverse, for a job of `text_rows` rows; the last one may be incomplete.
        .macro  zuc256_text
        vtoar   text_rows, m1[zuc256_length], 7
        vtoar   bytes, m1[zuc256_length], 6
        arset   in, 0
        arset   out, 0
        bz      bytes, .L_whole\@
        aradd   text_rows, text_rows, 1
.L_whole\@:
        repeat  text_rows, .L_rows\@
        zuc     c0
        zuc     c0
        zuc     c0
        zucx    m3[out++], c0, c0, m2[in++]
.L_rows\@:
        .endm

// zuc256_sst_encrypt, zuc256_sst_decrypt: C = P ^ keystream, or P = C ^ keystream, n rows and up to 15 bytes, C into
// the hash.
//
// Inputs:   c0, sst_h, sst_x, zuc256_length; t0; P or C in m2 from row 0
// Outputs:  C or P in m3 from row 0, whole rows; c0, sst_x
// Clobbers: v0, v4, v6, v7, c0, ar0, ar1, ar3, ar4, ar6
// Time:     constant; depends on n and on the length of a last row
// Cycles:   9n + 32 (encrypt), 9n + 37 (decrypt), n from 2
        .global zuc256_sst_encrypt, zuc256_sst_decrypt
zuc256_sst_encrypt:
        zuc256_text
        sst_absorb zuc256, m3
        halt
zuc256_sst_decrypt:
        sst_absorb zuc256, m2
        zuc256_text
        halt

        sst_absorb_routine zuc256
        sst_mac_routine zuc256
        sst_tag_routine zuc256
        sst_verify_routine zuc256
