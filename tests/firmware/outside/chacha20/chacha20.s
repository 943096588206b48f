// ChaCha20 (RFC 8439 2.3, 2.4). The four rows of the state are v0 to v3; the core's words are big-endian, the cipher's
// little-endian, so words are turned around where they come and go.

        .section m0
        .align  16
chacha20_sigma:                                 // "expand 32-byte k", as words
        .row    "61707865 3320646e 79622d32 6b206574"
chacha20_low12:                                 // the bits that a rotation of 128 bits takes from the wrong word
        .rept   4
        .word   (1 << 12) - 1
        .endr
chacha20_low7:
        .rept   4
        .word   (1 << 7) - 1
        .endr
chacha20_left16:                                // control vectors: words rotated by whole bytes
        .rept   16
        .byte   \+ / 4 * 4 + (\+ + 2) % 4
        .endr
chacha20_left8:
        .rept   16
        .byte   \+ / 4 * 4 + (\+ + 1) % 4
        .endr
chacha20_swap:                                  // bytes of a word turned around
        .rept   16
        .byte   \+ / 4 * 4 + 3 - \+ % 4
        .endr
chacha20_one:                                   // what the block counter is incremented by
        .row    "00000001 00000000 00000000 00000000"
chacha20_words:                                 // the key as words
        .zero   32

        .section m1
        .global chacha20_key, chacha20_iv, chacha20_length
chacha20_key:                                   // parameter: the key
        .zero   32
chacha20_iv:                                    // parameter: block counter, nonce; afterwards the next job's
        .zero   16
chacha20_length:                                // parameter: 16-bit lane 7: whole blocks, lane 6: bytes after them
        .zero   16

        .section text
        .alias  a, v0
        .alias  b, v1
        .alias  c, v2
        .alias  d, v3
        .alias  counter, v6                     // last row of the initial state
        .alias  swap, v7

// b = words of b <<< n (below = 2^n - 1), and all words `turn` bits to the left.
        .macro  left n, below, turn=0
        rotx    v4, b, zero, \n + \turn
        rotx    v5, b, v4, (\n + \turn + 96) % 128
        and     v5, v5, m0[\below]
        xor     b, v4, v5
        .endm

// Four quarter rounds side by side, of columns or diagonals; then the rows are turned for the others.
        .macro  round turn
        add32   a, a, b
        xor     d, d, a
        perm    d, d, m0[chacha20_left16]
        add32   c, c, d
        xor     b, b, c
        left    12, chacha20_low12
        add32   a, a, b
        xor     d, d, a
        perm    d, d, m0[chacha20_left8]
        add32   c, c, d
        xor     b, b, c
        left    7, chacha20_low7, \turn
        rotx    c, c, zero, 64
        rotx    d, d, zero, 128 - \turn
        .endm

// chacha20: C[i] = P[i] ^ block(key, counter + i, nonce), n blocks; the last one may be incomplete.
//
// Inputs:   chacha20_key, chacha20_length, chacha20_iv = counter (little-endian), nonce; P in m2 from row 0
// Outputs:  C in m3 from row 0; chacha20_iv = counter after the last block, nonce
// Clobbers: v0-v7, ar0, ar1, ar5, ar6
// Memory:   chacha20_words
// Time:     constant; depends on n, and on whether the last block is incomplete
// Cycles:   418n + 19
        .global chacha20
chacha20:
        vtoar   ar6, m1[chacha20_length], 7
        vtoar   ar5, m1[chacha20_length], 6
        mov     swap, m0[chacha20_swap]
        perm    counter, m1[chacha20_iv], swap
        perm    m0[chacha20_words], m1[chacha20_key], swap
        perm    m0[chacha20_words + 16], m1[chacha20_key + 16], swap
        arset   ar0, 0
        arset   ar1, 0
        bz      ar5, .L_whole
        aradd   ar6, ar6, 1
.L_whole:
        repeat  ar6, .L_done
        mov     a, m0[chacha20_sigma]
        mov     b, m0[chacha20_words]
        mov     c, m0[chacha20_words + 16]
        mov     d, counter
        repeat  10, .L_mixed
        round   32
        round   96
.L_mixed:
        add32   a, a, m0[chacha20_sigma]
        add32   b, b, m0[chacha20_words]
        add32   c, c, m0[chacha20_words + 16]
        add32   d, d, counter
        .rept   4
        perm    v\+, v\+, swap
        .endr
        .rept   4
        xor     m3[ar1++], v\+, m2[ar0++]
        .endr
        add32   counter, counter, m0[chacha20_one]
.L_done:
        perm    m1[chacha20_iv], counter, swap
        halt
