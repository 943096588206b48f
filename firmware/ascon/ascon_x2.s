// Ascon-AEAD128 (SP 800-232 4), two interleaved messages of one key, in whole blocks.
//
// Calling convention: firmware/README.md; the order of a message as in ascon.s. A word of the first message is in the
// first half of a register, the same word of the second one in the other half.

        .include "permutation.inc"

        .alias  words1, v6              // second words of two rows, that of the second message first
        .alias  words0, v7              // first words
        .alias  row1, v5                // rows of the two messages
        .alias  row0, v6

// Rows of the two messages are taken apart with control vectors in wk and ctr.
        .macro  ascon_pair_controls
        mov     wk, m0[ascon_turned]
        mov     ctr, m0[ascon_swapped]
        .endm

// words0 = the first words of two rows, words1 = their second words, that of the second message first.
        .macro  ascon_pair first=m2[in++], second=m2[in++]
        perm    row1, \first, ctr
        perm    words1, \second, wk
        align   words0, row1, words1, 8
        align   words1, words1, row1, 8
        .endm

        .alias  swapped, v7

// row1, row0 = the two rows of the words in a and b, which may be row1 and words0.
        .macro  ascon_rows a, b
        rotx    row0, \a, zero, 64
        align   row0, row0, \b, 8
        rotx    swapped, \b, zero, 64
        align   row1, \a, swapped, 8
        .endm

// A job: state, `blocks` blocks of each message from in on.
        .macro  ascon_pair_job
        vtoar   blocks, m1[ascon_length], 4
        ascon_pair_controls
        ascon_load
        arset   in, 0
        .endm

// \block for each of `blocks` blocks of both messages, with their words in words0 and words1.
        .macro  ascon_pair_blocks block
        repeat  blocks, .L_blocks\@
        ascon_pair
        \block
        ascon_permute 8
        nop                                     // no loop ends where the one around it does
.L_blocks\@:
        .endm

// ascon128_start_x2: two new messages.
//
// Inputs:   ascon_key; the nonces in m2 rows 0 and 1
// Outputs:  ascon_state
// Clobbers: v0-v7, ctr, wk, ar3
// Time:     constant
// Cycles:   285
        .global ascon128_start_x2
ascon128_start_x2:
        ascon_pair_controls
        mov     s0, m0[ascon_initial]
        mov     s4, m0[ascon_key]
        perm    s1, s4, m0[ascon_word0]
        perm    s2, s4, m0[ascon_word1]
        ascon_pair m2[0], m2[16]
        mov     s3, words0
        rotx    s4, words1, zero, 64
        xor     s2, s2, m1[ascon_ones]
        ascon_permute 12
        ascon_add_key s3, s4
        ascon_store

// ascon128_absorb_x2: associated data that goes on, n blocks of both messages together.
//
// Inputs:   ascon_state, ascon_length; data in m2 from row 0
// Outputs:  ascon_state
// Clobbers: v0-v7, ctr, wk, ar0, ar3, ar6
// Time:     constant; depends on n
// Cycles:   177n/2 + 23, even n
        .macro  ascon_pair_absorb
        xor     s0, s0, words0
        rotx    s1, words1, s1, 64
        .endm
        .global ascon128_absorb_x2
ascon128_absorb_x2:
        ascon_pair_job
        ascon_pair_blocks ascon_pair_absorb
        ascon_store

// ascon128_absorb_last_x2: the end of the associated data, n blocks of both messages together; it is empty if these
// are.
//
// Inputs:   ascon_state, ascon_length; data in m2 from row 0
// Outputs:  ascon_state
// Clobbers: v0-v7, ctr, wk, ar0, ar3, ar6
// Time:     constant; depends on n
// Cycles:   177n/2 + 196, even n
        .global ascon128_absorb_last_x2
ascon128_absorb_last_x2:
        ascon_pair_job
        ascon_pair_blocks ascon_pair_absorb
        bz      blocks, .L_separate
        xor     s0, s0, m1[ascon_pair_padding]
        ascon_permute 8
.L_separate:
        xor     s4, s4, m1[ascon_domain]
        ascon_store

// ascon128_encrypt_x2, ascon128_decrypt_x2: C = P ^ rate, or P = C ^ rate, and C is the rate: n blocks of both messages
// together.
//
// Inputs:   ascon_state, ascon_length; P or C in m2 from row 0
// Outputs:  C or P in m3 from row 0; ascon_state
// Clobbers: v0-v7, ctr, wk, ar0, ar1, ar3, ar6
// Time:     constant; depends on n
// Cycles:   183n/2 + 24 (encrypt), 185n/2 + 24 (decrypt), even n
        .macro  ascon_pair_encrypt
        ascon_pair_absorb
        ascon_rows s0, s1
        ascon_pair_out
        .endm
        .macro  ascon_pair_decrypt
        xor     row1, s0, words0
        mov     s0, words0
        rotx    words0, words1, s1, 64
        rotx    s1, words1, zero, 64
        ascon_rows row1, words0
        ascon_pair_out
        .endm
        .macro  ascon_pair_out
        perm    m3[out++], row0, wk
        perm    m3[out++], row1, wk
        .endm

        .global ascon128_encrypt_x2, ascon128_decrypt_x2
ascon128_encrypt_x2:
        ascon_pair_job
        arset   out, 0
        ascon_pair_blocks ascon_pair_encrypt
        ascon_store
ascon128_decrypt_x2:
        ascon_pair_job
        arset   out, 0
        ascon_pair_blocks ascon_pair_decrypt
        ascon_store

// row0, row1 = the tags.
        .macro  ascon_pair_finish
        ascon_pair_controls
        ascon_load
        xor     s0, s0, m1[ascon_pair_padding]
        ascon_add_key s2, s3
        ascon_permute 12
        ascon_add_key s3, s4
        ascon_rows s3, s4
        .endm

// ascon128_tag_x2: the tags.
//
// Inputs:   ascon_key, ascon_state
// Outputs:  the tags of 128 bits in m3 rows 0 and 1
// Clobbers: v0-v7, ctr, wk, ar3
// Time:     constant
// Cycles:   286
        .global ascon128_tag_x2
ascon128_tag_x2:
        ascon_pair_finish
        perm    m3[0], row0, wk
        perm    m3[16], row1, wk
        halt

// ascon128_verify_x2: whether both tags are the right ones.
//
// Inputs:   as for the tags; the tags in m2 rows 2 and 3, ones in their bits in m2 rows 4 and 5
// Outputs:  m3 row 0: ones if both are right, else zero
// Clobbers: v0-v7, ctr, wk, ar3
// Time:     constant, whether they are right or wrong
// Cycles:   301
        .global ascon128_verify_x2
ascon128_verify_x2:
        ascon_pair_finish
        perm    row0, row0, wk
        perm    row1, row1, wk
        xor     row0, row0, m2[32]
        xor     row1, row1, m2[48]
        and     row0, row0, m2[64]
        and     row1, row1, m2[80]
        mov     verdict, m1[ascon_ones]
        or      tag, row1, row0
        aead_verdict
