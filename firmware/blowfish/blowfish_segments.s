// Blowfish (Schneier 1993): CFB8 and CFB1 (SP 800-38A). The modes, and what their headers share: common/segments64.inc.

        .include "block.inc"
        .include "../common/segments64.inc"

        blowfish_key 128
// blowfish_cfb8_64_encrypt, blowfish_cfb8_64_decrypt, blowfish_cfb1_64_encrypt, blowfish_cfb1_64_decrypt: bytes; bits.
//
// Clobbers: v0-v7, wk, ar0, ar1, ar2 (cfb8), ar3, ar5 (cfb1), ar6
// Cycles:   151n + 21 (cfb8 encrypt), 150n + 23 (cfb8 decrypt), 1272n + 24 (cfb1 encrypt), 1275n + 24 (cfb1 decrypt)

        segments64 blowfish, blowfish
