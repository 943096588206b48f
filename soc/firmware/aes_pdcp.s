// Operations of the stream with AES for PDCP (FIPS 197): counter mode and CMAC, which are 128-NEA2, 128-NIA2 and
// 256-NEA5, and 256-NIA5 (TS 35.244); operations.toml lists them.

// Registers of the stream keep their values from routine to routine.
        .allow  "unset-register"

        .include "stream.inc"
        .include "aes_memory.inc"

// The S-box in all lanes of both banks.
        .section t0:t1.*
        .byte   aes_sbox

// Registers that aes_chain.inc takes.
        .alias  header, v5
        .alias  back, v6                // control vector that reverses bytes
        .alias  tag, ar7                // 1 + bytes of the tag in the last chunk

        .include "aes_key.inc"
        .include "aes_ctr.inc"
        .include "aes_chain.inc"

        .section m1
        .align  16
        .include "sst.inc"

        .section m1
nia5_counter:                           // the IV has 12 bytes, the counter begins at 0
        .row    "ffffffffffffffffffffffff00000000"
nia5_hash:                              // distinguishes H, Q and P from keystream
        .row    "01000000000000000000000000000000"

        .section text

        .alias  iv, v0

// H, Q and P are the first three counter blocks, encrypted next to each other.
        .macro  aes256_masks
        and     iv, iv, m1[nia5_counter]
        mov     wk, m0[key++]
        xor     ctr, iv, m1[nia5_hash]
        aes256_three aesenc2, ctr++ ^ wk, ctr++ ^ wk, ctr++ ^ wk
        .rept   5
        aes256_three aesenc2, mask_h, mask_q, mask_p
        .endr
        aes256_three aesenc2l, mask_h, mask_q, mask_p
        .endm
        .macro  aes256_three rounds, h, q, p
        \rounds mask_h, \h, m0:m1[key]
        \rounds mask_q, \q, m0:m1[key]
        \rounds mask_p, \p, m0:m1[key++]
        .endm

// aes256_nia5: jobs with text of any length; the tag is made, up to 16 bytes.
//
// Inputs:   ar0, ar1, jobs; v4-v6 and the hash unit of the chunk before
// Outputs:  m3
// Clobbers: v0, v1, v3-v7, ctr, wk, ar0-ar7
// Time:     constant; depends on the length
        .global aes256_nia5
aes256_nia5:
        ctrw    32
        sst_mac aes256
