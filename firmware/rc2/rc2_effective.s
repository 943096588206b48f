// RC2 (RFC 2268) with keys of other lengths and effective lengths: ECB, groups of eight blocks. It has the effective
// lengths of 40, 64 and 128 bits with the usual keys, and those of the vectors; another one takes a line here and a
// number in firmware.toml.

        .include "block.inc"
        .include "../common/modes64.inc"

        rc2_key_of rc2e40_56, 7, 40
        rc2_key_of rc2e40_64, 8, 40
        rc2_key_of rc2e40_80, 10, 40
        rc2_key_of rc2e40_104, 13, 40
        rc2_key_of rc2e40_128, 16, 40
        rc2_key_of rc2e40_192, 24, 40
        rc2_key_of rc2e40_256, 32, 40
        rc2_key_of rc2e40_1024, 128, 40
        rc2_key_of rc2e48_48, 6, 48
        rc2_key_of rc2e56_56, 7, 56
        rc2_key_of rc2e63_64, 8, 63
        rc2_key_of rc2e64_8, 1, 64
        rc2_key_of rc2e64_40, 5, 64
        rc2_key_of rc2e64_56, 7, 64
        rc2_key_of rc2e64_80, 10, 64
        rc2_key_of rc2e64_104, 13, 64
        rc2_key_of rc2e64_128, 16, 64
        rc2_key_of rc2e64_192, 24, 64
        rc2_key_of rc2e64_256, 32, 64
        rc2_key_of rc2e64_1024, 128, 64
        rc2_key_of rc2e72_72, 9, 72
        rc2_key_of rc2e88_88, 11, 88
        rc2_key_of rc2e96_96, 12, 96
        rc2_key_of rc2e104_104, 13, 104
        rc2_key_of rc2e112_112, 14, 112
        rc2_key_of rc2e120_120, 15, 120
        rc2_key_of rc2e128_40, 5, 128
        rc2_key_of rc2e128_56, 7, 128
        rc2_key_of rc2e128_64, 8, 128
        rc2_key_of rc2e128_80, 10, 128
        rc2_key_of rc2e128_104, 13, 128
        rc2_key_of rc2e128_192, 24, 128
        rc2_key_of rc2e128_256, 32, 128
        rc2_key_of rc2e128_1024, 128, 128
        rc2_key_of rc2e129_264, 33, 129
        rc2_key_of rc2e195_1024, 128, 195
        rc2_key_of rc2e256_256, 32, 256
        rc2_key_of rc2e534_80, 10, 534

// rc2_effective_ecb64_encrypt, rc2_effective_ecb64_decrypt: groups of blocks.
//
// Clobbers: v0-v7, ctr, wk, ar0, ar1, ar3, ar5, ar6
// Cycles:   191n/4 + 20 (encrypt), 379n/8 + 20 (decrypt), n a multiple of 8

        member64 rc2_effective, ecb64_encrypt, mode64_ecb, rc2
        member64 rc2_effective, ecb64_decrypt, mode64_ecb, rc2_inverse
