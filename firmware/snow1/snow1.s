// SNOW 1.0 (Ekdahl, Johansson; NESSIE, 2000): keys of 128 and 256 bits, standard mode and IV mode.
//
// Calling convention: firmware/README.md. LFSR words are one sequence in m1, in which a row begins at any word; rows of
// four words are computed from those 4, 7 and 13 words back. The FSM is in the last words of its registers; the other
// words are unused.

        .include "memory.inc"
        .include "../common/stream.inc"
        .include "machine.inc"

        .alias  w0, v1
        .alias  w1, v5                  // the newest four rows of LFSR words, with ctr
        .alias  w2, v6
        .alias  w3, v7
        .alias  groups, ar5             // groups of 16 words

        .alias  x, v0                   // R1 and F, alternating
        .alias  y, v1
        .alias  r2, v2
        .alias  q, v4                   // F of four clocks, in reverse
        .alias  nothing, v3
        .alias  text, ar0               // the row before: m2 and m3
        .alias  f_at, ar1
        .alias  taps, ar2               // s[n+13], and where s[n+16] and s[n+18] are the last word
        .alias  second, ar3             // at the row whose last word is s[n+17]
        .alias  seven_on, ar4
        .alias  made_at, ar6
        .alias  before, ar7             // row n/4 - 1

        .macro  look_up r1
        tblw    r2, \r1, zero, nothing, word3
        .endm

// Keystream words n to n+3, and LFSR words n+20 to n+23 to wa, which has been n+4 to n+7; wc: n+12 to n+15. A store
// keeps what is above its word, so F comes out in reverse. Text is XORed with the keystream of the previous row. No
// instruction waits: memories are read six or more slots after a store to them.
        .macro  row wa, wc
        addrot  {y, m0[f_at-=s%]}, \wc, x, r2, 0
        tblp    q, q, wk, m2[text]
        addrot  y, y, r2, x, 7
        look_up x
        addrot  {x, m0[f_at-=s%]}, m1[taps], y, r2, 0
        xor     \wa, \wa, m1[seven_on++]
        addrot  x, x, r2, y, 7
        look_up y
        addrot  {y, m0[f_at-=s%]}, m1[second++], x, r2, 0
        xor     \wa, \wa, m1[taps+=s]
        addrot  y, y, r2, x, 7
        look_up x
        addrot  x, m1[taps+=s], y, r2, 0
        xor     m3[text+=s%], q, m1[before++]
        align   q, x, m0[snow1_f + 16], 12
        addrot  x, x, r2, y, 7
        mulx32  {\wa, m1[made_at++]}, \wa, m0[snow1_alpha]
        look_up y
        .endm

        .alias  each0, v0               // words in all lanes
        .alias  each1, v1
        .alias  each2, v2
        .alias  each3, v3
        .alias  lane_row, ar0           // next word of all lanes
        .alias  word_at, ar2
        .alias  sum, v0

// The state from lanes that are all alike. It computes four more words: they are a row ahead of the keystream.
        .macro  begin
        mov     m1[snow1_registers], r1_now
        mov     m1[snow1_registers + 16], lanes_r2
        arset   lane_row, snow1_lanes
        arset   word_at, snow1_words
        arstep  word_at, 4
        repeat  4, .L_rows\@
        .rept   4
        mov     each\+, m1[lane_row++]
        .endr
        .rept   4
        mov     m1[word_at+=s], each\+
        .endr
.L_rows\@:
        arset   lane_row, snow1_words + 12
        arset   word_at, snow1_words + 36
        mov     sum, m1[snow1_words]
        xor     sum, sum, m1[lane_row]
        xor     sum, sum, m1[word_at]
        mulx32  m1[snow1_words + 64], sum, m0[snow1_alpha]
        halt
        .endm

// snow1_128_start, snow1_128_iv_start: initialisation with a key of four words: 64 clocks in standard mode, 32 in IV
// mode.
//
// Inputs:   snow1_key, snow1_iv (iv); t1
// Outputs:  snow1_words, snow1_registers
// Clobbers: v0-v7, ctr, wk, ar0, ar2-ar4
// Memory:   snow1_lanes, snow1_ivs
// Time:     constant
// Cycles:   802, 513 (iv)
        .global snow1_128_start
snow1_128_start:
        load    4, snow1_key, 0
        mix     64
        begin
        .global snow1_128_iv_start
snow1_128_iv_start:
        load    4, snow1_key, 0
        add_ivs snow1_iv, 0
        mix     32
        begin

// snow1_256_start, snow1_256_iv_start: the same with a key of eight words.
//
// Inputs:   snow1_key, snow1_iv (iv); t1
// Outputs:  snow1_words, snow1_registers
// Clobbers: v0-v7, ctr, wk, ar0, ar2-ar4
// Memory:   snow1_lanes, snow1_ivs
// Time:     constant
// Cycles:   854, 565 (iv)
        .global snow1_256_start
snow1_256_start:
        load    8, snow1_key, 0
        mix     64
        begin
        .global snow1_256_iv_start
snow1_256_iv_start:
        load    8, snow1_key, 0
        add_ivs snow1_iv, 0
        mix     32
        begin

// snow1: C = P ^ z, n words and up to 31 bits more, either direction.
//
// Inputs:   snow1_words, snow1_registers, snow1_length; t0, t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, four rows at a time; a last row zero after its bits; snow1_words, snow1_registers
// Clobbers: v0-v7, ctr, wk, ar0-ar7
// Memory:   snow1_f, the last row of m3
// Time:     constant; depends on n and on the bits after them
// Cycles:   9n/2 + 62, n a multiple of 16

        .alias  tail_row, ar1

        .global snow1
snow1:
        vtoar   groups, m0[snow1_length], 7
        vtoar   bytes, m0[snow1_length], 6
        vtoar   bits, m0[snow1_length], 5
        mov     x, m1[snow1_registers]
        mov     r2, m1[snow1_registers + 16]
        mov     w1, m1[snow1_words + 16]
        mov     w2, m1[snow1_words + 32]
        mov     w3, m1[snow1_words + 48]
        mov     ctr, m1[snow1_words + 64]
        mov     wk, m0[snow1_reverse]
        mov     nothing, zero
        mov     q, zero
        arset   text, 16 * 255          // round to row 0 after the first row, which has none before it
        arstep  text, 16
        arwin   text, 0, 16 * 256
        arset   f_at, snow1_f + 12
        arstep  f_at, 4
        arwin   f_at, snow1_f + 12, snow1_f
        arset   taps, snow1_words + 52
        arstep  taps, 8
        arset   second, snow1_words + 56
        arset   made_at, snow1_words + 80
        bnz     bytes, .L_more
        bz      bits, .L_whole
.L_more:
        aradd   groups, groups, 1
.L_whole:
        aradd   groups, groups, 15
        arshr   groups, groups, 4
        arset   seven_on, snow1_words + 28
        arset   before, snow1_words - 16
        repeat  groups, .L_rows
        row     w1, w3
        row     w2, ctr
        row     w3, w1
        row     ctr, w2
.L_rows:
        tblp    q, q, wk, m2[text]
        nop
        xor     m3[text], q, m1[before++]
        mov     w0, m1[before]
        mov     m1[snow1_words], w0
        mov     m1[snow1_words + 16], w1
        mov     m1[snow1_words + 32], w2
        mov     m1[snow1_words + 48], w3
        mov     m1[snow1_words + 64], ctr
        mov     m1[snow1_registers], x
        mov     m1[snow1_registers + 16], r2
        vtoar   words, m0[snow1_length], 7
        vtoar   bytes, m0[snow1_length], 6
        vtoar   bits, m0[snow1_length], 5
        shlx16  last, m0[snow1_length], zero, 2
        vtoar   tail_row, last, 7
        arand   words, words, 3
        bnz     words, .L_last
        bnz     bytes, .L_last
        bz      bits, .L_done
.L_last:
        arand   tail_row, tail_row, 0xfff0
        stream_mask snow1, mask, ones
        mov     last, m3[tail_row]
        and     m3[tail_row], last, mask
.L_done:
        halt
