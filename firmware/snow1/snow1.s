// SNOW 1.0 (Ekdahl, Johansson; NESSIE, 2000): keys of 128 and 256 bits, standard mode and IV mode.
//
// Calling convention: firmware/README.md. LFSR words are one sequence in m1, in which a row begins at any word; rows of
// four words are made of those 4, 7 and 13 words before. The FSM is in the last words of its registers: other words are
// of no meaning.

        .include "memory.inc"
        .include "../common/stream.inc"
        .include "machine.inc"

// Registers: x, y: R1 and F, by turns; v5-v7, ctr: the newest four rows of LFSR words; wk: words in reverse.
        .alias  x, v0
        .alias  y, v1
        .alias  r2, v2
        .alias  q, v4                   // F of four clocks, in reverse
        .alias  nothing, v3
        .alias  text, ar0               // the row before: m2 and m3
        .alias  f_at, ar1
        .alias  taps, ar2               // s[n+13], and where s[n+16] and s[n+18] are the last word
        .alias  second, ar3             // where s[n+17] is the last word
        .alias  seven_on, ar4
        .alias  made_at, ar6
        .alias  before, ar7             // row n/4 - 1

        .macro  look_up r1
        tblw    r2, \r1, zero, nothing, word3
        .endm

// Keystream words n to n+3, and LFSR words n+20 to n+23 to wa, which has been n+4 to n+7; wc: n+12 to n+15. A store
// leaves what is above its word, so F comes out in reverse. What is XORed with text is the row before. No instruction
// waits: memories are read six and more after a store to them.
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

// The state out of lanes that are all alike. Four more words are made here: they are a row ahead of the keystream.
        .macro  begin
        mov     m1[snow1_registers], v2
        mov     m1[snow1_registers + 16], lanes_r2
        arset   ar0, snow1_lanes
        arset   ar2, snow1_words
        arstep  ar2, 4
        repeat  4, .L_rows\@
        .rept   4
        mov     v\+, m1[ar0++]
        .endr
        .rept   4
        mov     m1[ar2+=s], v\+
        .endr
.L_rows\@:
        arset   ar0, snow1_words + 12
        arset   ar2, snow1_words + 36
        mov     v0, m1[snow1_words]
        xor     v0, v0, m1[ar0]
        xor     v0, v0, m1[ar2]
        mulx32  m1[snow1_words + 64], v0, m0[snow1_alpha]
        halt
        .endm

// snow1_128_start, snow1_128_iv_start: initialisation with a key of four words, in standard mode 64 clocks, in IV mode
// 32.
//
// Inputs:   snow1_key, snow1_iv (iv); t1
// Outputs:  snow1_words, snow1_registers
// Clobbers: v0-v7, ctr, wk, ar0, ar2-ar4
// Memory:   snow1_lanes, snow1_ivs
// Time:     constant
// Cycles:   802, 513 (iv)
        .global snow1_128_start
snow1_128_start:
        load    4, 0
        mix     64
        begin
        .global snow1_128_iv_start
snow1_128_iv_start:
        load    4, 0
        add_ivs 0
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
        load    8, 0
        mix     64
        begin
        .global snow1_256_iv_start
snow1_256_iv_start:
        load    8, 0
        add_ivs 0
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
        .global snow1
snow1:
        vtoar   ar5, m0[snow1_length], 7
        vtoar   ar4, m0[snow1_length], 6
        vtoar   ar7, m0[snow1_length], 5
        mov     x, m1[snow1_registers]
        mov     r2, m1[snow1_registers + 16]
        mov     v5, m1[snow1_words + 16]
        mov     v6, m1[snow1_words + 32]
        mov     v7, m1[snow1_words + 48]
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
        bnz     ar4, .L_more
        bz      ar7, .L_whole
.L_more:
        aradd   ar5, ar5, 1
.L_whole:
        aradd   ar5, ar5, 15
        arshr   ar5, ar5, 4
        arset   seven_on, snow1_words + 28
        arset   before, snow1_words - 16
        repeat  ar5, .L_rows
        row     v5, v7
        row     v6, ctr
        row     v7, v5
        row     ctr, v6
.L_rows:
        tblp    q, q, wk, m2[text]
        nop
        xor     m3[text], q, m1[before++]
        mov     v1, m1[before]
        mov     m1[snow1_words], v1
        mov     m1[snow1_words + 16], v5
        mov     m1[snow1_words + 32], v6
        mov     m1[snow1_words + 48], v7
        mov     m1[snow1_words + 64], ctr
        mov     m1[snow1_registers], x
        mov     m1[snow1_registers + 16], r2
        vtoar   ar6, m0[snow1_length], 7
        vtoar   ar4, m0[snow1_length], 6
        vtoar   ar7, m0[snow1_length], 5
        shlx16  v0, m0[snow1_length], zero, 2
        vtoar   ar1, v0, 7
        arand   ar6, ar6, 3
        bnz     ar6, .L_last
        bnz     ar4, .L_last
        bz      ar7, .L_done
.L_last:
        arand   ar1, ar1, 0xfff0
        stream_mask snow1, v1, v2
        mov     v0, m3[ar1]
        and     m3[ar1], v0, v1
.L_done:
        halt
