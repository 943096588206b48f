// Salsa20/20 (Bernstein, Salsa20 specification, 2005): two blocks at a time.
//
// The core's words are big-endian and the cipher's little-endian, so words are byte-reversed on input and output.

        .include "memory.inc"

        .section text

        .alias  in, ar0
        .alias  out, ar1
        .alias  b_row, ar2              // row 3 of both states, rotated by a word
        .alias  b_row1, ar3
        .alias  part, ar5               // bytes of a last block, then whether the last pair has an excess block
        .alias  blocks, ar6             // blocks, then pairs of blocks

// Rows of two states along diagonals: a is row 0, c row 2; in a row round d is row 1 and b row 3. `arx` leaves b in an
// even register and takes the next one, which a and d no longer need.
        .alias  bx, v0
        .alias  ax, v1
        .alias  cx, v2
        .alias  dx, v3
        .alias  by, v4
        .alias  ay, v5
        .alias  cy, v6
        .alias  dy, v7

// x ^= (y + z) <<< n (section 3), in both states, with row x rotated by words first; interleaved, so that none waits.
        .macro  step x, y, z, n, words=0
        addrot  \x\()x, \y\()x, \z\()x, \x\()x, \n + \words * turn1
        addrot  \x\()y, \y\()y, \z\()y, \x\()y, \n + \words * turn1
        .endm

// Four quarter rounds side by side: a column round where y is b, a row round where y is d (sections 4 and 5). Row y
// is still rotated as in the previous round, and so is c.
        .macro  round y, w, words=1
        step    \y, a, \w, 7, \words
        step    c, \y, a, 9, 2
        step    \w, c, \y, 13
        step    a, \w, c, 18
        .endm

// The next round needs its last row before it changes that row, so only this one is rotated separately.
        .macro  turn y
        rotx    \y\()x, \y\()x, zero, 96
        rotx    \y\()y, \y\()y, zero, 96
        .endm

// Two rows of the matrix from registers that each have halves of two diagonals; p and q are free.
        .macro  rows even, odd, p, q
        perm    \p, \even, m0[salsa20_even_02]
        perm    \q, \odd, m0[salsa20_even_13]
        xor3    m3[out++], \p, m2[in++], \q
        perm    \p, \even, m0[salsa20_odd_02]
        perm    \q, \odd, m0[salsa20_odd_13]
        xor3    m3[out++], \p, m2[in++], \q
        .endm

// The matrix of one state by rows: b and c are rotated by two words, so that matching halves are exchanged between
// them and the sums in memory; p and q are free.
        .macro  output a, b, c, d, sums, p, q
        align   \a, \c, m0[\sums], 8
        align   \d, \b, m0[\sums + 16], 8
        align   \c, m0[\sums], \c, 8
        align   \b, m0[\sums + 16], \b, 8
        rows    \a, \d, \p, \q
        rows    \c, \b, \p, \q
        .endm

// salsa20_{bits}_start: begins a message, from block 0 (section 8).
//
// Inputs:   salsa20_key, salsa20_iv
// Outputs:  salsa20_constant, salsa20_column1, salsa20_begin2, salsa20_begin3, salsa20_row0, salsa20_row1,
//           salsa20_row3, salsa20_counter
// Clobbers: v0-v6
// Time:     constant
// Cycles:   30

        .alias  key_low, v0
        .alias  key_high, v1
        .alias  nonce, v2
        .alias  diagonal, v3            // the constants
        .alias  column1, v4
        .alias  t, v5
        .alias  u, v6
        .alias  begin3, v0

        .macro  start constant, high
        mov     key_low, m1[salsa20_key]
        mov     key_high, m1[\high]
        mov     nonce, m1[salsa20_iv]
        mov     diagonal, m0[\constant]
        perm    column1, key_low, m0[salsa20_low_to_1]
        perm    t, key_high, m0[salsa20_high_to_1]
        perm    u, nonce, m0[salsa20_nonce_to_1]
        xor3    column1, column1, t, u
        perm    t, key_low, m0[salsa20_low_to_2]
        perm    u, key_high, m0[salsa20_high_to_2]
        perm    nonce, nonce, m0[salsa20_nonce_to_2]
        perm    key_low, key_low, m0[salsa20_low_to_3]
        perm    key_high, key_high, m0[salsa20_high_to_3]
        xor3    m0[salsa20_begin2], nonce, t, u
        xor     {begin3, m0[salsa20_begin3]}, key_low, key_high
        mov     m0[salsa20_constant], diagonal
        mov     m0[salsa20_column1], column1
        mov     m1[salsa20_row0], diagonal
        rotx    m1[salsa20_row1], column1, zero, 32
        mov     m1[salsa20_row3 + 16], begin3
        mov     m1[salsa20_row3 + 48], begin3
        mov     m1[salsa20_counter], zero
        halt
        .endm

        .global salsa20_128_start, salsa20_256_start
salsa20_128_start:
        start   salsa20_tau, salsa20_key
salsa20_256_start:
        start   salsa20_sigma, salsa20_key + 16

// salsa20: C[i] = P[i] ^ block(key, nonce, counter + i), n blocks; the last one may be incomplete.
//
// Inputs:   what salsa20_{bits}_start leaves, salsa20_length; P in m2 from row 0
// Outputs:  C in m3 from row 0, whole blocks; salsa20_counter; of an odd number of blocks, zeros in m3 after them
// Clobbers: v0-v7, ctr, ar0-ar3, ar5, ar6
// Memory:   salsa20_row2, salsa20_row3, salsa20_sums
// Time:     constant; depends on n, and on whether the last block is incomplete
// Cycles:   124n + 26, even n

        .alias  number, v0              // of the next block

        .global salsa20
salsa20:
        vtoar   blocks, m1[salsa20_length], 7
        vtoar   part, m1[salsa20_length], 6
        ctrw    64
        mov     ctr, m1[salsa20_counter]
        arset   in, 0
        arset   out, 0
        arset   b_row, salsa20_row3 + 4
        arset   b_row1, salsa20_row3 + 36
        bz      part, .L_whole
        aradd   blocks, blocks, 1
.L_whole:
        arand   part, blocks, 1
        aradd   blocks, blocks, 1
        arshr   blocks, blocks, 1
        repeat  blocks, .L_done
        mov     ax, m0[salsa20_constant]
        mov     ay, m0[salsa20_constant]
        mov     dx, m0[salsa20_column1]
        mov     dy, m0[salsa20_column1]
        // x9, the counter's upper word, to the last place of row 3; x8, its lower word, to the third of row 2.
        shrx64  {bx, m1[salsa20_row3]}, ctr, m0[salsa20_begin3], 32
        shlx64  {cx, m1[salsa20_row2]}, ctr++, m0[salsa20_begin2], 32
        shrx64  {by, m1[salsa20_row3 + 32]}, ctr, m0[salsa20_begin3], 32
        shlx64  {cy, m1[salsa20_row2 + 16]}, ctr++, m0[salsa20_begin2], 32
        round   b, d, 2
        turn    b
        round   d, b
        repeat  9, .L_mixed
        turn    d
        round   b, d
        turn    b
        round   d, b
.L_mixed:
        add32   m0[salsa20_sums + 16], dx, m1[salsa20_row1]
        add32   m0[salsa20_sums + 48], dy, m1[salsa20_row1]
        add32   m0[salsa20_sums], ax, m1[salsa20_row0]
        add32   m0[salsa20_sums + 32], ay, m1[salsa20_row0]
        arx     {cx, dx}, cx, m1[salsa20_row2], cx, turn_sum + turn2
        arx     {cy, dy}, cy, m1[salsa20_row2 + 16], cy, turn_sum + turn2
        arx     {bx, ax}, bx, m1[b_row], bx, turn_sum + turn2
        arx     {by, ay}, by, m1[b_row1], by, turn_sum + turn2
        output  ax, bx, cx, dx, salsa20_sums, ay, dy
        output  ay, by, cy, dy, salsa20_sums + 32, ax, dx
.L_done:
        mov     number, ctr
        bz      part, .L_even
        // The second of the last two blocks is an excess one: the next job has its number; its keystream is dropped.
        sub64   number, number, m0[salsa20_one]
        aradd   out, out, -64
        .rept   4
        mov     m3[out++], zero
        .endr
.L_even:
        mov     m1[salsa20_counter], number
        halt
