// AES (FIPS 197), two rounds per instruction: SIV (RFC 5297). The routines and their headers: common/siv.inc.

        .include "block.inc"
        .include "two_keys.inc"
        .include "../common/siv.inc"

aes_second_iv     = siv_counter
aes_second_length = aes_length
aes_second_ones   = aes_ones

        .section text

// Instruction 1 of a block under the second key; its sum includes the whitening key.
        .macro  aes_second_bare x, y, sum
        aesenc2 \x, \sum, m0:m1[aes_second_keys]
        .endm

// aes{bits}_siv_key: round keys of both keys; initial values of S2V.
//
// Inputs:   aes_key = both keys, one after the other; tables
// Outputs:  key pairs in m0 and m1 from row 0 and from aes_second_keys, whitening keys in m0 (aes_wk, aes_second_wk);
//           mac_k1, mac_k2, siv_first
// Clobbers: v0-v2, v5-v7, wk, ar0, ar1
// Memory:   m3 rows 0-15 are scratch, zero at the end
// Time:     constant
// Cycles:   145 (128), 185 (192), 181 (256)
        .macro  aes_siv_key bits, end
        aes_two_keys \bits, encrypt
        \end    aes, aes\bits\()_steps
        .endm
        key_family aes, siv_key, aes_siv_key, siv_subkeys

        siv_routines aes
