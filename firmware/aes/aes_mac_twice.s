// AES (FIPS 197), each block computed twice as in aes_twice.s: CMAC (SP 800-38B).

        .include "block.inc"
        .include "twice_schedule.inc"
        .include "../common/twice_gate.inc"
        .include "twice.inc"
        twice_known enc
        twice_known_schedule

        .section m0
first_k1:                                       // subkeys (SP 800-38B 6.1)
        .zero   16
first_k2:
        .zero   16
turned_k1:
        .zero   16
turned_k2:
        .zero   16
mac_polynomial:                                 // u^128 = u^7 + u^2 + u + 1
        .row    "00000000000000000000000000000087"

        .section text

        .alias  subkey, v6
        .alias  turned_subkey, v7
        .alias  mask, v1                // ones in the bytes and bits of a last block
        .alias  end_bit, v5             // the one bit after them
        .alias  bits, ar1
        .alias  bytes, ar4

        tables  aes

// aes{bits}_mac_key_twice: both sets of round keys, and both subkeys of each, by doubling and by multiplication with u.
//
// Inputs:   aes_key, aes_key_again; the S-box in t0 and t1
// Outputs:  key pairs in m0 and m1 from row 0, whitening key in m0 (aes_wk), first_k1, first_k2; turned ones from row 8,
//           aes_turned_wk, turned_k1, turned_k2
// Clobbers: v0-v3, v5-v7, wk, ar0, ar1
// Memory:   aes_done; m3 rows 0-15 are scratch, zero at the end
// Time:     constant
// Cycles:   220 (128), 266 (192), 264 (256)
        .macro  cmac_subkeys_twice c, n
        mov     wk, m0[\c\()_wk]
        mov     turned_wk, m0[aes_turned_wk]
        aesenc2 first, wk, m0:m1[0]
        aesenc2 second, turned_wk, m0:m1[aes_turned_keys]
        twice_alone \n
        aesenc2l first, first, m0:m1[16 * (\n - 1)]
        aesenc2l second, second, m0:m1[aes_turned_keys + 16 * (\n - 1)]
        dbl     {first, m0[first_k1]}, first
        dbl     m0[first_k2], first
        rotx    second, second, zero, 96
        mulx    second, second, m0[mac_polynomial]
        rotx    m0[turned_k1], second, zero, 32
        mulx    second, second, m0[mac_polynomial]
        rotx    m0[turned_k2], second, zero, 32
        twice_done \c
        .endm

        key_family aes, mac_key_twice, aes_key_encrypt_twice, cmac_subkeys_twice

        .macro  mac_job_twice c
        twice_job \c
        mov     chain, m1[\c\()_iv]
        rotx    other, m1[\c\()_iv], zero, 32   // a chaining value of zero: nothing on it where `chain` has text on it
        xor     other, other, turned_wk
        twice_ahead
        .endm

// aes{bits}_cmac_update_twice: V = E(V ^ M[i]), n blocks of a message that continues.
//
// Inputs:   both sets of round keys, aes_length, aes_iv = V; tables; M in m2 from row 0
// Outputs:  aes_iv = V
// Clobbers: v0-v4, v6, v7, wk, hold, ar0, ar3, ar5-ar7
// Memory:   aes_done; m2 row 255, m3 rows 252-255 are scratch, zero at the end
// Time:     constant; depends on n
// Cycles:   2bn + 107
        .macro  cmac_update_twice c, n
        mac_job_twice \c
        mac_blocks_twice \n
        mov     m1[\c\()_iv], chain
        xor     other, other, turned_wk
        rotx    other, other, zero, 96
        twice_take other ^ m1[\c\()_iv]
        jmp     .L_open
        .endm

// aes{bits}_cmac_twice: the CMAC of a message that ends with n blocks and up to 127 bits.
//
// Inputs:   both sets of round keys and subkeys, aes_length, aes_iv = V; tables; M in m2 from row 0; nothing only of an
//           empty message
// Outputs:  the MAC of 128 bits in m3 row 0
// Clobbers: v0-v7, wk, hold, ar0, ar1, ar3-ar7
// Memory:   aes_done; m2 row 255, m3 rows 252-255 are scratch, zero at the end
// Time:     constant; depends on n and on the length of a last block
// Cycles:   2bn + 135, n from 2
//
// A whole last block takes K1; a partial or empty one is padded with 10..0 and takes K2.
        .macro  cmac_final_twice c, n
        mac_job_twice \c
        vtoar   bits, m1[\c\()_length], 5
        vtoar   bytes, m1[\c\()_length], 6
        twice_counted \c, bits, 5
        twice_counted \c, bytes, 6
        bnz     bytes, .L_padded\@
        bnz     bits, .L_padded\@
        bz      blocks, .L_padded\@
        aradd   blocks, blocks, -1
        mac_blocks_twice \n
        mov     subkey, m0[first_k1]
        mov     turned_subkey, m0[turned_k1]
        xor     chain, chain, m2[in]
        rotx    other, m2[in], other, 32
        jmp     .L_last\@
.L_padded\@:
        mac_blocks_twice \n
        mov     subkey, m0[first_k2]
        mov     turned_subkey, m0[turned_k2]
        mac_padded \c
        xor     chain, chain, mask
        mac_padded \c
        rotx    other, mask, other, 32
.L_last\@:
        aesenc2 first, chain ^ subkey ^ wk, m0:m1[0]
        aesenc2 second, other ^ turned_subkey, m0:m1[aes_turned_keys]
        twice_alone \n
        aesenc2l m3[0], first, m0:m1[16 * (\n - 1)]
        aesenc2l other, second, m0:m1[aes_turned_keys + 16 * (\n - 1)]
        rotx    other, other, zero, 96
        twice_take other ^ m3[0]
        jmp     .L_open
        .endm

// mask = the last, partial block, padded.
        .macro  mac_padded c
        mov     second, m1[\c\()_ones]
        mov     mask, zero
        mov     end_bit, m1[\c\()_top]
        repeat  bytes, .L_bytes\@
        align   mask, second, mask, 15
        rotx    end_bit, end_bit, zero, 120
.L_bytes\@:
        repeat  bits, .L_bits\@
        xor     mask, mask, end_bit
        rotx    end_bit, end_bit, zero, 127
.L_bits\@:
        and     mask, mask, m2[in]
        xor     mask, mask, end_bit
        .endm

        family  aes, cmac_update_twice, cmac_update_twice
        family  aes, cmac_twice, cmac_final_twice
.L_open:
        twice_wipe
        twice_open aes
