// Operations of the stream with ZUC (TS 35.222); operations.toml lists them.

// Registers of the stream keep their values from routine to routine.
        .allow  "unset-register"

        .include "stream.inc"
        .include "lte.inc"
        .include "zuc.inc"

        .section m1
zuc_key_bytes:                          // control vectors: key bytes to the top of the LFSR words
        .row    "00808080018080800280808003808080"
        .row    "04808080058080800680808007808080"
        .row    "08808080098080800a8080800b808080"
        .row    "0c8080800d8080800e8080800f808080"
zuc_iv_bytes:                           // IV bytes to the end of the LFSR words
        .row    "80808000808080018080800280808003"
        .row    "80808004808080058080800680808007"
        .row    "80808008808080098080800a8080800b"
        .row    "8080800c8080800d8080800e8080800f"
zuc_d:                                  // the constants d (3.5) between the two
        .row    "0044d7000026bc0000626b0000135e00"
        .row    "005789000035e200007135000009af00"
        .row    "004d7800002f1300006bc400001af100"
        .row    "005e2600003c4d0000789a000047ac00"

        .section text

        .macro  zuc_read_key
        mov     iv, m2[in]
        mov     m2[in+=s%], zero
        mov     m2[in+=s%], zero
        .endm

        .macro  zuc_key_row n
        perm    scratch, iv, m1[zuc_key_bytes + 16 * \n]
        rotx    m0[key++], scratch, m1[zuc_d + 16 * \n], 127
        .endm

// zuc_set_key: a key to its context, or zeros if the job has no key. Rows 0 to 3 of m0 have the bytes of the key,
// shifted right by one bit, and d, as the LFSR takes them (TS 35.222 3.5).
//
// Inputs:   ar0, a job: its text is the key and a row that does not count
// Outputs:  m0, m1
// Clobbers: v0, v2, ar0, ar2, ar3, ar5, ar6
// Memory:   m2: the key is cleared
// Time:     constant; depends on whether there is a key
        .global zuc_set_key
zuc_set_key:
        zuc_set_keys zuc

        .macro  zuc_lanes
        .endm

        .macro  zuc_load context
        zuc_load_words zuc, \context
        .endm

// zuc_eea3: jobs with text of any length, either direction.
//
// Inputs:   ar0, ar1, jobs; c0 of the chunk before
// Outputs:  m3
// Clobbers: v0-v2, v5-v7, c0, c1, ar0-ar7
// Time:     constant; depends on the lengths
        .global zuc_eea3
zuc_eea3:
        lte     zuc, zuc

        .include "zuc_eia3.inc"
