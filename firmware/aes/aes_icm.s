// AES (FIPS 197), two rounds per instruction: integer counter mode. The counter is a sum modulo 2^128 of an offset,
// which is the second part of the key, and of the index of the block, which begins with that of its segment.
//
// Calling convention: firmware/README.md.

        .include "block.inc"
        .include "../common/modes.inc"

        .section m0
        .zero   16                      // the end of aes_key: the offset after a key of 256 bits

        .section text

        .alias  offset, v4

        tables  aes
        key_family aes, icm_key, aes_key

// aes{bits}_icm: C[i] = P[i] ^ E(offset + index + i), n blocks and up to 15 bytes more, either direction.
//
// Inputs:   round keys of encryption, the offset after the key in aes_key, aes_length, aes_iv = index of the first
//           block; t0, t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bytes; aes_iv = index of the next block
// Clobbers: v0, v2, v4, v6, v7, ctr, wk, ar0, ar1, ar4-ar6
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   bn + 25, even n
        .macro  icm bits
        .global aes\bits\()_icm
aes\bits\()_icm:
        arset   in, aes_key + \bits / 8         // not a row where the key has 192 bits
        vtoar   bytes, m1[aes_length], 6
        mov     offset, m0[in]
        add128  ctr, offset, m1[aes_iv]
        mode_job aes
        mode_ctr_blocks aes, aes\bits\()_steps, 128
        sub128  m1[aes_iv], ctr, offset
        halt
        .endm
        icm     128
        icm     192
        icm     256
