// f8 (3GPP TS 35.201 4), the confidentiality algorithm UEA1, and with other IVs and keys A5/3, A5/4, GEA3 and GEA4 (TS
// 55.216, 55.226): KASUMI with its output, a counter and an encrypted IV as the next input.
//
// Calling convention: firmware/README.md.

        .include "single.inc"

        .section m1
kasumi_f8_mask:                                 // KM (TS 35.201 4.2)
        .fill   16, 0x55
kasumi_f8_count:                                // blocks so far; last half
        .zero   16
kasumi_f8_last:                                 // the last block of keystream; last half
        .zero   16

        .section text

        .alias  in, ar0
        .alias  out, ar1
        .alias  blocks, ar6
        .alias  block, v0               // of keystream

// kasumi128_f8_key, kasumi64_f8_key: round keys of the key and of the key that encrypts the IV; a key of 64 bits is
// taken twice (TS 55.216).
//
// Inputs:   kasumi_key
// Outputs:  kasumi_keys, kasumi_other_keys; kasumi_key of 128 bits
// Clobbers: v0-v3, ar1
// Memory:   kasumi_sources
// Time:     constant
// Cycles:   201 (kasumi128), 209 (kasumi64)
        kasumi_two_keys f8, kasumi_f8_mask, kasumi_other_keys

// kasumi_f8_start: A = E'(IV), the IV in the first half.
//
// Inputs:   key schedule, kasumi_iv
// Outputs:  kasumi_iv = A in the last half; kasumi_f8_count, kasumi_f8_last
// Clobbers: v0-v7, ar3
// Memory:   kasumi_b, kasumi_c, the last rows of m3
// Time:     constant
// Cycles:   350
        .global kasumi_f8_start
kasumi_f8_start:
        rotx    block, m1[kasumi_iv], zero, 64
        arset   key, kasumi_other_keys
        call    kasumi_block
        mov     m1[kasumi_iv], block
        mov     m1[kasumi_f8_count], zero
        mov     m1[kasumi_f8_last], zero
        halt

// kasumi_f8: C = P ^ KS, KS[i] = E(A ^ i ^ KS[i-1]), n blocks and up to 63 bits more, either direction.
//
// Inputs:   key schedule, kasumi_length, kasumi_iv, kasumi_f8_count, kasumi_f8_last; P in m2 from row 0
// Outputs:  C in m3 from row 0, an incomplete block zero after its bits; kasumi_f8_count, kasumi_f8_last
// Clobbers: v0-v7, ctr, wk, ar0, ar1, ar3, ar4, ar6, ar7
// Memory:   kasumi_b, kasumi_c, the last rows of m3
// Time:     constant; depends on n and on the bits after them
// Cycles:   340n + 25

        .alias  mask, v1
        .alias  ones, v2
        .alias  tail, v3

        .global kasumi_f8
kasumi_f8:
        vtoar   blocks, m1[kasumi_length], 7
        vtoar   bytes, m1[kasumi_length], 6
        vtoar   bits, m1[kasumi_length], 5
        arset   in, 0
        arset   out, 0
        arstep  in, 8
        arstep  out, 8
        mov     wk, m1[kasumi_iv]
        mov     ctr, m1[kasumi_f8_count]
        ctrw    64
        mov     block, m1[kasumi_f8_last]
        repeat  blocks, .L_blocks
        mov     block, ctr++ ^ block ^ wk
        arset   key, kasumi_keys
        call    kasumi_block
        rotx    m3[out+=s], block, m2[in+=s], 64
.L_blocks:
        mov     m1[kasumi_f8_count], ctr
        mov     m1[kasumi_f8_last], block
        bnz     bytes, .L_last
        bz      bits, .L_done
.L_last:
        mov     block, ctr++ ^ block ^ wk
        arset   key, kasumi_keys
        call    kasumi_block
        rotx    block, block, m2[in], 64
        kasumi_end mask, ones, tail
        and     m3[out], block, mask
.L_done:
        halt
