// Operations of the stream with SNOW 3G (TS 35.216); operations.toml lists them.

// Registers of the stream keep their values from routine to routine.
        .allow  "unset-register"

        .include "stream.inc"
        .include "lte.inc"
        .include "../../firmware/snow3g/tables.inc"

        .section t0:t1
        .rept   256
        .fill   4, snow3g_sr[\+]
        .fill   4, snow3g_sq[\+]
        .byte   snow3g_mulpow(\+, 23), snow3g_mulpow(\+, 245), snow3g_mulpow(\+, 48), snow3g_mulpow(\+, 239)
        .byte   snow3g_mulpow(\+, 16), snow3g_mulpow(\+, 39), snow3g_mulpow(\+, 6), snow3g_mulpow(\+, 64)
        .endr

        .section m1
snow3g_words:                           // control vectors: words in reverse order
        .row    "0c0d0e0f08090a0b0405060700010203"
snow3g_iv_8:                            // the IV in LFSR words 8 to 11
        .row    "808080800c0d0e0f08090a0b80808080"
snow3g_iv_12:                           // and in 12 to 15
        .row    "04050607808080808080808000010203"
ones:   .row    "ffffffffffffffffffffffffffffffff"

        .section text

        .alias  lanes_8, v3
        .alias  lanes_12, v4

// snow3g_set_key: a key to its context, or zeros if the job has no key. K3 is the first word of the key (TS 35.215
// 3.4). Row 0 of m0 has the key, of m1 its complement.
//
// Inputs:   ar0, a job: its text is the key and a row that does not count
// Outputs:  m0, m1
// Clobbers: v0, v2, ar0, ar2, ar3, ar5, ar6
// Memory:   m2: the key is cleared
// Time:     constant; depends on whether there is a key
        .global snow3g_set_key
snow3g_set_key:
        vtoar   key, m2[in], header_key
.L_set:
        repeat  jobs, .L_set_jobs
        vtoar   blocks, m2[in+=s%], header_blocks
        mov     scratch, m2[in+=s%]
        nop
        bz      blocks, .L_clear
        mov     scratch, m2[in+=s%]
        mov     scratch, m2[in]
        perm    {scratch, m0[key]}, scratch, m1[snow3g_words]
        mov     iv, m1[ones]
        mov     m2[in+=s%], zero
        mov     m2[in+=s%], zero
        xor     m1[key], scratch, iv
.L_set_done:
        next_job .L_set_stop
.L_set_jobs:
        jmp     .L_set
.L_clear:
        clear_context scratch
        jmp     .L_set_done
.L_set_stop:
        halt

        .macro  snow3g_lanes
        mov     lanes_8, m1[snow3g_iv_8]
        mov     lanes_12, m1[snow3g_iv_12]
        .endm

// TS 35.216 4.1.
        .macro  snow3g_load context
        perm    scratch, iv, lanes_8
        ctxld   \context, context_lfsr0, m1[key]
        ctxld   \context, context_lfsr1, m0[key]
        ctxld   \context, context_lfsr2, scratch ^ m1[key]
        perm    scratch, iv, lanes_12
        ctxld   \context, context_lfsr3, scratch ^ m0[key]
        .endm

// snow3g_eea1: jobs with text of any length, either direction.
//
// Inputs:   ar0, ar1, jobs; c0 of the chunk before
// Outputs:  m3
// Clobbers: v0-v7, c0, c1, ar0-ar7
// Time:     constant; depends on the lengths
        .global snow3g_eea1
snow3g_eea1:
        lte     snow3g, snow

        .include "snow3g_eia1.inc"
