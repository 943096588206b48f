// SNOW 1.0 (Ekdahl, Johansson; NESSIE, 2000): keys of 128 and 256 bits, standard mode and IV mode.
//
// Calling convention: firmware/README.md. R1 and R2 are in all words of their rows, so that a rotation of 128 bits
// rotates a word. The LFSR takes its words from 7, 13 and 16 clocks before, so that four of them are one row:
// s[n] = alpha (s[n-7] + s[n-13] + s[n-16]). A word that comes in all words of a row is stored four bytes after the one
// before it, over its copies; after four of them the row is whole, and the window has gone round.

        .include "memory.inc"
        .include "../common/stream.inc"

        .section text

// Registers: v0-v3 LFSR, the oldest words first; v4 R1, v5 R2; wk control vector of S; ar2 where words are stored.
        .macro  snow1_begin
        mov     wk, m1[snow1_columns]
        arset   ar2, snow1_window
        arstep  ar2, 4
        arwin   ar2, snow1_window, snow1_window + 16
        .endm

// v0 = s[n-7] + s[n-13] + s[n-16] of the next four words; v7.
        .macro  snow1_sum
        align   v7, v0, v1, 12
        xor     v0, v0, v7
        align   v7, v2, v3, 4
        xor     v0, v0, v7
        .endm

// One clock of the FSM: v6, the newest LFSR word in all words, becomes F; f: v6, and where F is stored; v7.
        .macro  snow1_fsm f=v6
        add32   v6, v6, v4
        xor     \f, v6, v5
        add32   v7, v6, v5
        tblp    v5, v4, wk
        rotx    v4, v7, v4, 7
        rotx    v5, v5, v5, 64
        rotx    v5, v5, v5, 32
        .endm

// LFSR one row further.
        .macro  snow1_shift newest
        mov     v0, v1
        mov     v1, v2
        mov     v2, v3
        mov     v3, \newest
        .endm

// The key: four words, then their complements, twice; or eight words, then their complements.
        .macro  snow1_load_128
        mov     v7, m1[snow1_reverse]
        perm    v3, m1[snow1_key], v7
        xor     v2, v3, m1[snow1_ones]
        mov     v1, v3
        mov     v0, v2
        .endm
        .macro  snow1_load_256
        mov     v7, m1[snow1_reverse]
        perm    v3, m1[snow1_key], v7
        perm    v2, m1[snow1_key + 16], v7
        xor     v1, v3, m1[snow1_ones]
        xor     v0, v2, m1[snow1_ones]
        .endm
        .macro  snow1_add_iv
        mov     v7, m1[snow1_iv]
        perm    v7, v7, m1[snow1_iv_words]
        xor     v3, v3, v7
        .endm

// n clocks in which F enters the LFSR, from v0-v3; R1 = R2 = 0 before. The state to memory.
        .macro  snow1_mix n
        snow1_begin
        mov     v4, zero
        mov     v5, zero
        perm    v6, v3, m1[snow1_word + 48]
        repeat  \n / 4, .L_mixed\@
        snow1_sum
        .rept   4
        snow1_fsm
        perm    v7, v0, m1[snow1_word + 16 * \+]
        xor     v7, v7, v6
        bcast   v6, v7, 0
        tbl1    v6, v6
        add32   v7, v7, v7
        xor     {v6, m0[ar2+=s%]}, v6, v7
        .endr
        snow1_shift m0[snow1_window]
.L_mixed\@:
        snow1_save
        halt
        .endm

        .macro  snow1_save
        .rept   4
        mov     m1[snow1_lfsr + 16 * \+], v\+
        .endr
        mov     m1[snow1_registers], v4
        mov     m1[snow1_registers + 16], v5
        .endm

// Four keystream words: dst = row ^ z. The words that the LFSR gives next are needed by three of these clocks.
        .macro  snow1_row dst, row
        mov     m0[snow1_text], v0 ^ \row
        snow1_sum
        perm    v6, v0, m1[snow1_first_bytes]
        tbl1    v6, v6
        add32   v7, v0, v0
        mov     v0, v1
        mov     v1, v2
        mov     v2, v3
        xor     v3, v6, v7
        perm    v6, v2, m1[snow1_word + 48]
        snow1_fsm {v6, m0[ar2+=s%]}
        .rept   3
        perm    v6, v3, m1[snow1_word + 16 * \+]
        snow1_fsm {v6, m0[ar2+=s%]}
        .endr
        mov     v6, m0[snow1_window]
        xor     \dst, v6, m0[snow1_text]
        .endm

// snow1_128_start, snow1_128_iv_start: initialisation with a key of four words, in standard mode 64 clocks, in IV mode
// 32.
//
// Inputs:   snow1_key, snow1_iv (iv); t0, t1
// Outputs:  snow1_lfsr, snow1_registers
// Clobbers: v0-v7, wk, ar2
// Memory:   m0 (snow1_window) is scratch
// Time:     constant
// Cycles:   1019, 526 (iv)
        .global snow1_128_start
snow1_128_start:
        snow1_load_128
        snow1_mix 64
        .global snow1_128_iv_start
snow1_128_iv_start:
        snow1_load_128
        snow1_add_iv
        snow1_mix 32

// snow1_256_start, snow1_256_iv_start: the same with a key of eight words.
//
// Inputs:   snow1_key, snow1_iv (iv); t0, t1
// Outputs:  snow1_lfsr, snow1_registers
// Clobbers: v0-v7, wk, ar2
// Memory:   m0 (snow1_window) is scratch
// Time:     constant
// Cycles:   1019, 526 (iv)
        .global snow1_256_start
snow1_256_start:
        snow1_load_256
        snow1_mix 64
        .global snow1_256_iv_start
snow1_256_iv_start:
        snow1_load_256
        snow1_add_iv
        snow1_mix 32

// snow1: C = P ^ z, n words and up to 31 bits more, either direction.
//
// Inputs:   snow1_lfsr, snow1_registers, snow1_length; t0, t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last row zero after its bits; snow1_lfsr, snow1_registers
// Clobbers: v0-v7, wk, ar0-ar2, ar4-ar7
// Memory:   m0 (snow1_text, snow1_window) is scratch
// Time:     constant; depends on n and on the bits after them
// Cycles:   23n/2 + 36, n a multiple of 4
        .global snow1
snow1:
        vtoar   ar6, m1[snow1_length], 7
        vtoar   ar4, m1[snow1_length], 6
        vtoar   ar7, m1[snow1_length], 5
        snow1_begin
        .rept   4
        mov     v\+, m1[snow1_lfsr + 16 * \+]
        .endr
        mov     v4, m1[snow1_registers]
        mov     v5, m1[snow1_registers + 16]
        arset   ar0, 0
        arset   ar1, 0
        arshr   ar5, ar6, 2
        arand   ar6, ar6, 3
        repeat  ar5, .L_rows
        snow1_row m3[ar1++], m2[ar0++]
.L_rows:
        snow1_save
        bnz     ar6, .L_last
        bnz     ar4, .L_last
        bz      ar7, .L_done
.L_last:
        snow1_row v6, m2[ar0]
        stream_mask snow1, v1, v2
        and     m3[ar1], v6, v1
.L_done:
        halt
