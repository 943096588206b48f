// AES (FIPS 197), each block computed twice as in aes_twice.s: encryption in CCM (SP 800-38C).

        .include "block.inc"
        .include "twice_schedule.inc"
        .include "../common/twice_gate.inc"
        .include "twice.inc"
        .include "ctr_twice.inc"
        .include "ccm_twice.inc"
        twice_known enc
        twice_known_schedule

        tables  aes
        key_family aes, key_encrypt_twice, aes_key_encrypt_twice, twice_done
        ccm_begin_twice aes
        ccm_called_twice aes

// aes{bits}_ccm_encrypt_twice: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more, P into the MAC.
//
// Inputs:   both sets of round keys of encryption, aes_length, ccm_ctr, again_ctr, aes_iv = both MACs; tables; P in m2
//           from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bytes; ccm_ctr, again_ctr, aes_iv
// Clobbers: v0-v7, ctr, wk, hold, ar0-ar7
// Memory:   aes_done; m2 rows 252 and 255, m3 rows 252-255 are scratch, zero at the end
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   (4b + 2)n + 194
        .macro  ccm_encrypt_twice c, n
        call    .L_job
        call    .L_mac_\n
        ccm_text_twice \c, \n
        jmp     .L_text_end
        .endm

// aes{bits}_ccm_tag_twice: the tag, MAC ^ E(Ctr0).
//
// Inputs:   both sets of round keys of encryption, ccm_start, again_start, aes_iv = both MACs; tables
// Outputs:  the tag of 128 bits in m3 row 0
// Clobbers: v1-v3, v6, v7, wk
// Memory:   aes_done; m3 rows 252-255: zero
// Time:     constant
// Cycles:   2b + 54
        .macro  ccm_tag_alone_twice c, n
        close
        close
        ghkey   m1[\c\()_ones]
        ghset   zero
        ccm_tag_twice \c, \n, m3[0]
        jmp     .L_open
        .endm

        family  aes, ccm_absorb_twice, ccm_absorb_twice
        family  aes, ccm_encrypt_twice, ccm_encrypt_twice
        family  aes, ccm_tag_twice, ccm_tag_alone_twice
.L_text_end:
        ccm_counters_twice aes
        twice_rows aes, out
.L_open:
        twice_wipe
        twice_open aes
