// AES-128 (FIPS 197) in counter mode (SP 800-38A 6.5): C[i] = P[i] ^ E(counter + i), five cycles per block.
//
// A block is ten rounds, two per instruction, so five instructions. Nothing else takes an issue slot: the first
// instruction of a block takes the counter, increments it and adds round key 0; the last one adds the plaintext and
// stores the ciphertext. A result is ready two slots after its instruction, so two blocks are interleaved.
//
// Calling convention: firmware/README.md. Labels: memory.inc. The other routines of this image: aes.s.

        .global aes_iv, aes_length, aes_wk, aes_ones

        .section text

// Rows of m0 and m1 with the keys of rounds 1 and 2, 3 and 4, ..
round_1_2  = 0x00
round_3_4  = 0x10
round_5_6  = 0x20
round_7_8  = 0x30
round_9_10 = 0x40

// aes128_ctr: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more, either direction.
//
// Inputs:   round keys of encryption in m0 and m1, aes_wk = round key 0, aes_length, aes_iv = first counter block; the
//           S-box in t0 and t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bytes; aes_iv = next counter block
// Clobbers: v0-v2, ctr, wk, ar0, ar1, ar4-ar6
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   5n + 22, even n
//
// Registers: v0, v1  two blocks; of a last block v1 marks the bytes that count, v2 is all ones
//            ctr     counter block, 128 bits wide; wk = round key 0
//            ar0     next row of P in m2; ar1 next row of C in m3
//            ar4     bytes of a last block; ar5 pairs of blocks; ar6 blocks

        .global aes128_ctr
aes128_ctr:

// ar6 = n, ar4 = bytes after them. The counter goes on from the job before.
        mov     ctr, m1[aes_iv]
        vtoar   ar4, m1[aes_length], 6
        vtoar   ar6, m1[aes_length], 7
        mov     wk, m0[aes_wk]
        arset   ar0, 0
        arset   ar1, 0
        ctrw    128

// n = 2 ar5 + ar6.
        arshr   ar5, ar6, 1
        arand   ar6, ar6, 1

// After each turn two more rows of C are stored, ctr, ar0 and ar1 are two further. Ten instructions, none of which
// waits.
        repeat  ar5, .L_pairs
        aesenc2 v0, ctr++ ^ wk, m0:m1[round_1_2]
        aesenc2 v1, ctr++ ^ wk, m0:m1[round_1_2]
        aesenc2 v0, v0, m0:m1[round_3_4]
        aesenc2 v1, v1, m0:m1[round_3_4]
        aesenc2 v0, v0, m0:m1[round_5_6]
        aesenc2 v1, v1, m0:m1[round_5_6]
        aesenc2 v0, v0, m0:m1[round_7_8]
        aesenc2 v1, v1, m0:m1[round_7_8]
        aesenc2l m3[ar1++], v0, m0:m1[round_9_10], m2[ar0++]
        aesenc2l m3[ar1++], v1, m0:m1[round_9_10], m2[ar0++]
.L_pairs:

// The block of an odd n: alone, so it waits every other cycle.
        bz      ar6, .L_partial
        aesenc2 v0, ctr++ ^ wk, m0:m1[round_1_2]
        aesenc2 v0, v0, m0:m1[round_3_4]
        aesenc2 v0, v0, m0:m1[round_5_6]
        aesenc2 v0, v0, m0:m1[round_7_8]
        aesenc2l m3[ar1++], v0, m0:m1[round_9_10], m2[ar0++]

// The bytes of a last block. After j turns v1 = ones in the first j bytes, zeros in the others.
.L_partial:
        bz      ar4, .L_done
        aesenc2 v0, ctr++ ^ wk, m0:m1[round_1_2]
        mov     v2, m1[aes_ones]
        mov     v1, zero
        aesenc2 v0, v0, m0:m1[round_3_4]
        aesenc2 v0, v0, m0:m1[round_5_6]
        aesenc2 v0, v0, m0:m1[round_7_8]
        aesenc2l v0, v0, m0:m1[round_9_10], m2[ar0++]
        repeat  ar4, .L_mask
        align   v1, v2, v1, 15
.L_mask:
        and     m3[ar1++], v0, v1

// The next job of the message begins with the next counter block.
.L_done:
        mov     m1[aes_iv], ctr
        halt
