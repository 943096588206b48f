// DES (FIPS 46-3), groups of four blocks where a mode allows it: ECB, CBC, CFB64, OFB (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes64.inc.

des_stages = 1
        .include "block.inc"
        .include "schedule.inc"
        .include "../common/modes64.inc"

        des_key
        desx_key
        modes64_one_way des, des
