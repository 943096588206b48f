// Key wrap of CMS by DES three times with three keys (RFC 3217 3): CBC of the text, an IV before and a checksum after
// it, then of all that with its bytes in reverse. The checksum is the first half block of SHA-1 of the text.
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
        vtoar   ar6, m1[des_length], 7
        call    .L_sha1
        aradd   ar0, ar5, 16
        mov     m2[ar0], m1[sha1_hash]
        aradd   ar1, ar5, wrap_temp3            // of rows that end with the last block of TEMP3, and so on down
        mov     v0, m1[des_iv]
        arstep  ar0, 8
        arstep  ar1, 8
        perm    m3[ar1-=s], v0, m1[wrap_block]
        des_one_begin
        arset   ar0, 16
        aradd   ar5, ar6, 1
        repeat  ar5, .L_temp1
        xor     v0, v0, m2[ar0+=s]
        des_one v0
        perm    m3[ar1-=s], v0, m1[wrap_block]
.L_temp1:
        arset   ar0, wrap_temp3
        arset   ar1, wrap_a
        aradd   ar5, ar6, 2
        mov     v0, m1[wrap_iv]
        mov     v6, m3[ar0+=s]
        repeat  ar5, .L_second
        xor     v0, v0, v6
        mov     v6, m3[ar0+=s]                  // before the store for which it would wait
        des_one {v0, m3[ar1+=s]}
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
        arset   ar1, 16
        mode64_groups des
        arset   ar2, 8
        repeat  ar5, .L_temp3
        des_group_row m2[ar0++], m3[ar1++], m2[ar2++]
.L_temp3:
        rotx    v0, m1[des_length], zero, 3
        vtoar   ar0, v0, 7                      // the last two blocks, in m3 from row 1
        arset   ar1, 8
        aradd   ar5, ar6, 1
        arshr   ar5, ar5, 1
        mov     v1, m1[wrap_row]
        repeat  ar5, .L_reversed
        perm    m2[ar1++], m3[ar0--], v1
.L_reversed:
        arset   ar0, 16
        arset   ar1, wrap_r
        arset   ar2, 8
        aradd   ar5, ar6, 2                     // of a block less
        arshr   ar5, ar5, 2
        repeat  ar5, .L_text
        des_group_row m2[ar0++], m3[ar1++], m2[ar2++]
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
        vtoar   ar6, m1[des_length], 7
        mov     m3[0], zero
        arshr   ar7, ar6, 1
        bz      ar7, .L_too_short
        aradd   ar6, ar6, -2
        aradd   ar7, ar6, 1
        arshr   ar7, ar7, 1
        arset   ar0, wrap_r
        arset   ar1, 16
        repeat  ar7, .L_copied                  // a copy is padded, so that m3 stays as it is
        mov     m2[ar1++], m3[ar0++]
.L_copied:
        call    .L_sha1
        aradd   ar0, ar5, wrap_r
        mov     v0, m3[ar0]
        mov     v1, m1[sha1_hash]
        mov     v3, m1[wrap_half]
        mov     v2, zero
        wrap_compare des
        mov     m3[0], v2
.L_too_short:
        halt
