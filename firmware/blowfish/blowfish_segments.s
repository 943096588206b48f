// Blowfish (Schneier 1993): CFB8 and CFB1 (SP 800-38A). The modes and their headers: common/segments64.inc.

        .include "block.inc"
        .include "../common/segments64.inc"

        blowfish_key 128
        segments64 blowfish, blowfish
