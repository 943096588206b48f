// AES-128 (FIPS 197) in counter mode (SP 800-38A 6.5): C[i] = P[i] ^ E(counter + i), five cycles per block.
//
// A block is ten rounds, two per instruction, so five instructions. Nothing else takes an issue slot: the first
// instruction of a block takes the counter, increments it and adds round key 0; the last one adds the plaintext and
// stores the ciphertext. A result is ready two slots after its instruction, so two blocks are interleaved.
//
// Calling convention: firmware/README.md. Labels: memory.inc. The other routines of this image: aes.s.

        .global aes_iv, aes_length, aes_wk, aes_ones

        .section text

// aes128_ctr: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more, either direction.
//
// Inputs:   round keys of encryption in m0 and m1, aes_wk = round key 0, aes_length, aes_iv = first counter block; the
//           S-box in t0 and t1; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bytes; aes_iv = next counter block
// Clobbers: v0-v2, ctr, wk, ar0, ar1, ar4-ar6
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   5n + 23, even n

        .alias  even, v0                // the two blocks in progress
        .alias  odd, v1
        .alias  key0, wk                // round key 0
        .alias  in, ar0                 // next row of P in m2
        .alias  out, ar1                // next row of C in m3
        .alias  pairs, ar5              // pairs of blocks to do
        .alias  blocks, ar6             // blocks to do, then 1 for a block left over
        .alias  bytes, ar4              // bytes of a last block
        .alias  kept, v1                // ones in these bytes
        .alias  ones, v2

keys_1_2  = 0x00                        // rows of m0 and m1: the keys of rounds 1 and 2, 3 and 4, ..
keys_3_4  = 0x10
keys_5_6  = 0x20
keys_7_8  = 0x30
keys_9_10 = 0x40

        .global aes128_ctr
aes128_ctr:

// Load the job's parameters. The counter continues from the previous job.
        mov     ctr, m1[aes_iv]
        vtoar   bytes, m1[aes_length], 6
        vtoar   blocks, m1[aes_length], 7
        mov     key0, m0[aes_wk]
        arset   in, 0
        arset   out, 0
        ctrw    128

// n = 2 * pairs + blocks.
        arshr   pairs, blocks, 1
        arand   blocks, blocks, 1

// Each turn stores two rows of C. Ten instructions, none of which waits.
        repeat  pairs, .L_pairs
        aesenc2 even, ctr++ ^ key0, m0:m1[keys_1_2]
        aesenc2 odd, ctr++ ^ key0, m0:m1[keys_1_2]
        aesenc2 even, even, m0:m1[keys_3_4]
        aesenc2 odd, odd, m0:m1[keys_3_4]
        aesenc2 even, even, m0:m1[keys_5_6]
        aesenc2 odd, odd, m0:m1[keys_5_6]
        aesenc2 even, even, m0:m1[keys_7_8]
        aesenc2 odd, odd, m0:m1[keys_7_8]
        aesenc2l m3[out++], even, m0:m1[keys_9_10], m2[in++]
        aesenc2l m3[out++], odd, m0:m1[keys_9_10], m2[in++]
.L_pairs:

// The last block of an odd n. It runs alone, so it waits every other cycle.
        bz      blocks, .L_bytes
        aesenc2 even, ctr++ ^ key0, m0:m1[keys_1_2]
        aesenc2 even, even, m0:m1[keys_3_4]
        aesenc2 even, even, m0:m1[keys_5_6]
        aesenc2 even, even, m0:m1[keys_7_8]
        aesenc2l m3[out++], even, m0:m1[keys_9_10], m2[in++]

// The bytes after the last block. After j turns the first j bytes of `kept` are ones, the others zeros.
.L_bytes:
        bz      bytes, .L_done
        aesenc2 even, ctr++ ^ key0, m0:m1[keys_1_2]
        mov     ones, m1[aes_ones]
        mov     kept, zero
        aesenc2 even, even, m0:m1[keys_3_4]
        aesenc2 even, even, m0:m1[keys_5_6]
        aesenc2 even, even, m0:m1[keys_7_8]
        aesenc2l even, even, m0:m1[keys_9_10], m2[in++]
        repeat  bytes, .L_kept
        align   kept, ones, kept, 15
.L_kept:
        and     m3[out++], even, kept

// The next job of the message begins with the next counter block.
.L_done:
        mov     m1[aes_iv], ctr
        halt
