// ZUC-128 (TS 35.222), one stream in two contexts, for a core with extension `close`: a single fault of the datapath
// gives no wrong output (docs/faults.md). The routines and their headers: common/stream_twice.inc.

        .include "setup.inc"
        .include "../common/stream_twice.inc"

        stream_parameters_twice zuc

        .section m1
zuc_known:                              // TS 35.223, test set 4: key, IV and keystream
        .row    "4d320bfad4c285bfd6b8bd00f39d8b41"
        .row    "52959daba0bf176ece2dc315049eb574"
        .row    "ed4400e70633e5c5b28ea9ba22414181"
        .row    "62eb71d974a024e0f57c736eb629ca71" // with both inverted, a word later

zuc_not_d:                              // zuc_d with ones where key and IV enter
        .row    "7fc4d7ff7fa6bcff7fe26bff7f935eff"
        .row    "7fd789ff7fb5e2ff7ff135ff7f89afff"
        .row    "7fcd78ff7faf13ff7febc4ff7f9af1ff"
        .row    "7fde26ff7fbc4dff7ff89aff7fc7acff"

        .section text

        .macro  zuc_load_again
        .rept   4
        perm    key_bytes, key, m1[zuc_key_bytes + 16 * \+]
        perm    iv_bytes, iv, m1[zuc_iv_bytes + 16 * \+]
        rotx    key_bytes, key_bytes, iv_bytes, 127
        ctxld   c1, \+, key_bytes ^ m1[zuc_not_d + 16 * \+]
        .endr
        ctxld   c1, context_registers, zero
        .endm

        zuc_tables_routine
        .global zuc_start_twice, zuc_twice
zuc_start_twice:
        stream_start_twice zuc, zuc
zuc_twice:
        stream_words_twice zuc, zuc
