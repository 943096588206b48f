// CAST5 (RFC 2144) with keys of more than 80 bits, groups of four blocks where a mode allows it: ECB, CBC, CFB64, OFB
// (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes, and what their headers share: common/modes64.inc.

cast5_threes = 5

        .include "block.inc"
        .include "../common/modes64.inc"

        cast5_key_of 88
        cast5_key_of 112
        cast5_key_of 128
        modes64 cast5, cast5, _inverse
