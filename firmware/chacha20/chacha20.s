// ChaCha20 (RFC 8439 2.3, 2.4), and its original form with a counter of 64 bits.
//
// The four rows of the state are v0 to v3. The core's words are big-endian and the cipher's little-endian, so words are
// turned around where they come and go.

        .include "memory.inc"

        .section text
        .alias  a, v0
        .alias  b, v1
        .alias  c, v2
        .alias  d, v3
        .alias  swap, v6

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

// chacha20, chacha20_original: C[i] = P[i] ^ block(key, counter + i, nonce), n blocks; the last one may be incomplete.
// The counter is the first 32 bits of chacha20_iv, of the original form the first 64; no carry leaves it.
//
// Inputs:   chacha20_key, chacha20_length, chacha20_iv = counter (little-endian), nonce; P in m2 from row 0
// Outputs:  C in m3 from row 0, whole blocks; chacha20_iv = counter after the last block, nonce
// Clobbers: v0-v6, ctr, ar0, ar1, ar5, ar6
// Memory:   chacha20_words, chacha20_counter
// Time:     constant; depends on n, and on whether the last block is incomplete
// Cycles:   457n + 22
        .macro  blocks width
        vtoar   ar6, m1[chacha20_length], 7
        vtoar   ar5, m1[chacha20_length], 6
        ctrw    \width
        mov     swap, m0[chacha20_swap]
        mov     v0, m1[chacha20_iv]
        perm    ctr, v0, m0[chacha20_to_ctr]
        perm    m0[chacha20_words], m1[chacha20_key], swap
        perm    m0[chacha20_words + 16], m1[chacha20_key + 16], swap
        arset   ar0, 0
        arset   ar1, 0
        bz      ar5, .L_whole\@
        aradd   ar6, ar6, 1
.L_whole\@:
        repeat  ar6, .L_done\@
        perm    {d, m1[chacha20_counter]}, ctr++, m0[chacha20_from_ctr]
        mov     a, m0[chacha20_sigma]
        mov     b, m0[chacha20_words]
        mov     c, m0[chacha20_words + 16]
        repeat  10, .L_mixed\@
        round   32
        round   96
.L_mixed\@:
        add32   a, a, m0[chacha20_sigma]
        add32   b, b, m0[chacha20_words]
        add32   c, c, m0[chacha20_words + 16]
        add32   d, d, m1[chacha20_counter]
        .rept   4
        perm    v\+, v\+, swap
        .endr
        .rept   4
        xor     m3[ar1++], v\+, m2[ar0++]
        .endr
.L_done\@:
        perm    m1[chacha20_iv], ctr, m0[chacha20_to_iv]
        halt
        .endm

        .global chacha20, chacha20_original
chacha20:
        blocks  32
chacha20_original:
        blocks  64
