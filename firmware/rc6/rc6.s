// RC6-32/20 (Rivest, Robshaw, Sidney, Yin: The RC6 block cipher, 1998), two blocks at once: ECB, CBC, CFB128, OFB, CTR
// (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes.inc.

        .include "block.inc"
        .include "../common/modes.inc"

        family  rc6, ecb_encrypt, mode_ecb
        family  rc6, ecb_decrypt, mode_ecb, _back
        family_modes rc6, _back
