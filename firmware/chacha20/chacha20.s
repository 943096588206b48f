// ChaCha20 (RFC 8439 2.3, 2.4), and its original form with a counter of 64 bits: two blocks at a time.
//
// The core's words are big-endian and the cipher's little-endian, so words are turned around where they come and go.

        .include "memory.inc"

        .section text
// The rows of two states. `arx` writes the sum to an even register and what is rotated to the next.
        .alias  ax, v0
        .alias  dx, v1
        .alias  cx, v2
        .alias  bx, v3
        .alias  ay, v4
        .alias  dy, v5
        .alias  cy, v6
        .alias  by, v7

// x = y + z, w = (w ^ x) <<< n (RFC 8439 2.1), in both states, where row w turns on its way in or row x on its way out.
// By turns, so that none waits for what it needs.
        .macro  step x, z, w, n
        arx     {\x\()x, \w\()x}, \x\()x, \z\()x, \w\()x, \n
        arx     {\x\()y, \w\()y}, \x\()y, \z\()y, \w\()y, \n
        .endm

// The second half of a quarter round. For the round that comes row b stays where it is, and the others are turned along
// it: a and c by so many words here, d by two in the step that begins the round.
        .macro  turn a_words, c_words
        step    a, b, d, 8 + turn_sum + \a_words * turn1
        step    c, d, b, 7 + turn_sum + \c_words * turn1
        .endm

// A round on the diagonals, then back to the columns.
        .macro  diagonals
        step    a, b, d, 16 + turn2
        step    c, d, b, 12
        turn    1, 3
        .endm

// chacha20, chacha20_original: C[i] = P[i] ^ block(key, counter + i, nonce), n blocks; the last one may be incomplete.
// The counter is the first 32 bits of chacha20_iv, of the original form the first 64; no carry leaves it.
//
// Inputs:   chacha20_key, chacha20_length, chacha20_iv = counter (little-endian), nonce; P in m2 from row 0
// Outputs:  C in m3 from row 0, whole blocks; chacha20_iv = counter after the last block, nonce; of an odd number of
//           blocks, zeros in m3 after them
// Clobbers: v0-v7, ctr, ar0-ar3, ar5, ar6
// Memory:   chacha20_words, chacha20_counters
// Time:     constant; depends on n, and on whether the last block is incomplete
// Cycles:   92n + 34, even n
        .macro  blocks width
        vtoar   ar6, m1[chacha20_length], 7
        vtoar   ar5, m1[chacha20_length], 6
        ctrw    \width
        mov     v0, m1[chacha20_iv]
        mov     v1, m0[chacha20_swap]
        perm    m0[chacha20_words], m1[chacha20_key], v1
        perm    m0[chacha20_words + 16], m1[chacha20_key + 16], v1
        arset   ar0, 0                          // rows a, b and c of the text, and past row d to the next block
        arstep  ar0, 32
        arset   ar1, 0
        arstep  ar1, 32
        arset   ar2, 48                         // row d
        arstep  ar2, 64
        arset   ar3, 48
        arstep  ar3, 64
        perm    ctr, v0, m0[chacha20_to_ctr]
        bz      ar5, .L_whole\@
        aradd   ar6, ar6, 1
.L_whole\@:
        arand   ar5, ar6, 1
        aradd   ar6, ar6, 1
        arshr   ar6, ar6, 1
        repeat  ar6, .L_done\@
        perm    {dx, m1[chacha20_counters]}, ctr++, m0[chacha20_from_ctr]
        perm    {dy, m1[chacha20_counters + 16]}, ctr++, m0[chacha20_from_ctr]
        mov     bx, m0[chacha20_words]
        mov     by, m0[chacha20_words]
        // The first round finds rows a and c where they are kept.
        arx     {ax, dx}, m0[chacha20_sigma], bx, dx, 16 + turn2
        arx     {ay, dy}, m0[chacha20_sigma], by, dy, 16 + turn2
        arx     {cx, bx}, m0[chacha20_words + 16], dx, bx, 12
        arx     {cy, by}, m0[chacha20_words + 16], dy, by, 12
        turn    3, 1
        diagonals
        repeat  9, .L_mixed\@
        step    a, b, d, 16 + turn2
        step    c, d, b, 12
        turn    3, 1
        diagonals
.L_mixed\@:
        add32   dx, dx, m1[chacha20_counters]
        add32   dy, dy, m1[chacha20_counters + 16]
        perm    dx, dx, m0[chacha20_turned_swap]
        perm    dy, dy, m0[chacha20_turned_swap]
        xor     m3[ar3+=s], dx, m2[ar2+=s]
        xor     m3[ar3+=s], dy, m2[ar2+=s]
        // Halves of words are exchanged along with the addition, and bytes of halves along with the XOR.
        mov     dx, zero
        addrot  ax, ax, m0[chacha20_sigma], dx, 16
        addrot  bx, bx, m0[chacha20_words], dx, 16
        addrot  cx, cx, m0[chacha20_words + 16], dx, 16
        rotx16  m3[ar1++], ax, m2[ar0++], 8
        rotx16  m3[ar1++], bx, m2[ar0++], 8
        rotx16  m3[ar1+=s], cx, m2[ar0+=s], 8
        addrot  ay, ay, m0[chacha20_sigma], dx, 16
        addrot  by, by, m0[chacha20_words], dx, 16
        addrot  cy, cy, m0[chacha20_words + 16], dx, 16
        rotx16  m3[ar1++], ay, m2[ar0++], 8
        rotx16  m3[ar1++], by, m2[ar0++], 8
        rotx16  m3[ar1+=s], cy, m2[ar0+=s], 8
.L_done\@:
        perm    v0, ctr, m0[chacha20_from_ctr]
        bz      ar5, .L_even\@
        // The second of the last two blocks is none of the text: its counter is the next job's, its keystream nobody's.
        mov     v0, m1[chacha20_counters + 16]
        aradd   ar1, ar1, -64
        .rept   4
        mov     m3[ar1++], zero
        .endr
.L_even\@:
        perm    m1[chacha20_iv], v0, m0[chacha20_turned_swap]
        halt
        .endm

        .global chacha20, chacha20_original
chacha20:
        blocks  32
chacha20_original:
        blocks  64
