// ChaCha20 (RFC 8439 2.3, 2.4), each block computed twice on different gates, for a core with extension `close`. A
// single fault of the datapath gives no wrong output (docs/faults.md).
//
// Rounds commute with turning all rows of a state by two words, so the second computation has each word in another lane.
// It takes the place of the second block of blocks.inc.

        .include "blocks.inc"
        .include "../common/twice_gate.inc"

        twice_parameters chacha20

        .section m1
chacha20_turned_counter:                        // last row of the second computation's next state
        .zero   16
chacha20_ones:
        .row    "ffffffff ffffffff ffffffff ffffffff"
chacha20_known_iv:                              // counter and nonce of RFC 8439 2.3.2, and inverted
        .row    "01000000 00000009 0000004a 00000000"
        .row    "feffffff fffffff6 ffffffb5 ffffffff"
chacha20_known_blocks:                          // what `chacha20_known` has to find
        .row    "2968397a 51d2e801 9361d1f3 e96175dc"
        .row    "e521cb30 d0866d07 8ede147c 2f2cd273"

        .section m0
chacha20_turned_sigma:                          // rows of a state, turned by two words
        .row    "79622d32 6b206574 61707865 3320646e"
chacha20_turned_words:
        .zero   32
// Control vectors that reverse the bytes of each word, and rotate a row by two words, which is its own inverse. The words
// of the last row, which is on a diagonal, are in order after it.
chacha20_turn:
        .row    "0b0a0908 0f0e0d0c 03020100 07060504"
chacha20_turn_last:
        .row    "03020100 07060504 0b0a0908 0f0e0d0c"
chacha20_next:                                  // one more block, in that row
        .row    "00000001 00000000 00000000 00000000"
chacha20_known_sigma:                           // the known states: that of RFC 8439 2.3.2, and inverted
        .row    "61707865 3320646e 79622d32 6b206574"
chacha20_known_words:
        .row    "03020100 07060504 0b0a0908 0f0e0d0c"
        .row    "13121110 17161514 1b1a1918 1f1e1d1c"
chacha20_inverse_sigma:
        .row    "9e8f879a ccdf9b91 869dd2cd 94df9a8b"
chacha20_inverse_words:
        .row    "fcfdfeff f8f9fafb f4f5f6f7 f0f1f2f3"
        .row    "ecedeeef e8e9eaeb e4e5e6e7 e0e1e2e3"

known_text = 0xfc0                              // rows 252 and 253 of m2 and m3: scratch

        .section text

        .alias  turned_swap, v2
        .alias  turned_iv, v3
        .alias  key_ones, v4
        .alias  again0, v5              // the key, of its second copy
        .alias  again1, v6
        .alias  again, ar4              // rows of the input for the second computation
        .alias  checked, ar7            // rows of the output that are compared

// Four rounds of two known states before each job: that of the standard's example and its inverse. A gate that does the
// same to all lanes, such as one of an amount of bits, makes both computations wrong alike, and these. Text is the first
// row of both states: each bit enters once as it is and once inverted, as a row of m2 and as one of an IV. Bytes of a
// word are turned around and back. The rows of a block are in a sum that is turned by a bit for each.
        .macro  chacha20_known
        ctrw    32
        mov     ax, m1[chacha20_known_iv]
        mov     dy, m1[chacha20_known_iv + 16]
        perm    ctr, ax, m0[chacha20_to_ctr]
        mov     m2[known_text], m0[chacha20_known_sigma]
        mov     m2[known_text + 16], m0[chacha20_inverse_sigma]
        perm    {dy, m1[chacha20_turned_counter]}, dy, m0[chacha20_turned_swap]
        perm    {dx, m1[chacha20_counters]}, ctr++, m0[chacha20_from_ctr]
        mov     bx, m0[chacha20_known_words]
        mov     by, m0[chacha20_inverse_words]
        chacha20_mix chacha20_inverse, chacha20_known, 1
        add32   dx, dx, m1[chacha20_counters]
        add32   dy, dy, m1[chacha20_turned_counter]
        perm    dx, dx, m0[chacha20_turned_swap]
        perm    dy, dy, m0[chacha20_turned_swap]
        rotx16  m3[known_text], dx, m2[known_text + 16], 0
        xor     m3[known_text + 16], dy, m2[known_text]
        mov     dx, zero
        addrot  ax, ax, m0[chacha20_known_sigma], dx, 16
        add32   ay, ay, m0[chacha20_inverse_sigma]
        addrot  bx, bx, m0[chacha20_known_words], dx, 16
        add32   by, by, m0[chacha20_inverse_words]
        addrot  cx, cx, m0[chacha20_known_words + 16], dx, 16
        add32   cy, cy, m0[chacha20_inverse_words + 16]
        .rept   2
        rotx16  ax, ax, m2[known_text + 16 * (\+)], 8
        perm    ay, ay, m0[chacha20_swap]
        rotx16  bx, bx, m2[known_text + 16 * (1 - \+)], 8
        perm    by, by, m0[chacha20_swap]
        rotx16  cx, cx, m2[known_text + 16 * (\+)], 8
        perm    cy, cy, m0[chacha20_swap]
        xor     ay, ay, m2[known_text + 16 * (1 - \+)]
        xor     by, by, m2[known_text + 16 * (\+)]
        xor     cy, cy, m2[known_text + 16 * (1 - \+)]
        .endr
        rotx    ax, ax, bx, 1
        rotx    ay, ay, by, 1
        rotx    ax, ax, cx, 1
        rotx    ay, ay, cy, 1
        rotx    ax, ax, m3[known_text], 1
        rotx    ay, ay, m3[known_text + 16], 1
        cmp     ax, m1[chacha20_known_blocks]
        bnf     .L_differ
        cmp     ay, m1[chacha20_known_blocks + 16]
        bnf     .L_differ
        .rept   2
        mov     m2[known_text + 16 * \+], zero
        mov     m3[known_text + 16 * \+], zero
        .endr
        .endm

// Pointers, both counters, and the key's words for both.
        .macro  twice_setup
        ctrw    32
        mov     iv, m1[chacha20_iv]
        mov     swap, m0[chacha20_swap]
        mov     turned_swap, m0[chacha20_turn]
        perm    ctr, iv, m0[chacha20_to_ctr]
        mov     turned_iv, m1[chacha20_iv]
        perm    turned_iv, turned_iv, m0[chacha20_turn_last]
        mov     key_ones, m1[chacha20_ones]
        xor     again0, key_ones, m0[chacha20_key_again]
        xor     again1, key_ones, m0[chacha20_key_again + 16]
        mov     m1[chacha20_turned_counter], turned_iv
        perm    m0[chacha20_words], m1[chacha20_key], swap
        perm    m0[chacha20_words + 16], m1[chacha20_key + 16], swap
        arset   in, 0
        arstep  in, 32
        arset   out, 0
        arstep  out, 32
        perm    m0[chacha20_turned_words], again0, turned_swap
        perm    m0[chacha20_turned_words + 16], again1, turned_swap
        arset   in_d, 48
        arstep  in_d, 64
        arset   out_d, 48
        arstep  out_d, 64
        arset   again, 0
        arset   checked, 0
        bz      part, .L_whole\@
        aradd   blocks, blocks, 1
.L_whole\@:
        .endm

// Both initial states, but for rows a and c.
        .macro  twice_enter
        mov     dy, m1[chacha20_turned_counter]
        perm    {dx, m1[chacha20_counters]}, ctr++, m0[chacha20_from_ctr]
        mov     bx, m0[chacha20_words]
        mov     by, m0[chacha20_turned_words]
        .endm

// The first keystream and the text go out as in chacha20_leave, and what went out is compared with the second.
        .macro  twice_leave
        add32   dx, dx, m1[chacha20_counters]
        add32   dy, dy, m1[chacha20_turned_counter]
        perm    dx, dx, m0[chacha20_turned_swap]
        perm    dy, dy, m0[chacha20_turn_last]
        rotx16  m3[out_d+=s], dx, m2[in_d+=s], 0 // another XOR than that of the second one
        mov     dx, zero
        ghstep
        addrot  ax, ax, m0[chacha20_sigma], dx, 16
        addrot  bx, bx, m0[chacha20_words], dx, 16
        addrot  cx, cx, m0[chacha20_words + 16], dx, 16
        rotx16  m3[out++], ax, m2[in++], 8
        rotx16  m3[out++], bx, m2[in++], 8
        rotx16  m3[out+=s], cx, m2[in+=s], 8
        add32   ay, ay, m0[chacha20_turned_sigma]
        mov     dx, m1[chacha20_turned_counter]
        perm    ay, ay, m0[chacha20_turn]
        add32   by, by, m0[chacha20_turned_words]
        xor     ay, ay, m2[again++]
        add32   m1[chacha20_turned_counter], dx, m0[chacha20_next]
        ghstep
        ghstep
        ghadd   ay ^ m3[checked++], gh_step
        perm    by, by, m0[chacha20_turn]
        add32   cy, cy, m0[chacha20_turned_words + 16]
        xor     by, by, m2[again++]
        perm    cy, cy, m0[chacha20_turn]
        ghstep
        ghstep
        ghstep
        ghadd   by ^ m3[checked++], gh_step
        xor     cy, cy, m2[again++]
        xor     dy, dy, m2[again++]
        ghstep
        ghstep
        ghstep
        ghadd   cy ^ m3[checked++], gh_step
        ghstep
        ghstep
        ghstep
        ghadd   dy ^ m3[checked++], gh_step
        .endm

// A pointer that has passed all whole blocks against their number, 64 bytes each.
        .macro  twice_units end
        artov   differing, \end
        shlx16  differing, m1[chacha20_length], differing, 6
        shlx    differing, differing, zero, 112
        twice_take differing
        .endm

// chacha20_twice: C[i] = P[i] ^ block(key, counter + i, nonce), n blocks; the last one may be incomplete.
//
// Inputs:   chacha20_key, chacha20_key_again, chacha20_length, chacha20_iv = counter (little-endian), nonce; P in m2
//           from row 0
// Outputs:  C in m3 from row 0, whole blocks; chacha20_iv = counter after the last block, nonce
// Clobbers: v0-v7, ctr, ar0-ar7
// Memory:   chacha20_done; chacha20_words, chacha20_counters, chacha20_turned_words, chacha20_turned_counter; m2 and m3
//           rows 252 and 253 are scratch, zero at the end
// Time:     constant; depends on n, and on whether the last block is incomplete
// Cycles:   205n + 210
        .global chacha20_twice
chacha20_twice:
        twice_close chacha20, blocks
        vtoar   part, m1[chacha20_length], 6
        twice_counted chacha20, part, 6
        chacha20_known
        twice_setup
        repeat  blocks, .L_blocks
        twice_enter
        chacha20_mix chacha20_turned
        twice_leave
.L_blocks:
        perm    iv, ctr, m0[chacha20_from_ctr]
        mov     dx, m1[chacha20_turned_counter]
        perm    m1[chacha20_iv], iv, m0[chacha20_turned_swap]
        perm    dx, dx, m0[chacha20_turn_last]
        twice_take dx ^ m1[chacha20_iv]
        bz      part, .L_whole
        aradd   out, out, -64
        aradd   checked, checked, -64
.L_whole:
        twice_units out
        twice_units checked
        twice_open chacha20
