// RC2 (RFC 2268) with keys whose effective length is not their length: ECB, groups of eight blocks. What the vectors
// have; another one is a line here and a number in firmware.toml.

        .include "block.inc"
        .include "../common/modes64.inc"

        rc2_key_of rc2e40_104, 13, 40
        rc2_key_of rc2e40_256, 32, 40
        rc2_key_of rc2e40_1024, 128, 40
        rc2_key_of rc2e63_64, 8, 63
        rc2_key_of rc2e64_8, 1, 64
        rc2_key_of rc2e64_40, 5, 64
        rc2_key_of rc2e64_56, 7, 64
        rc2_key_of rc2e64_104, 13, 64
        rc2_key_of rc2e64_128, 16, 64
        rc2_key_of rc2e128_40, 5, 128
        rc2_key_of rc2e128_56, 7, 128
        rc2_key_of rc2e128_64, 8, 128
        rc2_key_of rc2e128_256, 32, 128
        rc2_key_of rc2e129_264, 33, 129
        rc2_key_of rc2e195_1024, 128, 195
        rc2_key_of rc2e534_80, 10, 534

// rc2_effective_ecb64_encrypt, rc2_effective_ecb64_decrypt: groups of blocks.
//
// Clobbers: v0-v7, ctr, wk, ar0, ar1, ar3, ar5, ar6
// Cycles:   191n/4 + 20 (encrypt), 379n/8 + 20 (decrypt), n a multiple of 8

        member64 rc2_effective, ecb64_encrypt, mode64_ecb, rc2
        member64 rc2_effective, ecb64_decrypt, mode64_ecb, rc2_inverse
