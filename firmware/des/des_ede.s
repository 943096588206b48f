// DES three times, EDE with two or three keys (SP 800-67), groups of four blocks where a mode allows it: ECB, CBC,
// CFB64, OFB (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes64.inc.

des_stages = 3
        .include "block.inc"
        .include "schedule.inc"
        .include "../common/modes64.inc"

        ede_key 128, 0
        ede_key 192, 16
        modes64_one_way ede, des
