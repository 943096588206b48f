// Camellia (RFC 3713), two rounds an instruction, one block in a pair of registers: CMAC (SP 800-38B).
//
// Calling convention: firmware/README.md.

        .include "memory.inc"
        .include "schedule.inc"
        .include "tables.inc"
        .include "steps.inc"
        .include "block.inc"
        .include "../common/modes.inc"
        .include "../common/block.inc"
        .include "../common/mac.inc"

        .section text

// camellia128_mac_key, camellia192_mac_key, camellia256_mac_key: round keys and subkeys.
//
// Inputs:   camellia_key; the S-boxes in t0 and t1
// Outputs:  key rows in m0 and m1 from row 0, camellia_wk, mac_k1, mac_k2 = 2 E(0), 4 E(0)
// Clobbers: v0-v2, v4-v7, wk, ar0, ar1
// Memory:   as said
// Time:     constant
// Cycles:   75 (128), 98 (192), 93 (256)
        .global camellia128_mac_key
camellia128_mac_key:
        camellia_expand_128
        camellia_encrypt_short
        cmac_subkeys camellia, 9
        .global camellia192_mac_key
camellia192_mac_key:
        camellia_expand_192
        jmp     .L_long
        .global camellia256_mac_key
camellia256_mac_key:
        camellia_expand_256
.L_long:
        camellia_encrypt_long
        cmac_subkeys camellia, 12

// camellia128_cmac_update, camellia256_cmac_update: V = E(V ^ M[i]), n blocks of a message that goes on. 256: 192
// bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv = V; M in m2 from row 0
// Outputs:  camellia_iv = V
// Clobbers: v0, v1, wk, ar0, ar3, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   18n + 15 (128), 24n + 15 (256)
        .global camellia128_cmac_update
camellia128_cmac_update:
        cmac_update camellia, 9
        .global camellia256_cmac_update
camellia256_cmac_update:
        cmac_update camellia, 12

// camellia128_cmac, camellia256_cmac: the CMAC of a message that ends with n blocks and up to 127 bits. 256: 192
// bits too.
//
// Inputs:   key rows of encryption, camellia_wk, mac_k1, mac_k2, camellia_length, camellia_iv = V; M in m2 from row
//           0; nothing only of an empty message
// Outputs:  the MAC of 128 bits in m3 row 0
// Clobbers: v0, v1, v4-v7, wk, ar0, ar3, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   18n + 23 (128), 24n + 23 (256), n from 2
        .global camellia128_cmac
camellia128_cmac:
        cmac_final camellia, 9
        .global camellia256_cmac
camellia256_cmac:
        cmac_final camellia, 12

// camellia128_cmac_update_x2, camellia256_cmac_update_x2: V = E(V ^ M[i]), n blocks of two messages in turn that go
// on. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, camellia_length, camellia_iv = V of both; M in m2 from row 0
// Outputs:  camellia_iv = V of both
// Clobbers: v0-v3, wk, ar0, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   9n + 15 (128), 12n + 15 (256)
        .global camellia128_cmac_update_x2
camellia128_cmac_update_x2:
        cmac_update_x2 camellia, 9
        .global camellia256_cmac_update_x2
camellia256_cmac_update_x2:
        cmac_update_x2 camellia, 12

// camellia128_cmac_x2, camellia256_cmac_x2: the CMACs of two messages in turn, of as many whole blocks each, n in
// all. 256: 192 bits too.
//
// Inputs:   key rows of encryption, camellia_wk, mac_k1, mac_k2, camellia_length, camellia_iv = V of both; M in m2
//           from row 0; nothing only of empty messages
// Outputs:  the MACs of 128 bits in m3 rows 0 and 1
// Clobbers: v0-v3, v7, wk, ar0, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   9n + 22 (128), 12n + 22 (256), n from 4
        .global camellia128_cmac_x2
camellia128_cmac_x2:
        cmac_final_x2 camellia, 9
        .global camellia256_cmac_x2
camellia256_cmac_x2:
        cmac_final_x2 camellia, 12
