// CAST5 (RFC 2144) with keys of up to 80 bits, which have twelve rounds: the modes of cast5.s.

cast5_threes = 4

        .include "block.inc"
        .include "../common/modes64.inc"

        cast5_key_of 40
        cast5_key_of 48
        cast5_key_of 56
        cast5_key_of 64
        cast5_key_of 72
        cast5_key_of 80
        modes64 cast5_short, cast5, _inverse
