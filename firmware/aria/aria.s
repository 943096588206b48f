// ARIA (RFC 5794), two rounds per instruction, two interleaved blocks: ECB, CBC, CFB128, OFB, CTR (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes.inc. Decryption is encryption with
// other round keys.

        .include "block.inc"
        .include "../common/modes.inc"
        .include "setup.inc"

        family  aria, ecb, mode_ecb
        family_modes aria
