// Helix (Ferguson, Whiting, Schneier, Kelsey, Lucks, Kohno, FSE 2003), one message.
//
// Calling convention: firmware/README.md. The rounds, and the routines of a message with their headers:
// common/helix.inc.

        .include "../common/helix.inc"

        hx_memory helix

// The keystream of a block is Z0 at the beginning of the block.
        .macro  helix_block middle
        hx_block \middle, {e0, m0[stream-=s]}
        .endm
        .macro  helix_encrypt
        xor     z4, z1, m1[plain+=s]
        .endm
        .macro  helix_decrypt
        xor     z4, z1, m1[plain+=s]
        xor     z4, z4, m0[stream_again-=s]
        .endm
        .macro  helix_last_encrypt
        mov     z4, m1[plain]
        and     z4, z4, m1[rest]
        xor     z4, z1, z4
        .endm
        .macro  helix_last_decrypt
        mov     z4, m1[plain]
        xor     z4, z4, m0[stream_again]
        and     z4, z4, m1[rest]
        xor     z4, z1, z4
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
