// SM4 (GB/T 32907) without tblw, two packed blocks: ECB, CBC, CFB128, OFB, CTR (SP 800-38A). Runs with
// ROUNDS_PER_INSTR = 1 as well.
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes.inc.

        .include "baseline.inc"
        .include "../common/modes.inc"

        family  sm4, baseline_key_encrypt, sm4_key_encrypt
        family  sm4, baseline_key_decrypt, sm4_key_decrypt
        family  sm4, baseline_ecb, mode_ecb
        family_modes sm4, v=baseline_
