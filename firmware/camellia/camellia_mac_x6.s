// Camellia (RFC 3713): CMAC (SP 800-38B) of six interleaved messages, two packed in a pair of registers.
//
// Calling convention: firmware/README.md. Input rows are interleaved: row i belongs to message i mod 6. All messages
// have the same key and number of whole blocks; camellia_iv holds six chaining values. All blocks but a message's
// last go through CBC encryption, whose ciphertext is unused and stays in m3.

        .include "block.inc"
        .include "../common/mac.inc"
        .include "x6.inc"

        .section text

        .alias  last_row, ar1           // of input

// camellia{bits}_cmac_update_x6: V = E(V ^ M[i]), n blocks of six interleaved continuing messages. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv = V of all; M in m2 from row 0
// Outputs:  camellia_iv = V of all
// Clobbers: v0-v5, wk, ar0-ar2, ar5
// Memory:   m3 is scratch
// Time:     constant; depends on n
// Cycles:   11n/2 + 56 (128), 13n/2 + 61 (256)
        .macro  camellia_cmac_update_x6 c, n
        vtoar   turns, m1[camellia_length], 4
        camellia_x6 cbc, \n
        halt
        .endm

// camellia{bits}_cmac_x6: the CMACs of six interleaved messages with equally many whole blocks, n in all. 256: 192 bits
// too.
//
// Inputs:   key rows of encryption, camellia_wk, mac_k1, mac_k2, camellia_length, camellia_iv = V of all; M in m2 from
//           row 0; nothing only of empty messages
// Outputs:  the MACs of 128 bits in m3 rows 0 to 5
// Clobbers: v0-v5, v7, wk, ar0-ar2, ar5
// Memory:   m3 and camellia_iv are scratch
// Time:     constant; depends on n
// Cycles:   11n/2 + 82 (128), 13n/2 + 90 (256), n from 12
//
// The last turn runs all three pairs at once, with K1. Empty messages are 10..0 with K2.
        .macro  camellia_cmac_x6 c, n
        vtoar   turns, m1[camellia_length], 4
        arset   last_row, 0
        bz      turns, .L_empty\@
        aradd   turns, turns, -1
        camellia_x6 cbc, \n
        camellia_chain
        mov     subkey, m0[mac_k1]
        xor     p0, p0, m2[last_row++]
        xor     p1, p1, m2[last_row++]
        xor     q0, q0, m2[last_row++]
        xor     q1, q1, m2[last_row++]
        xor     r0, r0, m2[last_row++]
        xor     r1, r1, m2[last_row++]
        jmp     .L_last\@
.L_empty\@:
        camellia_chain
        mov     subkey, m0[mac_k2]
        camellia_begin
        xor     subkey, subkey, m1[camellia_top]
.L_last\@:
        xor     p0, p0, subkey
        xor     p1, p1, subkey
        xor     q0, q0, subkey
        xor     q1, q1, subkey
        xor     r0, r0, subkey
        xor     r1, r1, subkey
        camellia_first_job p0, p1
        camellia_first_job q0, q1
        camellia_first_job r0, r1
        .rept   \n - 2
        camellia_step p0, p1, 2 + \+
        camellia_step q0, q1, 2 + \+
        camellia_step r0, r1, 2 + \+
        .endr
        cam2l   {p0, p1, m3[0x00]}, p0, p1, m0:m1[16 * (\n - 1)]
        cam2l   {q0, q1, m3[0x20]}, q0, q1, m0:m1[16 * (\n - 1)]
        cam2l   {r0, r1, m3[0x40]}, r0, r1, m0:m1[16 * (\n - 1)]
        mov     m3[0x10], p1
        mov     m3[0x30], q1
        mov     m3[0x50], r1
        halt
        .endm

        tables  camellia
        key_family camellia, mac_key, camellia_key, cmac_subkeys
        family  camellia, cmac_update_x6, camellia_cmac_update_x6
        family  camellia, cmac_x6, camellia_cmac_x6
