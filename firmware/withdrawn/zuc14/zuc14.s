// ZUC 1.4 (July 2010), withdrawn: initialisation adds by XOR, so that different IVs give one keystream (README.md).
//
// Calling convention: firmware/README.md, with the parameters of firmware/zuc. The routines that both versions share,
// and their headers: common/stream.inc.
//
// A clock of the initialisation: the stream unit does F and, in its working mode, the LFSR, which gives v. Zero becomes
// 2^31 - 1 without a branch: x + (2^31 - 1) carries into bit 31 unless x is zero, and with that carry added at its low
// end the sum is x again.

        .include "../../zuc/setup.inc"

        .section m1
zuc14_prime:                            // 2^31 - 1, in the newest of four LFSR words
        .row    "0000000000000000000000007fffffff"
zuc14_one:
        .row    "00000000000000000000000000000001"
zuc14_words:                            // mask of the 31 bits of an LFSR word
        .row    "7fffffff7fffffff7fffffff7fffffff"

        .section text

        .alias  w, v2                   // W, then a carry
        .alias  new, v3                 // the new LFSR word
        .alias  prime, v4
        .alias  one, v5
        .alias  word_bits, v6

        zuc_tables_routine

// zuc14_start: initialisation of one stream, in which a new LFSR word is v ^ (W >> 1), or 2^31 - 1 for zero.
//
// Inputs:   zuc_key, zuc_iv; t0
// Outputs:  c0
// Clobbers: v0-v6, c0
// Time:     constant
// Cycles:   544
        .global zuc14_start
zuc14_start:
        mov     key, m1[zuc_key]
        mov     iv, m1[zuc_iv]
        zuc_load c0
        mov     prime, m1[zuc14_prime]
        mov     one, m1[zuc14_one]
        mov     word_bits, m1[zuc14_words]
        repeat  32, .L_initialised
        zucf    c0
        ctxst   w, c0, context_registers        // W in word 2
        zucl    c0
        ctxst   new, c0, context_lfsr3          // v in word 3
        rotx    w, w, zero, 95
        and     w, w, prime                     // W >> 1 in word 3
        xor     new, new, w
        add32   new, new, prime
        rotx    w, new, zero, 97
        and     w, w, one                       // the carry
        add32   new, new, w
        and     new, new, word_bits
        ctxld   c0, context_lfsr3, new
.L_initialised:
        zuc     c0
        halt

        .global zuc14
zuc14:
        stream_words zuc, zuc
