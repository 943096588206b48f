// SNOW 1.0 (Ekdahl, Johansson; NESSIE, 2000), four streams, each with its own key and, in IV mode, its own IV.
// Words of data belong to the streams in rotation.
//
// Calling convention: firmware/README.md.

        .section m0
        .org    0x000
        .global snow1_x4_key, snow1_x4_iv
snow1_x4_key:                           // parameter: four keys
        .zero   128
snow1_x4_iv:                            // parameter: IV2 || IV1 of each stream
        .zero   32
        .include "constants.inc"

        .section m1
snow1_lanes:                            // the LFSR
        .zero   16 * 17
snow1_x4_registers:                     // between jobs: R1, R2
        .zero   32
snow1_ivs:                              // scratch: all IV2, all IV1
        .zero   16 * 3

        .include "machine.inc"

        .alias  rows, ar6               // rows of each stream

        .macro  save
        mov     m1[snow1_x4_registers], r1_now
        mov     m1[snow1_x4_registers + 16], lanes_r2
        halt
        .endm

// snow1_x4_128_start, snow1_x4_256_start: initialisation with four keys, in standard mode.
//
// Inputs:   snow1_x4_key; t1
// Outputs:  snow1_lanes, snow1_x4_registers
// Clobbers: v0-v7, ctr, wk, ar0, ar2-ar4
// Time:     constant
// Cycles:   741 (128), 793 (256)
        .global snow1_x4_128_start
snow1_x4_128_start:
        load    4, snow1_x4_key, 16
        mix     64
        save
        .global snow1_x4_256_start
snow1_x4_256_start:
        load    8, snow1_x4_key, 32
        mix     64
        save

// snow1_x4_128_iv_start, snow1_x4_256_iv_start: initialisation with four keys and IVs, in IV mode.
//
// Inputs:   snow1_x4_key, snow1_x4_iv; t1
// Outputs:  snow1_lanes, snow1_x4_registers
// Clobbers: v0-v7, ctr, wk, ar0, ar2-ar4
// Memory:   snow1_ivs
// Time:     constant
// Cycles:   452 (128), 504 (256)
        .global snow1_x4_128_iv_start
snow1_x4_128_iv_start:
        load    4, snow1_x4_key, 16
        add_ivs snow1_x4_iv, 8
        mix     32
        save
        .global snow1_x4_256_iv_start
snow1_x4_256_iv_start:
        load    8, snow1_x4_key, 32
        add_ivs snow1_x4_iv, 8
        mix     32
        save

// snow1_x4: C = P ^ z, n words, of the four streams in rotation, either direction.
//
// Inputs:   snow1_lanes, snow1_x4_registers, snow1_length; t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, four rows at a time; snow1_lanes, snow1_x4_registers
// Clobbers: v0-v7, ctr, wk, ar0-ar4, ar6
// Time:     constant; depends on n
// Cycles:   5n/2 + 32, n a multiple of 16
        .global snow1_x4
snow1_x4:
        vtoar   rows, m0[snow1_length], 4
        lanes
        mov     r1_now, m1[snow1_x4_registers]
        mov     lanes_r2, m1[snow1_x4_registers + 16]
        arset   text_in, 0
        arset   text_out, 0
        aradd   rows, rows, 3
        arshr   rows, rows, 2
        repeat  rows, .L_rows
        clocks  0
.L_rows:
        save
