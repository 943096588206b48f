// Ascon-AEAD128 (SP 800-232 4), two interleaved messages of one key, in whole blocks.
//
// Calling convention: firmware/README.md; the order of a message as in ascon.s. A word of the first message is in the
// first half of a register, the same word of the second one in the other half.

        .include "permutation.inc"

// Rows of the two messages are taken apart with control vectors in wk and ctr.
        .macro  ascon_pair_controls
        mov     wk, m0[ascon_turned]
        mov     ctr, m0[ascon_swapped]
        .endm

// v7 = the first words of two rows, v6 = their second words, that of the second message first; v5.
        .macro  ascon_pair first=m2[ar0++], second=m2[ar0++]
        perm    v5, \first, ctr
        perm    v6, \second, wk
        align   v7, v5, v6, 8
        align   v6, v6, v5, 8
        .endm

// v5, v6 = the two rows of the words in a and b, which may be v5 and v7.
        .macro  ascon_rows a, b
        rotx    v6, \a, zero, 64
        align   v6, v6, \b, 8
        rotx    v7, \b, zero, 64
        align   v5, \a, v7, 8
        .endm

// A job: state, ar6 blocks of each message from ar0 on.
        .macro  ascon_pair_job
        vtoar   ar6, m1[ascon_length], 4
        ascon_pair_controls
        ascon_load
        arset   ar0, 0
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
        mov     v0, m0[ascon_initial]
        mov     v4, m0[ascon_key]
        perm    v1, v4, m0[ascon_word0]
        perm    v2, v4, m0[ascon_word1]
        ascon_pair m2[0], m2[16]
        mov     v3, v7
        rotx    v4, v6, zero, 64
        xor     v2, v2, m1[ascon_ones]
        ascon_permute 12
        ascon_add_key v3, v4
        ascon_store

// ascon128_absorb_x2: associated data that goes on, n blocks of both messages together.
//
// Inputs:   ascon_state, ascon_length; data in m2 from row 0
// Outputs:  ascon_state
// Clobbers: v0-v7, ctr, wk, ar0, ar3, ar6
// Time:     constant; depends on n
// Cycles:   177n/2 + 23, even n
        .macro  ascon_pair_absorb
        repeat  ar6, .L_blocks\@
        ascon_pair
        xor     v0, v0, v7
        rotx    v1, v6, v1, 64
        ascon_permute 8
        nop                                     // no loop ends where the one around it does
.L_blocks\@:
        .endm
        .global ascon128_absorb_x2
ascon128_absorb_x2:
        ascon_pair_job
        ascon_pair_absorb
        ascon_store

// ascon128_absorb_last_x2: the end of the associated data, n blocks of both messages together; it is empty if these are.
//
// Inputs:   ascon_state, ascon_length; data in m2 from row 0
// Outputs:  ascon_state
// Clobbers: v0-v7, ctr, wk, ar0, ar3, ar6
// Time:     constant; depends on n
// Cycles:   177n/2 + 196, even n
        .global ascon128_absorb_last_x2
ascon128_absorb_last_x2:
        ascon_pair_job
        ascon_pair_absorb
        bz      ar6, .L_separate
        xor     v0, v0, m1[ascon_pair_padding]
        ascon_permute 8
.L_separate:
        xor     v4, v4, m1[ascon_domain]
        ascon_store

// ascon128_encrypt_x2, ascon128_decrypt_x2: C = P ^ rate, or P = C ^ rate, and C is the rate: n blocks of both messages
// together.
//
// Inputs:   ascon_state, ascon_length; P or C in m2 from row 0
// Outputs:  C or P in m3 from row 0; ascon_state
// Clobbers: v0-v7, ctr, wk, ar0, ar1, ar3, ar6
// Time:     constant; depends on n
// Cycles:   183n/2 + 24 (encrypt), 185n/2 + 24 (decrypt), even n
        .global ascon128_encrypt_x2, ascon128_decrypt_x2
ascon128_encrypt_x2:
        ascon_pair_job
        arset   ar1, 0
        repeat  ar6, .L_encrypted
        ascon_pair
        xor     v0, v0, v7
        rotx    v1, v6, v1, 64
        ascon_rows v0, v1
        perm    m3[ar1++], v6, wk
        perm    m3[ar1++], v5, wk
        ascon_permute 8
        nop
.L_encrypted:
        ascon_store

ascon128_decrypt_x2:
        ascon_pair_job
        arset   ar1, 0
        repeat  ar6, .L_decrypted
        ascon_pair
        xor     v5, v0, v7
        mov     v0, v7
        rotx    v7, v6, v1, 64
        rotx    v1, v6, zero, 64
        ascon_rows v5, v7
        perm    m3[ar1++], v6, wk
        perm    m3[ar1++], v5, wk
        ascon_permute 8
        nop
.L_decrypted:
        ascon_store

// v6, v5 = the tags.
        .macro  ascon_pair_finish
        ascon_pair_controls
        ascon_load
        xor     v0, v0, m1[ascon_pair_padding]
        ascon_add_key v2, v3
        ascon_permute 12
        ascon_add_key v3, v4
        ascon_rows v3, v4
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
        perm    m3[0], v6, wk
        perm    m3[16], v5, wk
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
        perm    v6, v6, wk
        perm    v5, v5, wk
        xor     v6, v6, m2[32]
        xor     v5, v5, m2[48]
        and     v6, v6, m2[64]
        and     v5, v5, m2[80]
        mov     v2, m1[ascon_ones]
        or      v4, v5, v6
        aead_verdict
