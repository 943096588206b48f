// Helix (Ferguson, Whiting, Schneier, Kelsey, Lucks, Kohno, FSE 2003), one message.
//
// Calling convention: firmware/README.md. The rounds, and the routines of a message with their headers:
// common/helix.inc.

        .include "../common/helix.inc"

        hx_memory helix

// The keystream of a block is Z0 at its beginning.
        .macro  helix_block middle
        hx_block \middle, {v0, m0[ar1-=s]}
        .endm
        .macro  helix_encrypt
        xor     v4, v3, m1[ar0+=s]
        .endm
        .macro  helix_decrypt
        xor     v4, v3, m1[ar0+=s]
        xor     v4, v4, m0[ar5-=s]
        .endm
        .macro  helix_last_encrypt
        mov     v4, m1[ar0]
        and     v4, v4, m1[ar7]
        xor     v4, v3, v4
        .endm
        .macro  helix_last_decrypt
        mov     v4, m1[ar0]
        xor     v4, v4, m0[ar5]
        and     v4, v4, m1[ar7]
        xor     v4, v3, v4
        .endm
        .macro  helix_begun
        .endm
        .macro  helix_lengths
        .endm
        .macro  helix_tag
        .endm

        hx_key  helix, 0
        hx_key  helix, 8
        hx_key  helix, 40
        hx_key  helix, 128
        hx_key  helix, 192
        hx_key  helix, 248
        hx_key  helix, 256
        hx_schedule helix
        hx_message helix

// helix_absorb: Helix has no associated data, and the host gives none.
//
// Inputs:   none
// Outputs:  helix_state, as it is
// Clobbers: none
// Time:     constant
// Cycles:   8
        .global helix_absorb
helix_absorb:
        halt
