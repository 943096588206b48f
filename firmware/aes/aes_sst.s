// 256-NEA5, 256-NIA5 and 256-NCA5 (3GPP TS 35.243 to 35.245): AES-256 in counter mode, and GCM-SST. H, Q and P are the
// encryptions of the first three counter blocks with the last bit of the first byte set; the text's counter blocks have
// it clear.
//
// Calling convention: firmware/README.md. The hash: ../common/sst.inc.

        .include "block.inc"
        .include "../common/modes.inc"
        .include "../common/sst.inc"

        .section m1
aes_nea_mask:                                   // the counter starts at zero (the IV has 12 bytes)
        .row    "ffffffff ffffffff ffffffff 00000000"
aes_nea_hash:
        .row    "01000000 00000000 00000000 00000000"

        .section text

        .alias  cipher0, v4             // ciphertext in reverse order
        .alias  cipher1, v6

        tables  aes
        key_member aes, 256, sst_key, aes_key, done

// aes_nea_start: a new message of 256-NEA5.
//
// Inputs:   aes_iv
// Outputs:  aes_iv = first counter block
// Clobbers: v0
// Time:     constant
// Cycles:   12
        .global aes_nea_start
aes_nea_start:
        mov     x0, m1[aes_iv]
        and     x0, x0, m1[aes_nea_mask]
        mov     m1[aes_iv], x0
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
// Cycles:   95, 96 (begin)
        .macro  nea_begin c, n
        mov     x0, m2[0]
        jmp     .L_begin
        .endm
        .macro  nea_start c, n
        mov     x0, m1[aes_iv]
.L_begin:
        and     x0, x0, m1[aes_nea_mask]
        mov     m1[aes_iv], x0
        xor     ctr, x0, m1[aes_nea_hash]
        ctrw    32
        \c\()_begin
        block_encrypt \c, \n, x0, y0, ctr++
        block_encrypt \c, \n, x1, y1, ctr++
        mov     m3[0], x0
        mov     m3[16], x1
        block_encrypt \c, \n, x0, y0, ctr++
        mov     m3[32], x0
        sst_begin
        halt
        .endm
        member  aes, 256, sst_begin, nea_begin
        member  aes, 256, sst_start, nea_start

// A pair of blocks, then cipher0, cipher1 = their ciphertext in reverse order. h: gh_step, which hashes the previous
// two blocks in steps parallel to those of the cipher; or 0 for the first two.
        .macro  nea_pair c, n, h, decrypt
        \c\()_first x0, y0, ctr++, \h
        \c\()_first x1, y1, ctr++, \h
        \c\()_step x0, y0, 2, \h
        .if     \h
        ghadd   cipher0, gh_step
        .endif
        \c\()_step x1, y1, 2, \h
        \c\()_step x0, y0, 3, \h
        \c\()_step x1, y1, 3, \h
        .if     \h
        ghadd   cipher1, gh_step
        .endif
        .rept   \n - 4
        \c\()_step x0, y0, 4 + \+
        \c\()_step x1, y1, 4 + \+
        .endr
        \c\()_last_out_row x0, y0, x0, y0, \n, m3[out++], m2[in++]
        \c\()_last_out_row x1, y1, x1, y1, \n, m3[out++], m2[in++]
        .if     \decrypt
        perm    cipher0, m2[before++], order
        perm    cipher1, m2[before++], order
        .else
        perm    cipher0, x0, order
        perm    cipher1, x1, order
        .endif
        .endm

// aes256_sst_encrypt, aes256_sst_decrypt: counter mode as in aes256_nea; the ciphertext is hashed.
//
// Inputs:   round keys of encryption, sst_h, sst_x, aes_length, aes_iv = counter block; t0, t1; P or C in m2 from row 0
// Outputs:  C or P in m3 from row 0, a last block zero after its bytes; aes_iv, sst_x
// Clobbers: v0, v2, v4, v6, v7, ctr, wk, ar0, ar1, ar2 (decrypt), ar4-ar6
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   (b + 2)n + 38 (encrypt), (b + 2)n + 39 (decrypt), even n from 4
        .macro  nea_sst c, n, decrypt
        mov     ctr, m1[\c\()_iv]
        vtoar   bytes, m1[\c\()_length], 6
        mode_job \c
        .if     \decrypt
        arset   before, 0
        .endif
        mov     order, m1[sst_reverse]
        ctrw    32
        mode_split
        mov     hash, m1[sst_x]
        ghkey   m0[sst_h]
        bz      pairs, .L_single\@
        ghset   hash
        aradd   pairs, pairs, -1
        nea_pair \c, \n, 0, \decrypt
        repeat  pairs, .L_pairs\@
        nea_pair \c, \n, gh_step, \decrypt
.L_pairs\@:
        ghstep
        ghstep
        ghstep
        ghadd   cipher0, gh_step
        .rept   4
        ghstep
        .endr
        ghout   hash, cipher1
.L_single\@:
        bz      blocks, .L_even\@
        block_one_row \c, \n, ctr++, m2[in++]
        .if     \decrypt
        perm    x0, m2[before], order
        .else
        perm    x0, x0, order
        .endif
        sst_product x0
.L_even\@:
        bz      bytes, .L_whole\@
        \c\()_first x0, y0, ctr++
        mask_start \c
        block_middle \c, \n, x0, y0
        \c\()_last_row x0, y0, \n, m2[in]
        mask_bytes
        and     {x0, m3[out]}, x0, kept
        .if     \decrypt
        and     x0, kept, m2[in]
        .endif
        mov     order, m1[sst_reverse]
        perm    x0, x0, order
        sst_product x0
.L_whole\@:
        mov     m1[sst_x], hash
        mov     m1[\c\()_iv], ctr
        halt
        .endm
        .macro  nea_encrypt c, n
        nea_sst \c, \n, 0
        .endm
        .macro  nea_decrypt c, n
        nea_sst \c, \n, 1
        .endm
        member  aes, 256, sst_encrypt, nea_encrypt
        member  aes, 256, sst_decrypt, nea_decrypt

        sst_absorb_routine aes
        sst_mac_routine aes
        sst_tag_routine aes
        sst_verify_routine aes
