// SM4 (GB/T 32907), feedback modes of two interleaved streams, which are packed: CBC, CFB128, OFB (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes_x2.inc.

        .include "block.inc"
        .include "../common/modes_x2.inc"

        family_x2 sm4
