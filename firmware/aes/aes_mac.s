// AES (FIPS 197), two rounds an instruction: CMAC (SP 800-38B), 128-EEA2 (TS 33.401).
//
// Calling convention: firmware/README.md. Round keys as in aes.s.

        .include "memory.inc"
        .include "schedule.inc"
        .include "block.inc"
        .include "../common/modes.inc"
        .include "../common/block.inc"
        .include "../common/mac.inc"

        .section text

// aes_mac_tables: S-box to all lanes of t0 and t1. Before anything else.
//
// Inputs:   none
// Outputs:  t0, t1
// Clobbers: ar0, ar1
// Memory:   reads m1 (aes_sbox)
// Time:     constant
// Cycles:   267
        .global aes_mac_tables
aes_mac_tables:
        aes_load_tables
        halt

// aes128_mac_key, aes192_mac_key, aes256_mac_key: round keys and subkeys.
//
// Inputs:   aes_key; tables
// Outputs:  key pairs in m0 and m1 from row 0, whitening key in m0 (aes_wk), mac_k1, mac_k2 = 2 E(0), 4 E(0)
// Clobbers: v0-v2, v5-v7, wk, ar0, ar1
// Memory:   m3 rows 0-15 are scratch, zero at the end
// Time:     constant
// Cycles:   83 (128), 102 (192), 101 (256)
        .global aes128_mac_key
aes128_mac_key:
        aes_linear_128
        aes_pairs_encrypt 10
        aes_wipe_linear
        cmac_subkeys aes, 5
        .global aes192_mac_key
aes192_mac_key:
        aes_linear_192
        aes_pairs_encrypt 12
        aes_wipe_linear
        cmac_subkeys aes, 6
        .global aes256_mac_key
aes256_mac_key:
        aes_linear_256
        aes_pairs_encrypt 14
        aes_wipe_linear
        cmac_subkeys aes, 7

// aes128_cmac_update, aes192_cmac_update, aes256_cmac_update: V = E(V ^ M[i]), n blocks of a message that goes on.
//
// Inputs:   key pairs, aes_length, aes_iv = V; both banks for encryption; M in m2 from row 0
// Outputs:  aes_iv = V
// Clobbers: v0, wk, ar0, ar3, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   10n + 15 (128), 12n + 15 (192), 14n + 15 (256)
        .global aes128_cmac_update
aes128_cmac_update:
        cmac_update aes, 5
        .global aes192_cmac_update
aes192_cmac_update:
        cmac_update aes, 6
        .global aes256_cmac_update
aes256_cmac_update:
        cmac_update aes, 7

// aes128_cmac, aes192_cmac, aes256_cmac: the CMAC of a message that ends with n blocks and up to 127 bits.
//
// Inputs:   key pairs, mac_k1, mac_k2, aes_length, aes_iv = V; both banks for encryption; M in m2 from row 0;
//           nothing only of an empty message
// Outputs:  the MAC of 128 bits in m3 row 0
// Clobbers: v0, v4-v7, wk, ar0, ar3, ar4, ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   10n + 23 (128), 12n + 23 (192), 14n + 23 (256), n from 2
        .global aes128_cmac
aes128_cmac:
        cmac_final aes, 5
        .global aes192_cmac
aes192_cmac:
        cmac_final aes, 6
        .global aes256_cmac
aes256_cmac:
        cmac_final aes, 7

// aes128_cmac_update_x2, aes192_cmac_update_x2, aes256_cmac_update_x2: V = E(V ^ M[i]), n blocks of two messages in
// turn that go on.
//
// Inputs:   key pairs, aes_length, aes_iv = V of both; both banks for encryption; M in m2 from row 0
// Outputs:  aes_iv = V of both
// Clobbers: v0, v2, wk, ar0, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   5n + 15 (128), 6n + 15 (192), 7n + 15 (256)
        .global aes128_cmac_update_x2
aes128_cmac_update_x2:
        cmac_update_x2 aes, 5
        .global aes192_cmac_update_x2
aes192_cmac_update_x2:
        cmac_update_x2 aes, 6
        .global aes256_cmac_update_x2
aes256_cmac_update_x2:
        cmac_update_x2 aes, 7

// aes128_cmac_x2, aes192_cmac_x2, aes256_cmac_x2: the CMACs of two messages in turn, of as many whole blocks each, n
// in all.
//
// Inputs:   key pairs, mac_k1, mac_k2, aes_length, aes_iv = V of both; both banks for encryption; M in m2 from row
//           0; nothing only of empty messages
// Outputs:  the MACs of 128 bits in m3 rows 0 and 1
// Clobbers: v0, v2, v7, wk, ar0, ar6
// Memory:   as said
// Time:     constant; depends on n
// Cycles:   5n + 22 (128), 6n + 22 (192), 7n + 22 (256), n from 4
        .global aes128_cmac_x2
aes128_cmac_x2:
        cmac_final_x2 aes, 5
        .global aes192_cmac_x2
aes192_cmac_x2:
        cmac_final_x2 aes, 6
        .global aes256_cmac_x2
aes256_cmac_x2:
        cmac_final_x2 aes, 7

// aes128_eea2: C[i] = P[i] ^ E(counter + i), n blocks and up to 127 bits more (TS 33.401 B.1.3).
//
// Inputs:   key pairs, aes_length, aes_iv = first counter block; both banks for encryption; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero behind its bits; aes_iv = next counter block
// Clobbers: v0, v2, v4-v6, ctr, wk, ar0, ar1, ar3-ar6
// Memory:   as said
// Time:     constant; depends on n and on the length of a last block
// Cycles:   5n + 24, even n
        .global aes128_eea2
aes128_eea2:
        mode_ctr_bits aes, 5
