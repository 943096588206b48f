// ZUC-128 (TS 35.222): one stream at a word per cycle, two streams at two.
//
// Calling convention: firmware/README.md. The routines and their headers: common/stream.inc.

        .include "setup.inc"

        .section text

        zuc_tables_routine
        .global zuc_start, zuc
zuc_start:
        stream_start zuc, zuc
zuc:
        stream_words zuc, zuc
        .if     core_contexts > 1
        .global zuc_two_start, zuc_two
zuc_two_start:
        stream_two_start zuc, zuc
zuc_two:
        stream_two zuc, zuc
        .endif
