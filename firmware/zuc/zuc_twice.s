// ZUC-128 (TS 35.222), one stream in two contexts, for a core with extension `close`: a single fault of the datapath
// gives no wrong output (docs/faults.md). The routines and their headers: common/stream_twice.inc.

        .include "setup.inc"
        .include "../common/stream_twice.inc"

        stream_parameters_twice zuc

        zuc_tables_routine
        .global zuc_start_twice, zuc_twice
zuc_start_twice:
        stream_start_twice zuc, zuc
zuc_twice:
        stream_words_twice zuc, zuc
