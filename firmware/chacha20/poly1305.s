// Poly1305 (RFC 8439 2.5) of one message under a one-time key.
//
// Calling convention: firmware/README.md. The IV row is not used.

        .include "memory.inc"
        .include "poly1305.inc"

        .section text

        .alias  tag, v4

.L_poly1305:
        poly1305_blocks m2
        ret

// poly1305_start: a new message, by its key r, s.
//
// Inputs:   chacha20_key = r, s
// Outputs:  t0, t1; poly1305_accumulator, poly1305_s
// Clobbers: v0-v5, ar0, ar1
// Time:     constant
// Cycles:   702
        .global poly1305_start
poly1305_start:
        poly1305_begin m1[chacha20_key], m1[chacha20_key + 16]
        halt

// poly1305_update: n units of 64 bytes of a message that goes on.
//
// Inputs:   poly1305_accumulator, chacha20_length; the message in m2 from row 0
// Outputs:  poly1305_accumulator
// Clobbers: v0-v7, ar0-ar2, ar4, ar6
// Memory:   poly1305_sums, poly1305_product
// Time:     constant; depends on n
// Cycles:   360n + 36
        .global poly1305_update
poly1305_update:
        poly1305_rows
        arset   in_row, 0
        call    .L_poly1305
        halt

// poly1305: the tag, after the last n units of 64 bytes and some bytes.
//
// Inputs:   poly1305_accumulator, poly1305_s, chacha20_length; the message in m2 from row 0
// Outputs:  the tag in m3 row 0
// Clobbers: v0-v7, ar0-ar2, ar4, ar6
// Memory:   poly1305_accumulator, poly1305_sums, poly1305_product, m2
// Time:     constant; depends on n and on the number of bytes
// Cycles:   360n + 71
        .global poly1305
poly1305:
        poly1305_rows
        arset   in_row, 0
        call    .L_poly1305
        bz      rest, .L_whole
        poly1305_mask
        and     kept, kept, m2[end_row]
        xor     m2[end_row], kept, end_bit
        sub128  high, high, m1[poly1305_one]    // which a shorter block does not have
        mov     m1[poly1305_accumulator], high
        aradd   in_row, end_row, 0
        arset   rows, 1
        call    .L_poly1305
.L_whole:
        poly1305_tag
        mov     m3[0], tag
        halt
