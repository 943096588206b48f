// Blowfish (Schneier 1993), groups of four blocks where a mode allows it: ECB, CBC, CFB64, OFB (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes and their headers: common/modes64.inc.

        .include "block.inc"
        .include "../common/modes64.inc"

        blowfish_key 32
        blowfish_key 56
        blowfish_key 64
        blowfish_key 72
        blowfish_key 96
        blowfish_key 104
        blowfish_key 112
        blowfish_key 128
        blowfish_key 136
        blowfish_key 144
        blowfish_key 152
        blowfish_key 176
        blowfish_key 184
        blowfish_key 192
        blowfish_key 256
        blowfish_key 448

        modes64 blowfish, blowfish, _inverse
