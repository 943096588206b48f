// RC2 (RFC 2268), groups of eight blocks where a mode allows it: ECB, CBC, CFB64, OFB (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes64.inc.

        .include "block.inc"
        .include "../common/modes64.inc"

        rc2_key_of rc2_40, 5, 40
        rc2_key_of rc2_64, 8, 64
        rc2_key_of rc2_80, 10, 80
        rc2_key_of rc2_128, 16, 128
        rc2_key_of rc2_192, 24, 192
        modes64 rc2, rc2, _inverse
