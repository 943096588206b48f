// Phelix (Whiting, Schneier, Lucks, Muller, eSTREAM 2005), one message.
//
// Calling convention: firmware/README.md. The rounds, and the routines of a message with their headers:
// common/helix.inc.

        .include "../common/helix.inc"

        hx_memory phelix

        .section m0
phelix_associated:                      // 0xaadaadaa: separates associated data from text
        .word   0, 0, 0, 0xaadaadaa
phelix_tag_bits:                        // mask of the bits of a tag's length
        .word   0, 127, 0, 0
phelix_first:                           // control vector: the last word, byte-reversed, to all words
        .row    "0f0e0d0c 0f0e0d0c 0f0e0d0c 0f0e0d0c"

        .section text

// The keystream of a block is Z4 between the halves, plus Z4 at the end of the block four blocks earlier.
        .macro  phelix_block middle
        hx_block \middle, e0, {z4, m1[old+=s%]}
        .endm
        .macro  phelix_encrypt
        add32   m0[stream-=s], e1, m1[old]
        xor     z4, z1, m1[plain+=s]
        .endm
        .macro  phelix_decrypt
        add32   {z4, m0[stream-=s]}, e1, m1[old]
        xor3    z4, z1, m1[plain+=s], z4
        .endm
        .macro  phelix_last_encrypt
        add32   m0[stream-=s], e1, m1[old]
        mov     z4, m1[plain]
        and     z4, z4, m1[rest]
        xor     z4, z1, z4
        .endm
        .macro  phelix_last_decrypt
        add32   {z4, m0[stream-=s]}, e1, m1[old]
        xor     z4, z4, m1[plain]
        and     z4, z4, m1[rest]
        xor     z4, z1, z4
        .endm

// Adds the length of the tag to the sums of every fourth block.
        .macro  phelix_begun
        rotx    z1, m2[16], zero, 64
        and     z1, z1, m0[phelix_tag_bits]
        shlx32  z1, z1, zero, 8
        add32   e1, e1, z1
        .endm

// Mixes the bytes of associated data into Z2 and Z4; the length of the text modulo 4 is in e0.
        .macro  phelix_lengths
        shrx64  e1, m2[0], zero, 3
        rotx    e0, e1, zero, 64
        xor     z4, z4, e0
        rotx    e0, e1, zero, 32
        rotx32  e0, e0, zero, 27
        xor     z2, z2, e0
        .endm
        .macro  phelix_tag
        mov     e0, m1[phelix_text]
        perm    e0, e0, m0[phelix_first]
        xor     z4, z4, e0
        .endm

        hx_key  phelix, 0
        hx_key  phelix, 40
        hx_key  phelix, 128
        hx_key  phelix, 192
        hx_key  phelix, 256
        hx_schedule phelix
        hx_message phelix

// phelix_absorb, phelix_absorb_last: associated data, n words and up to 3 bytes. The constant before the first word and
// after the last one is added before and after every job: between two jobs it cancels.
//
// Inputs:   phelix_state, phelix_sums, phelix_k, phelix_old, phelix_length; data in m2 from row 0
// Outputs:  phelix_state, phelix_old
// Clobbers: v0-v7, ctr, wk, ar0-ar7
// Memory:   phelix_text, phelix_keystream
// Time:     constant; depends on n and on the bytes of a last word
// Cycles:   125n/4 + 62, n a multiple of 4
        .global phelix_absorb, phelix_absorb_last
phelix_absorb:
phelix_absorb_last:
        hx_text phelix
        bnz     rows, .L_absorb
        halt
.L_absorb:
        hx_load phelix
        xor     z1, z1, m0[phelix_associated]
        hx_words phelix, encrypt
        xor     z1, z1, m0[phelix_associated]
        hx_save phelix
        halt
