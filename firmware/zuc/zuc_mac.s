// 128-EIA3 (ETSI/SAGE EEA3 and EIA3, document 1): T, the XOR of the keystream's 32-bit windows at the bits of the
// message that are one.
//
// Calling convention: firmware/README.md. How T is computed: windows.inc.

        .include "setup.inc"
        .include "windows.inc"

        .section m1
eia3_word:
        .row    "ffffffff000000000000000000000000"

        .section text

        .global zuc_mac_tables
zuc_mac_tables:
        windows_tables zuc_lanes

// zuc_eia3_start: initialisation of a message, T = 0.
//
// Inputs:   zuc_key, zuc_iv; t0
// Outputs:  c0, windows_next; zuc_iv = T = 0
// Clobbers: v0-v3, c0
// Time:     constant
// Cycles:   68
        .global zuc_eia3_start
zuc_eia3_start:
        mov     v0, m1[zuc_key]
        mov     v1, m1[zuc_iv]
        zuc_load c0
        stream_initialise c0, zuc
        windows_first
        mov     m1[zuc_iv], zero
        halt

// zuc_eia3_update: T of n words of a message that goes on, a multiple of four.
//
// Inputs:   c0, windows_next, zuc_length, zuc_iv = T; t0, t1; M in m2 from row 0
// Outputs:  c0, windows_next, zuc_iv = T
// Clobbers: v0-v2, v7, c0, ar0-ar2, ar5, ar6
// Memory:   m0 (windows_z) is scratch
// Time:     constant; depends on n
// Cycles:   5n/2 + 4(n/512) + 24, n a multiple of 4; the quotient rounded down
        .global zuc_eia3_update
zuc_eia3_update:
        vtoar   ar6, m1[zuc_length], 7
        mov     v0, m1[zuc_iv]
        windows_begin
        windows_rows
        mov     m1[windows_next], v2
        mov     m1[zuc_iv], v0
        halt

// zuc_eia3: the MAC of a message that ends with n words and up to 31 bits. The window at its length is the last but one
// term of the MAC, the last keystream word the last.
//
// Inputs:   c0, windows_next, zuc_length, zuc_iv = T; t0, t1; M in m2 from row 0
// Outputs:  the MAC of 32 bits in m3 row 0
// Clobbers: v0-v5, v7, c0, ar0-ar7
// Memory:   m0 (windows_z) is scratch
// Time:     constant; depends on n and on the bits after them
// Cycles:   5n/2 + 4(n/512) + 56, n a multiple of 4; the quotient rounded down
        .global zuc_eia3
zuc_eia3:
        vtoar   ar6, m1[zuc_length], 7
        vtoar   ar4, m1[zuc_length], 6
        vtoar   ar7, m1[zuc_length], 5
        mov     v0, m1[zuc_iv]
        windows_begin
        windows_rows
        windows_end zuc
        windows_row v5
        aradd   ar1, ar2, -8
        repeat  ar3, .L_mask
        aradd   ar1, ar1, 4
.L_mask:
        rotx    v0, v0, m0[ar1], 63             // the last keystream word
        and     m3[0], v0, m1[eia3_word]
        halt
