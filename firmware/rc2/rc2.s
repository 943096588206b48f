// RC2 (RFC 2268), groups of eight blocks where a mode allows it: ECB, CBC, CFB64, OFB (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes, and what their headers share: common/modes64.inc.

        .include "block.inc"
        .include "../common/modes64.inc"

        rc2_key_of rc2_40, 5, 40
        rc2_key_of rc2_64, 8, 64
        rc2_key_of rc2_80, 10, 80
        rc2_key_of rc2_128, 16, 128
        rc2_key_of rc2_192, 24, 192
// rc2_ecb64_encrypt, rc2_ecb64_decrypt, rc2_cbc64_decrypt, rc2_cfb64_decrypt: groups of blocks.
//
// Clobbers: v0-v7, ctr, wk, ar0, ar1, ar2 (cbc64), ar2 (cfb64), ar3, ar5, ar6
// Cycles:   191n/4 + 20 (ecb64 encrypt), 379n/8 + 20 (ecb64 decrypt), 383n/8 + 32 (cbc64), 193n/4 + 37 (cfb64),
//           n a multiple of 8

// rc2_cbc64_encrypt, rc2_cfb64_encrypt, rc2_ofb64: one block at a time.
//
// Clobbers: v0-v5, v7, ar0, ar1, ar3, ar5 (cfb64), ar5 (ofb64), ar6
// Cycles:   359n + 20 (cbc64), 359n + 25 (cfb64), 359n + 25 (ofb64)

        modes64 rc2, rc2, _inverse
