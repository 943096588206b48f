// ZUC 1.4 (July 2010), withdrawn: initialisation adds by XOR, so that different IVs give one keystream (README.md).
//
// Calling convention: firmware/README.md, with the parameters of firmware/zuc. The routines that both versions have and
// their headers: common/stream.inc.
//
// A clock of the initialisation: the stream unit does F, and the LFSR in its working mode, which gives v. Zero becomes
// 2^31 - 1 without a branch: x + (2^31 - 1) carries into bit 31 unless x is zero, and with that carry added at its low
// end the sum is x again.

        .include "../../zuc/setup.inc"

        .section m1
zuc14_prime:                            // 2^31 - 1, in the newest of four LFSR words
        .row    "0000000000000000000000007fffffff"
zuc14_one:
        .row    "00000000000000000000000000000001"
zuc14_words:                            // the 31 bits of an LFSR word
        .row    "7fffffff7fffffff7fffffff7fffffff"

        .section text

        .global zuc_tables
zuc_tables:
        stream_tables zuc_entries, 2, zuc_lanes
        halt

// zuc14_start: initialisation of one stream, in which a new LFSR word is v ^ (W >> 1), or 2^31 - 1 for zero.
//
// Inputs:   zuc_key, zuc_iv; t0
// Outputs:  c0
// Clobbers: v0-v6, c0
// Time:     constant
// Cycles:   544
        .global zuc14_start
zuc14_start:
        mov     v0, m1[zuc_key]
        mov     v1, m1[zuc_iv]
        zuc_load c0
        mov     v4, m1[zuc14_prime]
        mov     v5, m1[zuc14_one]
        mov     v6, m1[zuc14_words]
        repeat  32, .L_initialised
        zucf    c0
        ctxst   v2, c0, context_registers       // W in word 2
        zucl    c0
        ctxst   v3, c0, context_lfsr3           // v in word 3
        rotx    v2, v2, zero, 95
        and     v2, v2, v4                      // W >> 1 in word 3
        xor     v3, v3, v2
        add32   v3, v3, v4
        rotx    v2, v3, zero, 97
        and     v2, v2, v5                      // the carry
        add32   v3, v3, v2
        and     v3, v3, v6
        ctxld   c0, context_lfsr3, v3
.L_initialised:
        zuc     c0
        halt

        .global zuc
zuc:
        stream_words zuc, zuc
