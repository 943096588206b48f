// DES three times, EDE with two or three keys (SP 800-67), groups of four blocks where a mode allows it: ECB, CBC,
// CFB64, OFB (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes, and what their headers share: common/modes64.inc.

des_stages = 3
        .include "block.inc"
        .include "schedule.inc"
        .include "../common/modes64.inc"

        ede_key 128, 0
        ede_key 192, 16
// ede_ecb64, ede_cbc64_decrypt, ede_cfb64_decrypt: groups of blocks.
//
// Clobbers: v0-v7, ar0, ar1, ar2 (cbc64), ar2 (cfb64), ar3-ar6
// Cycles:   455n/4 + 21 (ecb64), 457n/4 + 33 (cbc64), 457n/4 + 38 (cfb64), n a multiple of 4

// ede_cbc64_encrypt, ede_cfb64_encrypt, ede_ofb64: one block after the other.
//
// Clobbers: v0-v3, v7, ar0, ar1, ar3, ar4, ar5 (cfb64), ar5 (ofb64), ar6
// Cycles:   281n + 23 (cbc64), 281n + 28 (cfb64), 281n + 28 (ofb64)

        modes64_one_way ede, des
