// ZUC-256 (The ZUC-256 Stream Cipher, 2018): ZUC with another LFSR to begin with, a word per cycle.
//
// Calling convention: firmware/README.md. The other routines and their headers: common/stream.inc.

        .include "setup.inc"

        .section text

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
