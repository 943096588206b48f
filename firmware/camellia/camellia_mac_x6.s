// Camellia (RFC 3713): CMAC (SP 800-38B) of six messages in turn, two packed in a pair of registers.
//
// Calling convention: firmware/README.md. Rows of input belong to the messages in turn; all have one key and as many
// whole blocks; camellia_iv holds six chaining values. All turns but a message's last are CBC encryption, whose
// ciphertext is of no use and stays in m3.

        .include "memory.inc"
        .include "schedule.inc"
        .include "tables.inc"
        .include "steps.inc"
        .include "turns.inc"
        .include "block.inc"
        .include "../common/modes.inc"
        .include "../common/block.inc"
        .include "../common/mac.inc"

        .section text

        .macro camellia_cmac_update_x6 n, half
        vtoar   ar5, m1[camellia_length], 4
        camellia_x6 cbc, \n, \half
        halt
        .endm

// The last turn: all three pairs at once, with K1. Empty messages are 10..0 with K2.
        .macro camellia_cmac_x6 n, half
        vtoar   ar5, m1[camellia_length], 4
        arset   ar1, 0
        bz      ar5, .L_empty\@
        aradd   ar5, ar5, -1
        camellia_x6 cbc, \n, \half
        camellia_chain
        mov     v7, m0[mac_k1]
        xor     v0, v0, m2[ar1++]
        xor     v1, v1, m2[ar1++]
        xor     v2, v2, m2[ar1++]
        xor     v3, v3, m2[ar1++]
        xor     v4, v4, m2[ar1++]
        xor     v5, v5, m2[ar1++]
        jmp     .L_last\@
.L_empty\@:
        camellia_chain
        mov     v7, m0[mac_k2]
        mov     wk, m0[camellia_wk]
        xor     v7, v7, m1[camellia_top]
.L_last\@:
        xor     v0, v0, v7
        xor     v1, v1, v7
        xor     v2, v2, v7
        xor     v3, v3, v7
        xor     v4, v4, v7
        xor     v5, v5, v7
        camellia_first_job v0, v1
        camellia_first_job v2, v3
        camellia_first_job v4, v5
        .rept   \n - 2
        camellia_step v0, v1, 2 + \+
        camellia_step v2, v3, 2 + \+
        camellia_step v4, v5, 2 + \+
        .endr
        cam2l   {v0, v1, m3[0x00]}, v0, v1, m0:m1[16 * (\n - 1)]
        cam2l   {v2, v3, m3[0x20]}, v2, v3, m0:m1[16 * (\n - 1)]
        cam2l   {v4, v5, m3[0x40]}, v4, v5, m0:m1[16 * (\n - 1)]
        mov     m3[0x10], v1
        mov     m3[0x30], v3
        mov     m3[0x50], v5
        halt
        .endm

// camellia128_mac_x6_key, camellia192_mac_x6_key, camellia256_mac_x6_key: round keys and subkeys.
//
// Inputs:   camellia_key; the S-boxes in t0 and t1
// Outputs:  key rows in m0 and m1 from row 0, camellia_wk, mac_k1, mac_k2 = 2 E(0), 4 E(0)
// Clobbers: v0-v2, v4-v7, wk, ar0, ar1
// Memory:   as said
// Time:     constant
// Cycles:   75 (128), 98 (192), 93 (256)
        .global camellia128_mac_x6_key
camellia128_mac_x6_key:
        camellia_expand_128
        camellia_encrypt_short
        cmac_subkeys camellia, 9
        .global camellia192_mac_x6_key
camellia192_mac_x6_key:
        camellia_expand_192
        jmp     .L_long
        .global camellia256_mac_x6_key
camellia256_mac_x6_key:
        camellia_expand_256
.L_long:
        camellia_encrypt_long
        cmac_subkeys camellia, 12

// camellia128_cmac_update_x6, camellia256_cmac_update_x6: V = E(V ^ M[i]), n blocks of six messages in turn that go
// on. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv = V of all; M in m2 from row 0
// Outputs:  camellia_iv = V of all
// Clobbers: v0-v5, wk, ar0-ar2, ar5
// Memory:   m3 is scratch
// Time:     constant; depends on n
// Cycles:   9n/2 + 54 (128), 6n + 57 (256)
        .global camellia128_cmac_update_x6
camellia128_cmac_update_x6:
        camellia_cmac_update_x6 9, 5
        .global camellia256_cmac_update_x6
camellia256_cmac_update_x6:
        camellia_cmac_update_x6 12, 6

// camellia128_cmac_x6, camellia256_cmac_x6: the CMACs of six messages in turn, of as many whole blocks each, n in all.
// 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, mac_k1, mac_k2, camellia_length, camellia_iv = V of all; M in m2 from
//           row 0; nothing only of empty messages
// Outputs:  the MACs of 128 bits in m3 rows 0 to 5
// Clobbers: v0-v5, v7, wk, ar0-ar2, ar5
// Memory:   m3 is scratch
// Time:     constant; depends on n
// Cycles:   9n/2 + 86 (128), 6n + 89 (256), n from 12
        .global camellia128_cmac_x6
camellia128_cmac_x6:
        camellia_cmac_x6 9, 5
        .global camellia256_cmac_x6
camellia256_cmac_x6:
        camellia_cmac_x6 12, 6
