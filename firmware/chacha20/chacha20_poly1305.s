// ChaCha20-Poly1305 (RFC 8439 2.8), one message.
//
// Calling convention: firmware/README.md. Order of a message: start; absorb for jobs of associated data that are not
// the last, absorb_last for the last one, which may be empty; encrypt or decrypt in any number of jobs; then tag or
// verify. From job to job chacha20_iv has the counter, and memory the accumulator of Poly1305, whose multiples of r
// stay in the tables.

        .include "message.inc"
        .include "poly1305.inc"

        .section text

// Keystream blocks, and blocks of the message; calls keep nothing.
.L_chacha20:
        chacha20_blocks 32
        ret
.L_poly1305:
        poly1305_blocks m2
        ret

// chacha20_poly1305_start: a new message: r and s, which are the first bytes of block 0 (RFC 8439 2.6), and the
// multiples of r.
//
// Inputs:   chacha20_key; the nonce of 12 bytes in m2 row 0
// Outputs:  chacha20_iv = block 1, nonce; t0, t1; poly1305_accumulator, poly1305_s; zeros in m3 rows 0 to 7
// Clobbers: v0-v7, ctr, ar0-ar3, ar5, ar6
// Memory:   chacha20_words, chacha20_counters, m2
// Time:     constant
// Cycles:   934
        .macro  one_block
        call    .L_chacha20
        .endm
        .global chacha20_poly1305_start
chacha20_poly1305_start:
        chacha20_poly1305_begin one_block

// chacha20_poly1305_absorb, chacha20_poly1305_absorb_last: associated data, n units of 64 bytes and some bytes.
//
// Inputs:   poly1305_accumulator, chacha20_length; data in m2 from row 0
// Outputs:  poly1305_accumulator
// Clobbers: v0-v7, ar0-ar2, ar4, ar6
// Memory:   poly1305_sums, poly1305_product, m2
// Time:     constant; depends on n and on the number of bytes
// Cycles:   360n + 38
        .global chacha20_poly1305_absorb, chacha20_poly1305_absorb_last
chacha20_poly1305_absorb:
chacha20_poly1305_absorb_last:
        poly1305_filled_rows m2
        call    .L_poly1305
        halt

// chacha20_poly1305_encrypt, chacha20_poly1305_decrypt: C or P by ChaCha20, and C into the accumulator: n units of 64
// bytes and some bytes.
//
// Inputs:   chacha20_key, chacha20_iv, poly1305_accumulator, chacha20_length; P or C in m2 from row 0
// Outputs:  C or P in m3 from row 0; chacha20_iv, poly1305_accumulator
// Clobbers: v0-v7, ctr, ar0-ar6
// Memory:   chacha20_words, chacha20_counters, poly1305_sums, poly1305_product, m2
// Time:     constant; depends on n and on the number of bytes
// Cycles:   452n + 67 (encrypt), 452n + 71 (decrypt), even n
        .global chacha20_poly1305_encrypt, chacha20_poly1305_decrypt
chacha20_poly1305_encrypt:
        vtoar   blocks, m1[chacha20_length], 7
        vtoar   part, m1[chacha20_length], 6
        call    .L_chacha20
        poly1305_filled_rows m3
        poly1305_blocks m3
        halt
chacha20_poly1305_decrypt:
        poly1305_filled_rows m2
        call    .L_poly1305
        vtoar   blocks, m1[chacha20_length], 7
        vtoar   part, m1[chacha20_length], 6
        call    .L_chacha20
        halt

// The end, with the tag in `tag`. The last block has the two lengths in bytes, m2[0] has them in bits.
        .macro  chacha20_poly1305_end
        shrx64  nonce, m2[0], zero, 3
        perm    m2[0], nonce, m1[poly1305_lengths]
        arset   in_row, 0
        arset   blocks, 1
        call    .L_poly1305
        poly1305_tag
        .endm

// chacha20_poly1305_tag: the tag.
//
// Inputs:   poly1305_accumulator, poly1305_s; in m2 row 0 the bits of associated data and of text
// Outputs:  the tag of 128 bits in m3 row 0
// Clobbers: v0-v7, ar0, ar1, ar6
// Memory:   poly1305_accumulator, poly1305_sums, poly1305_product, m2
// Time:     constant
// Cycles:   152
        .global chacha20_poly1305_tag
chacha20_poly1305_tag:
        chacha20_poly1305_end
        mov     m3[0], tag
        halt

// chacha20_poly1305_verify: whether a tag is the right one.
//
// Inputs:   as for the tag; the tag in m2 row 1, ones in its bits in m2 row 2
// Outputs:  m3 row 0: ones if it is right, else zero
// Clobbers: v0-v7, ar0, ar1, ar6
// Memory:   poly1305_accumulator, poly1305_sums, poly1305_product, m2
// Time:     constant, whether it is right or wrong
// Cycles:   163
        .global chacha20_poly1305_verify
chacha20_poly1305_verify:
        chacha20_poly1305_end
        aead_compare poly1305
