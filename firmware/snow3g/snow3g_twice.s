// SNOW 3G (TS 35.216), one stream in two contexts, for a core with extension `close`: a single fault of the datapath
// gives no wrong output (docs/faults.md). The routines and their headers: common/stream_twice.inc.

        .include "setup.inc"
        .include "../common/stream_twice.inc"

        stream_parameters_twice snow3g

        .section m1
snow3g_known:                           // TS 35.217, test set 1: key, IV and keystream
        .row    "2bd6459f82c5b300952c49104881ff48"
        .row    "ea024714ad5c4d84df1f9b251c0bf45f"
        .row    "abee97047ac31373dedc2f7ad601e9ca"
        .row    "e2f59b64120f73190a2ac69207a0f50f" // with both inverted, a word later

snow3g_not_8:                           // ones where the IV enters
        .row    "00000000ffffffffffffffff00000000"
snow3g_not_12:
        .row    "ffffffff0000000000000000ffffffff"

        .section text

        .macro  snow3g_load_again
        perm    iv_8, iv, m1[snow3g_iv_8]
        perm    iv_12, iv, m1[snow3g_iv_12]
        xor     not_key, key, m1[snow3g_ones]
        ctxld   c1, context_lfsr0, key
        ctxld   c1, context_lfsr1, not_key
        xor     key, key, m1[snow3g_not_8]
        xor     not_key, not_key, m1[snow3g_not_12]
        ctxld   c1, context_lfsr2, key ^ iv_8
        ctxld   c1, context_lfsr3, not_key ^ iv_12
        ctxld   c1, context_registers, zero
        .endm

        snow3g_tables_routine
        .global snow3g_start_twice, snow3g_twice
snow3g_start_twice:
        stream_start_twice snow3g, snow
snow3g_twice:
        stream_words_twice snow3g, snow
