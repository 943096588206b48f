// SM4 (GB/T 32907), a round per instruction, two interleaved blocks: ECB, CBC, CFB128, OFB, CTR (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes.inc. Decryption is encryption with
// the round keys in reverse order.

        .include "block.inc"
        .include "../common/modes.inc"

        family  sm4, key_encrypt, sm4_key_encrypt
        family  sm4, key_decrypt, sm4_key_decrypt
        family  sm4, ecb, mode_ecb
        family_modes sm4
