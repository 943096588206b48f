// ARIA (RFC 5794), two rounds an instruction: CMAC (SP 800-38B).
//
// Calling convention: firmware/README.md. Round keys as in aria.s.

        .include "memory.inc"
        .include "schedule.inc"
        .include "block.inc"
        .include "../common/modes.inc"
        .include "../common/block.inc"
        .include "../common/mac.inc"

        .section text

// aria_mac_tables: substitution layers 1 and 2 to t0 and t1. Before anything else.
//
// Inputs:   none
// Outputs:  t0, t1
// Clobbers: v0, v1, ar0, ar1
// Memory:   reads m1 (aria_sboxes)
// Time:     constant
// Cycles:   528
        .global aria_mac_tables
aria_mac_tables:
        aria_load_tables
        halt

// aria128_mac_key, aria192_mac_key, aria256_mac_key: round keys and subkeys.
//
// Inputs:   aria_key; tables
// Outputs:  key pairs in m0 and m1 from row 0, whitening key in m0 (aria_wk), mac_k1, mac_k2 = 2 E(0), 4 E(0)
// Clobbers: v0-v7, wk
// Memory:   as said
// Time:     constant
// Cycles:   51 (128), 58 (192), 59 (256)
        .global aria128_mac_key
aria128_mac_key:
        aria_words 128, aria_c1, aria_c2, aria_c3
        aria_pairs_encrypt 12
        cmac_subkeys aria, 6
        .global aria192_mac_key
aria192_mac_key:
        aria_words 192, aria_c2, aria_c3, aria_c1
        aria_pairs_encrypt 14
        cmac_subkeys aria, 7
        .global aria256_mac_key
aria256_mac_key:
        aria_words 256, aria_c3, aria_c1, aria_c2
        aria_pairs_encrypt 16
        cmac_subkeys aria, 8

// aria128_cmac_update, aria192_cmac_update, aria256_cmac_update: V = E(V ^ M[i]), n blocks of a message that goes on.
//
// Inputs:   key pairs, aria_length, aria_iv = V; tables; M in m2 from row 0
// Outputs:  aria_iv = V
// Clobbers: v0, wk, ar0, ar3, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   12n + 15 (128), 14n + 15 (192), 16n + 15 (256)
        .global aria128_cmac_update
aria128_cmac_update:
        cmac_update aria, 6
        .global aria192_cmac_update
aria192_cmac_update:
        cmac_update aria, 7
        .global aria256_cmac_update
aria256_cmac_update:
        cmac_update aria, 8

// aria128_cmac, aria192_cmac, aria256_cmac: the CMAC of a message that ends with n blocks and up to 127 bits.
//
// Inputs:   key pairs, mac_k1, mac_k2, aria_length, aria_iv = V; tables; M in m2 from row 0; nothing only of an
//           empty message
// Outputs:  the MAC of 128 bits in m3 row 0
// Clobbers: v0, v4-v7, wk, ar0, ar3, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   12n + 23 (128), 14n + 23 (192), 16n + 23 (256), n from 2
        .global aria128_cmac
aria128_cmac:
        cmac_final aria, 6
        .global aria192_cmac
aria192_cmac:
        cmac_final aria, 7
        .global aria256_cmac
aria256_cmac:
        cmac_final aria, 8

// aria128_cmac_update_x2, aria192_cmac_update_x2, aria256_cmac_update_x2: V = E(V ^ M[i]), n blocks of two messages
// in turn that go on.
//
// Inputs:   key pairs, aria_length, aria_iv = V of both; tables; M in m2 from row 0
// Outputs:  aria_iv = V of both
// Clobbers: v0, v2, wk, ar0, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   6n + 15 (128), 7n + 15 (192), 8n + 15 (256)
        .global aria128_cmac_update_x2
aria128_cmac_update_x2:
        cmac_update_x2 aria, 6
        .global aria192_cmac_update_x2
aria192_cmac_update_x2:
        cmac_update_x2 aria, 7
        .global aria256_cmac_update_x2
aria256_cmac_update_x2:
        cmac_update_x2 aria, 8

// aria128_cmac_x2, aria192_cmac_x2, aria256_cmac_x2: the CMACs of two messages in turn, of as many whole blocks
// each, n in all.
//
// Inputs:   key pairs, mac_k1, mac_k2, aria_length, aria_iv = V of both; tables; M in m2 from row 0; nothing only of
//           empty messages
// Outputs:  the MACs of 128 bits in m3 rows 0 and 1
// Clobbers: v0, v2, v7, wk, ar0, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   6n + 22 (128), 7n + 22 (192), 8n + 22 (256), n from 4
        .global aria128_cmac_x2
aria128_cmac_x2:
        cmac_final_x2 aria, 6
        .global aria192_cmac_x2
aria192_cmac_x2:
        cmac_final_x2 aria, 7
        .global aria256_cmac_x2
aria256_cmac_x2:
        cmac_final_x2 aria, 8
