// ZUC-128 (TS 35.222), CP-ASIP-style baseline: two instructions per keystream word, one stream.
//
// Calling convention: firmware/README.md. The routines and their headers: common/stream.inc.

        .include "setup.inc"

        .section text

// A clock in two instructions: bit reorganisation and F, then the LFSR.
        .macro  zuc_halvesi c
        zucf    \c
        zucli   \c
        .endm
        .macro  zuc_halves c
        zucf    \c
        zucl    \c
        .endm
        .macro  zuc_halvesx dst, c, shown, row
        zucfx   \dst, \c, \shown, \row
        zucl    \c
        .endm

        zuc_tables_routine
        .global zuc_baseline_start, zuc_baseline
zuc_baseline_start:
        stream_start zuc, zuc_halves
zuc_baseline:
        stream_words zuc, zuc_halves
