// AES (FIPS 197), two rounds per instruction: OCB (RFC 7253). The routines and their headers: common/ocb.inc.

        .include "block.inc"
        .include "../common/ocb.inc"

// The inverse: its pairs follow those of the cipher, which are at most seven.
aes_back_keys = 0x80
aes_back_wk   = 0xf0

        block_in_one_register aes_back, aesdec2, aes_back_keys

        .macro  aes_back_load_tables
        aes_load_tables aes_inv_sbox
        .endm

        .section text

// aes{bits}_ocb_key: round keys of encryption, and of the equivalent inverse cipher; L_*, L_$ and L.
//
// Inputs:   aes_key; tables
// Outputs:  key pairs in m0 and m1 from row 0 and from aes_back_keys, whitening keys in m0 (aes_wk, aes_back_wk);
//           ocb_star, ocb_dollar, ocb_l, ocb_steps
// Clobbers: v0-v2, v5-v7, wk, ar0, ar1
// Memory:   m3 rows 0-15 are scratch, zero at the end
// Time:     constant
// Cycles:   326 (128), 347 (192), 348 (256)
        .macro  aes_ocb_key bits, end
        aes_linear_\bits
        aes_pairs_encrypt aes\bits\()_rounds
        aes_pairs_decrypt aes\bits\()_rounds, aes_back_keys, aes_back_wk
        aes_wipe_linear
        \end    aes, aes\bits\()_steps
        .endm
        key_family aes, ocb_key, aes_ocb_key, ocb_subkeys

        ocb_routines aes
