// ChaCha20 (RFC 8439 2.3, 2.4), and its original form with a counter of 64 bits: one block at a time, with instructions
// that a core of one round per instruction has too.

        .include "memory.inc"

        .section text

        .alias  in, ar0
        .alias  out, ar1
        .alias  part, ar5               // bytes of a last block
        .alias  units, ar6              // blocks
        .alias  iv, v0

        .alias  a, v0
        .alias  b, v1
        .alias  c, v2
        .alias  d, v3
        .alias  swap, v4

// Four quarter rounds side by side, of columns or diagonals (RFC 8439 2.1). For the round that comes row b stays where
// it is, and the others are turned along it: a and c by so many words here, d by two as the round begins.
        .macro  round a_words, c_words
        add32   a, a, b
        rotx    d, d, a, 64
        rotx32  d, d, zero, 16
        add32   c, c, d
        xor     b, b, c
        rotx32  b, b, zero, 12
        add32   a, a, b
        xor     d, d, a
        rotx32  d, d, zero, 8
        add32   c, c, d
        xor     b, b, c
        rotx32  b, b, zero, 7
        rotx    a, a, zero, 32 * \a_words
        rotx    c, c, zero, 32 * \c_words
        .endm

// chacha20_generic, chacha20_original_generic: C[i] = P[i] ^ block(key, counter + i, nonce), n blocks; the last one may
// be incomplete. The counter is the first 32 bits of chacha20_iv, of the original form the first 64; no carry leaves
// it.
//
// Inputs:   chacha20_key, chacha20_length, chacha20_iv = counter (little-endian), nonce; P in m2 from row 0
// Outputs:  C in m3 from row 0, whole blocks; chacha20_iv = counter after the last block, nonce
// Clobbers: v0-v4, ctr, ar0, ar1, ar5, ar6
// Memory:   chacha20_words, chacha20_counters
// Time:     constant; depends on n, and on whether the last block is incomplete
// Cycles:   297n + 23
        .macro  blocks width
        vtoar   units, m1[chacha20_length], 7
        vtoar   part, m1[chacha20_length], 6
        ctrw    \width
        mov     iv, m1[chacha20_iv]
        mov     swap, m0[chacha20_swap]
        perm    ctr, iv, m0[chacha20_to_ctr]
        perm    m0[chacha20_words], m1[chacha20_key], swap
        perm    m0[chacha20_words + 16], m1[chacha20_key + 16], swap
        arset   in, 0
        arset   out, 0
        bz      part, .L_whole\@
        aradd   units, units, 1
.L_whole\@:
        repeat  units, .L_done\@
        perm    {d, m1[chacha20_counters]}, ctr++, m0[chacha20_from_ctr]
        mov     a, m0[chacha20_sigma]
        mov     b, m0[chacha20_words]
        mov     c, m0[chacha20_words + 16]
        repeat  10, .L_mixed\@
        round   3, 1
        round   1, 3
.L_mixed\@:
        add32   a, a, m0[chacha20_sigma]
        add32   b, b, m0[chacha20_words]
        add32   c, c, m0[chacha20_words + 16]
        add32   d, d, m1[chacha20_counters]
        perm    a, a, swap
        perm    b, b, swap
        perm    c, c, swap
        perm    d, d, m0[chacha20_turned_swap]
        xor     m3[out++], a, m2[in++]
        xor     m3[out++], b, m2[in++]
        xor     m3[out++], c, m2[in++]
        xor     m3[out++], d, m2[in++]
.L_done\@:
        perm    iv, ctr, m0[chacha20_from_ctr]
        perm    m1[chacha20_iv], iv, m0[chacha20_turned_swap]
        halt
        .endm

        .global chacha20_generic, chacha20_original_generic
chacha20_generic:
        blocks  32
chacha20_original_generic:
        blocks  64
