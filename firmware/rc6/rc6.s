// RC6-32/20 (Rivest, Robshaw, Sidney, Yin: The RC6 block cipher, 1998), two blocks at once: ECB, CBC, CFB128, OFB, CTR
// (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes, and what their headers share: common/modes.inc.

        .include "block.inc"
        .include "../common/modes.inc"

// rc6{bits}_ecb_encrypt, rc6{bits}_ecb_decrypt, rc6{bits}_cbc_decrypt, rc6{bits}_cfb_decrypt, rc6{bits}_ctr: in pairs.
//
// Clobbers: v0-v7, ctr (ctr), wk, ar0, ar1, ar2 (cbc), ar2 (cfb), ar3, ar4 (cfb), ar4 (ctr), ar5, ar6
// Cycles:   331n + 17 (ecb encrypt), 321n + 17 (ecb decrypt), 321n + 661 (cbc), 331n + 684 (cfb), 331n + 23 (ctr),
//           even n from 4

// rc6{bits}_cbc_encrypt, rc6{bits}_cfb_encrypt, rc6{bits}_ofb: one block at a time.
//
// Clobbers: v0-v7, wk, ar0, ar1, ar2 (ofb), ar3, ar4 (cfb), ar4 (ofb), ar6
// Cycles:   661n + 15 (cbc), 662n + 18 (cfb), 662n + 20 (ofb), n from 2

        family  rc6, ecb_encrypt, mode_ecb
        family  rc6, ecb_decrypt, mode_ecb, _back
        family_modes rc6, _back
