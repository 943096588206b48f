// SNOW 3G (TS 35.216): one stream at a word per cycle, two streams at two; SNOW 2.0 (SAC 2002) by other tables.
//
// Calling convention: firmware/README.md. Most routines and their headers: common/stream.inc.

        .include "setup.inc"

        .section text

        snow3g_tables_routine

// SNOW 2.0: zero instead of SQ.
        .global snow2_tables
snow2_tables:
        stream_tables snow3g_entries, 10, snow2_lanes
        halt

        .global snow3g_start
snow3g_start:
        stream_start snow3g, snow

// snow3g_lte_start, snow2_128_start: initialisation for UEA2 and 128-EEA1, whose K3 is the first word of the key (TS
// 35.215 3.4); and for SNOW 2.0, key and IV with their last word first.
//
// Inputs:   snow3g_key, snow3g_iv; t0
// Outputs:  c0
// Clobbers: v0-v4, c0
// Time:     constant
// Cycles:   56 (lte), 57 (snow2)
        .global snow3g_lte_start
snow3g_lte_start:
        mov     key, m1[snow3g_key]
        mov     iv, m1[snow3g_iv]
        perm    key, key, m1[snow3g_reverse]
        jmp     .L_start
        .global snow2_128_start
snow2_128_start:
        mov     key, m1[snow3g_key]
        mov     iv, m1[snow3g_iv]
        perm    key, key, m1[snow3g_reverse]
        perm    iv, iv, m1[snow3g_reverse]
        jmp     .L_start

// snow2_256_start: the same for a key of eight words.
//
// Inputs:   snow3g_key, snow3g_iv; t0
// Outputs:  c0
// Clobbers: v0-v5, c0
// Time:     constant
// Cycles:   54

        .alias  k0_3, v0
        .alias  k4_7, v2
        .alias  reverse, v5

        .global snow2_256_start
snow2_256_start:
        mov     reverse, m1[snow3g_reverse]
        perm    k0_3, m1[snow3g_key + 16], reverse // k0 to k3
        perm    k4_7, m1[snow3g_key], reverse   // k4 to k7
        perm    iv, m1[snow3g_iv], reverse
        perm    iv_8, iv, m1[snow3g_iv_8]
        perm    iv_12, iv, m1[snow3g_iv_12]
        ctxld   c0, context_lfsr0, k0_3 ^ m1[snow3g_ones]
        ctxld   c0, context_lfsr1, k4_7 ^ m1[snow3g_ones]
        ctxld   c0, context_lfsr2, k0_3 ^ iv_8
        ctxld   c0, context_lfsr3, k4_7 ^ iv_12
        ctxld   c0, context_registers, zero
        stream_initialise c0, snow
        halt

        .global snow3g
snow3g:
        stream_words snow3g, snow
        .if     core_contexts > 1
        .global snow3g_two_start, snow3g_two
snow3g_two_start:
        stream_two_start snow3g, snow
snow3g_two:
        stream_two snow3g, snow
        .endif
