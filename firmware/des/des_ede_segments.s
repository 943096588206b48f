// DES three times, EDE with two or three keys (SP 800-67): CFB8 and CFB1 (SP 800-38A). The modes and their headers:
// common/segments64.inc.

des_stages = 3
        .include "block.inc"
        .include "schedule.inc"
        .include "../common/segments64.inc"

        ede_key 192, 16, decrypts=0     // both directions of these modes encrypt
        segments64 ede, des
