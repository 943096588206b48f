// ChaCha20 (RFC 8439 2.3, 2.4), and its original form with a counter of 64 bits: two blocks at a time.

        .include "blocks.inc"

        .section text

// chacha20, chacha20_original: C[i] = P[i] ^ block(key, counter + i, nonce), n blocks; the last one may be incomplete.
// The counter is the first 32 bits of chacha20_iv, of the original form the first 64; no carry leaves it.
//
// Inputs:   chacha20_key, chacha20_length, chacha20_iv = counter (little-endian), nonce; P in m2 from row 0
// Outputs:  C in m3 from row 0, whole blocks; chacha20_iv = counter after the last block, nonce; of an odd number of
//           blocks, zeros in m3 after them
// Clobbers: v0-v7, ctr, ar0-ar3, ar5, ar6
// Memory:   chacha20_words, chacha20_counters
// Time:     constant; depends on n, and on whether the last block is incomplete
// Cycles:   92n + 34, even n
        .macro  chacha20_job width
        vtoar   blocks, m1[chacha20_length], 7
        vtoar   part, m1[chacha20_length], 6
        chacha20_blocks \width
        halt
        .endm

        .global chacha20, chacha20_original
chacha20:
        chacha20_job 32
chacha20_original:
        chacha20_job 64
