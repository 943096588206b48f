// CMS key wrap with three-key 3DES (RFC 3217 3): CBC of the text, preceded by an IV and followed by a checksum, then
// CBC of the byte-reversed result. The checksum is the first half block of SHA-1 of the text.
//
// Calling convention: firmware/README.md. Blocks are called as in RFC 3217: TEMP1 to TEMP3.

des_stages = 3
        .include "block.inc"
        .include "schedule.inc"
        .include "sha1.inc"
        .include "../common/modes64.inc"
        .include "../common/wrap.inc"

        .section m1
wrap_iv:                                // of the second CBC
        .row    "4adda22c79e82105 0000000000000000"
wrap_block:                             // control vectors: a block in reverse in the second half of a row; a row
        .row    "8080808080808080 0706050403020100"
wrap_row:
        .row    "0f0e0d0c0b0a0908 0706050403020100"
des_ones:
        .row    "ffffffffffffffff ffffffffffffffff"

wrap_temp3 = wrap_r                     // in m3, a block after what is made of it, whose stores are rows

        .section text

        .alias  next, v6                // the next block of TEMP3
        .alias  row_order, v1
        .alias  pairs, ar7              // of blocks

        ede_key 192, 16

// ede_wrap_encrypt: TEMP1 = CBC(P || checksum), C = CBC(reverse(IV || TEMP1)), n blocks P.
//
// Inputs:   key schedule, des_length, ede_iv = IV; P in m2 from row 1
// Outputs:  C, n + 2 blocks, in m3 from row 1, more after it; sha1_hash
// Clobbers: v0-v7, ar0-ar7
// Memory:   m2 after P, sha1_words, m3
// Time:     constant; depends on n
// Cycles:   650n + 1576, n a multiple of 8
        .global ede_wrap_encrypt
ede_wrap_encrypt:
        vtoar   units, m1[des_length], 7
        call    .L_sha1
        aradd   in, groups, 16
        mov     m2[in], m1[sha1_hash]
        aradd   out, groups, wrap_temp3         // of rows that end with the last block of TEMP3, and so on down
        mov     chain, m1[des_iv]
        arstep  in, 8
        arstep  out, 8
        perm    m3[out-=s], chain, m1[wrap_block]
        des_one_begin
        arset   in, 16
        aradd   groups, units, 1
        repeat  groups, .L_temp1
        xor     chain, chain, m2[in+=s]
        des_one chain
        perm    m3[out-=s], chain, m1[wrap_block]
.L_temp1:
        arset   in, wrap_temp3
        arset   out, wrap_a
        aradd   groups, units, 2
        mov     chain, m1[wrap_iv]
        mov     next, m3[in+=s]
        repeat  groups, .L_second
        xor     chain, chain, next
        mov     next, m3[in+=s]                 // before the store for which it would wait
        des_one {chain, m3[out+=s]}
.L_second:
        halt

// ede_wrap_decrypt: TEMP3 = CBC^-1(C), IV || TEMP1 = reverse(TEMP3), P || checksum = CBC^-1(TEMP1), n blocks C.
//
// Inputs:   key schedule of decryption, des_length; C in m2 from row 1
// Outputs:  P and the checksum, n - 1 blocks, in m3 from the second half of row 1, more after it
// Clobbers: v0-v7, ar0-ar6
// Memory:   m2, m3
// Time:     constant; depends on n
// Cycles:   229n + 39, n a multiple of 4
        .global ede_wrap_decrypt
ede_wrap_decrypt:
        mode64_job des
        rotx    m2[0], m1[wrap_iv], zero, 64
        arset   out, 16
        mode64_groups des
        arset   before, 8
        repeat  groups, .L_temp3
        des_group_row m2[in++], m3[out++], m2[before++]
.L_temp3:
        rotx    chain, m1[des_length], zero, 3
        vtoar   in, chain, 7                    // the last two blocks, in m3 from row 1
        arset   out, 8
        aradd   groups, units, 1
        arshr   groups, groups, 1
        mov     row_order, m1[wrap_row]
        repeat  groups, .L_reversed
        perm    m2[out++], m3[in--], row_order
.L_reversed:
        arset   in, 16
        arset   out, wrap_r
        arset   before, 8
        aradd   groups, units, 2                // of a block less
        arshr   groups, groups, 2
        repeat  groups, .L_text
        des_group_row m2[in++], m3[out++], m2[before++]
.L_text:
        halt

// ede_wrap_check: whether the checksum is that of P, of n blocks C.
//
// Inputs:   des_length; what ede_wrap_decrypt has left in m3
// Outputs:  m3 row 0: ones if it is, else zero; sha1_hash
// Clobbers: v0-v7, ar0-ar2, ar5-ar7
// Memory:   m2, sha1_words
// Time:     constant, whether it is or not; depends on n
// Cycles:   167n/2 + 66, n a multiple of 8
        .global ede_wrap_check
ede_wrap_check:
        vtoar   units, m1[des_length], 7
        mov     m3[0], zero
        arshr   pairs, units, 1
        bz      pairs, .L_too_short
        aradd   units, units, -2
        aradd   pairs, units, 1
        arshr   pairs, pairs, 1
        arset   in, wrap_r
        arset   out, 16
        repeat  pairs, .L_copied                // a copy is padded, so that m3 stays as it is
        mov     m2[out++], m3[in++]
.L_copied:
        call    .L_sha1
        aradd   in, groups, wrap_r
        mov     found, m3[in]
        mov     right, m1[sha1_hash]
        mov     compared, m1[wrap_half]
        mov     equal, zero
        wrap_compare des
        mov     m3[0], equal
.L_too_short:
        halt
