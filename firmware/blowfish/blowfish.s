// Blowfish (Schneier 1993), groups of eight blocks where a mode allows it: ECB, CBC, CFB64, OFB (SP 800-38A).
//
// Calling convention: firmware/README.md. The modes, and what their headers share: common/modes64.inc.

        .include "block.inc"
        .include "../common/modes64.inc"

        blowfish_key 32
        blowfish_key 40
        blowfish_key 48
        blowfish_key 56
        blowfish_key 64
        blowfish_key 72
        blowfish_key 80
        blowfish_key 88
        blowfish_key 96
        blowfish_key 104
        blowfish_key 112
        blowfish_key 120
        blowfish_key 128
        blowfish_key 136
        blowfish_key 144
        blowfish_key 152
        blowfish_key 160
        blowfish_key 168
        blowfish_key 176
        blowfish_key 184
        blowfish_key 192
        blowfish_key 200
        blowfish_key 208
        blowfish_key 216
        blowfish_key 224
        blowfish_key 232
        blowfish_key 240
        blowfish_key 248
        blowfish_key 256
        blowfish_key 264
        blowfish_key 272
        blowfish_key 280
        blowfish_key 288
        blowfish_key 296
        blowfish_key 304
        blowfish_key 312
        blowfish_key 320
        blowfish_key 328
        blowfish_key 336
        blowfish_key 344
        blowfish_key 352
        blowfish_key 360
        blowfish_key 368
        blowfish_key 376
        blowfish_key 384
        blowfish_key 392
        blowfish_key 400
        blowfish_key 408
        blowfish_key 416
        blowfish_key 424
        blowfish_key 432
        blowfish_key 440
        blowfish_key 448

// blowfish_ecb64_encrypt, blowfish_ecb64_decrypt, blowfish_cbc64_decrypt, blowfish_cfb64_decrypt: groups of blocks.
//
// Clobbers: v0-v7, ctr, wk, ar0, ar1, ar2 (cbc64), ar2 (cfb64), ar3, ar5, ar6
// Cycles:   251n/4 + 19 (ecb64), 253n/4 + 30 (cbc64), 253n/4 + 35 (cfb64), n a multiple of 8

// blowfish_cbc64_encrypt, blowfish_cfb64_encrypt, blowfish_ofb64: one block at a time.
//
// Clobbers: v0-v5, v7, wk, ar0, ar1, ar3, ar5 (cfb64), ar5 (ofb64), ar6
// Cycles:   149n + 21 (cbc64), 149n + 26 (cfb64), 149n + 26 (ofb64)

        modes64 blowfish, blowfish, _inverse
