// MAC of ZUC-256 (The ZUC-256 Stream Cipher, 2018) with 32, 64 and 128 bits: T, the first bits of the keystream, XORed
// with windows of the keystream after them, as long as T, at the one bits of the message and at its length.
//
// Calling convention: firmware/README.md. How T is computed: ../zuc/windows.inc. `mac` has its first two words in
// positions 63 to 126, `mac_high` the other two.

        .include "setup.inc"
        .include "../zuc/windows.inc"

        .section m1
zuc256_mac32_mask:
        .row    "ffffffff000000000000000000000000"
zuc256_mac64_mask:
        .row    "ffffffffffffffff0000000000000000"

        .section m0
zuc256_saved:                                   // c0 where a job of 128 bits begins
        .zero   96

        .section text

        .alias  mac, v0                 // T, its first two words in positions 63 to 126
        .alias  mac_high, v6            // and the other two
        .alias  kept_words, ar1

        zuc256_mac_tables_routine

// zuc256_mac32_start, zuc256_mac64_start, zuc256_mac128_start: initialisation of a message, T = keystream.
//
// Inputs:   zuc256_key, zuc256_iv; t0
// Outputs:  c0; zuc256_iv = T
// Clobbers: v0-v7, c0
// Time:     constant
// Cycles:   113 (mac32), 114 (mac64), 117 (mac128)
        .macro  zuc256_mac_start bits
        .global zuc256_mac\bits\()_start
zuc256_mac\bits\()_start:
        zuc256_load c0, zuc256_d_mac\bits
        stream_initialise c0, zuc
        .rept   \bits / 32 - 1
        zuc     c0
        .endr
        zucx    mac, c0, c0                     // T is at its end
        .if     \bits == 128
        rotx    m1[zuc256_iv + 16], mac, zero, 1
        .endif
        rotx    m1[zuc256_iv], mac, zero, (\bits + 1) % 64 + 64 * (\bits == 128)
        windows_first
        halt
        .endm

// zuc256_mac32_update, zuc256_mac64_update, zuc256_mac128_update: T of n words of a message that continues, a multiple
// of four. 128 bits are two times 64: the message is read twice, first with the keystream two words further.
//
// Inputs:   c0, zuc256_length, zuc256_iv = T; t0; M in m2 from row 0
// Outputs:  c0, zuc256_iv = T
// Clobbers: v0, v2, v6 (mac128), c0, ar0, ar5, ar6
// Memory:   m0 (zuc256_saved, mac128) is scratch
// Time:     constant; depends on n
// Cycles:   n + 21, 2n + 47 (mac128), n a multiple of 4 from 8
        .macro  zuc256_mac_update bits
        .global zuc256_mac\bits\()_update
zuc256_mac\bits\()_update:
        vtoar   words, m1[zuc256_length], 7
        .if     \bits == 128
        zuc256_ahead
        mov     mac_high, m1[zuc256_iv + 16]
        windows_rows mac_high
        mov     m1[zuc256_iv + 16], mac_high
        zuc256_back
        .endif
        mov     mac, m1[zuc256_iv]
        windows_rows mac
        mov     m1[zuc256_iv], mac
        halt
        .endm

// Advances c0 by two words, and restores it.
        .macro  zuc256_ahead
        .rept   6
        ctxst   m0[zuc256_saved + 16 * \+], c0, \+
        .endr
        zuc     c0
        zuc     c0
        .endm
        .macro  zuc256_back
        .rept   6
        ctxld   c0, \+, m0[zuc256_saved + 16 * \+]
        .endr
        .endm

// zuc256_mac32, zuc256_mac64, zuc256_mac128: the MAC of a message that ends with n words and up to 31 bits.
//
// Inputs:   c0, zuc256_length, zuc256_iv = T; t0; M in m2 from row 0
// Outputs:  the MAC in m3 row 0
// Clobbers: v0, v2-v5, v6 (mac128), c0, ar0, ar1 (mac128), ar3-ar7
// Memory:   m0 (zuc256_saved, mac128) is scratch
// Time:     constant; depends on n and on the bits after them
// Cycles:   n + 49, 2n + 87 (mac128), n a multiple of 4 from 8
        .macro  zuc256_mac bits
        .global zuc256_mac\bits
zuc256_mac\bits:
        vtoar   words, m1[zuc256_length], 7
        vtoar   bytes, m1[zuc256_length], 6
        vtoar   bits, m1[zuc256_length], 5
        .if     \bits == 128
        zuc256_ahead
        mov     mac_high, m1[zuc256_iv + 16]
        windows_rows mac_high
        aradd   kept_words, words, 0
        windows_end zuc256
        windows_last mac_high
        aradd   words, kept_words, 0
        zuc256_back
        mov     mac, m1[zuc256_iv]
        windows_rows mac
        .else
        mov     mac, m1[zuc256_iv]
        windows_rows mac
        windows_end zuc256
        .endif
        windows_last mac
        rotx    mac, mac, zero, 63
        .if     \bits == 128
        and     mac, mac, m1[zuc256_mac64_mask]
        rotx    mac_high, mac_high, zero, 127
        andn    mac_high, mac_high, m1[zuc256_mac64_mask]
        xor     m3[0], mac, mac_high
        .else
        and     m3[0], mac, m1[zuc256_mac\bits\()_mask]
        .endif
        halt
        .endm

        zuc256_mac_start 32
        zuc256_mac_start 64
        zuc256_mac_start 128
        zuc256_mac_update 32
        zuc256_mac_update 64
        zuc256_mac_update 128
        zuc256_mac 32
        zuc256_mac 64
        zuc256_mac 128
