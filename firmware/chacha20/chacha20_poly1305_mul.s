// ChaCha20-Poly1305 (RFC 8439 2.8), one message, on the multiplier: its steps for two blocks are part of the rounds of
// the next two blocks, so Poly1305 adds only eight cycles per pair of blocks.
//
// Calling convention: firmware/README.md. Order of a message: start; absorb for jobs of associated data that are not
// the last, absorb_last for the last one, which may be empty; encrypt or decrypt in any number of jobs; then tag or
// verify. From job to job chacha20_iv has the counter, and memory the accumulator of Poly1305.

        .include "message.inc"
        .include "poly1305_mul.inc"

        .section text

        .alias  c_row, ar4              // next row of C for Poly1305
        .alias  turned, v1

// `step` with parallel steps of the multiplier: in the first state and in the second where these are 1.
        .macro  two_steps x, z, w, n, first, second
        arx     {\x\()x, \w\()x}, \x\()x, \z\()x, \w\()x, \n, \first
        arx     {\x\()y, \w\()y}, \x\()y, \z\()y, \w\()y, \n, \second
        .endm

// The rounds of two blocks, and eight blocks of Poly1305 from `c_row` on. Of the 80 steps of a quarter round nine go
// with each block, whose 17 steps of the multiplier come from the second `arx` after it on: the first one would wait.
// Blocks begin with step 4, some cycles after the last rows of the two blocks before were stored.
        .macro  chacha20_mix_poly1305 space
        .rept   80
        mix_poly1305 \space, \+, \+ % 8, (\+ + 5) % 9, \+ >= 4 && \+ < 76
        .endr
        .endm

        .macro  mix_poly1305 space, at, place, of_nine, inside
        .if     \inside && (\of_nine) == 0
        gpadd   \space[c_row++]
        .endif
        .if     \at == 0
        arx     {ax, dx}, m0[chacha20_sigma], bx, dx, 16 + turn2
        arx     {ay, dy}, m0[chacha20_sigma], by, dy, 16 + turn2
        .elseif \at == 1
        arx     {cx, bx}, m0[chacha20_words + 16], dx, bx, 12
        arx     {cy, by}, m0[chacha20_words + 16], dy, by, 12
        .elseif \place % 4 == 0
        two_steps a, b, d, 16 + turn2, \inside && (\of_nine) > 0, \inside
        .elseif \place % 4 == 1
        two_steps c, d, b, 12, \inside && (\of_nine) > 0, \inside
        .elseif \place == 2
        two_steps a, b, d, 8 + turn_sum + turn3, \inside && (\of_nine) > 0, \inside
        .elseif \place == 3
        two_steps c, d, b, 7 + turn_sum + turn1, \inside && (\of_nine) > 0, \inside
        .elseif \place == 6
        two_steps a, b, d, 8 + turn_sum + turn1, \inside && (\of_nine) > 0, \inside
        .else
        two_steps c, d, b, 7 + turn_sum + turn3, \inside && (\of_nine) > 0, \inside
        .endif
        .endm

// Two blocks; calls keep nothing.
.L_pair:
        chacha20_enter
        chacha20_mix
        chacha20_leave
        ret

// chacha20_poly1305_start_mul: a new message: r and s, which are the first bytes of block 0 (RFC 8439 2.6).
//
// Inputs:   chacha20_key; the nonce of 12 bytes in m2 row 0
// Outputs:  chacha20_iv = block 1, nonce; poly1305_sum, poly1305_r, poly1305_s; zeros in m3 rows 0 to 7
// Clobbers: v0-v7, ctr, ar0-ar3, ar5, ar6
// Memory:   chacha20_words, chacha20_counters, m2
// Time:     constant
// Cycles:   249
        .macro  one_block
        chacha20_setup 32
        call    .L_pair
        chacha20_finish
        .endm
        .global chacha20_poly1305_start_mul
chacha20_poly1305_start_mul:
        chacha20_poly1305_begin one_block

// chacha20_poly1305_absorb_mul, chacha20_poly1305_absorb_last_mul: associated data, n units of 64 bytes and some bytes.
//
// Inputs:   poly1305_sum, poly1305_r, chacha20_length; data in m2 from row 0
// Outputs:  poly1305_sum
// Clobbers: v0-v3, ar0, ar2, ar4, ar6
// Memory:   m2
// Time:     constant; depends on n and on the number of bytes
// Cycles:   76n + 46
        .global chacha20_poly1305_absorb_mul, chacha20_poly1305_absorb_last_mul
chacha20_poly1305_absorb_mul:
chacha20_poly1305_absorb_last_mul:
        poly1305_filled_rows m2
        poly1305_load
        poly1305_blocks m2
        poly1305_store
        halt

// chacha20_poly1305_encrypt_mul, chacha20_poly1305_decrypt_mul: C or P by ChaCha20, and C into the accumulator: n units
// of 64 bytes and some bytes.
//
// Inputs:   chacha20_key, chacha20_iv, poly1305_sum, poly1305_r, chacha20_length; P or C in m2 from row 0
// Outputs:  C or P in m3 from row 0; chacha20_iv, poly1305_sum
// Clobbers: v0-v7, ctr, ar0-ar6
// Memory:   chacha20_words, chacha20_counters, m2
// Time:     constant; depends on n and on the number of bytes
// Cycles:   191n/2 + 233, even n from 4
        .macro  chacha20_poly1305_job space
        vtoar   blocks, m1[chacha20_length], 7
        vtoar   part, m1[chacha20_length], 6
        chacha20_setup 32
        bz      blocks, .L_none\@
        call    .L_pair
        poly1305_load
        arset   c_row, 0
        aradd   blocks, blocks, -1
        repeat  blocks, .L_pairs\@
        chacha20_enter
        chacha20_mix_poly1305 \space
        chacha20_leave
.L_pairs\@:
        chacha20_finish
        aradd   out, c_row, 0
        poly1305_filled_rows \space
        aradd   in_row, out, 0                  // one to eight rows are left, of the last two blocks
        aradd   blocks, blocks, -1
        arand   blocks, blocks, 7
        aradd   blocks, blocks, 1
        poly1305_blocks \space
        poly1305_store
.L_none\@:
        halt
        .endm

        .global chacha20_poly1305_encrypt_mul, chacha20_poly1305_decrypt_mul
chacha20_poly1305_encrypt_mul:
        chacha20_poly1305_job m3
chacha20_poly1305_decrypt_mul:
        chacha20_poly1305_job m2

// The end, with the tag in `tag`. The last block has the two lengths in bytes, m2[0] has them in bits.
        .macro  chacha20_poly1305_end
        shrx64  nonce, m2[0], zero, 3
        poly1305_load
        mov     turned, m1[poly1305_lengths]
        perm    nonce, nonce, turned
        gpadd   nonce
        poly1305_steps
        poly1305_tag
        .endm

// chacha20_poly1305_tag_mul: the tag.
//
// Inputs:   poly1305_sum, poly1305_r, poly1305_s; in m2 row 0 the bits of associated data and of text
// Outputs:  the tag of 128 bits in m3 row 0
// Clobbers: v0-v4
// Time:     constant
// Cycles:   75
        .global chacha20_poly1305_tag_mul
chacha20_poly1305_tag_mul:
        chacha20_poly1305_end
        mov     m3[0], tag
        halt

// chacha20_poly1305_verify_mul: whether a tag is the right one.
//
// Inputs:   as for the tag; the tag in m2 row 1, ones in its bits in m2 row 2
// Outputs:  m3 row 0: ones if it is right, else zero
// Clobbers: v0-v4
// Time:     constant, whether it is right or wrong
// Cycles:   86
        .global chacha20_poly1305_verify_mul
chacha20_poly1305_verify_mul:
        chacha20_poly1305_end
        aead_compare poly1305
