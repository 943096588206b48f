// 128-EIA3 (ETSI/SAGE EEA3 and EIA3, document 1): T, the XOR of the keystream's 32-bit windows at the one bits of
// the message.
//
// Calling convention: firmware/README.md. How T is computed: windows.inc.

        .include "setup.inc"
        .include "windows.inc"

        .section m1
eia3_word:
        .row    "ffffffff000000000000000000000000"

        .section m0
eia3_z: .zero   32                              // keystream at the beginning and end of the message's last row
        .zero   16                              // read after it, without effect

        .section text

        .alias  mac, v0                 // T
        .alias  last_word, ar1          // last word of the keystream

        .global zuc_mac_tables
zuc_mac_tables:
        stream_tables zuc_entries, 2, zuc_lanes
        halt

// zuc_eia3_start: initialisation of a message, T = 0.
//
// Inputs:   zuc_key, zuc_iv; t0
// Outputs:  c0; zuc_iv = T = 0
// Clobbers: v0-v3, c0
// Time:     constant
// Cycles:   66
        .global zuc_eia3_start
zuc_eia3_start:
        mov     key, m1[zuc_key]
        mov     iv, m1[zuc_iv]
        zuc_load c0
        stream_initialise c0, zuc
        windows_first
        mov     m1[zuc_iv], zero
        halt

// zuc_eia3_update: T of n words of a message that continues, a multiple of four.
//
// Inputs:   c0, zuc_length, zuc_iv = T; t0; M in m2 from row 0
// Outputs:  c0, zuc_iv = T
// Clobbers: v0, v2, c0, ar0, ar5, ar6
// Time:     constant; depends on n
// Cycles:   n + 21, n a multiple of 4 from 8
        .global zuc_eia3_update
zuc_eia3_update:
        vtoar   words, m1[zuc_length], 7
        mov     mac, m1[zuc_iv]
        windows_rows mac
        mov     m1[zuc_iv], mac
        halt

// zuc_eia3: the MAC of a message that ends with n words and up to 31 bits. The window at its length is the last but one
// term of the MAC, and the last keystream word is the last.
//
// Inputs:   c0, zuc_length, zuc_iv = T; t0; M in m2 from row 0
// Outputs:  the MAC of 32 bits in m3 row 0
// Clobbers: v0, v2-v5, c0, ar0, ar1, ar3-ar7
// Memory:   m0 (eia3_z) is scratch
// Time:     constant; depends on n and on the bits after them
// Cycles:   n + 56, n a multiple of 4 from 8
        .global zuc_eia3
zuc_eia3:
        vtoar   words, m1[zuc_length], 7
        vtoar   bytes, m1[zuc_length], 6
        vtoar   bits, m1[zuc_length], 5
        mov     mac, m1[zuc_iv]
        windows_rows mac
        ctxst   m0[eia3_z], c0, context_buffer
        windows_end zuc
        windows_last mac
        ctxst   m0[eia3_z + 16], c0, context_buffer
        arset   last_word, eia3_z + 8
        repeat  touched, .L_mask
        aradd   last_word, last_word, 4
.L_mask:
        rotx    mac, mac, m0[last_word], 63     // the last keystream word
        and     m3[0], mac, m1[eia3_word]
        halt
