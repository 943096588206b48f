// DES (FIPS 46-3): CFB8 and CFB1 (SP 800-38A). The modes, and what their headers share: common/segments64.inc.

des_stages = 1
        .include "block.inc"
        .include "schedule.inc"
        .include "../common/segments64.inc"

        des_key decrypts=0              // both directions of these modes encrypt
// des_cfb8_64_encrypt, des_cfb8_64_decrypt, des_cfb1_64_encrypt, des_cfb1_64_decrypt: bytes; bits.
//
// Clobbers: v0-v3, v6, v7, ar0, ar1, ar2 (cfb8), ar3, ar4, ar5 (cfb1), ar6
// Cycles:   121n + 23 (cfb8 encrypt), 120n + 25 (cfb8 decrypt), 1032n + 26 (cfb1 encrypt), 1035n + 26 (cfb1 decrypt)

        segments64 des, des
