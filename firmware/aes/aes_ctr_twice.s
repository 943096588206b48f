// AES (FIPS 197), each block computed twice as in aes_twice.s: CTR (SP 800-38A).

        .include "block.inc"
        .include "twice_schedule.inc"
        .include "../common/twice_gate.inc"
        .include "twice.inc"
        .include "ctr_twice.inc"
        twice_known enc
        twice_known_schedule

        .section m1
aes_two:
        .row    "00000000000000000000000000000002"

        .section text

        tables  aes
        key_family aes, key_encrypt_twice, aes_key_encrypt_twice, twice_done

// aes{bits}_ctr_twice: C[i] = P[i] ^ E(counter + i), n blocks and up to 15 bytes more, either direction.
//
// Inputs:   both sets of round keys of encryption, aes_length, aes_iv = first counter block; tables; P in m2 from row 0
// Outputs:  C in m3 from row 0, a last block zero after its bytes; aes_iv = next counter block
// Clobbers: v0-v7, ctr, wk, hold, ar0-ar7
// Memory:   aes_done; m2 row 255, m3 rows 252-255 are scratch, zero at the end
// Time:     constant; depends on n and on the bytes of a last block
// Cycles:   (2b + 2)n + 151
        .macro  ctr_twice c, n
        twice_job \c
        ctr_text_twice \c, \n, \c\()_iv, \c\()_iv, last_row
        mov     m1[\c\()_iv], ctr
        mov     other, m1[\c\()_iv]
        add128  other, other, m1[aes_two]
        twice_take other ^ counter
        jmp     .L_open
        .endm

        family  aes, ctr_twice, ctr_twice
.L_open:
        twice_rows aes, out
        twice_wipe
        twice_open aes
