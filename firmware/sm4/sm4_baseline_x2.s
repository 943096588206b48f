// SM4 (GB/T 32907) without tblw, feedback modes of two interleaved streams, which are packed: CBC, CFB128, OFB
// (SP 800-38A). Runs with ROUNDS_PER_INSTR = 1 as well.
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes_x2.inc.

        .include "baseline.inc"
        .include "../common/modes_x2.inc"

        family  sm4, baseline_key_encrypt, sm4_key_encrypt
        family  sm4, baseline_key_decrypt, sm4_key_decrypt
        family_x2 sm4, v=baseline_
