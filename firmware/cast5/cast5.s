// CAST5 (RFC 2144) with keys of more than 80 bits, groups of four blocks where a mode allows it: ECB, CBC, CFB64, OFB,
// CTR (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes, and what their headers share: common/modes64.inc.

cast5_threes = 5

        .include "block.inc"
        .include "../common/modes64.inc"

        cast5_key_of 88
        cast5_key_of 96
        cast5_key_of 104
        cast5_key_of 112
        cast5_key_of 120
        cast5_key_of 128
        modes64 cast5, cast5, _inverse

// cast5_ctr64: groups of blocks.
//
// Clobbers: v0-v7, wk, ctr, ar0, ar1, ar3-ar6
// Memory:   cast5_counter, m3 rows 254 and 255
// Cycles:   229n/4 + 39, n a multiple of 8
        member64 cast5, ctr64, mode64_ctr, cast5
