// SPECK64/128 (Beaulieu et al., "The SIMON and SPECK Families of Lightweight Block Ciphers", 2013). A row holds two
// blocks: words x, y of one, then of the other.

rounds  = 27

        .section m0
        .align  16
speck_second:                                   // control vectors: word 1 to all words
        .rept   16
        .byte   4 + \+ % 4
        .endr
speck_x:                                        // x, x of each block
        .rept   16
        .byte   \+ / 8 * 8 + \+ % 4
        .endr
speck_y:                                        // y, y of each block
        .rept   16
        .byte   \+ / 8 * 8 + 4 + \+ % 4
        .endr
speck_right8:                                   // x >>> 8, in both words
        .rept   16
        .byte   \+ / 8 * 8 + (\+ + 3) % 4
        .endr
speck_left8:                                    // x <<< 8, 0
        .rept   16
        .byte   \+ / 8 * 8 + (\+ + 1) % 4 + \+ / 4 % 2 * 128
        .endr
speck_only_y:
        .row    "00000000 ffffffff 00000000 ffffffff"
speck_ones:
        .row    "ffffffff ffffffff ffffffff ffffffff"
speck_one:
        .row    "00000001 00000001 00000001 00000001"

        .section m1
        .global speck_key, speck_length
speck_key:                                      // parameter: the key, l2 l1 l0 k0
        .zero   16
speck_length:                                   // parameter: 16-bit lane 7: blocks
        .zero   16
speck_keys:                                     // round keys, each in all words of a row
        .zero   16 * rounds

        .section text

// v0 = x', y' with x' = ((x >>> 8) + y) ^ k and y' = (y <<< 3) ^ x'; v1 = x', x'.
        .macro  round x, y, k
        perm    v1, \x, m0[speck_right8]
        perm    v2, \y, m0[speck_y]
        add32   v1, v1, v2
        xor     v1, v1, \k
        rotx    v2, v2, zero, 96 + 3            // y <<< 3 where y was: the word before it is y too
        and     v2, v2, m0[speck_only_y]
        perm    v1, v1, m0[speck_x]
        xor     v0, v1, v2
        .endm

// The inverse: y = (x' ^ y') >>> 3, x = ((x' ^ k) - y) <<< 8.
        .macro  back k
        perm    v1, v0, m0[speck_x]
        xor     v2, v0, v1
        perm    v2, v2, m0[speck_y]
        rotx    v2, v2, zero, 32 - 3            // in the words of x: the word after each is y too
        perm    v2, v2, m0[speck_x]
        xor     v1, v1, \k
        xor     v3, v2, m0[speck_ones]          // a - b = a + ~b + 1
        add32   v1, v1, v3
        add32   v1, v1, m0[speck_one]
        perm    v1, v1, m0[speck_left8]
        and     v2, v2, m0[speck_only_y]
        xor     v0, v1, v2
        .endm

        .macro  expand l
        perm    m1[ar2++], v0, m0[speck_second]
        round   \l, v0, v7
        mov     \l, v1
        add32   v7, v7, m0[speck_one]
        .endm

// speck128_key_encrypt: round keys, by the round itself with the number of the round as its key.
//
// Inputs:   speck_key
// Outputs:  speck_keys
// Clobbers: v0-v2, v4-v7, ar2
// Time:     constant
// Cycles:   339
        .global speck128_key_encrypt
speck128_key_encrypt:
        mov     v6, m1[speck_key]               // l2 in word 0
        rotx    v5, v6, zero, 32                // l1
        rotx    v4, v6, zero, 64                // l0, and k0 in word 1
        mov     v0, v4
        mov     v7, zero
        arset   ar2, speck_keys
        repeat  rounds / 3, .L_expanded
        expand  v4
        expand  v5
        expand  v6
.L_expanded:
        halt

// speck128_ecb_encrypt, speck128_ecb_decrypt: C[i] = E(P[i]), or the inverse, n blocks.
//
// Inputs:   speck_keys, speck_length; input in m2 from row 0
// Outputs:  m3 from row 0
// Clobbers: v0-v2, v3 (decrypt), ar0, ar1, ar2, ar6
// Time:     constant; depends on n
// Cycles:   247 ((n + 1) / 2) + 14 (encrypt), 328 ((n + 1) / 2) + 14 (decrypt)
        .macro  ecb direction, first, step
        .global speck128_ecb_\direction
speck128_ecb_\direction:
        vtoar   ar6, m1[speck_length], 7
        arset   ar0, 0
        arset   ar1, 0
        aradd   ar6, ar6, 1                     // two blocks in a row, the last one perhaps alone
        arshr   ar6, ar6, 1
        repeat  ar6, .L_done\@
        mov     v0, m2[ar0++]
        arset   ar2, \first
        repeat  rounds, .L_block\@
        .if     \step > 0
        round   v0, v0, m1[ar2++]
        .else
        back    m1[ar2--]
        .endif
.L_block\@:
        mov     m3[ar1++], v0
.L_done\@:
        halt
        .endm

        ecb     encrypt, speck_keys, 1
        ecb     decrypt, speck_keys + 16 * (rounds - 1), -1
