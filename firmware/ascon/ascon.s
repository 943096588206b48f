// Ascon-AEAD128 (SP 800-232 4), one message.
//
// Calling convention: firmware/README.md. Order of a message: start; absorb for jobs of associated data that are not
// the last, absorb_last for the last one, which may be empty; encrypt or decrypt in any number of jobs, of which the
// last may have a partial block; then tag or verify. From job to job the state is in ascon_state.
//
// Text ends with a partial, possibly empty block and its padding. No job knows whether it is the last. So tag and
// verify add the padding of an empty block, and a job with a partial block also adds that padding, which cancels it.

        .include "permutation.inc"

        .alias  plain, v0

// ascon128_start: a new message.
//
// Inputs:   ascon_key; the nonce in m2 row 0
// Outputs:  ascon_state
// Clobbers: v0-v7, ar3
// Time:     constant
// Cycles:   280

        .alias  key_row, v6
        .alias  nonce, v7

        .global ascon128_start
ascon128_start:
        mov     key_row, m0[ascon_key]
        mov     nonce, m2[0]
        mov     s0, m0[ascon_initial]
        perm    s1, key_row, m0[ascon_word0]
        perm    s2, key_row, m0[ascon_word1]
        perm    s3, nonce, m0[ascon_word0]
        perm    s4, nonce, m0[ascon_word1]
        xor     s2, s2, m1[ascon_ones]
        ascon_permute 12
        ascon_add_key s3, s4
        ascon_store

// ascon128_absorb: associated data that goes on, n blocks.
//
// Inputs:   ascon_state, ascon_length; data in m2 from row 0
// Outputs:  ascon_state
// Clobbers: v0-v7, ar0, ar3, ar4, ar6
// Time:     constant; depends on n
// Cycles:   175n + 24
        .macro  ascon_absorb
        xor     rate, rate, m2[in++]
        .endm
        .global ascon128_absorb
ascon128_absorb:
        ascon_job
        ascon_blocks ascon_absorb
        ascon_store

// ascon128_absorb_last: the end of the associated data, n blocks and up to 15 bytes; the data is empty if these are.
//
// Inputs:   ascon_state, ascon_length; data in m2 from row 0
// Outputs:  ascon_state
// Clobbers: v0-v7, ar0, ar3, ar4, ar6
// Time:     constant; depends on n and on the length of a last block
// Cycles:   175n + 207
        .global ascon128_absorb_last
ascon128_absorb_last:
        ascon_job
        ascon_blocks ascon_absorb
        bnz     blocks, .L_pad
        bz      bytes, .L_separate
.L_pad:
        ascon_mask
        bz      bytes, .L_padded                // no bytes, and perhaps no row to read
        and     kept, kept, m2[in]
        xor     rate, rate, kept
.L_padded:
        xor     rate, rate, padding
        ascon_set_rate
        ascon_permute 8
.L_separate:
        xor     s4, s4, m1[ascon_domain]
        ascon_store

// ascon128_encrypt, ascon128_decrypt: C = P ^ rate, or P = C ^ rate, and C is the rate: n blocks and up to 15 bytes.
//
// Inputs:   ascon_state, ascon_length; P or C in m2 from row 0
// Outputs:  C or P in m3 from row 0, a last block zero after its bytes; ascon_state
// Clobbers: v0-v7, ar0, ar1, ar3, ar4, ar6
// Time:     constant; depends on n and on the length of a last block
// Cycles:   175n + 27 (encrypt), 176n + 27 (decrypt)
        .macro  ascon_encrypt
        xor     {rate, m3[out++]}, rate, m2[in++]
        .endm
        .macro  ascon_decrypt
        xor     m3[out++], rate, m2[in]
        mov     rate, m2[in++]
        .endm

        .global ascon128_encrypt
ascon128_encrypt:
        ascon_job
        arset   out, 0
        ascon_blocks ascon_encrypt
        bz      bytes, .L_encrypted
        ascon_mask
        and     plain, kept, m2[in]             // P
        xor     rate, rate, plain
        and     m3[out], rate, kept
        xor     rate, rate, padding
        xor     rate, rate, m0[ascon_padding]
        ascon_set_rate
.L_encrypted:
        ascon_store

        .global ascon128_decrypt
ascon128_decrypt:
        ascon_job
        arset   out, 0
        ascon_blocks ascon_decrypt
        bz      bytes, .L_decrypted
        ascon_mask
        xor     plain, rate, m2[in]
        and     {plain, m3[out]}, plain, kept   // P, by which the rate becomes C
        xor     rate, rate, plain
        xor     rate, rate, padding
        xor     rate, rate, m0[ascon_padding]
        ascon_set_rate
.L_decrypted:
        ascon_store

// The tag in `tag`.
        .macro  ascon_finish
        ascon_load
        ascon_rate
        xor     rate, rate, m0[ascon_padding]
        ascon_set_rate
        ascon_add_key s2, s3
        ascon_permute 12
        ascon_add_key s3, s4
        align   tag, s3, s4, 8
        perm    tag, tag, m0[ascon_turned]
        .endm

// ascon128_tag: the tag.
//
// Inputs:   ascon_key, ascon_state
// Outputs:  the tag of 128 bits in m3 row 0
// Clobbers: v0-v7, ar3
// Time:     constant
// Cycles:   285
        .global ascon128_tag
ascon128_tag:
        ascon_finish
        mov     m3[0], tag
        halt

// ascon128_verify: whether a tag is the right one.
//
// Inputs:   as for the tag; the tag in m2 row 1, ones in its bits in m2 row 2
// Outputs:  m3 row 0: ones if it is right, else zero
// Clobbers: v0-v7, ar3
// Time:     constant, whether it is right or wrong
// Cycles:   296
        .global ascon128_verify
ascon128_verify:
        ascon_finish
        aead_compare ascon
