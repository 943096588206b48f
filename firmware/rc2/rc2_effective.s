// RC2 (RFC 2268) with keys whose effective length is not their length: ECB, groups of eight blocks. What the vectors
// have; another one is a line here and a number in firmware.toml.

        .include "block.inc"
        .include "../common/modes64.inc"

        rc2_key_of rc2_104_e40, 13, 40
        rc2_key_of rc2_256_e40, 32, 40
        rc2_key_of rc2_1024_e40, 128, 40
        rc2_key_of rc2_64_e63, 8, 63
        rc2_key_of rc2_8_e64, 1, 64
        rc2_key_of rc2_40_e64, 5, 64
        rc2_key_of rc2_56_e64, 7, 64
        rc2_key_of rc2_104_e64, 13, 64
        rc2_key_of rc2_128_e64, 16, 64
        rc2_key_of rc2_40_e128, 5, 128
        rc2_key_of rc2_56_e128, 7, 128
        rc2_key_of rc2_64_e128, 8, 128
        rc2_key_of rc2_256_e128, 32, 128
        rc2_key_of rc2_264_e129, 33, 129
        rc2_key_of rc2_1024_e195, 128, 195
        rc2_key_of rc2_80_e534, 10, 534
        member64 rc2_effective, ecb64_encrypt, mode64_ecb, rc2
        member64 rc2_effective, ecb64_decrypt, mode64_ecb, rc2_inverse
