// E0 (Bluetooth Core Specification, volume 2, part H, 4), bit-sliced: bit i of a row belongs to packet i of 128 packets
// under one key.
//
// Calling convention: firmware/README.md.

        .include "../common/transpose.inc"
        .include "memory.inc"
        .include "registers.inc"
        .include "blend.inc"
        .include "transposition.inc"
        .include "loading.inc"

        .section text

// e0_start: loads the key, 128 addresses and clocks; 201 symbols, of which the last 128 become the state.
//
// Inputs:   e0_key, e0_iv
// Outputs:  e0_blend, e0_ring0, e0_ring1, e0_ring2, e0_ring3
// Clobbers: v0-v7, ctr, wk, ar0-ar7
// Memory:   t0, m3 up to row 127, e0_rows
// Time:     constant
// Cycles:   11705

        .alias  unit, v1                // one in all bytes
        .alias  turn, v0
        .alias  last_sum, v4

        .global e0_start
e0_start:
        mov     turn, m0[e0_turns]
        mov     unit, m0[e0_one]
        arset   from, e0_iv
        arstep  from, 10
        arset   row, 16 * 7
        repeat  16, .L_packets
        repeat  8, .L_eight_packets
        perm    t0[row--], m0[from+=s], turn
.L_eight_packets:
        add8    turn, turn, unit
        aradd   row, row, 16 * 16
.L_packets:
        call    e0_transpose
        mov     key, m0[e0_key]
        e0_clear
        e0_bits 9, 0, 1
        call    e0_key_bytes
        e0_bits 7, 0, 8
        e0_bits 2, 0, 8
        e0_feed 26, 10, 8, 12, 20, 25, m0, m1
        rotx    key, key, zero, 8
        e0_clear
        mov     m3[row++], m0[e0_all]
        arset   row, 16 * 4
        e0_bits 6, 0, 4
        call    e0_key_bytes
        e0_bits 0, 0, 8
        e0_bits 3, 0, 8
        e0_feed 32, 8, 12, 16, 24, 31, m1, m0
        rotx    key, key, zero, 8
        e0_clear
        e0_bits 9, 1, 1
        call    e0_key_bytes
        e0_bits 8, 0, 8
        e0_bits 4, 0, 8
        e0_feed 34, 8, 4, 24, 28, 33, m2, m3
        rotx    key, key, zero, 8
        e0_clear
        mov     turn, m0[e0_all]
        mov     m3[row++], turn
        mov     m3[row++], turn
        mov     m3[row++], turn
        e0_bits 6, 4, 4
        call    e0_key_bytes
        e0_bits 1, 0, 8
        e0_bits 5, 0, 8
        e0_feed 40, 6, 4, 28, 36, 39, m3, m2
        mov     m0[e0_blend], zero
        mov     m0[e0_blend + 16], zero
        mov     m0[e0_blend + 32], zero
        mov     m0[e0_blend + 48], zero
        e0_rings
        arset   row, 0
        arset   tap_row, ring + 16 * 40         // symbols from when 39 bits are in
        arset   eights, 3
        call    e0_unturned
        arset   tap_row, ring + 16 * 64
        arset   first_row, ring + 16 * 64
        call    e0_clocks
        arset   eights, 8
        call    e0_unturned
        arset   tap_row, end
        arset   first_row, ring
        call    e0_clocks
        arset   eights, 8
        call    e0_unturned
        arset   tap_row, ring + 16 * 64
        arset   first_row, ring + 16 * 64
        call    e0_clocks
        arset   eights, 6
        call    e0_unturned
        xor     last_sum, turn, ctr             // symbol 201; the blend stays
        xor     last_sum, last_sum, m1[tap_b]
        xor     last_sum, last_sum, m2[tap_c]
        xor     t0[row++], last_sum, m3[tap_d]
        mov     turn, m0[e0_dropped]
        mov     unit, m0[e0_one]
        arset   from, e0_rows
        repeat  128, .L_symbols
        tbl0    m1[from++], turn
        add8    turn, turn, unit
.L_symbols:
        arset   row, end - 16
        e0_load e0_byte1, 0                     // Z0, Z4, Z8, bit 0 of Z12
        e0_load e0_byte1, 32
        e0_load e0_byte1, 64
        e0_load e0_byte1, 96
        arset   row, end - 16
        e0_load e0_byte2, 8                     // Z1, Z5, Z9, the other bits of Z12
        e0_load e0_byte2, 40
        e0_load e0_byte2, 72
        e0_load e0_byte2, 97
        arset   row, end - 16
        e0_load e0_byte3, 16                    // Z2, Z6, Z10, Z13, bit 0 of Z15
        e0_load e0_byte3, 48
        e0_load e0_byte3, 80
        e0_load e0_byte3, 104
        e0_load e0_byte3, 120
        arset   row, end - 16
        e0_load e0_byte4, 24                    // Z3, Z7, Z11, Z14, the other bits of Z15
        e0_load e0_byte4, 56
        e0_load e0_byte4, 88
        e0_load e0_byte4, 112
        e0_load e0_byte4, 121
        halt

e0_unturned:
        arset   turns, e0_turns
        arstep  turns, 0
        jmp     e0_blend_bits

// e0: C = P ^ keystream, n blocks: one of each of 128 packets, or none.
//
// Inputs:   e0_blend, e0_ring0, e0_ring1, e0_ring2, e0_ring3, e0_length; P in m2 from row 0
// Outputs:  C in m3 from row 0; e0_blend, e0_ring0, e0_ring1, e0_ring2, e0_ring3
// Clobbers: v0-v7, ctr, wk, ar0-ar7
// Memory:   t0, e0_rows
// Time:     constant; depends on n, 0 or 128
// Cycles:   6158n/128 + 12, n a multiple of 128

        .alias  in, ar0
        .alias  out, ar1

        .global e0
e0:
        vtoar   eights, m0[e0_length], 4
        bz      eights, .L_none
        e0_rings
        arset   out, 0
        arset   tap_row, end
        arset   first_row, ring
        call    e0_clocks
        arset   turns, e0_turns
        arset   eights, 8
        call    e0_blend_bits
        arset   tap_row, ring + 16 * 64
        arset   first_row, ring + 16 * 64
        call    e0_clocks
        arset   turns, e0_turns + 16 * 8
        arset   eights, 8
        call    e0_blend_bits
        call    e0_transpose
        arset   in, 0
        arset   out, 0
        xor_text m1, e0_rows
.L_none:
        halt
