// Poly1305 (RFC 8439 2.5) of one message under a one-time key, on the multiplier.
//
// Calling convention: firmware/README.md. The IV row is not used.

        .include "memory.inc"
        .include "poly1305_mul.inc"

        .section text

        .alias  tag, v4

// poly1305_start_mul: a new message, by its key r, s.
//
// Inputs:   chacha20_key = r, s
// Outputs:  poly1305_sum, poly1305_r, poly1305_s
// Clobbers: v1-v3
// Time:     constant
// Cycles:   16
        .global poly1305_start_mul
poly1305_start_mul:
        poly1305_begin m1[chacha20_key], m1[chacha20_key + 16]
        halt

// poly1305_update_mul: n units of 64 bytes of a message that goes on.
//
// Inputs:   poly1305_sum, poly1305_r, chacha20_length; the message in m2 from row 0
// Outputs:  poly1305_sum
// Clobbers: v0-v2, ar0, ar2, ar4, ar6
// Time:     constant; depends on n
// Cycles:   76n + 44
        .global poly1305_update_mul
poly1305_update_mul:
        poly1305_rows
        arset   in_row, 0
        poly1305_load
        poly1305_blocks m2
        poly1305_store
        halt

// poly1305_mul: the tag, after the last n units of 64 bytes and some bytes.
//
// Inputs:   poly1305_sum, poly1305_r, poly1305_s, chacha20_length; the message in m2 from row 0
// Outputs:  the tag in m3 row 0
// Clobbers: v0-v4, ar0, ar2, ar4, ar6
// Memory:   m2
// Time:     constant; depends on n and on the number of bytes
// Cycles:   76n + 69
        .global poly1305_mul
poly1305_mul:
        poly1305_rows
        arset   in_row, 0
        poly1305_load
        poly1305_blocks m2
        bz      rest, .L_whole
        poly1305_mask
        and     kept, kept, m2[end_row]
        gplast  kept ^ end_bit                  // the one that ends a shorter block is in the row
        poly1305_steps
.L_whole:
        poly1305_tag
        mov     m3[0], tag
        halt
