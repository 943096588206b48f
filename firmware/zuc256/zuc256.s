// ZUC-256 (The ZUC-256 Stream Cipher, 2018): ZUC with a different initial LFSR, one stream at a word per cycle, two
// streams at two.
//
// Calling convention: firmware/README.md. The other routines and their headers: common/stream.inc.

        .include "setup.inc"

        .section text

        .alias  iv_row, ar0             // row of the second IV

        .global zuc256_tables
zuc256_tables:
        stream_tables zuc_entries, 2, zuc256_lanes
        halt

// zuc256_start: initialisation of one stream.
//
// Inputs:   zuc256_key, zuc256_iv; t0
// Outputs:  c0
// Clobbers: v0-v7, c0
// Time:     constant
// Cycles:   108
        .global zuc256_start
zuc256_start:
        zuc256_load c0, zuc256_d
        stream_initialise c0, zuc
        halt

// zuc256_nea_start: initialisation of one stream of 256-NEA6.
//
// Inputs:   zuc256_key, zuc256_iv; t0
// Outputs:  c0
// Clobbers: v0-v2, v4-v7, c0
// Time:     constant
// Cycles:   110
        .global zuc256_nea_start
zuc256_nea_start:
        zuc256_nea_initialise
        halt

        .global zuc256
zuc256:
        stream_words zuc256, zuc

        .if     core_contexts > 1
// zuc256_two_start: initialisation of two streams, the first one half a row ahead. The second IV begins between rows.
//
// Inputs:   zuc256_key, zuc256_iv twice; t0, t1
// Outputs:  c0, c1
// Clobbers: v0-v7, c0, c1, ar0
// Time:     constant
// Cycles:   176
        .global zuc256_two_start
zuc256_two_start:
        arset   iv_row, zuc256_iv + 25
        zuc256_load c0, zuc256_d
        mov     iv_low, m1[iv_row++]
        mov     iv_high, m1[iv_row++]
        zuc256_load_iv c1, zuc256_d
        stream_two_initialise zuc
        halt

// zuc256_nea_two_start: initialisation of two streams of 256-NEA6, the first one half a row ahead.
//
// Inputs:   zuc256_key, zuc256_iv twice; t0, t1
// Outputs:  c0, c1
// Clobbers: v0-v2, v4-v7, c0, c1
// Time:     constant
// Cycles:   163
        .global zuc256_nea_two_start
zuc256_nea_two_start:
        zuc256_nea_load c0, zuc256_iv
        zuc256_nea_load c1, zuc256_iv + 16
        stream_two_initialise zuc, zuc256_nea_clocks
        halt

        .global zuc256_two
zuc256_two:
        stream_two zuc256, zuc
        .endif
