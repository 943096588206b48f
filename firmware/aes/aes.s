// AES (FIPS 197), two rounds per instruction, two interleaved blocks: ECB, CBC, CFB128, OFB, CTR (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes.inc. CTR with a key of 128 bits is
// written out in aes_ctr.s, the other source of this image.

        .include "block.inc"
        .include "inverse.inc"
        .include "../common/modes.inc"
        .include "setup.inc"

        family  aes, ecb_encrypt, mode_ecb
        family  aes, ecb_decrypt, mode_ecb, _inverse
        family  aes, cbc_encrypt, mode_cbc_encrypt
        family  aes, cbc_decrypt, mode_cbc_decrypt, _inverse
        family  aes, cfb_encrypt, mode_cfb_encrypt
        family  aes, cfb_decrypt, mode_cfb_decrypt
        family  aes, ofb, mode_ofb
        member  aes, 192, ctr, mode_ctr
        member  aes, 256, ctr, mode_ctr
