// SM4 (GB/T 32907), feedback modes of two interleaved streams: CBC, CFB128, OFB (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes_x2.inc.

        .include "block.inc"
        .include "../common/modes_x2.inc"

        family  sm4, key_encrypt, sm4_key_encrypt
        family  sm4, key_decrypt, sm4_key_decrypt
        family_x2 sm4
