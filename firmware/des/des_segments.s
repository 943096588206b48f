// DES (FIPS 46-3): CFB8 and CFB1 (SP 800-38A). The modes and their headers: common/segments64.inc.

des_stages = 1
        .include "block.inc"
        .include "schedule.inc"
        .include "../common/segments64.inc"

        des_key decrypts=0              // both directions of these modes encrypt
        segments64 des, des
