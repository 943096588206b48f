// Ascon-AEAD128 (SP 800-232 4), one message.
//
// Calling convention: firmware/README.md. Order of a message: start; absorb for jobs of associated data that are not
// the last, absorb_last for the last one, which may be empty; encrypt or decrypt in any number of jobs, of which the
// last may have a partial block; then tag or verify. From job to job the state is in ascon_state.
//
// Text ends with a partial block, possibly empty, and its padding. No job knows whether it is the last, so tag and
// verify add the padding of an empty one, and a job with a partial block adds that too, which cancels it.

        .include "permutation.inc"

// ascon128_start: a new message.
//
// Inputs:   ascon_key; the nonce in m2 row 0
// Outputs:  ascon_state
// Clobbers: v0-v7, ar3
// Time:     constant
// Cycles:   280
        .global ascon128_start
ascon128_start:
        mov     v6, m0[ascon_key]
        mov     v7, m2[0]
        mov     v0, m0[ascon_initial]
        perm    v1, v6, m0[ascon_word0]
        perm    v2, v6, m0[ascon_word1]
        perm    v3, v7, m0[ascon_word0]
        perm    v4, v7, m0[ascon_word1]
        xor     v2, v2, m1[ascon_ones]
        ascon_permute 12
        ascon_add_key v3, v4
        ascon_store

// ascon128_absorb: associated data that goes on, n blocks.
//
// Inputs:   ascon_state, ascon_length; data in m2 from row 0
// Outputs:  ascon_state
// Clobbers: v0-v7, ar0, ar3, ar4, ar6
// Time:     constant; depends on n
// Cycles:   175n + 24
        .macro  ascon_absorb
        xor     v5, v5, m2[ar0++]
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
        bnz     ar6, .L_pad
        bz      ar4, .L_separate
.L_pad:
        ascon_mask
        bz      ar4, .L_padded                  // no bytes, and perhaps no row to read
        and     v6, v6, m2[ar0]
        xor     v5, v5, v6
.L_padded:
        xor     v5, v5, v7
        ascon_set_rate
        ascon_permute 8
.L_separate:
        xor     v4, v4, m1[ascon_domain]
        ascon_store

// ascon128_encrypt, ascon128_decrypt: C = P ^ rate, or P = C ^ rate, and C is the rate: n blocks and up to 15 bytes.
//
// Inputs:   ascon_state, ascon_length; P or C in m2 from row 0
// Outputs:  C or P in m3 from row 0, a last block zero after its bytes; ascon_state
// Clobbers: v0-v7, ar0, ar1, ar3, ar4, ar6
// Time:     constant; depends on n and on the length of a last block
// Cycles:   175n + 27 (encrypt), 176n + 27 (decrypt)
        .macro  ascon_encrypt
        xor     {v5, m3[ar1++]}, v5, m2[ar0++]
        .endm
        .macro  ascon_decrypt
        xor     m3[ar1++], v5, m2[ar0]
        mov     v5, m2[ar0++]
        .endm

        .global ascon128_encrypt
ascon128_encrypt:
        ascon_job
        arset   ar1, 0
        ascon_blocks ascon_encrypt
        bz      ar4, .L_encrypted
        ascon_mask
        and     v0, v6, m2[ar0]                 // P
        xor     v5, v5, v0
        and     m3[ar1], v5, v6
        xor     v5, v5, v7
        xor     v5, v5, m0[ascon_padding]
        ascon_set_rate
.L_encrypted:
        ascon_store

        .global ascon128_decrypt
ascon128_decrypt:
        ascon_job
        arset   ar1, 0
        ascon_blocks ascon_decrypt
        bz      ar4, .L_decrypted
        ascon_mask
        xor     v0, v5, m2[ar0]
        and     {v0, m3[ar1]}, v0, v6           // P, by which the rate becomes C
        xor     v5, v5, v0
        xor     v5, v5, v7
        xor     v5, v5, m0[ascon_padding]
        ascon_set_rate
.L_decrypted:
        ascon_store

// v4 = the tag.
        .macro  ascon_finish
        ascon_load
        ascon_rate
        xor     v5, v5, m0[ascon_padding]
        ascon_set_rate
        ascon_add_key v2, v3
        ascon_permute 12
        ascon_add_key v3, v4
        align   v4, v3, v4, 8
        perm    v4, v4, m0[ascon_turned]
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
        mov     m3[0], v4
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
