// Salsa20 (Bernstein, "The Salsa20 family of stream ciphers", 2008). v0 to v3 are the diagonals of the state, v0 = x0,
// x5, x10, x15; the core's words are big-endian, the cipher's little-endian, so words are turned around where they come
// and go.

        .section m0
        .align  16
salsa20_sigma:                                  // "expand 32-byte k", as words
        .row    "61707865 3320646e 79622d32 6b206574"
        .function low(bits, lane) = lane % 4 < 4 - bits / 8 - 1 ? 0 : lane % 4 == 3 - bits / 8 ? (1 << bits % 8) - 1 : 255
        .macro  below bits                      // the bits that a rotation of 128 bits takes from the wrong word
salsa20_low\bits\():
        .rept   16
        .byte   low(\bits, \+)
        .endr
        .endm
        below   7
        below   9
        below   13
        below   18
// Control vectors: words of the key's halves and of the counter to diagonals 1 to 3, bytes turned around where needed.
salsa20_key1:   .row "0f0e0d0c 80808080 80808080 0b0a0908", "80808080 80808080 0f0e0d0c 80808080"
salsa20_key2:   .row "80808080 80808080 07060504 80808080", "80808080 0b0a0908 80808080 80808080"
salsa20_key3:   .row "80808080 03020100 80808080 80808080", "07060504 80808080 80808080 03020100"
salsa20_count1: .row "80808080 08090a0b 80808080 80808080"
salsa20_count2: .row "0c0d0e0f 80808080 80808080 04050607"
salsa20_count3: .row "80808080 80808080 00010203 80808080"
salsa20_count:  .row "03020100 07060504 0f0e0d0c 0b0a0908"
salsa20_words:                                  // a word turned around, in its place
        .row    "03020100 80808080 80808080 80808080", "80808080 07060504 80808080 80808080"
        .row    "80808080 80808080 0b0a0908 80808080", "80808080 80808080 80808080 0f0e0d0c"
salsa20_keys:                                   // the key in diagonals 1 to 3
        .zero   48

        .section m1
        .global salsa20_key, salsa20_iv, salsa20_length
salsa20_key:                                    // parameter: the key
        .zero   32
salsa20_iv:                                     // parameter: nonce, block counter; afterwards the next job's
        .zero   16
salsa20_length:                                 // parameter: 16-bit lane 7: whole blocks, lane 6: bytes after them
        .zero   16
salsa20_state:                                  // diagonals 1 to 3 of the block's initial state
        .zero   48

        .section text
        .alias  a, v0
        .alias  b, v1
        .alias  c, v2
        .alias  d, v3

// One diagonal of the key.
        .macro  key n
        mov     v4, m1[salsa20_key]
        perm    v4, v4, m0[salsa20_key\n]
        mov     v5, m1[salsa20_key + 16]
        perm    v5, v5, m0[salsa20_key\n + 16]
        xor     m0[salsa20_keys + 16 * \n - 16], v4, v5
        .endm

// One diagonal of the initial state, from nonce and counter v6.
        .macro  diagonal x, n
        perm    \x, v6, m0[salsa20_count\n]
        xor     {\x, m1[salsa20_state + 16 * \n - 16]}, \x, m0[salsa20_keys + 16 * \n - 16]
        .endm

// x ^= (y + z) <<< n, by words
        .macro  step x, y, z, n
        add32   v4, \y, \z
        rotx    v5, v4, zero, \n
        rotx    \x, v4, \x, \n
        rotx    v4, v4, v5, \n + 96
        and     v4, v4, m0[salsa20_low\n]
        xor     \x, \x, v4
        .endm

// A row of the block, one word of each diagonal.
        .macro  row w, x, y, z
        perm    v4, \w, m0[salsa20_words]
        perm    v5, \x, m0[salsa20_words + 16]
        xor     v4, v4, v5
        perm    v5, \y, m0[salsa20_words + 32]
        xor     v4, v4, v5
        perm    v5, \z, m0[salsa20_words + 48]
        xor     v4, v4, v5
        xor     m3[ar1++], v4, m2[ar0++]
        .endm

// salsa20: C[i] = P[i] ^ block(key, nonce, counter + i), n blocks; the last one may be incomplete.
//
// Inputs:   salsa20_key, salsa20_length, salsa20_iv = nonce, counter (little-endian); P in m2 from row 0
// Outputs:  C in m3 from row 0; salsa20_iv = nonce, counter after the last block
// Clobbers: v0-v6, ctr, ar0, ar1, ar5, ar6
// Memory:   salsa20_keys, salsa20_state
// Time:     constant; depends on n, and on whether the last block is incomplete
// Cycles:   685n + 42
        .global salsa20
salsa20:
        vtoar   ar6, m1[salsa20_length], 7
        vtoar   ar5, m1[salsa20_length], 6
        ctrw    64
        mov     v4, m1[salsa20_iv]
        perm    ctr, v4, m0[salsa20_count]
        key     1
        key     2
        key     3
        arset   ar0, 0
        arset   ar1, 0
        bz      ar5, .L_whole
        aradd   ar6, ar6, 1
.L_whole:
        repeat  ar6, .L_done
        mov     v6, ctr++
        mov     a, m0[salsa20_sigma]
        diagonal b, 1
        diagonal c, 2
        diagonal d, 3
        repeat  20, .L_mixed
        step    b, a, d, 7
        step    c, b, a, 9
        step    d, c, b, 13
        step    a, d, c, 18
        rotx    v4, d, zero, 32                 // columns to rows, or back
        rotx    d, b, zero, 96
        rotx    c, c, zero, 64
        mov     b, v4
.L_mixed:
        add32   a, a, m0[salsa20_sigma]
        add32   b, b, m1[salsa20_state]
        add32   c, c, m1[salsa20_state + 16]
        add32   d, d, m1[salsa20_state + 32]
        row     a, d, c, b
        row     b, a, d, c
        row     c, b, a, d
        row     d, c, b, a
.L_done:
        perm    m1[salsa20_iv], ctr, m0[salsa20_count]
        halt
