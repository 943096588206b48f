// DES three times, EDE with two or three keys (SP 800-67): CFB8 and CFB1 (SP 800-38A). The modes and their headers:
// common/segments64.inc.

des_stages = 3
        .include "block.inc"
        .include "schedule.inc"
        .include "../common/segments64.inc"

        ede_key 192, 16, decrypts=0     // both directions of these modes encrypt
// ede_cfb8_64_encrypt, ede_cfb8_64_decrypt, ede_cfb1_64_encrypt, ede_cfb1_64_decrypt: bytes; bits.
//
// Clobbers: v0-v3, v6, v7, ar0, ar1, ar2 (cfb8), ar3, ar4, ar5 (cfb1), ar6
// Cycles:   283n + 23 (cfb8 encrypt), 282n + 25 (cfb8 decrypt), 2328n + 26 (cfb1 encrypt), 2331n + 26 (cfb1 decrypt)

        segments64 ede, des
