// SNOW 3G (TS 35.216), one stream in two contexts, for a core with extension `close`: a single fault of the datapath
// gives no wrong output (docs/faults.md). The routines and their headers: common/stream_twice.inc.

        .include "setup.inc"
        .include "../common/stream_twice.inc"

        stream_parameters_twice snow3g

        snow3g_tables_routine
        .global snow3g_start_twice, snow3g_twice
snow3g_start_twice:
        stream_start_twice snow3g, snow
snow3g_twice:
        stream_words_twice snow3g, snow
