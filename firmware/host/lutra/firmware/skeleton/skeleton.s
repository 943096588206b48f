// skeleton: a block cipher to begin with, in counter mode. One table and two round keys; not secure.
//
//   E(x) = S(x ^ K0) ^ K1, with S(b) = 5b + 7 mod 256 of each byte, K0 = key, K1 = key <<< 8

        .section m0
        .global skeleton_key
skeleton_key:                           // parameter, written by the host: the key
        .zero   16
skeleton_keys:                          // round keys K0, K1
        .zero   2 * 16
skeleton_sbox:                          // S, one byte for each entry of the table
        .rept   256
        .byte   5 * \+ + 7 & 0xff
        .endr

        .section m1
        .global skeleton_iv, skeleton_length
skeleton_iv:                            // parameter: the first counter block; a job leaves the next one
        .zero   16
skeleton_length:                        // parameter: 16-bit lane 7 has the number of blocks
        .zero   16

        .section text

// skeleton_tables: S to all sixteen lanes of t0.
//
// Inputs:   skeleton_sbox
// Outputs:  t0
// Clobbers: ar0, ar1
// Time:     constant
// Cycles:   269
        .global skeleton_tables
skeleton_tables:
        arset   ar0, skeleton_sbox
        arstep  ar0, 1
        arset   ar1, 0
        repeat  256, .L_filled
        bcast   t0[ar1++], m0[ar0+=s], 0
.L_filled:
        halt

// skeleton128_key_encrypt: K0 = key, K1 = key <<< 8.
//
// Inputs:   skeleton_key
// Outputs:  skeleton_keys
// Clobbers: v0
// Time:     constant
// Cycles:   11
        .global skeleton128_key_encrypt
skeleton128_key_encrypt:
        mov     v0, m0[skeleton_key]
        mov     m0[skeleton_keys], v0
        align   m0[skeleton_keys + 16], v0, v0, 1
        halt

// skeleton128_ctr: C[i] = P[i] ^ E(counter + i), n blocks.
//
// Inputs:   skeleton_keys, skeleton_length, skeleton_iv = first counter block; S in t0; P in m2 from row 0
// Outputs:  C in m3 from row 0; skeleton_iv = next counter block
// Clobbers: v0, ctr, ar0, ar1, ar6
// Time:     constant; depends on n
// Cycles:   3n + 15
        .global skeleton128_ctr
skeleton128_ctr:
        vtoar   ar6, m1[skeleton_length], 7
        mov     ctr, m1[skeleton_iv]
        ctrw    128
        arset   ar0, 0
        arset   ar1, 0
        repeat  ar6, .L_done
        tbl0    v0, ctr++ ^ m0[skeleton_keys]
        xor     v0, v0, m0[skeleton_keys + 16]
        xor     m3[ar1++], v0, m2[ar0++]
.L_done:
        mov     m1[skeleton_iv], ctr
        halt
