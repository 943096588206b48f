// SEED (RFC 4269), two interleaved blocks: ECB, CBC, CFB128, OFB, CTR (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes.inc. Decryption is encryption with
// the round keys in reverse order.

        .include "block.inc"
        .include "../common/modes.inc"

        family  seed, ecb, mode_ecb
        family_modes seed
